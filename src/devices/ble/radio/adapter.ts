import type { Clock } from '../../clock.js';
import type { AdapterAccess, AdapterNumbers } from './adapter-search.js';
import { LookedTime } from './listening.js';
import type { Order, Pace, Report } from './messages.js';
import { type RadioProcessState, Supervisor } from './supervisor.js';

/** An adapter that is away for longer is out of the plan: its dice go to the others as far as there are links. */
export const AWAY_MS = 5_000;

/** An adapter as the configuration has it. */
export interface AdapterSettings extends AdapterAccess {
  /** What people call it: `hci1`, an address, a serial port. */
  readonly name: string;
  /** Dice that it links at once. */
  readonly links: number;
}

export interface AdapterOptions {
  readonly drivers: readonly string[];
  readonly numbers: AdapterNumbers;
  nextEpoch(): number;
  readonly clock: Clock;
  readonly program?: string;
  report(adapter: Adapter, report: Report): void;
  /** All its links are lost at once. */
  lost(adapter: Adapter): void;
}

/** One adapter: its radio process, how long that has looked for dice, and whether the plan may count on it. */
export class Adapter {
  readonly name: string;
  readonly links: number;
  readonly looked = new LookedTime();
  readonly #clock: Clock;
  readonly #radio: Supervisor;
  #awaySince: number | null;
  #hasWorked = false;
  #pace: Pace | null = null;

  constructor({ name, links, ...access }: AdapterSettings, { report, lost, ...shared }: AdapterOptions) {
    this.name = name;
    this.links = links;
    this.#clock = shared.clock;
    this.#awaySince = shared.clock.now();
    this.#radio = new Supervisor({
      ...shared,
      ...access,
      report: (told) => {
        if (told.tell === 'adapter' && told.state !== 'poweredOn') this.#lost(lost);
        report(this, told);
      },
      lost: () => this.#lost(lost),
      changed: () => this.#changed(),
    });
  }

  get radio(): RadioProcessState {
    return this.#radio.state;
  }

  /** Its process is there and the adapter is switched on. */
  get works(): boolean {
    const { phase, adapter } = this.#radio.state;
    return phase === 'on' && adapter === 'poweredOn';
  }

  /** It has worked since the start: where it does not now, it was pulled out or switched off. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  /** True while it works, or is away for a moment only. */
  serves(at: number): boolean {
    return this.#awaySince === null || at - this.#awaySince < AWAY_MS;
  }

  start(): void {
    this.#awaySince = this.#clock.now();
    this.#radio.start();
  }

  /** Lets its dice go and ends its process. */
  stop(): Promise<void> {
    return this.#radio.stop();
  }

  order(order: Order): void {
    this.#radio.order(order);
  }

  /** How much of the time it looks for dice; told once. */
  pace(pace: Pace): void {
    if (this.#radio.state.phase !== 'on' || pace === this.#pace) return;
    this.#pace = pace;
    this.#radio.order({ do: 'pace', pace });
  }

  #lost(tell: AdapterOptions['lost']): void {
    this.looked.note(false, this.#clock.now());
    this.#pace = null;
    tell(this);
  }

  #changed(): void {
    const at = this.#clock.now();
    this.looked.note(this.#radio.state.scanning, at);
    this.#hasWorked ||= this.works;
    this.#awaySince = this.works ? null : (this.#awaySince ?? at);
  }
}
