import type { Expectation, Seat } from '../games/game.js';
import { type Branch, type Course, counted, type Step } from './course.js';
import type { RollEntry } from './record.js';
import { answerOf } from './secrecy.js';
import { completes, partsOf, rollWire } from './throw.js';

/** What a ruling about the past works on. */
export interface Past {
  readonly table: string;
  readonly course: Course;
  readonly rolls: readonly RollEntry[];
}

/**
 * The rolls that a ruling tells anew: those with another face, verdict or standing, those whose dice have become loose
 * (each die by itself, so that it can be assigned), and those that are gone (void).
 */
export function retoldRolls(past: Past, { from, course }: Branch, amended: ReadonlySet<number>): readonly RollEntry[] {
  const told = new Map(past.rolls.map((roll) => [roll.seq, roll]));
  const retold: RollEntry[] = [];
  const standing = new Set<number>();
  for (const step of course.steps.filter(({ id }) => id >= from)) {
    const old = told.get(step.id);
    const uncounted = !counted(step) && !counted(stepIn(past.course, step.id) ?? step);
    if (uncounted) continue;
    const entry = retell(past, course, step, old);
    if (entry === undefined) continue;
    standing.add(step.id);
    const corrected = counted(step) && entry.parts.some((id) => amended.has(id));
    const now = corrected ? { ...entry, wire: { ...entry.wire, standing: 'corrected' as const } } : entry;
    if (JSON.stringify(now) !== JSON.stringify(old)) retold.push(now);
  }
  const gone = past.rolls.filter(
    ({ seq, wire }) => seq >= from && wire.verdict === 'accepted' && wire.standing !== 'void' && !standing.has(seq),
  );
  return [...retold, ...gone.map((roll) => ({ ...roll, wire: { ...roll.wire, standing: 'void' as const } }))];
}

/** A step's roll as the branch tells it; undefined while more is awaited, and for what is no part of a roll. */
function retell(past: Past, course: Course, step: Step, old: RollEntry | undefined): RollEntry | undefined {
  const expects = answered(course, step);
  const completed = completes(step.deed, expects, counted(step));
  if (completed === undefined || 'missing' in completed) return undefined;
  const frame = {
    id: old?.wire.id ?? `${past.table}-${step.id}`,
    game: course.runs[step.run].game.id,
    origin: old?.wire.origin ?? 'table',
    ...(old?.wire.late === undefined ? {} : { ageMs: old.wire.late.age_ms }),
  };
  const to = old?.to ?? secretOf(past.course, step) ?? expects?.to;
  return {
    seq: step.id,
    wire: {
      ...rollWire(frame, completed, step.verdict),
      ...(counted(step) ? {} : { verdict: 'loose' as const }),
      standing: old === undefined || old.wire.standing === 'void' ? 'valid' : old.wire.standing,
    },
    parts: partsOf(course.steps, step, completed),
    run: step.run,
    call: completed.call,
    ...(to === undefined ? {} : { to }),
    ...(old?.taken === undefined ? {} : { taken: old.taken }),
  };
}

/** Who alone knew of the call for which this die first fell. */
function secretOf(course: Course, { id }: Step): readonly Seat[] | undefined {
  const step = stepIn(course, id);
  return step === undefined ? undefined : answered(course, step)?.to;
}

function answered(course: Course, step: Step): Expectation | undefined {
  return answerOf(course.runs[step.run].game.expects(step.before[step.run]), step.deed);
}

function stepIn(course: Course, id: number): Step | undefined {
  return course.steps.find((step) => step.id === id);
}
