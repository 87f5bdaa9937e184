import { type Course, expectations, type RunId } from './course.js';

/** A timer that a game awaits, with what is left of it in milliseconds. */
export interface Running {
  readonly id: string;
  readonly run: RunId;
  readonly left: number;
}

/** Time that passes only when it is told to. A timer that left and returned goes on with what was left. */
export class StillTime {
  readonly #left = new Map<string, number>();

  /** Timers that are awaited now, the one that runs out first in front. */
  running(course: Course): readonly Running[] {
    const timers = expectations(course).flatMap(({ run, expects }) =>
      expects.kind === 'timer' ? [{ id: expects.id, run, left: this.#left.get(expects.id) ?? expects.ms }] : [],
    );
    for (const timer of timers) this.#left.set(timer.id, timer.left);
    return timers.sort((a, b) => a.left - b.left);
  }

  pass(timers: readonly Running[], ms: number): void {
    for (const timer of timers) this.#left.set(timer.id, timer.left - ms);
  }

  forget(id: string): void {
    this.#left.delete(id);
  }
}
