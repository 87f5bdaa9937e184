import { field } from '../awaited.js';
import { boardOf, snapshotOf } from './boards.js';
import { heroOf, kindOf } from './combatants.js';
import type { DiceboundEvent, EventOf } from './events.js';
import { paid, withHero, wounded } from './evolve-party.js';
import {
  type Check,
  type DiceboundState,
  type Hero,
  MAX_PA,
  type Monster,
  type Room,
  type SprungTrap,
  type Tracker,
} from './state.js';

const heroesBy = (state: DiceboundState, change: (hero: Hero) => Partial<Hero>): DiceboundState['heroes'] =>
  Object.fromEntries(Object.entries(state.heroes).map(([seat, hero]) => [seat, { ...hero, ...change(hero) }]));

function roomOpened(state: DiceboundState, event: EventOf<'room_opened'>): DiceboundState {
  const { level, heads, budget, ambush, environments } = event;
  const monsters: { [id: string]: Monster } = {};
  for (const { id, kind, pawn } of event.monsters) {
    const data = field(state.data.monsters, kind);
    monsters[id] = { kind, pv: data?.pv ?? 0, pa: data?.pa ?? 0, fallen: false, pawn };
  }
  const room: Room = {
    n: state.rooms + 1,
    stage: 'open',
    level,
    heads,
    budget,
    spent: 0,
    ambush,
    bought: [],
    environments,
    traps: {},
    monsters,
    drawn: [],
    paid: false,
  };
  const heroes = heroesBy(state, ({ hand }) => ({ hand: hand.slice(0, state.rules.backpack) }));
  return { ...state, heroes, room, rooms: room.n, resting: null };
}

const withRoom = (state: DiceboundState, change: (room: Room) => Partial<Room>): DiceboundState =>
  state.room === null ? state : { ...state, room: { ...state.room, ...change(state.room) } };

const withCheck = (state: DiceboundState, change: (check: Check) => Partial<Check>): DiceboundState =>
  state.check === null ? state : { ...state, check: { ...state.check, ...change(state.check) } };

const withTrap = (state: DiceboundState, change: (trap: SprungTrap) => Partial<SprungTrap>): DiceboundState =>
  state.trap === null ? state : { ...state, trap: { ...state.trap, ...change(state.trap) } };

/** Nothing of a room stays open (C13). */
const settled = (state: DiceboundState): DiceboundState => ({ ...state, fight: null, check: null, trap: null });

function levelled(state: DiceboundState, { level, chests }: EventOf<'level_up'>): DiceboundState {
  return chests.reduce((now, seat) => withHero(now, seat, (hero) => ({ chests: hero.chests + 1 })), {
    ...state,
    level,
  });
}

/** E4: who is there wakes and is on 6 PA, and the table can come back to this. */
function rested(state: DiceboundState): DiceboundState {
  const heroes = heroesBy(state, (hero) => {
    const used = Object.fromEntries(
      Object.entries(hero.used).filter(([tile]) => field(state.data.tiles, tile)?.star?.per !== 'rest'),
    );
    if (hero.attendance !== 'present') return { used };
    return { used, pa: MAX_PA, ...(hero.ko ? { ko: false, pv: 1 } : {}) };
  });
  const now: DiceboundState = { ...state, heroes, rests: state.rests + 1, resting: 'roll', ambushDice: [] };
  return { ...now, restore: snapshotOf(now) };
}

/** G9: back to the last restore point; attendance stays, and every tracker must show its face once again (D3). */
function restored(state: DiceboundState): DiceboundState {
  const { level, xp, heroes: then } = state.restore;
  const unknown = (tracker: Tracker): Tracker => ({ ...tracker, shown: null, ahead: false, told: false });
  const heroes = Object.fromEntries(
    Object.entries(state.heroes).map(([seat, hero]) => {
      const { pv, pa, level: tens } = hero.trackers;
      const trackers = { pv: unknown(pv), pa: unknown(pa), level: unknown(tens) };
      return [seat, { ...hero, ...field(then, seat), trackers }];
    }),
  );
  return { ...settled(state), heroes, level, xp, room: null, resting: null, ambushDice: [], drawing: null };
}

function joined(state: DiceboundState, { seating }: EventOf<'joined'>): DiceboundState {
  const hero = boardOf(seating, state.level);
  const heroes = { ...state.heroes, [seating.id]: hero };
  const start = snapshotOf({ level: state.level, xp: state.xp, heroes: { [seating.id]: hero } });
  return {
    ...state,
    seats: [...state.seats.filter((seat) => seat !== seating.id), seating.id],
    heroes,
    teams: { ...state.teams, [seating.id]: seating.id },
    restore: { ...state.restore, heroes: { ...state.restore.heroes, ...start.heroes } },
  };
}

function called(state: DiceboundState, event: EventOf<'check_called'>): DiceboundState {
  const { seat, stat, difficulty, trap } = event;
  const n = state.checks + 1;
  const check: Check = { n, seat, stat, difficulty, trap, stage: 'roll', tries: 1, sum: 0, landed: [] };
  return { ...state, checks: n, check };
}

function checkRolled(state: DiceboundState, sum: number): DiceboundState {
  return withCheck(state, (check) => {
    const spent = (heroOf(state, check.seat)?.pa ?? 0) < 1;
    return { sum, landed: [], stage: sum >= check.difficulty ? 'passed' : spent ? 'failed' : 'effort' };
  });
}

function ended(state: DiceboundState): DiceboundState {
  const { check } = state;
  if (check === null) return state;
  const quiet = withHero(state, check.seat, ({ trackers }) => ({
    trackers: { ...trackers, pa: { ...trackers.pa, ahead: false } },
  }));
  return { ...quiet, check: null };
}

/** State after an event of the camp and the room; undefined for any other event. */
export function evolveCamp(state: DiceboundState, event: DiceboundEvent): DiceboundState | undefined {
  switch (event.kind) {
    case 'room_opened':
      return roomOpened(state, event);
    case 'purchases': {
      const traps = Object.fromEntries(event.traps.map(({ id, kind }) => [id, { kind, done: false }]));
      return withRoom(state, () => ({ bought: event.bought, spent: event.spent, traps }));
    }
    case 'room_won':
      return withRoom(settled(state), () => ({ stage: 'won' }));
    case 'room_left':
      return withRoom(settled(state), () => ({ stage: 'left' }));
    case 'room_closed':
      return { ...settled(state), room: null };
    case 'xp':
      return withRoom({ ...state, xp: state.xp + event.head }, () => ({ paid: true }));
    case 'level_up':
      return levelled(state, event);
    case 'check_called':
      return called(state, event);
    case 'effort':
      return withCheck(paid(state, event.seat, event.cost), ({ tries }) => ({ stage: 'roll', tries: tries + 1 }));
    case 'check_rolled':
      return checkRolled(state, event.sum);
    case 'check_ended':
      return ended(state);
    case 'rested':
      return rested(state);
    case 'ambushed':
      return { ...state, resting: 'room', ambushDice: [] };
    case 'calm':
      return { ...state, resting: null, ambushDice: [] };
    case 'restored':
      return restored(state);
    case 'joined':
      return joined(state, event);
    case 'ended':
      return { ...settled(state), over: true, winner: event.winner, resting: null, drawing: null };
    default:
      return evolveTrap(state, event);
  }
}

function evolveTrap(state: DiceboundState, event: DiceboundEvent): DiceboundState | undefined {
  switch (event.kind) {
    case 'trap_sprung': {
      const { id, hit } = event;
      const trap: SprungTrap = { id, hit, pays: {}, landed: [], amount: null, defences: {}, hurt: [] };
      const traps = { ...state.room?.traps, [id]: { kind: event.trap, done: false } };
      return withRoom({ ...state, trap }, () => ({ traps }));
    }
    case 'trap_paid':
      return withTrap(paid(state, event.seat, event.cost), ({ pays }) => ({
        pays: { ...pays, [event.seat]: event.pay },
      }));
    case 'trap_damage':
      return withTrap(state, () => ({ amount: event.amount }));
    case 'trap_hurt':
      return withTrap(wounded(state, event.seat, event.damage), ({ hurt }) => ({ hurt: [...hurt, event.seat] }));
    case 'trap_done': {
      const done = field(state.room?.traps, event.id);
      const next = done === undefined ? {} : { [event.id]: { ...done, done: true } };
      return withRoom({ ...state, trap: null }, ({ traps }) => ({ traps: { ...traps, ...next } }));
    }
    default:
      return undefined;
  }
}

/** PA a monster refills to (G3). */
export const fullPa = (state: DiceboundState, who: string): number => kindOf(state, who)?.pa ?? MAX_PA;
