import { nearest, size, times, unit, type Vector } from './vector.js';

/** What a GoDice tells: the start of a roll, or a rest in one of four words (protocols/godice §2). */
export type GodiceSight = { readonly kind: 'R' } | { readonly kind: 'S' | 'TS' | 'FS' | 'MS'; readonly counts: Vector };

/** Looks fifty times a second: four calm looks are the tenth of a second after which the dice of the field tell a rest. */
export const LOOK_MS = 20;

const COUNTS_PER_G = 64;
const SAMPLES = 4;
/** Counts between two looks: of a die at rest, and of one that rolls (`movement`, `rollThreshold` of §3, at our rate). */
const CALM = 2;
const ROLL = 30;
/** R comes again while it goes on. */
const AGAIN_MS = 500;
const FLAT_COSINE = Math.cos((10 * Math.PI) / 180);
/** A fair throw is longer than a knock, hits something hard, and shows more than one side. */
const FAIR_MS = 250;
const FAIR_G = 1.6;
const FAIR_SIDES = 3;
/** `weakStable`: less than so many degrees from the last rest is no movement. */
const MOVED_COSINE = Math.cos((20 * Math.PI) / 180);

const AXES: readonly Vector[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

interface Roll {
  readonly since: number;
  told: number;
  last: number;
  hardest: number;
  readonly sides: Set<number>;
}

const clamp = (value: number): number => Math.max(-128, Math.min(127, Math.round(value)));

/** A reading as the die tells it: whole counts, 64 to the g. */
export const countsOf = (reading: Vector): Vector => {
  const [x, y, z] = times(reading, COUNTS_PER_G);
  return [clamp(x), clamp(y), clamp(z)];
};

/**
 * The firmware of a GoDice as its words are glossed (protocols/godice §2, §3, §5): flat is measured against the bare die,
 * so that in a shell a fair throw is TS. The thresholds are ours where the page has none.
 */
export class GodiceDetector {
  #before: Vector;
  #rest: Vector;
  #calm = SAMPLES;
  #roll: Roll | null = null;
  #at = 0;

  constructor(reading: Vector) {
    this.#before = countsOf(reading);
    this.#rest = this.#before;
  }

  /** The last rest, as the answer to an init tells it. */
  get memory(): GodiceSight {
    return { kind: this.#flat(this.#rest) ? 'S' : 'TS', counts: this.#rest };
  }

  look(reading: Vector): GodiceSight | null {
    this.#at += LOOK_MS;
    const counts = countsOf(reading);
    const change = Math.max(...counts.map((count, axis) => Math.abs(count - (this.#before[axis] ?? 0))));
    this.#before = counts;
    if (change >= ROLL) return this.#shaken(counts);
    this.#calm = change <= CALM ? this.#calm + 1 : 0;
    return this.#calm === SAMPLES ? this.#settled(counts) : null;
  }

  #shaken(counts: Vector): GodiceSight | null {
    this.#calm = 0;
    const roll = this.#roll ?? {
      since: this.#at,
      told: Number.NEGATIVE_INFINITY,
      last: this.#at,
      hardest: 0,
      sides: new Set<number>(),
    };
    this.#roll = roll;
    roll.last = this.#at;
    roll.hardest = Math.max(roll.hardest, size(counts) / COUNTS_PER_G);
    roll.sides.add(nearest(AXES, counts).index);
    if (this.#at - roll.told < AGAIN_MS) return null;
    roll.told = this.#at;
    return { kind: 'R' };
  }

  #settled(counts: Vector): GodiceSight | null {
    const roll = this.#roll;
    const moved = nearest([unit(this.#rest)], unit(counts)).cosine < MOVED_COSINE;
    this.#roll = null;
    if (roll === null && !moved) return null;
    this.#rest = counts;
    if (roll === null) return { kind: 'MS', counts };
    const fair = roll.last - roll.since >= FAIR_MS && roll.hardest >= FAIR_G && roll.sides.size >= FAIR_SIDES;
    if (!fair) return { kind: 'FS', counts };
    return { kind: this.#flat(counts) ? 'S' : 'TS', counts };
  }

  #flat(counts: Vector): boolean {
    return nearest(AXES, unit(counts)).cosine >= FLAT_COSINE;
  }
}
