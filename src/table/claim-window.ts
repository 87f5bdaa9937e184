import type { Signal } from '../devices/device.js';
import type { DieType, Face } from '../dice/die.js';
import type { Duties, Seat } from '../games/game.js';
import type { Binding } from './record.js';

/** A window in which the dice that are thrown are a seat's, in milliseconds. */
export const CLAIM_MS = 20_000;
/** Dice of one set: with them the window is full. */
export const MAX_CLAIMED = 7;
/** Where one die is to be claimed, another that falls this soon after makes it doubtful whose is whose. */
export const ALONE_MS = 1_500;
/** Dice that are watched in one window. */
export const MAX_WATCHED = 256;

/** Kinds with so few faces show other numbers. */
const SMALL_SIDES = 6;

/** In a crowd: numbers that a die shows one after the other, so that a stranger's throw is not taken for it. */
export interface Challenge {
  /** For d4 and d6. */
  readonly small: readonly [number, number];
  /** For dice with more faces; on a tens die tenfold. */
  readonly large: readonly [number, number];
}

interface Trace {
  /** It was heard to move and has not been heard to lie since. */
  readonly moving: boolean;
  readonly face: Face | null;
  /** Numbers of the challenge that it has shown. */
  readonly shown: 0 | 1 | 2;
}

/** The dice that a seat claims by throwing them: plain data; times are monotonic milliseconds. */
export interface ClaimWindow {
  readonly seat: Seat;
  readonly how: 'one' | 'set';
  readonly endsAt: number;
  readonly challenge?: Challenge;
  readonly traces: ReadonlyMap<string, Trace>;
  /** In the order in which they fell. */
  readonly claimed: readonly string[];
}

export function openWindow(seat: Seat, how: 'one' | 'set', at: number, challenge?: Challenge): ClaimWindow {
  const endsAt = at + CLAIM_MS;
  return { seat, how, endsAt, traces: new Map(), claimed: [], ...(challenge === undefined ? {} : { challenge }) };
}

/**
 * Takes what an unclaimed die says. A rest claims it if the die was moved for it: it was heard to move, says so itself, or
 * shows another face than before; a die that only repeats how it lies does not. In a crowd it must show both numbers.
 * @returns the same window where nothing has changed
 */
export function heedClaim(window: ClaimWindow, die: string, signal: Signal, at: number): ClaimWindow {
  const trace = window.traces.get(die) ?? { moving: false, face: null, shown: 0 };
  if (!window.traces.has(die) && window.traces.size >= MAX_WATCHED) return window;
  if (signal.kind === 'handling' || signal.kind === 'tumbling')
    return trace.moving ? window : traced(window, die, { ...trace, moving: true });
  if (signal.kind !== 'rested') return window;
  const moved = trace.moving || signal.how !== 'resync' || (trace.face !== null && trace.face !== signal.face);
  const shown = moved ? progress(window.challenge, trace.shown, signal) : trace.shown;
  const next = traced(window, die, { moving: false, face: signal.face, shown });
  const claims = moved && (window.challenge === undefined || shown === 2) && !window.claimed.includes(die);
  if (!claims || window.claimed.length >= MAX_CLAIMED) return next;
  const claimed = [...window.claimed, die];
  if (claimed.length === MAX_CLAIMED) return { ...next, claimed, endsAt: at };
  return { ...next, claimed, endsAt: window.how === 'one' ? Math.min(window.endsAt, at + ALONE_MS) : window.endsAt };
}

/** Claimed dice that are still on their way: where they come to lie is no roll. */
export const stillMoving = ({ traces, claimed }: ClaimWindow): readonly string[] =>
  claimed.filter((die) => traces.get(die)?.moving === true);

function traced(window: ClaimWindow, die: string, trace: Trace): ClaimWindow {
  return { ...window, traces: new Map(window.traces).set(die, trace) };
}

function progress(
  challenge: Challenge | undefined,
  shown: Trace['shown'],
  { type, sides, face }: Extract<Signal, { kind: 'rested' }>,
): Trace['shown'] {
  if (challenge === undefined || shown === 2) return shown;
  const wanted = (sides <= SMALL_SIDES ? challenge.small : challenge.large)[shown];
  const number = type === 'd00' && typeof face === 'number' ? face / 10 : face;
  if (number !== wanted) return shown;
  return shown === 0 ? 1 : 2;
}

/** Two numbers for a crowd; `draw` gives an unbiased number 1…sides. */
export function drawChallenge(draw: (sides: number) => number): Challenge {
  const first = draw(4);
  const large = 4 + draw(4);
  const small = ((first - 1 + draw(3)) % 4) + 1;
  return { small: [first, small], large: [first, large] };
}

/** A die that was claimed, as far as it is known. */
export interface Claimed {
  readonly die: string;
  readonly device: string;
  readonly model: string;
  readonly type: DieType | null;
  readonly fake: boolean;
}

/**
 * Why a claimed die is asked about: its kind is not known; two of its kind fell; the seat has one for that already; it may
 * roll or count; or several fell where one was to.
 */
export type AskedWhy = 'kind' | 'twice' | 'held' | 'duty' | 'several';

export interface Asked {
  readonly die: string;
  readonly why: AskedWhy;
}

/** Models that do not know what they are: only their owner can say which shell they wear (godice.md §1). */
const SHELLED: ReadonlySet<string> = new Set(['GoDice']);

/** Gives the claimed dice of a seat their duties by the game; what is doubtful is asked. `held`: the table's bindings. */
export function dutiesOf(
  { seat, how }: Pick<ClaimWindow, 'seat' | 'how'>,
  claimed: readonly Claimed[],
  held: Iterable<Binding>,
  duties: Duties | undefined,
): { readonly bindings: readonly Binding[]; readonly asked: readonly Asked[] } {
  const own = [...held].filter((binding) => binding.seat === seat);
  const bindings: Binding[] = [];
  const asked: Asked[] = [];
  const set = seat === 'gm' ? undefined : duties;
  for (const one of claimed) {
    const counter = one.type === null ? undefined : set?.counts.get(one.type);
    const why = doubtOf(one, how, claimed, own, counter, set);
    if (why !== undefined || one.type === null) {
      asked.push({ die: one.die, why: why ?? 'kind' });
      continue;
    }
    const { die, device, model, type, fake } = one;
    const plain = seat === 'gm' && duties?.gmPawns === true ? 'pawn' : 'rolls';
    const duty = counter === undefined ? ({ duty: plain } as const) : ({ duty: 'counts', counter } as const);
    bindings.push({ die, device, model, type, seat, ...duty, ...(fake ? { fake: true as const } : {}) });
  }
  return { bindings, asked };
}

function doubtOf(
  { die, model, type }: Claimed,
  how: ClaimWindow['how'],
  claimed: readonly Claimed[],
  own: readonly Binding[],
  counter: string | undefined,
  duties: Duties | undefined,
): AskedWhy | undefined {
  if (how === 'one' && claimed.length > 1) return 'several';
  if (type === null || SHELLED.has(model)) return 'kind';
  if (claimed.some((other) => other.die !== die && other.type === type)) return 'twice';
  const taken = own.some((binding) => (counter === undefined ? binding.type === type : binding.counter === counter));
  if (taken) return 'held';
  return duties?.asked.has(type) === true ? 'duty' : undefined;
}
