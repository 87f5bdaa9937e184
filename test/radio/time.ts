/** Something that will happen unless it is cancelled. */
export interface Wait {
  cancel(): void;
}

/** Monotonic milliseconds and what happens in them. */
export interface Time {
  now(): number;
  /** Runs once at `now() + ms`, never within the call. */
  after(ms: number, run: () => void): Wait;
}

/** The true time of this machine. */
export const wallTime: Time = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

interface Due {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Time that passes only when it is told to: the same run, however busy the machine is. */
export class StepTime implements Time {
  #now = 0;
  #count = 0;
  readonly #due: Due[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Wait {
    this.#count += 1;
    const due = { at: this.#now + ms, order: this.#count, run };
    this.#due.push(due);
    return {
      cancel: () => {
        const index = this.#due.indexOf(due);
        if (index >= 0) this.#due.splice(index, 1);
      },
    };
  }

  /** Lets so many milliseconds pass and does what falls due in them, in order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#earliest(end);
      if (next === undefined) break;
      this.#due.splice(this.#due.indexOf(next), 1);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  #earliest(end: number): Due | undefined {
    let first: Due | undefined;
    for (const due of this.#due) {
      if (due.at > end) continue;
      if (first === undefined || due.at < first.at || (due.at === first.at && due.order < first.order)) first = due;
    }
    return first;
  }
}
