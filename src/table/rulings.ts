import { type Face, faceOf, facesText, percentileFaces } from '../dice/die.js';
import type { Json, JsonObject } from '../dice/json.js';
import type { Seat } from '../games/game.js';
import type { Preview } from '../wire/command.js';
import { type Amendment, type Amendments, before, branch, type Course, counted, type Step, undoing } from './course.js';
import type { Rewound, RollEntry, StoredStep } from './record.js';
import { type Past, retoldRolls } from './retelling.js';
import type { Undone } from './state.js';
import { aim, type Throw } from './throw.js';

/** A ruling tried out: what would be written down, and what people should see before they confirm. */
export interface Trial {
  readonly rewound: Rewound;
  readonly course: Course;
  /** True if all later deeds fit and no person's choice lies between: it may be applied at once. */
  readonly smooth: boolean;
}

export interface RulingFault {
  readonly code: string;
  readonly reason: string;
  readonly expected?: string;
}

export type Tried = { readonly ok: true; readonly value: Trial } | { readonly ok: false; readonly error: RulingFault };

const fault = (code: string, reason: string, expected?: string): Tried => ({
  ok: false,
  error: { code, reason, ...(expected === undefined ? {} : { expected }) },
});

const TOO_FAR = 'That throw lies further back than a ruling can reach.';

/** Tries another natural result for each die of a roll that counted; a percentile pair also takes one number 1…100. */
export function tryCorrect(past: Past, roll: RollEntry, naturals: readonly Face[]): Tried {
  const faces = pairFaces(past, roll, naturals) ?? naturals;
  if (faces.length !== roll.parts.length) {
    return fault('wrong_count', `This roll has ${roll.parts.length} dice.`, `${roll.parts.length} natural results`);
  }
  const amendments = new Map<number, Amendment>();
  for (const [index, id] of roll.parts.entries()) {
    const step = stepOf(past.course, id);
    const natural = faces[index];
    if (step?.deed.kind !== 'natural' || natural === undefined) return fault('too_far_back', TOO_FAR);
    const face = faceOf(step.deed.die.type, natural);
    if (!face.ok) return fault('no_such_face', face.error, facesText(step.deed.die.type));
    amendments.set(id, { run: step.run, deed: { ...step.deed, face: face.value } });
  }
  return tried(past, amendments, 'correct');
}

/** The two faces of a percentile pair that make one number, if that is what is corrected. */
function pairFaces(past: Past, roll: RollEntry, naturals: readonly Face[]): readonly Face[] | undefined {
  const [natural, surplus] = naturals;
  const step = stepOf(past.course, roll.seq);
  if (typeof natural !== 'number' || surplus !== undefined || roll.parts.length !== 2) return undefined;
  if (roll.wire.natural === undefined || step?.deed.kind !== 'natural') return undefined;
  const { call } = step.deed;
  const expects = past.course.runs[step.run].game.expects(step.before[step.run]).find(({ id }) => id === call);
  if (expects?.kind !== 'roll') return undefined;
  const faces = percentileFaces(natural, expects.resolution.asks.percentile);
  if (faces === undefined) return undefined;
  return roll.wire.dice.map((die) => (die.type === 'd00' ? faces.tens : faces.ones));
}

/** Tries the table without a roll that counted. */
export function tryVoid(past: Past, roll: RollEntry): Tried {
  return tried(past, new Map(roll.parts.map((id) => [id, null])), 'void');
}

/** Tries a roll that counted for one seat as another's. */
export function tryReassign(past: Past, roll: RollEntry, seat: Seat): Tried {
  const amendments = new Map<number, Amendment>();
  for (const id of roll.parts) {
    const step = stepOf(past.course, id);
    const start = before(past.course, id);
    if (step?.deed.kind !== 'natural' || start === undefined) return fault('too_far_back', TOO_FAR);
    const { die, face, source } = step.deed;
    const thrown: Throw = { ...die, seat, face, source, others: 0 };
    const target = aim(start, thrown);
    if (target.kind === 'deed') amendments.set(id, target);
  }
  return tried(past, amendments, 'assign');
}

function stepOf(course: Course, id: number): Step | undefined {
  return course.steps.find((step) => step.id === id);
}

function tried(past: Past, amendments: Amendments, ruling: Rewound['ruling']): Tried {
  const result = amendments.size === 0 ? undefined : branch(past.course, amendments);
  if (result === undefined) return fault('too_far_back', TOO_FAR);
  const stuck = result.amended.find((step) => !counted(step));
  if (stuck !== undefined && (stuck.verdict.verdict === 'refused' || stuck.verdict.verdict === 'loose')) {
    return fault(stuck.verdict.code, stuck.verdict.reason);
  }
  const { from, course } = result;
  const rewound: Rewound = {
    from,
    records: course.steps.filter((step) => step.id >= from).map((step) => stored(step, course)),
    ruling,
    loose: result.loose.map(({ step }) => step.id),
    rolls: retoldRolls(past, result, new Set(amendments.keys())),
  };
  return { ok: true, value: { rewound, course, smooth: result.loose.length === 0 && !result.choices } };
}

/** A step as the journal keeps it. */
function stored(step: Step, course: Course): StoredStep {
  return { id: step.id, run: step.run, gv: course.runs[step.run].game.version, deed: step.deed, verdict: step.verdict };
}

/** Tries the table without its last deeds of persons. It is applied at once: a redo brings them back. */
export function tryUndo(past: Past, count: number): Tried {
  const amendments = undoing(past.course, count);
  if (amendments === undefined) return fault('nothing_to_undo', 'There are not that many deeds to take back.');
  const trial = tried(past, amendments, 'undo');
  if (!trial.ok) return trial;
  const { rewound } = trial.value;
  const tail = past.course.steps.filter((step) => step.id >= rewound.from);
  const undone = tail.map((step) => stored(step, past.course));
  return { ok: true, value: { ...trial.value, rewound: { ...rewound, undone }, smooth: true } };
}

/** Brings back what the last undo cut off. Nothing that counts has come since, so it stands as it stood. */
export function redo({ from, steps, rolls }: Undone): Rewound {
  return { from, records: steps, ruling: 'redo', loose: [], rolls };
}

/** At most this many differences are listed in a preview. */
export const MAX_CHANGES = 50;

/** What would change, read from the GM's view of both states. */
export function changes(now: Course, then: Course): Preview['changes'] {
  const found: { what: string; before: Json; after: Json }[] = [];
  const { game } = now.runs.game;
  const seen = (course: Course): JsonObject => game.view(course.runs.game.state, { role: 'gm' }).state;
  compare('', seen(now), seen(then), found);
  return found.slice(0, MAX_CHANGES);
}

function compare(
  path: string,
  was: Json | undefined,
  is: Json | undefined,
  found: { what: string; before: Json; after: Json }[],
): void {
  if (found.length >= MAX_CHANGES || JSON.stringify(was) === JSON.stringify(is)) return;
  if (isObject(was) && isObject(is)) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (key === 'awaited') continue;
      compare(path === '' ? key : `${path}.${key}`, own(was, key), own(is, key), found);
    }
    return;
  }
  found.push({ what: path, before: was ?? null, after: is ?? null });
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;
