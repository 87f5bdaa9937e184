import type { DieType, Face } from '../../src/dice/die.js';
import { faceOf } from '../../src/dice/die.js';
import type { Json, JsonObject } from '../../src/dice/json.js';
import { matchThrow, maySee } from '../../src/games/awaited.js';
import type {
  Audience,
  Deed,
  Expectation,
  Game,
  GameEvent,
  Seat,
  StoredEvent,
  TimerId,
  Verdict,
} from '../../src/games/game.js';
import { type Resolution, waitsFor } from '../../src/rolls/resolution.js';

/** One deed with its verdict, as a journal would keep it. */
export interface Entry<E> {
  readonly deed: Deed;
  readonly verdict: Verdict<E>;
}

/** A game in play: everything needed to go on, to look at it, or to play it again otherwise. */
export interface Played<S, E extends GameEvent> {
  readonly game: Game<S, E>;
  readonly opening: readonly E[];
  readonly log: readonly Entry<E>[];
  readonly state: S;
}

/** What is written down and read again: everything in a game must survive it. */
export const rewritten = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const eventsOf = <E>(verdict: Verdict<E>): readonly E[] => ('events' in verdict ? verdict.events : []);

/** Folds events as a start-up does: each is read back from its text and brought to today's meaning. */
export function fold<S, E extends GameEvent>(game: Game<S, E>, events: readonly E[], from?: S): S {
  let state = from;
  for (const event of events) {
    const stored = game.upcast(rewritten(event) as unknown as StoredEvent);
    if (stored === undefined) throw new Error(`${game.id} does not know its own event ${event.kind}`);
    state = game.evolve(state, stored);
  }
  if (state === undefined) throw new Error(`${game.id} opened without an event`);
  return rewritten(state);
}

export function open<S, E extends GameEvent>(
  game: Game<S, E>,
  seats: readonly Seat[],
  options: JsonObject = {},
): Played<S, E> {
  const verdict = game.setup(
    options,
    seats.map((id) => ({ id, name: id })),
  );
  if (verdict.verdict !== 'accepted') throw new Error(`${game.id} refused its setup: ${JSON.stringify(verdict)}`);
  return { game, opening: verdict.events, log: [], state: fold(game, verdict.events) };
}

/** Puts one deed before the rules and folds what came of it. */
export function put<S, E extends GameEvent>(played: Played<S, E>, deed: Deed): Played<S, E> {
  const verdict = played.game.judge(played.state, deed);
  const state = fold(played.game, eventsOf(verdict), played.state);
  return { ...played, log: [...played.log, { deed, verdict }], state };
}

/** The verdict on the last deed. */
export function last<S, E extends GameEvent>(played: Played<S, E>): Verdict<E> {
  const entry = played.log.at(-1);
  if (entry === undefined) throw new Error('no deed yet');
  return entry.verdict;
}

/** A throw of a seat's (or with null, a shared) die, put to the call it fits as a table does. */
export function thrown<S, E extends GameEvent>(
  played: Played<S, E>,
  seat: Seat | null,
  type: DieType,
  natural: Face,
  die = `${type}#${played.log.length}`,
): Played<S, E> {
  const face = faceOf(type, natural);
  const match = matchThrow(played.game.expects(played.state), { seat, type });
  return put(played, {
    kind: 'natural',
    call: match.kind === 'call' ? match.id : null,
    seat,
    die: { die, type, quality: 'ok' },
    face: face.ok ? face.value : natural,
    source: 'physical',
  });
}

/**
 * Plays the log again with one deed changed (or left out): a correction tried on a branch. What no longer fits is
 * loose: listed with its place in the old log, never forced.
 */
export function branch<S, E extends GameEvent>(
  played: Played<S, E>,
  at: number,
  change: Deed | null,
): { readonly played: Played<S, E>; readonly loose: readonly number[] } {
  const loose: number[] = [];
  let now: Played<S, E> = { ...played, log: [], state: fold(played.game, played.opening) };
  played.log.forEach(({ deed, verdict }, index) => {
    const again = index === at ? change : deed;
    if (again === null) return;
    const next = put(now, again);
    const fitted = 'events' in verdict;
    if (index > at && fitted && !('events' in last(next))) loose.push(index);
    else now = next;
  });
  return { played: now, loose };
}

/** All events so far as one audience may see them. */
export function seenEvents<S, E extends GameEvent>(played: Played<S, E>, audience: Audience): readonly E[] {
  const all = [...played.opening, ...played.log.flatMap((entry) => eventsOf(entry.verdict))];
  return all.filter((event) => maySee(event, audience));
}

/** A table's timers: armed while expected; one that leaves and returns goes on with what was left. */
export class Clock {
  readonly #left = new Map<TimerId, number>();

  /** Lets time pass for the timers now expected; gives those that ran out. */
  pass(expects: readonly Expectation[], ms: number): readonly TimerId[] {
    return expects.flatMap((one) => {
      if (one.kind !== 'timer') return [];
      const left = (this.#left.get(one.id) ?? one.ms) - ms;
      this.#left.set(one.id, left);
      return left <= 0 ? [one.id] : [];
    });
  }
}

/** A game from its bare rules; what every fixture says the same way is said here. */
export function tiny<S extends object, E extends GameEvent>(rules: {
  readonly id: string;
  readonly opening: (seats: readonly Seat[], options: JsonObject) => readonly E[];
  readonly expects: (state: S) => readonly Expectation[];
  readonly judge: (state: S, deed: Deed) => Verdict<E>;
  readonly evolve: (state: S | undefined, event: E) => S;
  /** What an audience sees of the state; all of it where this is left out. */
  readonly show?: (state: S, audience: Audience) => JsonObject;
  /** An expectation as an audience may know it: its options can be a secret where itself is not. */
  readonly veil?: (expectation: Expectation, audience: Audience) => Expectation;
}): Game<S, E> {
  const { opening, show, veil = (one: Expectation) => one, ...rest } = rules;
  return {
    ...rest,
    version: 1,
    setup: (options, seats) => ({
      verdict: 'accepted',
      events: opening(
        seats.map((seat) => seat.id),
        options,
      ),
    }),
    upcast: (event) => event as unknown as E,
    view: (state, audience) => ({
      state: show === undefined ? (rewritten(state) as JsonObject) : show(state, audience),
      awaited: rules
        .expects(state)
        .filter((one) => maySee(one, audience))
        .map((one) => veil(one, audience)),
    }),
  };
}

/** A choice the game waits for that this deed answers, or the refusal. */
export function chosen(
  expects: readonly Expectation[],
  deed: Extract<Deed, { kind: 'choice' }>,
): { readonly due: Expectation; readonly option: Json } | { readonly no: Verdict<never> } {
  const due = expects.find((one) => one.kind === 'choice' && one.seat === deed.by);
  if (due?.kind !== 'choice') return { no: refused('not_awaited', 'Z2', `nothing is to be chosen by ${deed.by}`) };
  const option = due.options?.find((one) => one === deed.option);
  return option === undefined ? { no: refused('unknown_option', due.rule, 'not offered') } : { due, option };
}

/** The number a lone die's roll has come to, or 0 while dice are missing. */
export function naturalOf(resolution: Resolution): number {
  const wait = waitsFor(resolution);
  return wait.kind === 'done' ? (wait.outcome.natural ?? 0) : 0;
}

export const refused = (code: string, rule: string, reason: string): Verdict<never> => ({
  verdict: 'refused',
  code,
  rule,
  reason,
});
