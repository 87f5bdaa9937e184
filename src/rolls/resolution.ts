import { type DieType, isFaceOf, type PercentileReading } from '../dice/die.js';
import { err, ok, type Result } from '../dice/result.js';
import { type Course, type Resolution, standing } from './course.js';
import { FormulaRoll } from './formula-roll.js';
import type { Decision, Instruction, Landed, Modifier, Option } from './instruction.js';
import { type Outcome, plainThrow } from './outcome.js';
import { missingIn, type Place, placed } from './places.js';
import { course, isPlain } from './rule706.js';
import { stood, thrownFor } from './stand-in.js';

export type { Resolution } from './course.js';
export type { Decision, Effect, Instruction, Landed, Modifier, Option, Use } from './instruction.js';
export { MAX_DICE } from './instruction.js';
export type { Outcome, RolledDie } from './outcome.js';

/** What a resolution waits for now: these kinds of dice, from the top, somebody's decision, or nothing any more. */
export type Wait =
  | { readonly kind: 'dice'; readonly missing: readonly DieType[] }
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: 'done'; readonly outcome: Outcome };

/** Why a die does not belong to a roll. */
export type RollFault = {
  readonly code: 'wrong_die' | 'already_rolled' | 'no_such_face' | 'throw_again';
  readonly expected: readonly DieType[];
};

/** Why a decision is not taken. */
export type DecisionFault = {
  readonly code: 'not_awaited' | 'wrong_seat' | 'unknown_option';
  readonly expected: Decision | undefined;
};

/** Starts a roll of these dice. `percentile` is fixed before the throw. */
export function begin(
  dice: readonly DieType[],
  modifiers: readonly Modifier[] = [],
  percentileReading: PercentileReading = 'zero',
): Resolution {
  return { asks: { dice, modifiers, percentile: percentileReading }, landed: [] };
}

/** Starts a roll by a whole instruction. */
export const beginWith = (asks: Instruction): Resolution => ({ asks, landed: [] });

/** The throw that is open and what lies of it. */
function openThrow(roll: Resolution): { types: readonly DieType[]; landed: readonly Landed[] } | undefined {
  const now = standing(roll, course);
  return now.kind === 'dice' ? now : undefined;
}

const placesOf = (types: readonly DieType[], landed: readonly Landed[]): readonly Place[] =>
  placed(types, landed) ?? [];

/** True if a die of this kind has a place in this roll now. */
export function accepts(roll: Resolution, type: DieType): boolean {
  const open = openThrow(roll);
  if (open === undefined) return false;
  const die = { die: '', face: 0, source: 'manual' as const, quality: 'ok' as const };
  const stands = (roll.asks.standIns ?? []).filter(({ by }) => by === type).map((one) => one.for);
  return [type, ...stands].some((kind) => fits(open, { ...die, type: kind }));
}

const fits = (open: { types: readonly DieType[]; landed: readonly Landed[] }, die: Landed): boolean =>
  placed(open.types, [...open.landed, die]) !== undefined;

/** What this roll waits for now. */
export function waitsFor(roll: Resolution): Wait {
  const now = standing(roll, course);
  return now.kind === 'dice' ? { kind: 'dice', missing: missingFrom(roll, now) } : now;
}

/** The kinds that are to be thrown, those that stand for others in their place. */
const missingFrom = (roll: Resolution, open: { types: readonly DieType[]; landed: readonly Landed[] }) =>
  missingIn(placesOf(open.types, open.landed)).map((type) => thrownFor(roll.asks, type));

/**
 * Takes one die at rest. Refuses a kind that has no place, a die that lay already, a face that is not printed on it, and
 * one that counts for nothing where the die stands for another: it is thrown again.
 */
export function take(roll: Resolution, die: Landed): Result<Resolution, RollFault> {
  const open = openThrow(roll);
  const fault = (code: RollFault['code']): Result<never, RollFault> =>
    err({ code, expected: open === undefined ? [] : missingFrom(roll, open) });
  const lying = open === undefined ? roll.landed : open.landed;
  if (lying.some((landed) => landed.die === die.die)) return fault('already_rolled');
  if (!isFaceOf(die.type, die.face)) return fault('no_such_face');
  if (open === undefined) return fault('wrong_die');
  const counted = stood(roll.asks, die, (one) => fits(open, one));
  if (!counted.ok) return fault(counted.error);
  if (!fits(open, counted.value)) return fault('wrong_die');
  return ok({ ...roll, landed: [...roll.landed, counted.value] });
}

/** True if `given` says what this option says, or enough of it. */
function says(option: Option, given: unknown): boolean {
  if (option === 'pass') return given === 'pass';
  if (typeof given === 'number') return 'die' in option && option.die === given;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const named = Object.entries(given);
  return (
    named.length > 0 && named.every(([key, value]) => Object.hasOwn(option, key) && Reflect.get(option, key) === value)
  );
}

/**
 * Takes a decision. The option may be given whole or by enough of its fields to be the only one meant; a bare number is
 * the place of a die in the list of throws.
 */
export function decide(roll: Resolution, who: string, given: unknown): Result<Resolution, DecisionFault> {
  const now = standing(roll, course);
  if (now.kind !== 'decision') return err({ code: 'not_awaited', expected: undefined });
  const { decision } = now;
  if (decision.who !== who) return err({ code: 'wrong_seat', expected: decision });
  const meant = decision.options.filter((option) => says(option, given));
  const [option] = meant;
  if (option === undefined || meant.length > 1) return err({ code: 'unknown_option', expected: decision });
  return ok({ ...roll, decided: [...(roll.decided ?? []), { about: decision.about, who, option }] });
}

/**
 * Rolls an instruction through at once, where dice and decisions are at hand (digital dice, statistics). A notation is
 * told without its account.
 * @param supply a die at rest of this kind, each with another identity, in the order of the list
 * @param choose one of the decision's options
 */
export function settle(
  asks: Instruction,
  supply: (type: DieType) => Landed,
  choose: (decision: Decision) => Option,
): Outcome {
  if (isPlain(asks)) return plainThrow(asks, supply);
  if (asks.formula !== undefined) {
    const roll = new FormulaRoll(asks, asks.formula);
    while (roll.wants.length > 0) roll.throw(supply);
    return roll.outcome();
  }
  const thrown = (type: DieType): Place => ({ type, dice: [supply(type)] });
  const run: Course = course(asks);
  let step = run.next();
  while (step.done !== true) {
    const want = step.value;
    step = run.next(want.kind === 'dice' ? { places: want.types.map(thrown) } : { option: choose(want.decision) });
  }
  return step.value;
}
