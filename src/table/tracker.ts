import type { AnyGame, Seat } from '../games/game.js';
import { expectations } from './course.js';
import type { Tracker } from './record.js';
import type { Room } from './room.js';
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
  const value = expectedFace(state, seat, counter);
  if (value === face) {
    const same = last?.face === face && last.armed && last.asked === undefined;
    return same ? { kind: 'quiet' } : { kind: 'believed', tracker: believed, set: isExpected(state, seat, counter) };
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
  if (last?.armed === false || (last === undefined && value !== undefined)) return 'unarmed';
  if (lying.how === 'resync') return last === undefined ? undefined : 'mismatch';
  const from = last?.face ?? undefined;
  const tipped = lying.turned !== undefined && lying.turned < ONE_TIP_DEGREES && lying.sides > 6;
  if (from !== undefined && tipped && Math.abs(lying.face - from) > 1) return 'knock';
  return undefined;
}

/** The face that a seat's tracker should show: what the game awaits, else the counter's value; undefined if nothing is known. */
export function expectedFace(state: TableState, seat: Seat, counter: string): number | undefined {
  if (state.course === undefined) return undefined;
  const awaited = expectations(state.course).find(
    ({ expects }) => expects.kind === 'set' && expects.seat === seat && expects.counter === counter,
  );
  if (awaited?.expects.kind === 'set') return awaited.expects.face;
  return countersOf(state.course.runs.game, seat)[counter];
}

function isExpected(state: TableState, seat: Seat, counter: string): boolean {
  const all = state.course === undefined ? [] : expectations(state.course);
  return all.some(({ expects }) => expects.kind === 'set' && expects.seat === seat && expects.counter === counter);
}

/** The counters of a seat as a game tells them: its `counters`, or its numeric fields. */
export function countersOf(
  run: { readonly game: AnyGame; readonly state: unknown },
  seat: Seat,
): { readonly [counter: string]: number } {
  const view = run.game.view(run.state, { role: 'gm' }).state;
  return countersIn(view, seat);
}

/** The same from a view's state. */
export function countersIn(view: unknown, seat: Seat): { readonly [counter: string]: number } {
  const seats = fieldOf(view, 'seats');
  const own = fieldOf(seats, seat);
  const counters = fieldOf(own, 'counters') ?? own;
  if (typeof counters !== 'object' || counters === null) return {};
  return Object.fromEntries(
    Object.entries(counters).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as { [key: string]: unknown })[key]
    : undefined;
}

/** Trackers that should be turned by hand now, and to which face: what people must do after a ruling or a restore. */
export function trackersToSet(room: Room): { seat: string; counter: string; face: number }[] {
  const state = room.state();
  return [...state.trackers.values()].flatMap((tracker) => {
    const face = expectedFace(state, tracker.seat, tracker.counter);
    return face === undefined || face === tracker.face ? [] : [{ seat: tracker.seat, counter: tracker.counter, face }];
  });
}
