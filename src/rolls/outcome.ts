import { type Face, naturalOf, sidesOf } from '../dice/die.js';
import type { Decision, Instruction, Landed, Modifier } from './instruction.js';
import { naturalIn, type Place } from './places.js';
import type { Reading } from './reading.js';

/** A die of a finished roll as rule 706 tells it (contracts C). */
export interface RolledDie extends Landed {
  readonly sides: number;
  readonly natural: Face;
  readonly result: Face;
  readonly status: 'kept' | 'ignored' | 'rerolled';
}

/** A finished roll. `natural` and `result` stand for one die (or one percentile pair), `total` for numbers of any count. */
export interface Outcome {
  readonly dice: readonly RolledDie[];
  readonly modifiers: readonly Modifier[];
  readonly natural?: number;
  readonly result?: number;
  readonly total?: number;
  readonly planar?: Face;
  readonly row?: string;
  readonly doubles?: boolean;
  /** How it came about; only for an instruction with effects, ignored dice, a use or a notation with marks. */
  readonly account?: Account;
}

/** One cast of one die (or percentile pair) of a roll. `slot` is the asked die it stands for, from 0. */
export interface Cast {
  readonly slot: number;
  readonly sides: number;
  readonly natural: Face;
  readonly result: Face;
  readonly status: RolledDie['status'];
}

/** How a roll came about. Numbers of dice are places in `casts`, which are in the order of the throws. */
export interface Account {
  readonly casts: readonly Cast[];
  /** Kept dice, in the order of the asked ones. */
  readonly kept: readonly number[];
  readonly naturals: readonly Face[];
  /** Results of the kept dice; dice that count as one (their total) have one. Empty for planar dice. */
  readonly results: readonly number[];
  readonly ignored: readonly number[];
  readonly replaced: readonly number[];
  /** Ties for the lowest that the roller had to choose among (706.6). */
  readonly tie: {
    readonly forced: readonly number[];
    readonly candidates: readonly number[];
    readonly pick: number;
  } | null;
  readonly decisions: readonly { readonly about: Decision['about']; readonly who: string; readonly passed: boolean }[];
  readonly paid: readonly { readonly by: string; readonly source: string; readonly cost: string }[];
  readonly offers: { readonly reroll: number; readonly adjust: number; readonly exchange: number };
  readonly order: readonly ('reroll' | 'adjust' | 'exchange')[];
  readonly exchanged?: { readonly from: number; readonly to: number };
  readonly reading: Reading;
}

/** The dice of one place as the outcome lists them; written out, as every roll goes through here. */
export function rolledDice(place: Place, cast: Cast, into: RolledDie[]): void {
  const pair = place.dice.length > 1;
  for (const die of place.dice) {
    const natural = pair ? naturalOf(die.type, die.face) : cast.natural;
    const rolled = {
      die: die.die,
      type: die.type,
      face: die.face,
      source: die.source,
      quality: die.quality,
      sides: pair ? sidesOf(die.type) : cast.sides,
      natural,
      result: pair ? natural : cast.result,
      status: cast.status,
    };
    into.push(die.fake === undefined ? rolled : { ...rolled, fake: die.fake });
  }
}

/** A throw without anything that changes it: every die kept, the printed modifiers added to the sum. */
export function plainOutcome(asks: Instruction, places: readonly Place[]): Outcome {
  const { modifiers, percentile } = asks;
  let total = 0;
  for (const { amount } of modifiers) total += amount;
  const lone = places.length === 1;
  const dice: RolledDie[] = [];
  let symbol: Face | undefined;
  let single = 0;
  for (const [slot, place] of places.entries()) {
    const natural = naturalIn(place, percentile);
    if (typeof natural === 'number') {
      total += natural;
      single = natural;
    } else symbol = natural;
    const result = lone && typeof natural === 'number' ? total : natural;
    rolledDice(place, { slot, sides: sidesOf(place.type), natural, result, status: 'kept' }, dice);
  }
  if (symbol !== undefined) return lone ? { dice, modifiers, planar: symbol } : { dice, modifiers };
  if (lone) return { dice, modifiers, natural: single, result: total, total };
  return places.length === 0 ? { dice, modifiers } : { dice, modifiers, total };
}
