import type { Seat } from '../games/game.js';
import { type Course, expectations, type Run, type RunId } from './course.js';
import type { Tracker } from './record.js';
import { type TableState, trackerKey } from './state.js';

/** Two faces whose normals lie closer than this (degrees) are one tip of a die apart; a knock looks like that (godice.md §5). */
export const ONE_TIP_DEGREES = 50;

/** A face that a tracker has shown, still, for its dwell. */
export interface Lying {
  readonly seat: Seat;
  readonly counter: string;
  readonly die: string;
  readonly face: number;
  readonly sides: number;
  /** The die reported a true tumble, or was re-read after its link came back. */
  readonly how: 'thrown' | 'placed' | 'leaning' | 'unsure' | 'resync';
  /** Angle between this rest and the one believed last, in degrees; absent where the device cannot tell. */
  readonly turned?: number;
}

/** What a lying tracker means (dicebound D3): believed, nothing new, or a doubt that asks a person. */
export type Reading =
  | { readonly kind: 'believed'; readonly tracker: Tracker; readonly set: boolean }
  | { readonly kind: 'quiet' }
  | { readonly kind: 'asked'; readonly tracker: Tracker };

/**
 * Reads a tracker that has lain still. The expected face confirms, however it got there; a knock, a tumble or a face shown
 * before the tracker counts again is asked; any other face is the hand's word.
 */
export function readTracker(state: TableState, lying: Lying): Reading {
  const known = state.trackers.get(trackerKey(lying.seat, lying.counter));
  const last = known?.die === lying.die ? known : undefined;
  const { seat, counter, die, face } = lying;
  const believed: Tracker = { seat, counter, die, face, armed: true };
  if (isUnchecked(state, seat, counter)) {
    if (last?.face === face) return { kind: 'quiet' };
    return { kind: 'believed', tracker: { ...believed, armed: last?.armed ?? false }, set: false };
  }
  const value = expectedFace(state, seat, counter);
  if (value === face) {
    const same = last?.face === face && last.armed && last.asked === undefined;
    return same ? { kind: 'quiet' } : { kind: 'believed', tracker: believed, set: isAwaited(state, seat, counter) };
  }
  if (last?.face === face && last.armed)
    return last.asked === undefined ? { kind: 'quiet' } : { kind: 'believed', tracker: believed, set: false };
  const why = doubt(last, lying, value);
  if (why === undefined) return { kind: 'believed', tracker: believed, set: true };
  if (last?.asked?.face === face) return { kind: 'quiet' };
  return {
    kind: 'asked',
    tracker: {
      seat,
      counter,
      die,
      face: last?.face ?? value ?? null,
      armed: last?.armed ?? value === undefined,
      asked: { face, why },
    },
  };
}

function doubt(
  last: Tracker | undefined,
  lying: Lying,
  value: number | undefined,
): NonNullable<Tracker['asked']>['why'] | undefined {
  if (lying.how === 'thrown') return 'tumble';
  if (lying.how === 'leaning') return 'mismatch';
  if (last?.armed === false || (last === undefined && value !== undefined)) return 'unarmed';
  if (lying.how === 'resync') return last === undefined ? undefined : 'mismatch';
  const from = last?.face ?? undefined;
  const tipped = lying.turned !== undefined && lying.turned < ONE_TIP_DEGREES && lying.sides > 6;
  if (from !== undefined && tipped && Math.abs(lying.face - from) > 1) return 'knock';
  return undefined;
}

/** True if this counter's tracker is to be set now, to this face where one is named. */
export function isAwaited({ course }: TableState, seat: Seat, counter: string, face?: number): boolean {
  const awaited = course === undefined ? undefined : awaitedSet(course, seat, counter);
  return awaited !== undefined && (face === undefined || awaited.face === face);
}

/**
 * A tracker thrown as a die (dicebound D5): its counter keeps its value, and it is expected back on it from where it lies.
 * Where its counter has no value yet there is nothing to come back to: it counts from the first face it is set to.
 */
export function thrownTracker(
  state: TableState,
  lies: Pick<Tracker, 'seat' | 'counter' | 'die'> & { readonly face: number },
): Tracker {
  const known = state.trackers.get(trackerKey(lies.seat, lies.counter));
  const valueless = expectedFace(state, lies.seat, lies.counter) === undefined;
  return { ...lies, armed: known?.die === lies.die ? known.armed : valueless };
}

/**
 * The face that a seat's tracker should show: what is awaited, else what another program prescribed, else what the game
 * says it should show, else the counter's value; undefined if nothing is known.
 */
export function expectedFace(state: TableState, seat: Seat, counter: string): number | undefined {
  const { course } = state;
  if (course === undefined) return undefined;
  const awaited = awaitedSet(course, seat, counter);
  if (awaited !== undefined) return awaited.face;
  const faces = expectedFaces(course, seat);
  return prescribed(course, seat, counter) ?? own(faces ?? countersOf(course.runs.game, seat), counter);
}

/** What the game says a seat's trackers should show, where it says so apart from its counters. */
const expectedFaces = (course: Course, seat: Seat): unknown =>
  fieldOf(fieldOf(fieldOf(viewOf(course.runs.game), 'seats'), seat), 'expected');

/** True where the game says that a counter has no face now: its die may lie as it likes (dicebound D2). */
function isUnchecked({ course }: TableState, seat: Seat, counter: string): boolean {
  return course !== undefined && fieldOf(expectedFaces(course, seat), counter) === null;
}

function awaitedSet(course: Course, seat: Seat, counter: string): { readonly face: number } | undefined {
  for (const { expects } of expectations(course)) {
    if (expects.kind === 'set' && expects.seat === seat && expects.counter === counter) return expects;
  }
  return undefined;
}

/** The face that a program outside wants on a tracker, also once it lies there. */
function prescribed(course: Course, seat: Seat, counter: string): number | undefined {
  return own(fieldOf(fieldOf(viewOf(course.runs.outside), 'expected'), seat), counter);
}

/** The runs that a tracker's face is told to: the calls from outside where they prescribe it, and the game. */
export function followers(course: Course, seat: Seat, counter: string): readonly RunId[] {
  const { game, outside } = course.runs;
  if (game.game.id === outside.game.id) return ['game'];
  if (prescribed(course, seat, counter) === undefined) return ['game'];
  const kept = own(countersOf(game, seat), counter) !== undefined || game.game.id === 'free';
  return kept || isExpected(course, 'game', seat, counter) ? ['game', 'outside'] : ['outside'];
}

function isExpected(course: Course, run: RunId, seat: Seat, counter: string): boolean {
  return expectations(course).some(
    ({ run: of, expects }) =>
      of === run && expects.kind === 'set' && expects.seat === seat && expects.counter === counter,
  );
}

const views = new WeakMap<object, unknown>();

/** The GM's view of a run. States never change, so it is asked once. */
function viewOf({ game, state }: Run): unknown {
  if (typeof state !== 'object' || state === null) return game.view(state, { role: 'gm' }).state;
  const known = views.get(state);
  if (known !== undefined) return known;
  const view = game.view(state, { role: 'gm' }).state;
  views.set(state, view);
  return view;
}

/** The counters of a seat as a game tells them: its `counters`, or its numeric fields. */
export function countersOf(run: Run, seat: Seat): { readonly [counter: string]: number } {
  return countersIn(viewOf(run), seat);
}

/** The same from a view's state: in the seat, or in the game's own `counters`. */
export function countersIn(view: unknown, seat: Seat): { readonly [counter: string]: number } {
  const place = fieldOf(fieldOf(view, 'seats'), seat);
  const counters = fieldOf(place, 'counters') ?? place ?? fieldOf(fieldOf(view, 'counters'), seat);
  if (typeof counters !== 'object' || counters === null) return {};
  return Object.fromEntries(
    Object.entries(counters).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

function own(counters: unknown, counter: string): number | undefined {
  const face = fieldOf(counters, counter);
  return typeof face === 'number' ? face : undefined;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as { [key: string]: unknown })[key]
    : undefined;
}
