import {
  type DieType,
  type Face,
  isFaceOf,
  naturalOf,
  type PercentileReading,
  percentile,
  type Quality,
  type Source,
  sidesOf,
} from '../dice/die.js';
import { err, ok, type Result } from '../dice/result.js';

/** What is added to a natural result, and what it comes from (rule 706.2: natural result and modifiers are told apart). */
export interface Modifier {
  readonly source: string;
  readonly amount: number;
}

/**
 * What a rule or a program asks to be rolled: the kinds of dice from the top and what is added.
 * A `d100` may be filled by one 100-sided die or by a d00 + d10 pair.
 */
export interface Instruction {
  readonly dice: readonly DieType[];
  readonly modifiers: readonly Modifier[];
  readonly percentile: PercentileReading;
}

/** One die at rest for a call. `die` is the identity within this call: the same die never lands twice. */
export interface Landed {
  readonly die: string;
  readonly type: DieType;
  readonly face: Face;
  readonly source: Source;
  readonly quality: Quality;
  readonly fake?: true;
}

/** A roll in progress: plain data, so it survives being written down at any point. Same inputs, same outcome. */
export interface Resolution {
  readonly asks: Instruction;
  readonly landed: readonly Landed[];
}

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
}

/** What a resolution waits for now: these kinds of dice, from the top, or nothing any more. */
export type Wait =
  | { readonly kind: 'dice'; readonly missing: readonly DieType[] }
  | { readonly kind: 'done'; readonly outcome: Outcome };

/** Why a die does not belong to a roll. */
export type RollFault = {
  readonly code: 'wrong_die' | 'already_rolled' | 'no_such_face';
  readonly expected: readonly DieType[];
};

/** A call may ask for at most this many dice. */
export const MAX_DICE = 100;

/** Starts a roll of these dice. `percentile` is fixed before the throw. */
export function begin(
  dice: readonly DieType[],
  modifiers: readonly Modifier[] = [],
  percentileReading: PercentileReading = 'zero',
): Resolution {
  return { asks: { dice, modifiers, percentile: percentileReading }, landed: [] };
}

interface Place {
  readonly type: DieType;
  readonly dice: readonly Landed[];
}

/** Puts the landed dice into their places; every die fills the highest place that still wants its kind. */
function places(roll: Resolution): readonly Place[] {
  const filled: { type: DieType; dice: Landed[] }[] = roll.asks.dice.map((type) => ({ type, dice: [] }));
  for (const die of roll.landed) filled.find((place) => wanted(place).includes(die.type))?.dice.push(die);
  return filled;
}

/** The kinds that a place still takes; a half percentile pair takes only its other half. */
function wanted(place: Place): readonly DieType[] {
  const [first, second] = place.dice;
  if (place.type !== 'd100') return first === undefined ? [place.type] : [];
  if (first === undefined) return ['d100', 'd00', 'd10'];
  if (second !== undefined || first.type === 'd100') return [];
  return [first.type === 'd00' ? 'd10' : 'd00'];
}

/** The kinds of dice still missing, one entry a place; a half percentile pair asks for its other half. */
function missing(roll: Resolution): readonly DieType[] {
  return places(roll).flatMap((place) => wanted(place).slice(0, 1));
}

/** True if a die of this kind has a place in this roll now. */
export function accepts(roll: Resolution, type: DieType): boolean {
  return places(roll).some((place) => wanted(place).includes(type));
}

/** What this roll waits for now. */
export function waitsFor(roll: Resolution): Wait {
  const open = missing(roll);
  return open.length > 0 ? { kind: 'dice', missing: open } : { kind: 'done', outcome: outcomeOf(roll) };
}

/** Takes one die at rest. Refuses a kind that has no place, a die that lay already, and a face that is not printed on it. */
export function take(roll: Resolution, die: Landed): Result<Resolution, RollFault> {
  const expected = missing(roll);
  if (roll.landed.some((landed) => landed.die === die.die)) return err({ code: 'already_rolled', expected });
  if (!isFaceOf(die.type, die.face)) return err({ code: 'no_such_face', expected });
  if (!accepts(roll, die.type)) return err({ code: 'wrong_die', expected });
  return ok({ ...roll, landed: [...roll.landed, die] });
}

function placeValue(place: Place, reading: PercentileReading): Face {
  const [first, second] = place.dice;
  if (first === undefined) return 0;
  if (second === undefined) return naturalOf(first.type, first.face);
  const tens = first.type === 'd00' ? first : second;
  const ones = first.type === 'd00' ? second : first;
  return percentile(Number(tens.face), Number(ones.face), reading);
}

function outcomeOf(roll: Resolution): Outcome {
  const { modifiers } = roll.asks;
  const added = modifiers.reduce((sum, modifier) => sum + modifier.amount, 0);
  const filled = places(roll);
  const values = filled.map((place) => placeValue(place, roll.asks.percentile));
  const alone = values.length === 1 ? values[0] : undefined;
  const dice = filled.flatMap((place) =>
    place.dice.map((die): RolledDie => {
      const natural = naturalOf(die.type, die.face);
      const lone = typeof alone === 'number' && typeof natural === 'number' && place.dice.length === 1;
      return { ...die, sides: sidesOf(die.type), natural, result: lone ? natural + added : natural, status: 'kept' };
    }),
  );
  if (values.some((value) => typeof value === 'string')) {
    return { dice, modifiers, ...(alone === undefined ? {} : { planar: alone }) };
  }
  const total = values.reduce<number>((sum, value) => sum + Number(value), 0) + added;
  return typeof alone === 'number'
    ? { dice, modifiers, natural: alone, result: total, total }
    : { dice, modifiers, total };
}
