import type { DieHeard, Heard, Signal } from '../devices/device.js';
import { afterReading, type Battery } from '../dice/battery.js';

/** Dice remembered that no table has enrolled; the longest silent is forgotten first. */
export const MAX_UNKNOWN_DICE = 256;
/** So many rests in a row that fit another shell better deserve a warning (godice.md §4.4, `evidence.shellDoubt`). */
export const SHELL_DOUBTS_TO_WARN = 3;

/** How a Bluetooth die is listened to: over a link, by what it advertises, or not at all. */
export interface Following {
  readonly by: 'link' | 'adverts' | 'none';
  /** The adapter that links it, where there are several. */
  readonly adapter?: string;
  /** Present where it is not listened to: every link of the adapters that hear it is taken. */
  readonly why?: 'no_link_left';
  /** Advertisements heard of a hundred expected. */
  readonly percent?: number;
  /** Present where too few are heard to rely on. */
  readonly unreliable?: true;
}

/** What is known of a die before it says anything. */
export interface Sighting {
  readonly id: string;
  readonly device: string;
  readonly model: string;
  readonly type: string | null;
  readonly fake: boolean;
  readonly link: string;
  readonly colour?: string;
  /** Percent. */
  readonly battery?: number;
  /** Signal of its last advertisement, dBm. */
  readonly rssi?: number;
}

/** What has been heard of a die, whoever owns it. */
export interface KnownDie {
  readonly id: string;
  readonly device: string;
  readonly model: string;
  readonly fake: boolean;
  type: string | null;
  link: string;
  charge: Battery;
  face: number | string | null;
  colour?: string;
  rssi?: number;
  following?: Following;
  /** Its rests fit another shell than the one it is said to wear. */
  shellDoubt?: true;
}

/** The memory of all dice that were heard or announced; those that nobody owns are kept within a limit. */
export class KnownDice {
  readonly #dice = new Map<string, KnownDie>();
  readonly #owned: (die: string) => boolean;

  /** @param owned whether some table has enrolled a die: such a one is never forgotten */
  constructor(owned: (die: string) => boolean) {
    this.#owned = owned;
  }

  get(die: string): KnownDie | undefined {
    return this.#dice.get(die);
  }

  ids(): Iterable<string> {
    return this.#dice.keys();
  }

  all(): readonly KnownDie[] {
    return [...this.#dice.values()];
  }

  /** Takes what a signal tells of its die, its face apart: that may still be a secret. */
  hear(heard: Heard, die: DieHeard): KnownDie {
    const known = this.#dice.get(die.id) ?? fresh({ ...die, type: null, device: heard.device, fake: heard.fake });
    const { signal } = heard;
    const type = signal.kind === 'rested' ? signal.type : die.type;
    if (type !== undefined) known.type = type;
    learn(known, signal);
    this.#dice.delete(die.id);
    this.#dice.set(die.id, known);
    this.#forgetSilent();
    return known;
  }

  /**
   * Announces a die before it has spoken, or what its advertisements say of it now.
   * @returns true if it was not known before
   */
  sight(seen: Sighting): boolean {
    const before = this.#dice.get(seen.id);
    const die = before ?? fresh(seen);
    die.type ??= seen.type;
    if (seen.colour !== undefined) die.colour = seen.colour;
    if (seen.rssi !== undefined) die.rssi = seen.rssi;
    if (seen.battery !== undefined && die.charge.battery !== seen.battery)
      die.charge = afterReading(die.charge, seen.battery);
    if (before !== undefined) return false;
    this.#dice.set(seen.id, die);
    this.#forgetSilent();
    return true;
  }

  /** Forgets a die that has gone and that nobody owns. @returns true if it was known */
  forget(die: string): boolean {
    return !this.#owned(die) && this.#dice.delete(die);
  }

  #forgetSilent(): void {
    if (this.#dice.size <= MAX_UNKNOWN_DICE) return;
    const unknown = [...this.#dice.keys()].filter((die) => !this.#owned(die));
    for (const die of unknown.slice(0, Math.max(0, unknown.length - MAX_UNKNOWN_DICE))) this.#dice.delete(die);
  }
}

function fresh({ id, device, model, fake, type, link = 'up' }: Omit<Sighting, 'link'> & { link?: string }): KnownDie {
  return { id, device, model, fake, type, link, charge: { battery: null }, face: null };
}

function learn(die: KnownDie, signal: Signal): void {
  if (signal.kind === 'battery' && signal.percent !== undefined) die.charge = afterReading(die.charge, signal.percent);
  if (signal.kind === 'rssi') die.rssi = signal.dbm;
  if (signal.kind === 'identity' && signal.colour !== undefined) die.colour = signal.colour;
  if (signal.kind !== 'rested') return;
  const { shellDoubt } = signal.evidence;
  if (typeof shellDoubt === 'number' && shellDoubt >= SHELL_DOUBTS_TO_WARN) die.shellDoubt = true;
  else delete die.shellDoubt;
}
