/** A connection attempt that takes longer is cancelled: an absent die would block every other one (F049, noble/noble#522). */
export const CONNECT_TIMEOUT_MS = 10_000;
/** A link that does not close by itself in this time is taken for closed (F058). */
export const CLOSE_TIMEOUT_MS = 5_000;
/** First pause after a lost link or a failed attempt; doubled each time. */
export const BACKOFF_FIRST_MS = 500;
/** Longest pause: a die that wakes up is back within ten seconds (F095). */
export const BACKOFF_LAST_MS = 5_000;
/** A link that held this long was a good one: the next pause is the first again. */
export const STABLE_MS = 10_000;

/**
 * Link to one Bluetooth die: what is wanted and what is. `down` with `desired: 'up'` waits for a fresh advertisement, for
 * connecting to a die that sleeps blocks the radio. Plain data; times are monotonic milliseconds.
 */
export interface LinkState {
  readonly desired: 'up' | 'down';
  readonly actual: 'down' | 'connecting' | 'up' | 'closing' | 'backoff';
  readonly since: number;
  /** When `tick` must come at the latest; null where only the die or a person can change anything. */
  readonly until: number | null;
  /** Attempts and links that failed in a row. */
  readonly failures: number;
}

/**
 * What the radio or the daemon reports. `connected` means ready: services found and notifications on, so writes may go.
 * `off`: the adapter is gone or switched off.
 */
export type LinkInput =
  | { readonly kind: 'want'; readonly link: 'up' | 'down'; readonly at: number }
  | { readonly kind: 'seen' | 'connected' | 'failed' | 'dropped' | 'off' | 'tick'; readonly at: number };

/** What must be done: orders to the radio, and what the die's codec and people are told. */
export type LinkAct = 'connect' | 'cancel' | 'disconnect' | 'abandon' | 'tell_up' | 'tell_down';

/** The next state and what to do, in order. */
export interface LinkStep {
  readonly state: LinkState;
  readonly acts: readonly LinkAct[];
}

/** A link nobody wants yet. */
export const idleLink = (at: number): LinkState => ({
  desired: 'down',
  actual: 'down',
  since: at,
  until: null,
  failures: 0,
});

/** A link that was already up at `at`, as the fakes have it (contracts G). */
export const risenLink = (at: number): LinkState => ({ ...idleLink(at), desired: 'up', actual: 'up' });

/** The link in the words of `DeviceStatus`. */
export const linkWord = ({ actual }: LinkState): 'up' | 'connecting' | 'down' =>
  actual === 'up' || actual === 'connecting' ? actual : 'down';

const step = (state: LinkState, ...acts: readonly LinkAct[]): LinkStep => ({ state, acts });

function enter(state: LinkState, actual: LinkState['actual'], at: number, forMs: number | null = null): LinkState {
  return { ...state, actual, since: at, until: forMs === null ? null : at + forMs };
}

/** The pause after so many failures in a row: 0.5 s doubling to 5 s. */
export const backoffMs = (failures: number): number =>
  Math.min(BACKOFF_LAST_MS, BACKOFF_FIRST_MS * 2 ** Math.min(30, Math.max(0, failures - 1)));

function fail(state: LinkState, at: number): LinkState {
  const stable = state.actual === 'up' && at - state.since >= STABLE_MS;
  const failures = stable ? 1 : state.failures + 1;
  return enter({ ...state, failures }, 'backoff', at, backoffMs(failures));
}

function want(state: LinkState, link: 'up' | 'down', at: number): LinkStep {
  const next: LinkState = { ...state, desired: link };
  if (link === 'up') return step(next);
  switch (state.actual) {
    case 'up':
      return step(enter(next, 'closing', at, CLOSE_TIMEOUT_MS), 'tell_down', 'disconnect');
    case 'connecting':
      return step(enter(next, 'closing', at, CLOSE_TIMEOUT_MS), 'cancel');
    case 'backoff':
      return step(enter({ ...next, failures: 0 }, 'down', at));
    case 'closing':
    case 'down':
      return step(next);
  }
}

function connected(state: LinkState, at: number): LinkStep {
  if (state.actual === 'up') return step(state);
  // A cancelled attempt may succeed all the same.
  if (state.desired === 'down') return step(enter(state, 'closing', at, CLOSE_TIMEOUT_MS), 'disconnect');
  return step(enter(state, 'up', at), 'tell_up');
}

function ended(state: LinkState, at: number): LinkStep {
  switch (state.actual) {
    case 'up':
      return step(fail(state, at), 'tell_down');
    case 'connecting':
      return step(fail(state, at));
    case 'closing':
      return step(enter(state, 'down', at));
    case 'backoff':
    case 'down':
      return step(state);
  }
}

function tick(state: LinkState, at: number): LinkStep {
  if (state.until === null || at < state.until) return step(state);
  switch (state.actual) {
    case 'connecting':
      return step(fail(state, at), 'cancel');
    case 'closing':
      return step(enter(state, 'down', at), 'abandon');
    case 'backoff':
      return step(enter(state, 'down', at));
    case 'up':
    case 'down':
      return step(state);
  }
}

/** Takes one report and says what to do. Reports may come late, twice or out of order: none leads to two links at once. */
export function linkStep(state: LinkState, input: LinkInput): LinkStep {
  switch (input.kind) {
    case 'want':
      return want(state, input.link, input.at);
    case 'seen':
      if (state.desired === 'down' || state.actual !== 'down') return step(state);
      return step(enter(state, 'connecting', input.at, CONNECT_TIMEOUT_MS), 'connect');
    case 'connected':
      return connected(state, input.at);
    case 'failed':
      // A late refusal of an attempt that was overtaken by a link says nothing about the link.
      return state.actual === 'up' ? step(state) : ended(state, input.at);
    case 'dropped':
      return ended(state, input.at);
    case 'off':
      return step(
        enter({ ...state, failures: 0 }, 'down', input.at),
        ...(state.actual === 'up' ? (['tell_down'] as const) : []),
      );
    case 'tick':
      return tick(state, input.at);
  }
}
