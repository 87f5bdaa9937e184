import type { Origin } from '../devices/device.js';

/** Origins remembered against repetition. */
export const MAX_ORIGINS = 50_000;

/** Where signals came from, so that what comes again changes nothing; the oldest are forgotten first. */
export class Origins {
  readonly #known = new Set<Origin>();

  /** @param known the newest first, as the journal has them */
  constructor(known: readonly Origin[]) {
    for (const origin of [...known].reverse()) this.#known.add(origin);
  }

  /** True if a signal of this origin was taken before; remembers it. */
  heardBefore(origin: Origin): boolean {
    if (this.#known.has(origin)) return true;
    this.#known.add(origin);
    const oldest = this.#known.size > MAX_ORIGINS ? this.#known.values().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
    return false;
  }
}
