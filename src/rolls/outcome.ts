import { type Face, naturalOf, sidesOf } from '../dice/die.js';
import type { Decision, Landed, Modifier } from './instruction.js';
import type { Place } from './places.js';
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

/** The dice of one place as the outcome lists them. */
export function rolledDice(place: Place, cast: Pick<Cast, 'natural' | 'result' | 'status'>): readonly RolledDie[] {
  const pair = place.dice.length > 1;
  return place.dice.map((die): RolledDie => {
    const natural = pair ? naturalOf(die.type, die.face) : cast.natural;
    return { ...die, sides: sidesOf(die.type), natural, result: pair ? natural : cast.result, status: cast.status };
  });
}
