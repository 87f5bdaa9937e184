import type { RecordBody } from './record.js';
import type { Clock } from './timers.js';

/** So long after it fell may a throw with another's die be given to the one it was for, in milliseconds. */
export const LOAN_MS = 20_000;

/**
 * When throws with another's die fell, by the monotonic clock. After a restart nobody is asked about them any more: the GM
 * may still assign them.
 */
export class Loans {
  readonly #clock: Pick<Clock, 'now'>;
  /** Rolls by their ids, in the order in which they fell. */
  readonly #fell = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Takes what a new record tells. */
  heed({ roll }: RecordBody): void {
    if (roll?.wire.code !== 'wrong_seat') return;
    const now = this.#clock.now();
    for (const [id, at] of this.#fell) if (now - at >= LOAN_MS) this.#fell.delete(id);
    this.#fell.set(roll.wire.id, now);
  }

  /** True while this throw may be given on. */
  open(roll: string): boolean {
    const at = this.#fell.get(roll);
    return at !== undefined && this.#clock.now() - at < LOAN_MS;
  }
}
