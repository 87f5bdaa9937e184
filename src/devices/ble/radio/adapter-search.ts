/** Adapters of one computer that are tried in turn for the one with the address. */
export const MAX_ADAPTERS = 8;

/** Which adapter a radio process works with, and how it is reached. */
export interface AdapterAccess {
  /** A serial port with a controller behind it; absent for the system's own Bluetooth. */
  readonly uart?: string;
  /** Number of the system's adapter, where there are several. */
  readonly adapter?: number;
  /** Address of the system's adapter, small letters and colons: its number may change with every plugging. */
  readonly address?: string;
}

/** The system's adapters by number, as the radio processes of one daemon know them: what one learns the others need not seek. */
export class AdapterNumbers {
  /** Addresses by number, as the adapters told them last. */
  readonly addresses = new Map<number, string>();
  /** Numbers that a process works with. */
  readonly held = new Set<number>();

  /** The first number to try for an adapter: where it was met, else from this one on; one that nobody works with. */
  first(wanted: string, from: number): number {
    for (const [number, address] of this.addresses) {
      if (address === wanted && !this.held.has(number)) return number;
    }
    for (let step = 0; step < MAX_ADAPTERS; step += 1) {
      const number = (from + step) % MAX_ADAPTERS;
      if (!this.held.has(number)) return number;
    }
    return from;
  }
}

/** Finds the number of the adapter that a radio process shall work with, by trying. */
export class AdapterSearch {
  readonly #numbers: AdapterNumbers;
  readonly #wanted: string | undefined;
  #number: number | undefined;
  #held: number | undefined;
  /** Since the process began an adapter told its address. */
  #answered = false;
  /** Numbers in a row that were not the right one. */
  #mistaken = 0;

  constructor(numbers: AdapterNumbers, { uart, adapter, address }: AdapterAccess) {
    this.#numbers = numbers;
    this.#wanted = uart === undefined ? address : undefined;
    if (uart === undefined) this.#number = address === undefined ? adapter : 0;
  }

  /** True after as many wrong numbers in a row as there may be adapters: then there is no hurry. */
  get isVain(): boolean {
    return this.#mistaken >= MAX_ADAPTERS;
  }

  /** The number for a process that begins; undefined where the library chooses. */
  begin(): number | undefined {
    const wanted = this.#wanted;
    if (this.#number === undefined) return undefined;
    if (wanted !== undefined) this.#number = this.#numbers.first(wanted, this.#number);
    this.#held = this.#number;
    this.#numbers.held.add(this.#held);
    this.#answered = false;
    return this.#number;
  }

  /** The process is gone; where no adapter answered it, the next number is tried. */
  ended(): void {
    if (this.#held === undefined) return;
    this.#numbers.held.delete(this.#held);
    if (!this.#answered) {
      this.#numbers.addresses.delete(this.#held);
      this.#next();
    }
    this.#held = undefined;
  }

  /** The adapter at work told its address. @returns why it is not the one that is wanted; null where it is */
  met(address: string): string | null {
    const number = this.#number;
    this.#answered = true;
    if (number !== undefined) this.#numbers.addresses.set(number, address);
    if (this.#wanted === undefined || this.#wanted === address) {
      this.#mistaken = 0;
      return null;
    }
    this.#next();
    this.#mistaken += 1;
    return `hci${number} is ${address}, not ${this.#wanted}`;
  }

  #next(): void {
    if (this.#wanted !== undefined && this.#number !== undefined) this.#number = (this.#number + 1) % MAX_ADAPTERS;
  }
}
