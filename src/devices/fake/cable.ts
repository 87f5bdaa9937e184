import type { Clock } from '../clock.js';

/** What befalls the next line on its way through the cable. */
export type CableFault =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'duplicate' }
  /** Flips the bits of `mask` in the byte at `offset`. */
  | { readonly kind: 'corrupt'; readonly offset: number; readonly mask: number }
  | { readonly kind: 'drop' };

/** Faults that may wait for their line, and lines that may be delayed at once. */
export const MAX_CABLE_FAULTS = 64;
export const MAX_DELAYED_LINES = 256;

export interface CableOptions {
  readonly clock: Clock;
  /** Bytes arrive in pieces of so many. */
  readonly chunk: number;
  arrive(bytes: Uint8Array): void;
}

/** A cable that cuts lines into pieces and, when asked, delays, doubles, garbles or loses one. */
export class Cable {
  readonly #options: CableOptions;
  readonly #delayed = new Set<() => void>();
  #faults: CableFault[] = [];

  constructor(options: CableOptions) {
    this.#options = options;
  }

  /** Lets a fault befall the next line that has none yet; false once `MAX_CABLE_FAULTS` wait. */
  fault(fault: CableFault): boolean {
    if (this.#faults.length >= MAX_CABLE_FAULTS) return false;
    this.#faults.push(fault);
    return true;
  }

  /** Carries one line and its LF. */
  carry(line: string): void {
    const bytes = new TextEncoder().encode(`${line}\n`);
    const fault = this.#faults.shift();
    switch (fault?.kind) {
      case undefined:
        this.#arrive(bytes);
        break;
      case 'duplicate':
        this.#arrive(bytes);
        this.#arrive(bytes);
        break;
      case 'corrupt':
        this.#arrive(bytes.map((byte, i) => (i === fault.offset ? byte ^ fault.mask : byte)));
        break;
      case 'delay':
        this.#later(fault.ms, bytes);
        break;
      case 'drop':
        break;
    }
  }

  /** What is still under way is lost. */
  cut(): void {
    for (const stop of this.#delayed) stop();
    this.#delayed.clear();
  }

  #arrive(bytes: Uint8Array): void {
    const size = Math.max(1, this.#options.chunk);
    for (let start = 0; start < bytes.length; start += size) this.#options.arrive(bytes.subarray(start, start + size));
  }

  #later(ms: number, bytes: Uint8Array): void {
    if (this.#delayed.size >= MAX_DELAYED_LINES) return;
    const stop = this.#options.clock.after(ms, () => {
      this.#delayed.delete(stop);
      this.#arrive(bytes);
    });
    this.#delayed.add(stop);
  }
}
