import type { Landed } from '../../rolls/resolution.js';
import { begin } from '../../rolls/resolution.js';
import { field, type RollExpectation } from '../awaited.js';
import type { CallId, Seat } from '../game.js';
import { heroOf, isOut, kindOf, monsterOf, paOf, rollerOf, targetsOf } from './combatants.js';
import { attackCost } from './costs.js';
import type { Place } from './events.js';
import { type Combatant, type DiceboundState, type Fight, type Rule, WEAPONS, type Weapon } from './state.js';
import {
  answerAsk,
  attackAsk,
  type DiceAsk,
  fitting,
  heroAsk,
  initiativeAsk,
  openAsk,
  resolutionOf,
  statOf,
  tileIn,
  trapAsk,
} from './statistics.js';

/** A roll that is awaited, where its dice belong, and what they are. */
export interface Ask {
  readonly place: Place;
  readonly dice: DiceAsk;
  readonly expects: RollExpectation;
  /** For an opening: the attack that the statistic's die opens. */
  readonly weapon?: Weapon;
}

interface Call {
  readonly id: CallId;
  readonly seat: Seat;
  readonly purpose: string;
  readonly rule: Rule;
  readonly optional?: boolean;
  readonly of?: string;
  readonly to?: readonly Seat[];
}

function roll(call: Call, place: Place, dice: DiceAsk, landed: readonly Landed[]): Ask {
  const { id, seat, purpose, rule, optional = false, of, to } = call;
  return {
    place,
    dice,
    expects: {
      kind: 'roll',
      id,
      seat,
      rule,
      purpose,
      optional,
      ...(of === undefined ? {} : { for: of }),
      ...(to === undefined ? {} : { to }),
      resolution: resolutionOf(dice, landed),
    },
  };
}

/** Who rolls initiative in this pass: all, later only the tied (C1, Z4). */
export function initiativeRollers(state: DiceboundState, fight: Fight): readonly Combatant[] {
  const alive = fight.rollers.filter((who) => who === 'gm' || !isOut(state, who));
  const before = fight.pass - 1;
  const rolls = (who: Combatant): readonly number[] => field(fight.rolls, who) ?? [];
  return alive.filter(
    (who) =>
      rolls(who).length === before &&
      (before === 0 || alive.some((other) => other !== who && sameRolls(rolls(who), rolls(other), before))),
  );
}

const sameRolls = (one: readonly number[], other: readonly number[], length: number): boolean =>
  one.length >= length && other.length >= length && one.slice(0, length).every((n, at) => n === other[at]);

function initiativeAsks(state: DiceboundState, fight: Fight): readonly Ask[] {
  const pass = fight.pass === 1 ? '' : `.${fight.pass}`;
  return initiativeRollers(state, fight).map((who) => {
    const seat = heroOf(state, who) === undefined ? 'gm' : who;
    const call = { id: `f${fight.n}.init.${who}${pass}`, seat, purpose: 'initiative', rule: 'dicebound:C1' as const };
    const landed = field(fight.landed, who) ?? [];
    const monster = monsterOf(state, who) === undefined ? {} : { of: who };
    return roll({ ...call, ...monster }, { at: 'initiative', who }, initiativeAsk(state, who), landed);
  });
}

/** The weapon that a throw of this statistic uses: the slot's, else (physical) the base attack (C3). */
export function thrownWeapon(state: DiceboundState, who: Combatant, stat: 'physical' | 'magic'): Weapon | undefined {
  const hero = heroOf(state, who);
  if (hero === undefined) return kindOf(state, who)?.attacks[stat] === undefined ? undefined : stat;
  if (tileIn(state, hero, stat) !== undefined) return stat;
  return stat === 'physical' ? 'base' : undefined;
}

/** Attacks this combatant can pay for now. */
export function affordable(state: DiceboundState, who: Combatant): readonly Weapon[] {
  const { fight } = state;
  if (fight === null || targetsOf(state, who).length === 0) return [];
  return WEAPONS.filter((weapon) => {
    const cost = attackCost(state, who, weapon, fight.boost);
    return cost.ok && cost.pa <= paOf(state, who);
  });
}

/** C3, `declare: after`: throws that open an attack by themselves. */
function openingAsks(state: DiceboundState, fight: Fight, who: Combatant): readonly Ask[] {
  if (state.rules.declare === 'before' || drawsDice(state, who)) return [];
  const payable = affordable(state, who);
  return (['physical', 'magic'] as const).flatMap((stat) => {
    const weapon = thrownWeapon(state, who, stat);
    if (weapon === undefined || !payable.includes(weapon)) return [];
    const dice = attackAsk(state, who, weapon, fight.boost);
    if (dice === undefined || fitting(dice, fight.opening).length < fight.opening.length) return [];
    const rule: Rule = weapon === 'base' ? 'dicebound:C7' : 'dicebound:C3';
    const id = `f${fight.n}.a${fight.attacks + 1}.${stat}`;
    const call = { id, seat: rollerOf(state, who), purpose: 'attack', rule, optional: true, of: who };
    return [{ ...roll(call, { at: 'opening' }, dice, fight.opening), weapon }];
  });
}

function attackAsks(state: DiceboundState, fight: Fight): readonly Ask[] {
  const { attack } = fight;
  if (attack === null) return fight.turn === null ? [] : openingAsks(state, fight, fight.turn);
  const id = (word: string): CallId => `f${fight.n}.a${attack.n}.${word}`;
  if (attack.stage === 'damage') {
    const dice = openAsk(state, attack);
    if (attack.landed.length >= dice.main.length + dice.bonus.length) return [];
    const rule: Rule = attack.weapon === 'base' ? 'dicebound:C7' : 'dicebound:C3';
    const call = { id: id(statOf(attack.weapon)), seat: rollerOf(state, attack.by), purpose: 'attack', rule };
    return [roll({ ...call, of: attack.by }, { at: 'damage' }, dice, attack.landed)];
  }
  const { target, stage } = attack;
  if (target === null || (stage !== 'defence' && stage !== 'agility')) return [];
  const call = {
    id: id(stage),
    seat: rollerOf(state, target),
    purpose: stage === 'defence' ? 'defence' : 'dodge',
    rule: stage === 'defence' ? ('dicebound:C4' as const) : ('dicebound:C5' as const),
    of: target,
  };
  return [roll(call, { at: stage }, answerAsk(state, target, stage), attack[stage])];
}

function checkAsks(state: DiceboundState): readonly Ask[] {
  const { check } = state;
  const hero = check === null ? undefined : heroOf(state, check.seat);
  if (check === null || hero === undefined || (check.stage !== 'roll' && check.stage !== 'effort')) return [];
  const effort = check.stage === 'effort';
  if (effort && state.rules.declare === 'before') return [];
  const again = effort || check.tries > 1;
  const call = {
    id: `c${check.n}.${check.tries + (effort ? 1 : 0)}`,
    seat: check.seat,
    purpose: again ? 'effort' : 'check',
    rule: again ? ('dicebound:E2' as const) : ('dicebound:E1' as const),
    optional: effort,
  };
  const dice = heroAsk(state, hero, check.stat, 'check');
  return [roll(call, { at: effort ? 'effort' : 'check' }, dice, check.landed)];
}

function trapAsks(state: DiceboundState): readonly Ask[] {
  const { trap, room } = state;
  if (trap === null || room === null || trap.hit.some((seat) => !Object.hasOwn(trap.pays, seat))) return [];
  const kind = field(state.data.traps, field(room.traps, trap.id)?.kind ?? '');
  const payers = trap.hit.filter(
    (seat) => field(trap.pays, seat) === 'pv' && !trap.hurt.includes(seat) && !isOut(state, seat),
  );
  if (payers.length === 0 || kind === undefined) return [];
  const base = `r${room.n}.${trap.id}`;
  if (trap.amount === null) {
    const call = { id: base, seat: 'gm', purpose: 'trap', rule: 'dicebound:G11' as const, of: trap.id };
    return [roll(call, { at: 'trap' }, trapAsk(state, trap.id), trap.landed)];
  }
  if (!kind.defence) return [];
  return payers.map((seat) => {
    const call = { id: `${base}.${seat}`, seat, purpose: 'defence', rule: 'dicebound:G11' as const, of: trap.id };
    return roll(
      call,
      { at: 'trap_defence', who: seat },
      answerAsk(state, seat, 'defence'),
      field(trap.defences, seat) ?? [],
    );
  });
}

const PERCENT: DiceAsk = { main: ['d100'], keepHighest: false, bonus: [], flat: [] };

function ambushAsks(state: DiceboundState): readonly Ask[] {
  if (state.resting !== 'roll' || state.rules.ambushRoll === 'app') return [];
  const call = {
    id: `rest${state.rests}.ambush`,
    seat: 'gm',
    purpose: 'ambush',
    rule: 'dicebound:E4' as const,
    to: [],
  };
  const ask = roll(call, { at: 'ambush' }, PERCENT, state.ambushDice);
  return [ask];
}

/** The d% and d10 of an ambush with what lies of them, 1 to 100. */
export const ambushRoll = (landed: readonly Landed[]) => resolutionOf(PERCENT, landed);

/** An empty percentile roll, as the app draws it. */
export const PERCENT_ROLL = begin(PERCENT.main);

/** True if the table draws the dice of this combatant (G14). */
export function drawsDice(state: DiceboundState, who: Combatant): boolean {
  if (heroOf(state, who) !== undefined) return false;
  const drawn = state.room?.drawn ?? [];
  return drawn.includes('all') || drawn.includes(who);
}

/** Computed once a state, as `expectsOf`. */
const COMPUTED = new WeakMap<DiceboundState, readonly Ask[]>();

/** Every roll that is awaited now, those of monsters whose dice the table draws included. */
export function asksOf(state: DiceboundState): readonly Ask[] {
  const known = COMPUTED.get(state);
  if (known !== undefined) return known;
  const asks = computed(state);
  COMPUTED.set(state, asks);
  return asks;
}

function computed(state: DiceboundState): readonly Ask[] {
  const { over, fight } = state;
  if (over) return [];
  if (state.resting !== null) return ambushAsks(state);
  if (state.check !== null) return checkAsks(state);
  if (state.trap !== null) return trapAsks(state);
  if (fight === null) return [];
  return fight.stage === 'initiative' ? initiativeAsks(state, fight) : attackAsks(state, fight);
}
