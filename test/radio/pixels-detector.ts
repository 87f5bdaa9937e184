import { nearest, size, type Vector } from './vector.js';

/** What a Pixels die knows of itself; `crooked` only of a D4 (protocols/pixels §4.1). */
export type PixelsWord = 'handling' | 'rolling' | 'rolled' | 'onFace' | 'crooked';

export interface PixelsSight {
  readonly word: PixelsWord;
  readonly index: number;
}

/** Looks every 160 ms. */
export const LOOK_MS = 160;

const STILL_G = 0.1;
const ROLLING_G = 0.3;
const SHOCK_G = 0.75;
const FREE_FALL_G = 0.1;
const LOOKS = 3;
const CROOKED_COSINE = 0.8;

type Look = { readonly kind: 'still' | 'handling' | 'rolling'; readonly agitation: number };

/** One of the two ways in which a die's firmware reads its accelerometer; null where it has nothing to tell. */
export interface PixelsDetector {
  readonly sight: PixelsSight;
  look(reading: Vector): PixelsSight | null;
  /** After sleep the die takes itself to be handled, and tells nobody. */
  wake(): void;
}

const agitationOf = (a: Vector, b: Vector): number =>
  Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));

/** Firmware from 2024-10-21 on (protocols/pixels §4.2). `crooks`: a D4, the only die that can stand between faces. */
export class NewDetector implements PixelsDetector {
  sight: PixelsSight;
  #before: Vector;
  #looks: Look[] = [];
  readonly #normals: readonly Vector[];
  readonly #crooks: boolean;

  constructor(normals: readonly Vector[], crooks: boolean, reading: Vector) {
    this.#normals = normals;
    this.#crooks = crooks;
    this.#before = reading;
    this.sight = { word: 'onFace', index: nearest(normals, reading).index };
  }

  wake(): void {
    this.sight = { ...this.sight, word: 'handling' };
  }

  look(reading: Vector): PixelsSight | null {
    const old = this.sight;
    const { index, cosine } = nearest(this.#normals, reading);
    const place = size(reading) < FREE_FALL_G ? old.index : index;
    this.#keep(agitationOf(reading, this.#before));
    this.#before = reading;
    this.sight = { word: this.#word(old.word, cosine / size(reading)), index: place };
    const silent = old.word === 'rolled' && this.sight.word === 'onFace' && old.index === place;
    const same = old.word === this.sight.word && old.index === place;
    return same || silent ? null : this.sight;
  }

  #keep(agitation: number): void {
    const last = this.#looks.at(-1)?.kind;
    const middling = last === 'rolling' ? 'rolling' : 'handling';
    const kind = agitation < STILL_G ? 'still' : agitation < ROLLING_G ? middling : 'rolling';
    this.#looks = [...this.#looks, { kind, agitation } as const].slice(-LOOKS);
  }

  #word(old: PixelsWord, cosine: number): PixelsWord {
    const count = (kind: Look['kind']): number => this.#looks.filter((look) => look.kind === kind).length;
    if (count('still') === LOOKS) {
      if (this.#crooks && cosine <= CROOKED_COSINE) return 'crooked';
      return old === 'rolling' ? 'rolled' : 'onFace';
    }
    if (count('handling') === LOOKS) return 'handling';
    const shock = this.#looks.some(({ agitation }) => agitation > SHOCK_G);
    return count('rolling') >= 2 && shock ? 'rolling' : old;
  }
}

const SMOOTHING = 0.5;
const JERK_HIGH_G = 0.15;
const JERK_LOW_G = 0.05;
const HARD_G = 2;
const FALL_G = 0.3;
const ROTATION_COSINE = 0.5;

/**
 * Firmware up to 2024-10-11 (protocols/pixels §4.3): a smoothed jerk, and one word for every rest. The page gives the
 * rules, the thresholds are ours. `rolled` never comes out of it.
 */
export class OldDetector implements PixelsDetector {
  sight: PixelsSight;
  #before: Vector;
  #jerk = 0;
  #began: Vector;
  readonly #normals: readonly Vector[];

  constructor(normals: readonly Vector[], reading: Vector) {
    this.#normals = normals;
    this.#before = reading;
    this.#began = reading;
    this.sight = { word: 'onFace', index: nearest(normals, reading).index };
  }

  wake(): void {
    this.sight = { ...this.sight, word: 'handling' };
  }

  look(reading: Vector): PixelsSight | null {
    const old = this.sight;
    this.#jerk = SMOOTHING * this.#jerk + (1 - SMOOTHING) * agitationOf(reading, this.#before);
    this.#before = reading;
    const word = this.#word(old.word, reading);
    const index = size(reading) < FREE_FALL_G ? old.index : nearest(this.#normals, reading).index;
    this.sight = { word, index };
    return old.word === word && old.index === index ? null : this.sight;
  }

  #word(old: PixelsWord, reading: Vector): PixelsWord {
    if (this.#jerk < JERK_LOW_G) return 'onFace';
    if (old === 'onFace') {
      if (this.#jerk <= JERK_HIGH_G) return old;
      this.#began = reading;
      return 'handling';
    }
    const length = size(reading);
    const away = nearest([this.#began], reading).cosine / (length * size(this.#began));
    return length > HARD_G || length < FALL_G || away < ROTATION_COSINE ? 'rolling' : old;
  }
}
