import type { DieInput, Signal } from '../../device.js';
import { UNRESOLVED_MS } from '../godice.js';
import type { Reader } from './reading.js';

/** A die whose link was lost for longer was put away: how it lies afterwards is no lost throw. */
export const AWAY_MS = 60_000;

type Rested = Extract<Signal, { kind: 'rested' }>;

export interface WitnessOptions {
  readonly reader: Reader;
  /** True for a die whose throws count: what happens to it unheard is told. */
  rolls(): boolean;
  /** `advertised`: told by an advertisement, which nobody can vouch for. */
  tell(signal: Signal, at: number, advertised: boolean): void;
}

/**
 * What may be believed of what a die says: a throw is thrown only when its tumbling and its rest were heard on one link
 * without a hole (issue 4). What was lost is told as unresolved; what lies there afterwards is told as re-read.
 */
export class Witness {
  readonly #options: WitnessOptions;
  /** A throw whose link was lost under way: told before the next rest, or when its time is over. */
  #brokenSince: number | null = null;
  #lastFace: Rested['face'] | null = null;
  #lostAt: number | null = null;

  constructor(options: WitnessOptions) {
    this.#options = options;
  }

  /** Takes what reached the die's codec. */
  hear(input: DieInput): void {
    if (input.kind === 'up') this.#breakTumble();
    if (input.kind === 'down') {
      // A loss that is still open when the next link ends would be taken for one with the next.
      if (this.#brokenSince !== null) this.#unresolved(input.at);
      this.#lostAt = input.at;
      this.#breakTumble();
    }
    if (input.kind === 'tick' && this.#brokenSince !== null && input.at >= this.#brokenSince + UNRESOLVED_MS) {
      this.#unresolved(input.at);
    }
    for (const signal of this.#options.reader.hear(input)) this.#signal(signal, input);
  }

  /** Notifications are missing: an open throw is lost at once. */
  hole(at: number): void {
    if (this.#options.reader.tumblingSince() === null) return;
    this.#options.reader.breakTumble();
    this.#unresolved(at);
  }

  /** When `tick` must come at the latest; null with nothing open. */
  due(): number | null {
    const own = this.#options.reader.due();
    if (this.#brokenSince === null) return own;
    const broken = this.#brokenSince + UNRESOLVED_MS;
    return own === null ? broken : Math.min(own, broken);
  }

  #breakTumble(): void {
    const since = this.#options.reader.tumblingSince();
    if (since === null) return;
    this.#options.reader.breakTumble();
    this.#brokenSince ??= since;
  }

  #signal(signal: Signal, { kind, at }: DieInput): void {
    const advertised = kind === 'advert';
    // Another throw begins: the one that was broken never came to its end.
    if (signal.kind === 'tumbling' && this.#brokenSince !== null) this.#unresolved(at);
    if (signal.kind === 'rested') this.#rested(signal, at, advertised);
    else this.#options.tell(signal, at, advertised);
  }

  #rested(signal: Rested, at: number, advertised: boolean): void {
    const moved = this.#movedAway(signal, at);
    const news = this.#lostAt !== null || signal.face !== this.#lastFace;
    if (this.#brokenSince !== null || moved) this.#unresolved(at);
    this.#lostAt = null;
    this.#lastFace = signal.face;
    // The answer to a poll mostly tells what is known.
    if (signal.evidence.snapshot === 'answer' && !news) return;
    this.#options.tell(signal, at, advertised);
  }

  /** The die lies otherwise than when its link was lost just now: something happened that nobody heard. */
  #movedAway(signal: Rested, at: number): boolean {
    if (signal.how !== 'resync' || this.#lostAt === null || this.#lastFace === null) return false;
    return signal.face !== this.#lastFace && at - this.#lostAt <= AWAY_MS && this.#options.rolls();
  }

  /** One loss is told once, whatever is found out about it later. */
  #unresolved(at: number): void {
    this.#brokenSince = null;
    this.#lostAt = null;
    this.#options.tell({ kind: 'unresolved' }, at, false);
  }
}
