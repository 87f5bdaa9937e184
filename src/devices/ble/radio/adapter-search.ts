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

  /** The adapter with this number told its address. */
  note(number: number, address: string): void {
    for (const [other, known] of this.addresses) if (known === address) this.addresses.delete(other);
    this.addresses.set(number, address);
  }

  /** Where an adapter was met last, unless another process works there; undefined where it never was. */
  homeOf(wanted: string): number | undefined {
    for (const [number, address] of this.addresses) if (address === wanted && !this.held.has(number)) return number;
    return undefined;
  }

  /** The first number from this one on that nobody works with. */
  free(from: number): number {
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
  /** Number to try; undefined where the library chooses. */
  #number: number | undefined;
  #held: number | undefined;
  /** Since the process began an adapter told its address. */
  #answered = false;
  /** The last try was where the adapter was met before: it may be switched off there, or be back under another number. */
  #wasHome = false;
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
    if (this.#number === undefined) return undefined;
    this.#held = this.#wanted === undefined ? this.#number : this.#choose(this.#wanted, this.#number);
    this.#numbers.held.add(this.#held);
    this.#answered = false;
    return this.#held;
  }

  /** The process is gone; where no adapter answered it, another number is tried. */
  ended(): void {
    if (this.#held === undefined) return;
    this.#numbers.held.delete(this.#held);
    if (this.#answered) this.#wasHome = false;
    this.#held = undefined;
  }

  /** The adapter at work told its address. @returns why it is not the one that is wanted; null where it is */
  met(address: string): string | null {
    const number = this.#held;
    this.#answered = true;
    if (number !== undefined) this.#numbers.note(number, address);
    if (this.#wanted === undefined || this.#wanted === address) {
      this.#mistaken = 0;
      return null;
    }
    this.#mistaken += 1;
    return `hci${number} is ${address}, not ${this.#wanted}`;
  }

  /** Where the adapter was met last and, if it did not answer there, one number after the other in turn with that. */
  #choose(wanted: string, from: number): number {
    const home = this.#numbers.homeOf(wanted);
    this.#wasHome = home !== undefined && !this.#wasHome;
    if (home !== undefined && this.#wasHome) return home;
    const number = this.#numbers.free(from);
    this.#number = (number + 1) % MAX_ADAPTERS;
    return number;
  }
}
