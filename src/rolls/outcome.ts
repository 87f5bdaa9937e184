import { type DieType, type Face, naturalOf, sidesOf } from '../dice/die.js';
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
export function rolledDice({ dice }: Place, { sides, natural, result, status }: Cast): readonly RolledDie[] {
  const [only] = dice;
  if (dice.length === 1 && only !== undefined) return [rolledDie(only, sides, natural, result, status)];
  return dice.map((die) => {
    const own = naturalOf(die.type, die.face);
    return rolledDie(die, sidesOf(die.type), own, own, status);
  });
}

const plus = (natural: Face, amount: number): Face => (typeof natural === 'number' ? natural + amount : natural);

/** A lone die bears the printed modifiers in its result; of several, the total alone does. */
const printedOnOne = ({ dice, modifiers }: Instruction): number =>
  dice.length === 1 ? modifiers.reduce((sum, { amount }) => sum + amount, 0) : 0;

/** A throw without anything that changes it: every die kept, the printed modifiers added to the sum. */
export function plainOutcome(asks: Instruction, places: readonly Place[]): Outcome {
  const printed = printedOnOne(asks);
  const naturals = places.map((place) => naturalIn(place, asks.percentile));
  const dice = places.flatMap((place, slot) => {
    const natural = naturals[slot] ?? 0;
    const result = plus(natural, printed);
    return rolledDice(place, { slot, sides: sidesOf(place.type), natural, result, status: 'kept' });
  });
  return plainSum(asks, dice, naturals);
}

/** The same with a whole die for each place, thrown as it is asked for. */
export function plainThrow(asks: Instruction, supply: (type: DieType) => Landed): Outcome {
  const printed = printedOnOne(asks);
  const naturals: Face[] = [];
  const dice: RolledDie[] = [];
  let [kind, sides] = ['', 0];
  for (const type of asks.dice) {
    if (type !== kind) [kind, sides] = [type, sidesOf(type)];
    const die = supply(type);
    const natural = naturalOf(type, die.face);
    naturals.push(natural);
    dice.push(rolledDie(die, sides, natural, plus(natural, printed), 'kept'));
  }
  return plainSum(asks, dice, naturals);
}

function plainSum({ modifiers }: Instruction, dice: readonly RolledDie[], naturals: readonly Face[]): Outcome {
  let total = 0;
  for (const { amount } of modifiers) total += amount;
  const [first] = naturals;
  const lone = naturals.length === 1;
  for (const natural of naturals) {
    if (typeof natural !== 'number') return lone ? { dice, modifiers, planar: natural } : { dice, modifiers };
    total += natural;
  }
  if (lone && typeof first === 'number') return { dice, modifiers, natural: first, result: total, total };
  return naturals.length === 0 ? { dice, modifiers } : { dice, modifiers, total };
}
