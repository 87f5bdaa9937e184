import type { PercentileReading } from '../../dice/die.js';
import type { Landed, Resolution } from '../../rolls/resolution.js';
import { take } from '../../rolls/resolution.js';
import { field, without } from '../awaited.js';
import type { CallId, Counter, Expectation, Seat, TimerId } from '../game.js';
import type { SeatEvent } from '../seating.js';

/** A roll another program asked for and that is not finished. `seat: null` = anybody's. */
export interface OpenCall {
  readonly id: string;
  readonly seat: Seat | null;
  readonly notation: string;
  readonly purpose: string;
  /** Milliseconds after which the call expires; null: it stays open. */
  readonly ttl: number | null;
  readonly resolution: Resolution;
  /** The how manieth call it is: an id may be used again, its time may not. */
  readonly number: number;
}

type Faces = { readonly [seat: Seat]: { readonly [counter: Counter]: number } };

/** The table refereed elsewhere: open calls, what trackers should show, and what they showed last. */
export interface ExternalState {
  readonly seats: readonly Seat[];
  readonly percentile: PercentileReading;
  readonly calls: readonly OpenCall[];
  /** Calls made so far. */
  readonly made: number;
  readonly expected: Faces;
  readonly shown: Faces;
  readonly rolls: number;
}

export type ExternalEvent =
  | {
      readonly kind: 'opened';
      readonly ev: 1;
      readonly seats: readonly Seat[];
      readonly percentile: PercentileReading;
    }
  | ({ readonly kind: 'called'; readonly ev: 1 } & Omit<OpenCall, 'number'>)
  | { readonly kind: 'landed'; readonly ev: 1; readonly call: string; readonly die: Landed }
  | { readonly kind: 'answered' | 'cancelled' | 'expired'; readonly ev: 1; readonly call: string }
  | {
      readonly kind: 'expected' | 'shown';
      readonly ev: 1;
      readonly seat: Seat;
      readonly counter: Counter;
      readonly face: number | null;
    }
  | SeatEvent;

export const EVENT_KINDS: ReadonlySet<string> = new Set<ExternalEvent['kind']>([
  'opened',
  'called',
  'landed',
  'answered',
  'cancelled',
  'expired',
  'expected',
  'shown',
  'seated',
  'seat_left',
]);

/** Id of the roll expectation of a call: the caller's own, so that it finds it in `awaited`. */
export const rollIdOf = (call: string): CallId => call;

/** Id of the timer that ends a call. */
export const timerIdOf = ({ id, number }: OpenCall): TimerId => `ttl.${id}.${number}`;

function withFace(faces: Faces, seat: Seat, counter: Counter, face: number | null): Faces {
  const others = without(field(faces, seat) ?? {}, counter);
  const counters = face === null ? others : { ...others, [counter]: face };
  return Object.keys(counters).length === 0 ? without(faces, seat) : { ...faces, [seat]: counters };
}

function landed(call: OpenCall, die: Landed): OpenCall {
  const taken = take(call.resolution, die);
  return taken.ok ? { ...call, resolution: taken.value } : call;
}

/** The face a counter has in a map of seats, or undefined. */
export function faceIn(faces: Faces, seat: Seat, counter: Counter): number | undefined {
  return field(field(faces, seat), counter);
}

/** State after an event. */
export function evolve(state: ExternalState | undefined, event: ExternalEvent): ExternalState {
  const now = state ?? { seats: [], percentile: 'zero', calls: [], made: 0, expected: {}, shown: {}, rolls: 0 };
  switch (event.kind) {
    case 'opened':
      return { ...now, seats: event.seats, percentile: event.percentile };
    case 'called': {
      const { kind: _kind, ev: _ev, ...call } = event;
      const made = now.made + 1;
      return { ...now, calls: [...now.calls, { ...call, number: made }], made };
    }
    case 'landed':
      return { ...now, calls: now.calls.map((call) => (call.id === event.call ? landed(call, event.die) : call)) };
    case 'answered':
    case 'cancelled':
    case 'expired': {
      const calls = now.calls.filter((call) => call.id !== event.call);
      return { ...now, calls, rolls: now.rolls + (event.kind === 'answered' ? 1 : 0) };
    }
    case 'expected':
      return { ...now, expected: withFace(now.expected, event.seat, event.counter, event.face) };
    case 'shown':
      return { ...now, shown: withFace(now.shown, event.seat, event.counter, event.face) };
    case 'seated':
      return { ...now, seats: [...now.seats.filter((seat) => seat !== event.seat), event.seat] };
    case 'seat_left':
      return {
        ...now,
        seats: now.seats.filter((seat) => seat !== event.seat),
        calls: now.calls.filter((call) => call.seat !== event.seat),
        expected: without(now.expected, event.seat),
        shown: without(now.shown, event.seat),
      };
  }
}

/** Open calls with their timers, oldest first, then the trackers that do not show what they should. */
export function expectsOf(state: ExternalState): readonly Expectation[] {
  const calls = state.calls.flatMap((call): Expectation[] => {
    const { id, seat, purpose, ttl, resolution } = call;
    const common = { seat, purpose, optional: false };
    const roll: Expectation = { ...common, kind: 'roll', id: rollIdOf(id), rule: 'external:call', resolution };
    if (ttl === null) return [roll];
    return [
      roll,
      { ...common, kind: 'timer', id: timerIdOf(call), rule: 'external:ttl', purpose: 'ttl', ms: ttl, for: id },
    ];
  });
  const trackers = Object.entries(state.expected).flatMap(([seat, counters]) =>
    Object.entries(counters)
      .filter(([counter, face]) => faceIn(state.shown, seat, counter) !== face)
      .map(
        ([counter, face]): Expectation => ({
          kind: 'set',
          id: `set.${seat}.${counter}`,
          seat,
          rule: 'external:expect',
          purpose: 'set',
          optional: true,
          counter,
          face,
        }),
      ),
  );
  return [...calls, ...trackers];
}
