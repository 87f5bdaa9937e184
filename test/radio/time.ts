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
  readonly run: () => void;
}

/** Time that passes only when it is told to: the same run, however busy the machine is. */
export class StepTime implements Time {
  #now = 0;
  /** The earliest first. */
  readonly #due: Due[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Wait {
    const due: Due = { at: this.#now + ms, run };
    this.#due.splice(this.#placeAfter(due.at), 0, due);
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
    for (let next = this.#due[0]; next !== undefined && next.at <= end; next = this.#due[0]) {
      this.#due.shift();
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  /** Where something due at this time belongs: behind all that is due no later. */
  #placeAfter(at: number): number {
    let [low, high] = [0, this.#due.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#due[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
