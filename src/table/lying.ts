import type { How, Signal } from '../devices/device.js';
import type { Json } from '../dice/json.js';

type Rested = Extract<Signal, { kind: 'rested' }>;

/** A die whose advertisements were heard this shortly before was listened to all the while: where it lies is no surprise. */
export const LISTENED_MS = 10_000;

/** How a tracker came to lie, as far as its device tells. */
export interface Lie {
  readonly how: How;
  /** Degrees between this rest and the one believed last. */
  readonly turned?: number;
}

/**
 * How the trackers of a table came to lie, each under a key of its own. One that is followed by its advertisements never
 * says that it was turned: each of them only tells where it stands (pixels.md §4.6), so what lay between two of them is
 * read off the second.
 */
export class Lies {
  /** How a tracker lay when it was believed last. */
  readonly #believed = new Map<string, readonly number[]>();
  /** When a die was heard last, and the time before that; what is told of one packet is told at one time. */
  readonly #heardAt = new Map<string, { readonly last: number; readonly before: number | undefined }>();

  /** Notes that a die was heard at a time (monotonic ms). @returns how long it had not been; undefined the first time */
  silence(key: string, at: number): number | undefined {
    const known = this.#heardAt.get(key);
    const before = known?.last === at ? known.before : known?.last;
    this.#heardAt.set(key, { last: at, before });
    return before === undefined ? undefined : at - before;
  }

  /** @param silentMs how long the die had not been heard before this rest */
  read(key: string, signal: Rested, silentMs: number | undefined): Lie {
    const turned = this.#turned(key, vectorOf(signal), signal.evidence.turned);
    return { how: howAdvertised(signal, silentMs), ...(turned === undefined ? {} : { turned }) };
  }

  /** A tracker is believed to lie so. */
  believe(key: string, signal: Rested): void {
    this.#believed.set(key, vectorOf(signal));
  }

  /** The angle from how it was believed to lie; the codec's own where that is not known. */
  #turned(key: string, vector: readonly number[], codec: Json | undefined): number | undefined {
    const known = this.#believed.get(key);
    if (known !== undefined && vector.length === 3 && known.length === 3) return degrees(known, vector);
    return typeof codec === 'number' ? codec : undefined;
  }
}

function vectorOf({ evidence: { xyz } }: Rested): readonly number[] {
  return Array.isArray(xyz) ? xyz.filter((part): part is number => typeof part === 'number') : [];
}

/** An advertisement of a die that was heard all the while: the die's own word tells how it came to lie. */
function howAdvertised({ how, evidence }: Rested, silentMs: number | undefined): How {
  if (evidence.snapshot !== 'advert' || silentMs === undefined || silentMs > LISTENED_MS) return how;
  switch (evidence.vendor) {
    case 'rolled':
      return 'thrown';
    case 'crooked':
      return 'leaning';
    default:
      return 'placed';
  }
}

/** Angle between two vectors, in degrees. */
function degrees(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, part, index) => sum + part * (b[index] ?? 0), 0);
  const size = Math.hypot(...a) * Math.hypot(...b);
  return size === 0 ? 0 : (Math.acos(Math.max(-1, Math.min(1, dot / size))) * 180) / Math.PI;
}
