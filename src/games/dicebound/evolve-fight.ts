import type { Landed } from '../../rolls/resolution.js';
import { field } from '../awaited.js';
import { heroOf, monsterOf } from './combatants.js';
import type { DiceboundEvent, EventOf } from './events.js';
import { paid, withHero, wounded } from './evolve-party.js';
import { type Attack, type Combatant, type DiceboundState, type Fight, NO_BOOST, type Weapon } from './state.js';

const withFight = (state: DiceboundState, change: (fight: Fight) => Partial<Fight>): DiceboundState =>
  state.fight === null ? state : { ...state, fight: { ...state.fight, ...change(state.fight) } };

const withAttack = (state: DiceboundState, change: (attack: Attack) => Partial<Attack>): DiceboundState =>
  withFight(state, ({ attack }) => (attack === null ? {} : { attack: { ...attack, ...change(attack) } }));

function started(state: DiceboundState, rollers: readonly Combatant[]): DiceboundState {
  const fight: Fight = {
    n: state.fights + 1,
    stage: 'initiative',
    round: 0,
    rollers,
    landed: {},
    rolls: {},
    pass: 1,
    order: [],
    at: -1,
    turn: null,
    acted: [],
    bases: 0,
    left: 0,
    dodged: [],
    last: {},
    attacks: 0,
    attack: null,
    opening: [],
    boost: NO_BOOST,
    held: [],
  };
  return { ...spared(state, null, 'fight'), fights: fight.n, fight };
}

/** Stars limited per turn or per fight may be used again (T5). */
function spared(state: DiceboundState, who: Combatant | null, per: 'turn' | 'fight'): DiceboundState {
  const seats = who === null ? state.seats : [who];
  return seats.reduce((now, seat) => {
    const hero = heroOf(now, seat);
    if (hero === undefined || Object.keys(hero.used).length === 0) return now;
    const kept = Object.entries(hero.used).filter(([tile]) => {
      const limit = field(state.data.tiles, tile)?.star?.per;
      return limit !== per && !(per === 'fight' && limit === 'turn');
    });
    return withHero(now, seat, () => ({ used: Object.fromEntries(kept) }));
  }, state);
}

function turned(state: DiceboundState, event: EventOf<'turn'>): DiceboundState {
  const { who, round, pa, dice } = event;
  const hero = heroOf(state, who);
  const full = pa === null ? state : refilled(state, who, pa);
  const ready = hero === undefined ? full : spared(full, who, 'turn');
  return withFight(ready, (fight) => ({
    round,
    at: fight.order.indexOf(who),
    turn: who,
    acted: fight.acted.includes(who) ? fight.acted : [...fight.acted, who],
    bases: 0,
    left: dice ?? 0,
    dodged: fight.dodged.filter((seat) => seat !== who),
    boost: NO_BOOST,
    opening: [],
  }));
}

function refilled(state: DiceboundState, who: Combatant, pa: number): DiceboundState {
  if (heroOf(state, who) !== undefined) return withHero(state, who, () => ({ pa }));
  const monster = monsterOf(state, who);
  if (monster === undefined || state.room === null) return state;
  return { ...state, room: { ...state.room, monsters: { ...state.room.monsters, [who]: { ...monster, pa } } } };
}

/** What an attack by this weapon takes from the turn beside its PA. */
function spent(fight: Fight, weapon: Weapon, who: Combatant, target: Combatant | null): Partial<Fight> {
  return {
    bases: fight.bases + (weapon === 'base' ? 1 : 0),
    left: Math.max(0, fight.left - 1),
    boost: weapon === 'base' ? fight.boost : NO_BOOST,
    ...(target === null ? {} : { last: { ...fight.last, [who]: target } }),
  };
}

function attacked(state: DiceboundState, event: EventOf<'attacked'>): DiceboundState {
  const { by, weapon, target, cost, dice } = event;
  return withFight(paid(state, by, cost), (fight) => {
    const was = { bases: fight.bases, left: fight.left, boost: fight.boost, last: field(fight.last, by) ?? null };
    const attack: Attack = {
      n: fight.attacks + 1,
      by,
      weapon,
      target,
      cost,
      changeable: true,
      stage: 'damage',
      landed: dice,
      defence: [],
      agility: [],
      boost: weapon === 'base' ? NO_BOOST : fight.boost,
      incoming: 0,
      left: 0,
      was,
    };
    return { attack, attacks: attack.n, opening: [], ...spent(fight, weapon, by, target) };
  });
}

/** C3: as if this attack had never been opened; its number is not used again, so that a late die finds no call. */
function withdrawn(state: DiceboundState): DiceboundState {
  const attack = state.fight?.attack ?? null;
  if (attack === null) return state;
  return withFight(paid(state, attack.by, -attack.cost), (fight) => {
    const { bases, left, boost, last } = attack.was;
    const others = Object.fromEntries(Object.entries(fight.last).filter(([who]) => who !== attack.by));
    return { attack: null, bases, left, boost, last: last === null ? others : { ...others, [attack.by]: last } };
  });
}

function changed(state: DiceboundState, event: EventOf<'changed'>): DiceboundState {
  const { weapon, target, cost, dice } = event;
  const attack = state.fight?.attack ?? null;
  if (attack === null) return state;
  return withFight(paid(withdrawn(state), attack.by, cost), (fight) => ({
    attack: {
      ...attack,
      weapon,
      target,
      cost,
      stage: 'damage',
      landed: dice,
      incoming: 0,
      boost: weapon === 'base' ? NO_BOOST : fight.boost,
    },
    ...spent(fight, weapon, attack.by, target),
  }));
}

const added = (dice: readonly Landed[] | undefined, die: Landed): readonly Landed[] => [...(dice ?? []), die];

function landed(state: DiceboundState, { place, die }: EventOf<'landed'>): DiceboundState {
  switch (place.at) {
    case 'initiative':
      return withFight(state, (fight) => ({
        landed: { ...fight.landed, [place.who]: added(field(fight.landed, place.who), die) },
      }));
    case 'opening':
      return withFight(state, ({ opening }) => ({ opening: added(opening, die) }));
    case 'damage':
      return withAttack(state, (attack) => ({ landed: added(attack.landed, die) }));
    case 'defence':
      return withAttack(state, ({ defence }) => ({ defence: added(defence, die), changeable: false }));
    case 'agility':
      return withAttack(state, ({ agility }) => ({ agility: added(agility, die), changeable: false }));
    case 'check':
    case 'effort': {
      const { check } = state;
      return check === null ? state : { ...state, check: { ...check, landed: added(check.landed, die) } };
    }
    case 'ambush':
      return { ...state, ambushDice: added(state.ambushDice, die) };
    case 'trap': {
      const { trap } = state;
      return trap === null ? state : { ...state, trap: { ...trap, landed: added(trap.landed, die) } };
    }
    case 'trap_defence': {
      const { trap } = state;
      if (trap === null) return state;
      const defences = { ...trap.defences, [place.who]: added(field(trap.defences, place.who), die) };
      return { ...state, trap: { ...trap, defences } };
    }
  }
}

function answered(state: DiceboundState, id: string): DiceboundState {
  const held = state.fight?.held.find((one) => one.id === id);
  const rest = withFight(state, (fight) => ({ held: fight.held.filter((one) => one.id !== id) }));
  if (held === undefined) return rest;
  return withAttack(rest, (attack) => ({ [held.at]: added(attack[held.at], held.die), changeable: false }));
}

function turnEnded(state: DiceboundState, who: Combatant): DiceboundState {
  const quiet = withHero(state, who, ({ trackers }) => ({
    trackers: { ...trackers, pa: { ...trackers.pa, ahead: false } },
  }));
  return withFight(quiet, () => ({ turn: null, attack: null, opening: [], boost: NO_BOOST }));
}

function drawn(state: DiceboundState, { who, yes }: EventOf<'dice_drawn'>): DiceboundState {
  const { room } = state;
  if (room === null) return state;
  const others = who === 'all' ? [] : room.drawn.filter((one) => one !== who);
  return { ...state, room: { ...room, drawn: yes ? [...others, who] : others } };
}

function fallen(state: DiceboundState, who: Combatant): DiceboundState {
  const monster = monsterOf(state, who);
  if (monster === undefined || state.room === null) return state;
  const monsters = { ...state.room.monsters, [who]: { ...monster, fallen: true } };
  return { ...state, room: { ...state.room, monsters } };
}

/** State after an event of a fight; undefined for any other event. */
export function evolveFight(state: DiceboundState, event: DiceboundEvent): DiceboundState | undefined {
  switch (event.kind) {
    case 'fight_started':
      return started(state, event.rollers);
    case 'landed':
      return landed(state, event);
    case 'initiative':
      return withFight(state, ({ rolls, landed: dice }) => ({
        rolls: { ...rolls, [event.who]: [...(field(rolls, event.who) ?? []), event.result] },
        landed: Object.fromEntries(Object.entries(dice).filter(([who]) => who !== event.who)),
      }));
    case 'tied':
      return withFight(state, ({ pass }) => ({ pass: pass + 1 }));
    case 'ordered':
      return withFight(state, () => ({ stage: 'rounds', order: event.order }));
    case 'turn':
      return turned(state, event);
    case 'turn_ended':
      return turnEnded(state, event.who);
    case 'fallen':
      return fallen(state, event.who);
    case 'dice_drawn':
      return drawn(state, event);
    case 'held':
      return withFight(state, ({ held }) => ({
        held: [...held, { id: event.id, seat: event.seat, at: event.at, die: event.die }],
      }));
    case 'released':
      return withFight(state, ({ held }) => ({ held: held.filter((one) => one.id !== event.id) }));
    case 'answered':
      return answered(state, event.id);
    default:
      return evolveAttack(state, event);
  }
}

function evolveAttack(state: DiceboundState, event: DiceboundEvent): DiceboundState | undefined {
  switch (event.kind) {
    case 'attacked':
      return attacked(state, event);
    case 'changed':
      return changed(state, event);
    case 'withdrawn':
      return withdrawn(state);
    case 'targeted':
      return withFight(
        withAttack(state, () => ({ target: event.target })),
        ({ last, attack }) => ({ last: attack === null ? last : { ...last, [attack.by]: event.target } }),
      );
    case 'incoming':
      return withAttack(state, () => ({ stage: 'defence', incoming: event.amount, left: event.amount }));
    case 'defended':
      return withAttack(state, () => ({ stage: 'dodge', left: event.left }));
    case 'dodging':
      return withFight(
        withAttack(paid(state, event.who, event.cost), () => ({ stage: 'agility' })),
        ({ dodged }) => ({ dodged: event.free ? [...dodged, event.who] : dodged }),
      );
    case 'no_dodge':
      return withAttack(state, () => ({ stage: 'done' }));
    case 'dodged':
      return withAttack(state, () => ({ stage: 'done', left: event.left }));
    case 'hurt':
      return withAttack(wounded(state, event.target, event.damage), ({ stage }) => ({ left: 0, stage }));
    case 'attack_ended':
      return withFight(state, () => ({ attack: null }));
    default:
      return undefined;
  }
}
