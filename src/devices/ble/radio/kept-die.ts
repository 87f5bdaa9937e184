import type { Adapter } from './adapter.js';
import { BluetoothDie, type DieOptions } from './die.js';
import { Ears } from './ears.js';
import { ENOUGH_ADVERTS } from './listening.js';
import type { DieReading, WantedDie } from './ports.js';
import type { Spread } from './spread.js';

/** A die that has been silent for so long sleeps, hangs on a phone or is away: the radio need not look for it all the time. */
export const SOUGHT_MS = 120_000;

/** States of a link that takes one of its adapter's places. */
const HELD: readonly BluetoothDie['link'][] = ['connecting', 'up', 'closing'];

/** A die that is wanted: its device, the adapters that hear it, and the one that links it. */
export class KeptDie {
  readonly die: BluetoothDie;
  readonly ears = new Ears();
  /** The adapter that has its link, or shall have it; null while none hears the die. */
  adapter: Adapter | null = null;
  /** It is to be linked, and no adapter has been found for it yet. */
  waits = false;
  readonly #reading: string;
  /** When it was wanted, or last seen to have its link. */
  #thereAt: number;
  /** Its advertisements came badly: it keeps a link until the wishes change. */
  #poorly = false;

  /** @param epoch a number of this run for what belongs to no link: the die itself counts its advertisements */
  constructor({ die, duty, reading = {} }: WantedDie, shared: Omit<DieOptions, 'die' | 'duty' | 'reading' | 'order'>) {
    this.#reading = textOf(reading);
    this.#thereAt = shared.clock.now();
    this.die = new BluetoothDie({
      ...shared,
      ...{ die, duty, reading },
      epoch: () => this.adapter?.radio.epoch ?? shared.epoch(),
      order: (order) => this.adapter?.order(order),
    });
  }

  /** Its link takes one of the adapter's places. */
  get isHeld(): boolean {
    return this.adapter !== null && HELD.includes(this.die.link);
  }

  /** True while it may be on the air any moment: what is not, must not keep the radio busy (F049, F113). */
  isAwaited(at: number): boolean {
    return at - Math.max(this.#thereAt, this.ears.lastAt) < SOUGHT_MS;
  }

  /** True where the die is to be read as it is. */
  isRead(reading: DieReading | undefined): boolean {
    return textOf(reading) === this.#reading;
  }

  /** The die as the plan sees it. */
  spread(at: number): Spread {
    const { die, ears, adapter } = this;
    if (die.link === 'up') this.#thereAt = at;
    const listening = die.link === 'up' ? undefined : ears.quality(at);
    if (listening !== undefined && listening.expected >= ENOUGH_ADVERTS && !listening.reliable) this.#poorly = true;
    return {
      die: die.id,
      make: die.reader.make,
      duty: die.duty,
      poorly: this.#poorly,
      reach: ears.reach(at),
      ...(adapter !== null && this.isHeld ? { held: adapter.name } : {}),
      ...(listening === undefined ? {} : { listening }),
    };
  }

  /** The adapter is gone, and its link with it. */
  lost(adapter: Adapter): void {
    this.ears.forget(adapter);
    if (this.adapter !== adapter) return;
    this.die.radioLost();
    this.adapter = null;
  }
}

const textOf = (reading: DieReading | undefined): string => JSON.stringify(reading ?? {});
