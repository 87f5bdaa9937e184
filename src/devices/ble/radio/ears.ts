import { ENOUGH_ADVERTS, Heardness, LISTENING_MS, type LookedTime } from './listening.js';
import type { AdvertReport } from './messages.js';
import type { Listening } from './ports.js';

/** An adapter that heard a die within this time is in reach of it. */
export const REACH_MS = LISTENING_MS;
/** The adapter over which a die's advertisements are read must be silent for so long before another takes its place. */
export const EAR_MS = 1_000;

/** What the ears need of an adapter. */
export interface Hearing {
  readonly name: string;
  readonly looked: LookedTime;
}

interface Heard {
  readonly heardness: Heardness;
  rssi: number;
}

/**
 * One die as several adapters hear it. Its advertisements are read over one of them at a time: the same one told by two
 * would count twice, and an older one told behind a newer one would be a movement that never was.
 */
export class Ears {
  readonly #heard = new Map<Hearing, Heard>();
  #ear: Hearing | null = null;

  /** Takes a report. @returns true if what it says is to be read; false where another adapter tells the same */
  note(adapter: Hearing, { heard, rssi }: Pick<AdvertReport, 'heard' | 'rssi'>, at: number): boolean {
    const own = this.#heard.get(adapter) ?? { heardness: new Heardness(), rssi };
    own.heardness.note(heard, at);
    own.rssi = rssi;
    this.#heard.set(adapter, own);
    if (this.#ear !== adapter && this.#hears(this.#ear, at, EAR_MS)) return false;
    this.#ear = adapter;
    return true;
  }

  /** When any adapter heard it last; minus infinity for a die that was never heard. */
  get lastAt(): number {
    return Math.max(...[...this.#heard.values()].map(({ heardness }) => heardness.lastAt));
  }

  /** The adapter is away: it hears nothing. */
  forget(adapter: Hearing): void {
    this.#heard.delete(adapter);
    if (this.#ear === adapter) this.#ear = null;
  }

  /** Signal (dBm) at each adapter in reach, by its name. */
  reach(at: number): ReadonlyMap<string, number> {
    const near = [...this.#heard].filter(([adapter]) => this.#hears(adapter, at, REACH_MS));
    return new Map(near.map(([{ name }, { rssi }]) => [name, rssi]));
  }

  /** How well the adapter hears it that hears it best; undefined for a die that sleeps. */
  quality(at: number): Listening | undefined {
    const told = [...this.#heard].flatMap(([{ looked }, { heardness }]) => heardness.quality(looked, at) ?? []);
    // What was hardly listened for is heard of nothing, or of everything.
    const weight = ({ expected }: Listening): number => Math.min(expected, ENOUGH_ADVERTS);
    return told.sort((a, b) => weight(b) - weight(a) || b.percent - a.percent)[0];
  }

  #hears(adapter: Hearing | null, at: number, withinMs: number): boolean {
    const own = adapter === null ? undefined : this.#heard.get(adapter);
    return own !== undefined && at - own.heardness.lastAt < withinMs;
  }
}
