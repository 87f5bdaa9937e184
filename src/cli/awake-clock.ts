import type { Clock } from '../devices/clock.js';

/** How often the clock looks at itself, so that a gap between two looks means that the process did not run. */
const LOOK_MS = 250;

/** Nothing of ours holds the process up for so long; what does is no time at the table. */
const GAP_MS = 2000;

/**
 * Monotonic time in which the process was awake. While the computer sleeps, the process is stopped or its clock jumps, it
 * stands still, so that no timer runs out unseen and no link is taken for silent (F047, F139).
 */
export class AwakeClock implements Clock {
  readonly #real: () => number;
  readonly #slept: (ms: number) => void;
  readonly #looking: NodeJS.Timeout;
  #last: number;
  #lost = 0;

  /**
   * @param slept told how long the process did not run, in milliseconds
   * @param real the process's own clock
   */
  constructor(slept: (ms: number) => void = () => {}, real: () => number = () => performance.now()) {
    this.#real = real;
    this.#slept = slept;
    this.#last = real();
    this.#looking = setInterval(() => this.now(), LOOK_MS);
    this.#looking.unref();
  }

  now = (): number => {
    const now = this.#real();
    const step = now - this.#last;
    this.#last = now;
    if (step > GAP_MS || step < 0) {
      this.#lost += step;
      this.#slept(Math.round(step));
    }
    return now - this.#lost;
  };

  /** Waits in awake time; the wait never keeps the process alive. */
  after = (ms: number, then: () => void): (() => void) => {
    const due = this.now() + ms;
    const arm = (wait: number): NodeJS.Timeout =>
      setTimeout(() => {
        const left = due - this.now();
        if (left > 1) timer = arm(left);
        else then();
      }, wait).unref();
    let timer = arm(ms);
    return () => clearTimeout(timer);
  };

  stop(): void {
    clearInterval(this.#looking);
  }
}
