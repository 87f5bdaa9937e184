import { field } from '../awaited.js';
import type { Seat } from '../game.js';
import { heroOf, monsterOf } from './combatants.js';
import type { DiceboundEvent, EventOf } from './events.js';
import { type Attendance, type DiceboundState, type Hero, MAX_PA, MAX_PV, type TrackerName } from './state.js';

/** The state with one board changed. */
export function withHero(state: DiceboundState, seat: Seat, change: (hero: Hero) => Partial<Hero>): DiceboundState {
  const hero = heroOf(state, seat);
  if (hero === undefined) return state;
  return { ...state, heroes: { ...state.heroes, [seat]: { ...hero, ...change(hero) } } };
}

/** A value kept between 0 and what a die can show (D2). */
export const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));

/** PA paid by a combatant. */
export function paid(state: DiceboundState, who: string, cost: number): DiceboundState {
  if (heroOf(state, who) !== undefined) return withHero(state, who, ({ pa }) => ({ pa: within(pa - cost, MAX_PA) }));
  const monster = monsterOf(state, who);
  const { room } = state;
  if (monster === undefined || room === null) return state;
  const next = { ...monster, pa: Math.max(0, monster.pa - cost) };
  return { ...state, room: { ...room, monsters: { ...room.monsters, [who]: next } } };
}

/** PV lost by a combatant (C6). */
export function wounded(state: DiceboundState, who: string, damage: number): DiceboundState {
  if (heroOf(state, who) !== undefined) return withHero(state, who, ({ pv }) => ({ pv: within(pv - damage, MAX_PV) }));
  const monster = monsterOf(state, who);
  const { room } = state;
  if (monster === undefined || room === null) return state;
  const next = { ...monster, pv: Math.max(0, monster.pv - damage) };
  return { ...state, room: { ...room, monsters: { ...room.monsters, [who]: next } } };
}

/** A tile leaves the slot or the hand it lies in. */
function dropped(hero: Hero, tile: string, from: string | null): Pick<Hero, 'slots' | 'hand'> {
  if (from !== null) return { slots: { ...hero.slots, [from]: null }, hand: hero.hand };
  const at = hero.hand.indexOf(tile);
  return { slots: hero.slots, hand: hero.hand.filter((_, index) => index !== at) };
}

function equipped(state: DiceboundState, { seat, tile, slot }: EventOf<'equipped' | 'drew'>, drew: boolean) {
  return withHero(state, seat, (hero) => {
    const { hand } = drew ? hero : dropped(hero, tile, null);
    const old = hero.slots[slot];
    return {
      slots: { ...hero.slots, [slot]: tile },
      hand: old === null ? hand : [...hand, old],
      chests: drew ? Math.max(0, hero.chests - 1) : hero.chests,
    };
  });
}

const once = (used: Hero['used'], tile: string): Hero['used'] => ({ ...used, [tile]: (field(used, tile) ?? 0) + 1 });

function drank(state: DiceboundState, { seat, tile, on, cost, heal, pa }: EventOf<'drank'>): DiceboundState {
  const without = withHero(paid(state, seat, cost), seat, (hero) => dropped(hero, tile, 'accessory'));
  return withHero(without, on, (hero) => ({ pv: within(hero.pv + heal, MAX_PV), pa: within(hero.pa + pa, MAX_PA) }));
}

function starred(state: DiceboundState, event: EventOf<'starred'>): DiceboundState {
  const { seat, tile, cost, heal, pa, die, saves } = event;
  const used = withHero(paid(state, seat, cost), seat, (hero) => ({
    used: once(hero.used, tile),
    pv: within(hero.pv + heal, MAX_PV),
    pa: within(hero.pa + pa, MAX_PA),
  }));
  const { fight } = used;
  if (fight === null) return used;
  const boost = { dice: die === null ? fight.boost.dice : [...fight.boost.dice, die], cost: fight.boost.cost + saves };
  return { ...used, fight: { ...fight, boost } };
}

function adjusted(state: DiceboundState, who: string, counter: TrackerName, value: number): DiceboundState {
  if (counter === 'level') return { ...state, level: value };
  const { room } = state;
  const monster = monsterOf(state, who);
  if (heroOf(state, who) === undefined && monster !== undefined && room !== null) {
    return { ...state, room: { ...room, monsters: { ...room.monsters, [who]: { ...monster, [counter]: value } } } };
  }
  return withHero(state, who, (hero) => ({
    [counter]: value,
    ...(counter === 'pv' && value > 0 ? { ko: false } : {}),
    ...(counter === 'pa' && hero.ko ? { pa: 0 } : {}),
  }));
}

/** A seat's attendance; what was awaited from it is cancelled by what follows (Z5). */
function attending(state: DiceboundState, seat: Seat, is: Attendance): DiceboundState {
  const next = withHero(state, seat, () => ({ attendance: is }));
  return is !== 'present' && state.drawing === seat ? { ...next, drawing: null } : next;
}

function tracked(state: DiceboundState, event: EventOf<'tracker_set' | 'tracker_late'>): DiceboundState {
  const { seat, counter } = event;
  return withHero(state, seat, ({ trackers }) => {
    const old = trackers[counter];
    const next =
      event.kind === 'tracker_late'
        ? { ...old, told: true }
        : { ...old, shown: event.face, ahead: event.ahead, told: false };
    return { trackers: { ...trackers, [counter]: next } };
  });
}

/** State after an event of one board: its tiles, counters, trackers and attendance; undefined for any other event. */
export function evolveParty(state: DiceboundState, event: DiceboundEvent): DiceboundState | undefined {
  switch (event.kind) {
    case 'equipped':
      return equipped(state, event, false);
    case 'drew':
      return { ...equipped(state, event, true), drawing: null };
    case 'drawing':
      return { ...state, drawing: event.seat, draws: state.draws + 1 };
    case 'gave': {
      const given = withHero(state, event.seat, (hero) => dropped(hero, event.tile, event.from));
      return withHero(given, event.on, (hero) => ({ slots: { ...hero.slots, [event.slot]: event.tile } }));
    }
    case 'bagged':
      return withHero(state, event.seat, (hero) => dropped(hero, event.tile, event.from));
    case 'drank':
      return drank(state, event);
    case 'starred':
      return starred(state, event);
    case 'adjusted':
      return adjusted(state, event.who, event.counter, event.value);
    case 'attendance':
      return attending(state, event.seat, event.is);
    case 'tracker_set':
    case 'tracker_late':
      return tracked(state, event);
    case 'ko':
      return withHero(state, event.who, () => ({ ko: true, pa: 0 }));
    case 'eliminated':
      return withHero(state, event.who, () => ({ ko: true, pa: 0 }));
    case 'classed':
      return withHero(state, event.seat, () => ({ class: event.class, dice: event.dice }));
    case 'woke':
      return withHero(state, event.seat, () => ({ ko: false, pv: 1, pa: 0 }));
    default:
      return undefined;
  }
}
