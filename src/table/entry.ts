import { type DieType, type Face, faceOf, facesText } from '../dice/die.js';
import { phrase, type RollExpectation } from '../games/awaited.js';
import type { GameEvent, Seat, Verdict } from '../games/game.js';
import {
  type Amendment,
  type Amendments,
  type Branch,
  branch,
  type Course,
  expectations,
  type Step,
} from './course.js';

/** A verdict without its events. */
export type Ruled = Verdict<GameEvent>;

/** One die of a roll that a person names. */
export interface NamedDie {
  readonly type: DieType;
  readonly natural: Face;
}

/** A deed that was put before the referee, by its number: its steps of the course, and the dice that did not count. */
export interface Entry {
  readonly kind: 'roll' | 'choice' | 'set' | 'call' | 'wait';
  readonly ids: readonly number[];
  readonly verdict: Ruled['verdict'];
  readonly seat: Seat | null;
  readonly dice: readonly NamedDie[];
  /** Seats that may have thrown this shared die; the table is asked (README Z9). */
  readonly whose?: readonly Seat[];
  readonly gone?: 'assigned' | 'undone' | 'void';
}

/** A refusal of the referee itself. */
export const refuse = (code: string, reason: string, rule: string, expected?: string): Ruled => ({
  verdict: 'refused',
  code,
  rule,
  reason,
  ...(expected === undefined ? {} : { expected }),
});

/** The roll that is awaited from this seat, or from anybody. */
function awaitedRoll(course: Course, seat: Seat | null): RollExpectation | undefined {
  const rolls = expectations(course).flatMap(({ expects }) => (expects.kind === 'roll' ? [expects] : []));
  return rolls.find((one) => seat === null || one.seat === null || one.seat === seat);
}

/** The refusal for a face that is not printed on the die, by the rule of the roll that is awaited. */
export const noSuchFace = (course: Course, seat: Seat | null, type: DieType, reason: string): Ruled =>
  refuse('no_such_face', reason, awaitedRoll(course, seat)?.rule ?? 'Z1', facesText(type));

/** True where no call asks the seat for anything: behind another die of the same throw, one die too many. */
export const unasked = (verdict: Ruled): boolean =>
  verdict.verdict === 'loose' || (verdict.verdict === 'refused' && verdict.code === 'wrong_seat');

/** The refusal for more dice than were awaited (README Z2): none of the throw counts. */
export function surplus(course: Course, seat: Seat | null): Ruled {
  const call = awaitedRoll(course, seat);
  const expected = call === undefined ? 'fewer dice' : phrase([call]);
  return refuse('already_rolled', 'That is more dice than are awaited.', call?.rule ?? 'Z2', expected);
}

/** The dice of a throw with other natural results, one each; or why they cannot be. */
export function renamed({ dice }: Entry, naturals: readonly Face[]): readonly NamedDie[] | Ruled {
  if (naturals.length !== dice.length) {
    return refuse('wrong_count', `That roll has ${dice.length} dice.`, 'ruling', 'dice: one natural result each');
  }
  const named: NamedDie[] = [];
  for (const [index, { type }] of dice.entries()) {
    const natural = naturals[index] ?? 0;
    const face = faceOf(type, natural);
    if (!face.ok) return refuse('no_such_face', face.error, 'ruling', facesText(type));
    named.push({ type, natural });
  }
  return named;
}

/** The same deed with another natural result. */
export function refaced({ run, deed }: Step, die: NamedDie | undefined): Amendment {
  if (deed.kind !== 'natural' || die === undefined) return { run, deed };
  const face = faceOf(die.type, die.natural);
  return { run, deed: face.ok ? { ...deed, face: face.value } : deed };
}

/**
 * Tries a ruling where a throw of several dice counts whole or not at all: if one of its dice no longer fits, the others
 * are taken out too.
 * @returns the branch and the steps that are lost on it; undefined if it reaches too far back
 */
export function branchWhole(
  course: Course,
  entries: readonly Entry[],
  amendments: Amendments,
): { readonly result: Branch; readonly lost: ReadonlySet<number> } | undefined {
  const all = new Map(amendments);
  const lost = new Set<number>();
  const throws = entries.filter(({ kind }) => kind === 'roll');
  for (;;) {
    const result = all.size === 0 ? undefined : branch(course, all);
    if (result === undefined) return undefined;
    for (const { step } of result.loose) lost.add(step.id);
    const torn = throws
      .filter(({ ids }) => ids.some((id) => lost.has(id)))
      .flatMap(({ ids }) => ids.filter((id) => !lost.has(id)));
    if (torn.length === 0) return { result, lost };
    for (const id of torn) {
      all.set(id, null);
      lost.add(id);
    }
  }
}
