import type { Chance } from './chance.js';
import { angle, anyDirection, axisBetween, noise, plus, turned, unit, type Vector } from './vector.js';

/** Noise of an accelerometer that lies on a table, g in each axis. */
const STILL_G = 0.008;

/**
 * One part of a movement. Spreads in g, `spin` in radians a second. `to`: where the die points when the part ends;
 * without it the die points wherever the movement took it.
 */
export interface Phase {
  readonly ms: number;
  /** Shaking in each axis: at its start, and what of it is left at its end. */
  readonly shake: number;
  readonly shakeEnd?: number;
  /** Turning about an axis that changes all the time. */
  readonly spin?: number;
  readonly to?: Vector;
}

/** A die as a body: which of its directions points up, and what its accelerometer reads while it is moved. */
export class Body {
  #up: Vector;
  #at = 0;
  #started = 0;
  #from: Vector;
  #axis: Vector = [0, 0, 1];
  #phases: readonly Phase[] = [];
  readonly #chance: Chance;

  constructor(chance: Chance, up: Vector) {
    this.#chance = chance;
    this.#up = up;
    this.#from = up;
  }

  get up(): Vector {
    return this.#up;
  }

  /** True until the last part of the movement is over. */
  get moving(): boolean {
    return this.#phases.length > 0;
  }

  /** Begins a movement at `at` milliseconds; what was left of another is dropped. */
  move(at: number, phases: readonly Phase[]): void {
    this.#at = at;
    this.#phases = phases;
    this.#begin(at);
  }

  /** What the accelerometer reads at `at`, in g; times never go back. */
  read(at: number): Vector {
    while (this.#phases[0] !== undefined && at >= this.#started + this.#phases[0].ms) this.#end(this.#phases[0]);
    const phase = this.#phases[0];
    if (phase === undefined) {
      this.#at = at;
      return plus(this.#up, noise(this.#chance, STILL_G));
    }
    const share = (at - this.#started) / phase.ms;
    this.#turn(phase, share, at - this.#at);
    this.#at = at;
    const shake = phase.shake + ((phase.shakeEnd ?? phase.shake) - phase.shake) * share;
    return plus(this.#up, noise(this.#chance, Math.max(STILL_G, shake)));
  }

  #turn(phase: Phase, share: number, ms: number): void {
    if (phase.spin !== undefined) {
      // The axis wanders: a die in the air or in a shaken hand never turns about one axis for long.
      this.#axis = unit(plus(this.#axis, noise(this.#chance, 0.5)));
      this.#up = unit(turned(this.#up, this.#axis, (phase.spin * ms) / 1_000));
    } else if (phase.to !== undefined) {
      const eased = share * share * (3 - 2 * share);
      this.#up = unit(turned(this.#from, this.#axis, eased * angle(this.#from, phase.to)));
    }
  }

  #end(phase: Phase): void {
    if (phase.to !== undefined) this.#up = phase.to;
    this.#phases = this.#phases.slice(1);
    this.#begin(this.#started + phase.ms);
  }

  #begin(at: number): void {
    const phase = this.#phases[0];
    this.#started = at;
    this.#from = this.#up;
    const to = phase?.to;
    this.#axis = to === undefined ? anyDirection(this.#chance) : axisBetween(this.#up, to, this.#chance);
  }
}
