import type { Listening } from './ports.js';

/** Listening is judged over this time (issue 4). */
export const LISTENING_MS = 10_000;
/** A Pixels advertises every 187.5 ms and a little (protocols/pixels §6: 194 ms measured). */
export const ADVERT_EVERY_MS = 194;
/** Under this a die is linked, or told to be not reliable. */
export const RELIABLE_PERCENT = 50;
/** So many advertisements must have been expected before a die counts as badly heard: five seconds of listening. */
export const ENOUGH_ADVERTS = 25;
/** A die that has been silent for so long sleeps, or is out of reach: that says nothing about the air. */
export const AWAKE_MS = 5_000;

/** Something counted with its time; what is older than the window is forgotten. */
interface Counted {
  readonly at: number;
  readonly count: number;
}

/** Time in which the radio looked for advertisements, in the last ten seconds. */
export class LookedTime {
  #since: number | null = null;
  #spans: { readonly from: number; readonly to: number }[] = [];

  /** The radio begins or ceases to look. */
  note(on: boolean, at: number): void {
    if (on) {
      this.#since ??= at;
      return;
    }
    if (this.#since !== null) this.#spans.push({ from: this.#since, to: at });
    this.#since = null;
    this.#spans = this.#spans.filter(({ to }) => to > at - LISTENING_MS);
  }

  /** Milliseconds of looking between `from` and `at`. */
  between(from: number, at: number): number {
    const open = this.#since === null ? [] : [{ from: this.#since, to: at }];
    return [...this.#spans, ...open].reduce(
      (sum, span) => sum + Math.max(0, Math.min(span.to, at) - Math.max(span.from, from)),
      0,
    );
  }
}

/** How many advertisements of one die were heard lately. */
export class Heardness {
  #counts: Counted[] = [];
  /** Since when it has been heard without a long silence. */
  #awakeSince: number | null = null;
  #last = Number.NEGATIVE_INFINITY;

  note(count: number, at: number): void {
    if (at - this.#last > AWAKE_MS) {
      this.#awakeSince = at;
      this.#counts = [];
    }
    this.#last = at;
    this.#counts.push({ at, count });
    this.#counts = this.#counts.filter((counted) => counted.at > at - LISTENING_MS);
  }

  get lastAt(): number {
    return this.#last;
  }

  /** Of the advertisements that were to be expected in the last ten seconds; undefined for a die that sleeps. */
  quality(looked: LookedTime, at: number): Listening | undefined {
    if (this.#awakeSince === null || at - this.#last > AWAKE_MS) return undefined;
    const from = Math.max(at - LISTENING_MS, this.#awakeSince);
    const expected = Math.floor(looked.between(from, at) / ADVERT_EVERY_MS);
    const heard = this.#counts.reduce((sum, counted) => sum + (counted.at >= from ? counted.count : 0), 0);
    const percent = expected === 0 ? 100 : Math.min(100, Math.round((100 * heard) / expected));
    return { heard, expected, percent, reliable: percent >= RELIABLE_PERCENT };
  }
}
