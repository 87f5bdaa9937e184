import { type DieType, type Face, isFaceOf } from '../../dice/die.js';
import { isId } from '../../dice/ids.js';
import { field, without } from '../awaited.js';
import { EITHER } from '../duties.js';
import type { Counter, Deed, Game, Ruling, Seat, Verdict } from '../game.js';
import { asWritten, isWhole, refused, unknownOption } from '../refusal.js';
import { joining, leaving, MAX_SEATS, type SeatEvent, seatsFault } from '../seating.js';

/** A seat may have this many counters. */
export const MAX_COUNTERS = 32;

/** Faces of counters lie between -MAX_FACE and MAX_FACE. */
export const MAX_FACE = 1000;

export type Counters = { readonly [counter: Counter]: number };

/** The followed table: no rules asked, trackers mirrored, throws counted. */
export interface FreeState {
  readonly seats: { readonly [seat: Seat]: { readonly counters: Counters } };
  readonly rolls: number;
}

export type FreeEvent =
  | { readonly kind: 'opened'; readonly ev: 1; readonly seats: readonly Seat[] }
  | { readonly kind: 'rolled'; readonly ev: 1; readonly seat: Seat | null; readonly type: DieType; readonly face: Face }
  | {
      readonly kind: 'counted';
      readonly ev: 1;
      readonly seat: Seat;
      readonly counter: Counter;
      readonly face: number | null;
    }
  | SeatEvent;

const KINDS: ReadonlySet<string> = new Set<FreeEvent['kind']>(['opened', 'rolled', 'counted', 'seated', 'seat_left']);
const RULE = 'free';

const accepted = (event: FreeEvent): Verdict<FreeEvent> => ({ verdict: 'accepted', events: [event] });

function judgeThrow(state: FreeState, deed: Extract<Deed, { kind: 'natural' }>): Verdict<FreeEvent> {
  if (deed.call !== null) return refused('no_such_call', RULE, 'this table asks for no rolls');
  if (deed.seat !== null && deed.seat !== 'gm' && !Object.hasOwn(state.seats, deed.seat)) {
    return refused('unknown_seat', RULE, `nobody sits at ${deed.seat}`, Object.keys(state.seats).join(', '));
  }
  const { type } = deed.die;
  if (!isFaceOf(type, deed.face)) {
    return refused('no_such_face', RULE, `a ${type} has no face ${String(deed.face).slice(0, 20)}`);
  }
  return accepted({ kind: 'rolled', ev: 1, seat: deed.seat, type, face: deed.face });
}

/** Mirrors a counter, by the tracker itself or by the GM; `face: null` (GM only) forgets it. */
function count(state: FreeState, seat: unknown, counter: unknown, face: unknown): Verdict<FreeEvent> {
  if (typeof seat !== 'string' || !Object.hasOwn(state.seats, seat)) {
    return refused('unknown_seat', RULE, 'nobody sits there', Object.keys(state.seats).join(', '));
  }
  if (typeof counter !== 'string' || !isId(counter)) {
    return refused('no_such_counter', RULE, 'a counter is named by small letters and digits', 'pv, pa, level');
  }
  if (face !== null && (typeof face !== 'number' || !isWhole(face, -MAX_FACE, MAX_FACE))) {
    return refused('no_such_face', RULE, 'a counter shows a whole number', `-${MAX_FACE} to ${MAX_FACE}`);
  }
  const counters = field(state.seats, seat)?.counters ?? {};
  if (!Object.hasOwn(counters, counter) && Object.keys(counters).length >= MAX_COUNTERS) {
    return refused('too_many_counters', RULE, `at most ${MAX_COUNTERS} counters a seat`);
  }
  return accepted({ kind: 'counted', ev: 1, seat, counter, face });
}

function rule(state: FreeState, { ruling, args }: Ruling): Verdict<FreeEvent> {
  if (ruling === 'counter') return count(state, field(args, 'seat'), field(args, 'counter'), field(args, 'face'));
  if (ruling === 'seat') return joining(Object.keys(state.seats), args, RULE);
  if (ruling === 'seat_left') return leaving(Object.keys(state.seats), args, RULE);
  return refused('unknown_ruling', RULE, 'this table knows no such ruling', 'counter, seat, seat_left');
}

function evolve(state: FreeState | undefined, event: FreeEvent): FreeState {
  const now = state ?? { seats: {}, rolls: 0 };
  switch (event.kind) {
    case 'opened':
      return { seats: Object.fromEntries(event.seats.map((seat) => [seat, { counters: {} }])), rolls: 0 };
    case 'rolled':
      return { ...now, rolls: now.rolls + 1 };
    case 'counted': {
      const others = without(field(now.seats, event.seat)?.counters ?? {}, event.counter);
      const counters = event.face === null ? others : { ...others, [event.counter]: event.face };
      return { ...now, seats: { ...now.seats, [event.seat]: { counters } } };
    }
    case 'seated':
      return { ...now, seats: { ...now.seats, [event.seat]: field(now.seats, event.seat) ?? { counters: {} } } };
    case 'seat_left':
      return { ...now, seats: without(now.seats, event.seat) };
  }
}

/** The game `free` (contracts I): every clean throw counts, counters mirror their dice, nothing is awaited. */
export const free: Game<FreeState, FreeEvent> = {
  id: 'free',
  version: 1,
  duties: EITHER,
  setup(options, seats) {
    const strange = unknownOption(options, []);
    if (strange !== undefined) return refused('unknown_option', RULE, `there is no option "${strange.slice(0, 40)}"`);
    return (
      seatsFault(seats, 0, MAX_SEATS, RULE) ?? accepted({ kind: 'opened', ev: 1, seats: seats.map((seat) => seat.id) })
    );
  },
  expects: () => [],
  judge(state, deed) {
    switch (deed.kind) {
      case 'natural':
        return judgeThrow(state, deed);
      case 'set':
        return count(state, deed.seat, deed.counter, deed.face);
      case 'ruling':
        return rule(state, deed.ruling);
      case 'choice':
        return refused('not_awaited', RULE, 'there is nothing to choose on this table');
      case 'elapsed':
      case 'drawn':
        return refused('not_awaited', RULE, 'this table waits for no timer and no draw');
    }
  },
  evolve,
  view: (state) => ({
    state: { phase: 'open', seats: state.seats, awaited: [], rolls: state.rolls, over: false },
    awaited: [],
  }),
  upcast: (event) => asWritten<FreeEvent>(event, KINDS),
};
