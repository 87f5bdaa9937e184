import { type DieType, type Face, naturalOf, type PercentileReading, sidesOf } from '../dice/die.js';
import type { Decision, Instruction, Landed, Modifier } from './instruction.js';
import { naturalIn, type Place, partIn } from './places.js';
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

/** A die of an outcome, its fields written out: every roll goes through here. */
export function rolledDie(
  { die, type, face, source, quality, fake, thrown }: Landed,
  sides: number,
  natural: Face,
  result: Face,
  status: RolledDie['status'],
): RolledDie {
  const rolled = { die, type, face, source, quality, sides, natural, result, status };
  if (fake === undefined && thrown === undefined) return rolled;
  return { ...rolled, ...(fake === undefined ? {} : { fake }), ...(thrown === undefined ? {} : { thrown }) };
}

/** The dice of one place as the outcome lists them; the halves of a percentile pair stand for themselves. */
export function rolledDice(
  place: Place,
  { sides, natural, result, status }: Cast,
  reading: PercentileReading,
): readonly RolledDie[] {
  const { dice } = place;
  const [only] = dice;
  if (dice.length === 1 && only !== undefined) return [rolledDie(only, sides, natural, result, status)];
  return dice.map((die) => {
    const own = partIn(place, die, reading);
    return rolledDie(die, sidesOf(die.type), own, own, status);
  });
}

/** What plain dice come to: a lone die bears the printed modifiers in its result, of several the total alone does. */
class PlainSum {
  readonly #asks: Instruction;
  readonly #lone: boolean;
  readonly #dice: RolledDie[] = [];
  #total = 0;
  #natural: Face = 0;
  #symbols = false;

  constructor(asks: Instruction) {
    this.#asks = asks;
    this.#lone = asks.dice.length === 1;
    for (const { amount } of asks.modifiers) this.#total += amount;
  }

  /** The result of the next place. */
  next(natural: Face): Face {
    this.#natural = natural;
    if (typeof natural === 'string') {
      this.#symbols = true;
      return natural;
    }
    this.#total += natural;
    return this.#lone ? this.#total : natural;
  }

  lay(die: RolledDie): void {
    this.#dice.push(die);
  }

  outcome(): Outcome {
    const { modifiers } = this.#asks;
    const [dice, natural, total] = [this.#dice, this.#natural, this.#total];
    if (this.#symbols) return this.#lone ? { dice, modifiers, planar: natural } : { dice, modifiers };
    if (this.#lone) return { dice, modifiers, natural: Number(natural), result: total, total };
    return dice.length === 0 ? { dice, modifiers } : { dice, modifiers, total };
  }
}

/** A throw without anything that changes it: every die kept, the printed modifiers added to the sum. */
export function plainOutcome(asks: Instruction, places: readonly Place[]): Outcome {
  const sum = new PlainSum(asks);
  for (const [slot, place] of places.entries()) {
    const natural = naturalIn(place, asks.percentile);
    const cast = { slot, sides: sidesOf(place.type), natural, result: sum.next(natural), status: 'kept' as const };
    for (const die of rolledDice(place, cast, asks.percentile)) sum.lay(die);
  }
  return sum.outcome();
}

/** The same with a whole die for each place, thrown as it is asked for. */
export function plainThrow(asks: Instruction, supply: (type: DieType) => Landed): Outcome {
  const sum = new PlainSum(asks);
  let [kind, sides] = ['', 0];
  for (const type of asks.dice) {
    if (type !== kind) [kind, sides] = [type, sidesOf(type)];
    const die = supply(type);
    const natural = naturalOf(type, die.face);
    sum.lay(rolledDie(die, sides, natural, sum.next(natural), 'kept'));
  }
  return sum.outcome();
}
