/** Time as devices get it: injected, so that a test can hold it still. */
export interface Clock {
  /** Monotonic milliseconds; never a wall clock. */
  now(): number;
  /** Calls `then` once after `ms` milliseconds; the answer takes it back. */
  after(ms: number, then: () => void): () => void;
}

/** The process's own monotonic clock. Its timers never keep the process alive. */
export const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
