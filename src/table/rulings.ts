import type { Face } from '../dice/die.js';
import { faceOf } from '../dice/die.js';
import type { Json, JsonObject } from '../dice/json.js';
import type { AnyGame, Deed } from '../games/game.js';
import type { Preview } from '../wire/command.js';
import type { RollWire } from '../wire/envelope.js';
import { type Amendments, type Branch, before, branch, type Course, counted, type Step, undoFrom } from './course.js';
import type { Rewound, RollEntry, StoredStep } from './record.js';
import { aim, landing, rollWire, type Throw } from './throw.js';

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

type Tried = { readonly ok: true; readonly value: Trial } | { readonly ok: false; readonly error: RulingFault };

const fault = (code: string, reason: string, expected?: string): Tried => ({
  ok: false,
  error: { code, reason, ...(expected === undefined ? {} : { expected }) },
});

const TOO_FAR = 'That throw lies further back than a ruling can reach.';

/** Tries another natural result for each die of a roll that counted. */
export function tryCorrect(
  course: Course,
  rolls: readonly RollEntry[],
  roll: RollEntry,
  naturals: readonly Face[],
): Tried {
  if (naturals.length !== roll.parts.length) {
    return fault('wrong_count', `This roll has ${roll.parts.length} dice.`, `${roll.parts.length} natural results`);
  }
  const amendments = new Map<number, Deed>();
  for (const [index, id] of roll.parts.entries()) {
    const step = stepOf(course, id);
    const natural = naturals[index];
    if (step?.deed.kind !== 'natural' || natural === undefined) return fault('too_far_back', TOO_FAR);
    const face = faceOf(step.deed.die.type, natural);
    if (!face.ok) return fault('no_such_face', face.error, `a face of a ${step.deed.die.type}`);
    amendments.set(id, { ...step.deed, face: face.value });
  }
  return tried(course, rolls, amendments, 'correct');
}

/** Tries the table without a roll that counted. */
export function tryVoid(course: Course, rolls: readonly RollEntry[], roll: RollEntry): Tried {
  return tried(course, rolls, new Map(roll.parts.map((id) => [id, null])), 'void');
}

/** Tries a roll that counted for one seat as another's. */
export function tryReassign(course: Course, rolls: readonly RollEntry[], roll: RollEntry, seat: string): Tried {
  const amendments = new Map<number, Deed>();
  for (const id of roll.parts) {
    const step = stepOf(course, id);
    const start = before(course, id);
    if (step?.deed.kind !== 'natural' || start === undefined) return fault('too_far_back', TOO_FAR);
    const { die, face, source } = step.deed;
    const thrown: Throw = { ...die, seat, face, source, others: 0 };
    const target = aim(start, thrown);
    if (target.kind === 'deed') amendments.set(id, target.deed);
  }
  return tried(course, rolls, amendments, 'assign');
}

function stepOf(course: Course, id: number): Step | undefined {
  return course.steps.find((step) => step.id === id);
}

function tried(course: Course, rolls: readonly RollEntry[], amendments: Amendments, ruling: Rewound['ruling']): Tried {
  const result = amendments.size === 0 ? undefined : branch(course, amendments);
  if (result === undefined) return fault('too_far_back', TOO_FAR);
  const stuck = result.amended.find((step) => !counted(step));
  if (stuck !== undefined && (stuck.verdict.verdict === 'refused' || stuck.verdict.verdict === 'loose')) {
    return fault(stuck.verdict.code, stuck.verdict.reason);
  }
  return {
    ok: true,
    value: {
      rewound: rewoundBy(result, rolls, amendments, ruling),
      course: result.course,
      smooth: result.loose.length === 0 && !result.choices,
    },
  };
}

function rewoundBy(
  result: Branch,
  rolls: readonly RollEntry[],
  amendments: Amendments,
  ruling: Rewound['ruling'],
): Rewound {
  return {
    from: result.from,
    records: result.course.steps.filter((step) => step.id >= result.from).map((step) => stored(step, result.course)),
    ruling,
    loose: result.loose.map(({ step }) => step.id),
    rolls: rolls.flatMap((roll) => changedRoll(roll, result, amendments)),
  };
}

/** A step as the journal keeps it. */
export function stored(step: Step, course: Course): StoredStep {
  return { id: step.id, run: step.run, gv: course.runs[step.run].game.version, deed: step.deed, verdict: step.verdict };
}

/** A roll as it stands after the ruling, or nothing if the ruling does not touch it. */
function changedRoll(roll: RollEntry, result: Branch, amendments: Amendments): readonly RollEntry[] {
  if (roll.seq < result.from || roll.wire.verdict !== 'accepted') return [];
  if (roll.parts.some((id) => amendments.get(id) === null))
    return [{ ...roll, wire: { ...roll.wire, standing: 'void' } }];
  const last = stepOf(result.course, roll.parts.at(-1) ?? roll.seq);
  if (last === undefined || last.deed.kind !== 'natural') return [];
  const wire = retold(roll, last, result.course.runs[last.run].game);
  if (wire === undefined || JSON.stringify(wire) === JSON.stringify(roll.wire)) return [];
  const corrected = roll.parts.some((id) => amendments.has(id));
  return [{ ...roll, wire: { ...wire, standing: corrected ? 'corrected' : wire.standing } }];
}

/** Tells a roll anew from the step that completed it on the branch. */
function retold(roll: RollEntry, last: Step, game: AnyGame): RollWire | undefined {
  if (last.deed.kind !== 'natural') return undefined;
  const { call } = last.deed;
  const expects = game.expects(last.before[last.run]).find((candidate) => candidate.id === call);
  const outcome = landing(last.deed, counted(last) ? expects : undefined);
  if ('missing' in outcome) return undefined;
  const { id, origin, late, standing } = roll.wire;
  const wire = rollWire({ id, game: game.id, origin }, last.deed, expects, outcome, last.verdict);
  const kept = counted(last) ? wire : { ...wire, verdict: 'loose' as const, dice: roll.wire.dice };
  return { ...kept, standing, ...(late === undefined ? {} : { late }) };
}

/** Tries the table without its last deeds of persons. */
export function tryUndo(course: Course, rolls: readonly RollEntry[], count: number): Tried {
  const from = undoFrom(course, count);
  const start = from === undefined ? undefined : before(course, from);
  if (from === undefined || start === undefined)
    return fault('nothing_to_undo', 'There are not that many deeds to take back.');
  const tail = course.steps.filter((step) => step.id >= from);
  const rewound: Rewound = {
    from,
    records: [],
    ruling: 'undo',
    loose: [],
    rolls: rolls
      .filter((roll) => roll.seq >= from && roll.wire.verdict === 'accepted')
      .map((roll) => ({ ...roll, wire: { ...roll.wire, standing: 'void' } })),
    undone: tail.map((step) => stored(step, course)),
  };
  return { ok: true, value: { rewound, course: start, smooth: true } };
}

/** Brings back what the last undo cut off. */
export function redo(
  rolls: readonly RollEntry[],
  undone: { readonly from: number; readonly steps: readonly StoredStep[] },
): Rewound {
  const ids = new Set(undone.steps.map((step) => step.id));
  return {
    from: undone.from,
    records: undone.steps,
    ruling: 'redo',
    loose: [],
    rolls: rolls
      .filter((roll) => ids.has(roll.seq) && roll.wire.standing === 'void')
      .map((roll) => ({ ...roll, wire: { ...roll.wire, standing: 'valid' } })),
  };
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
