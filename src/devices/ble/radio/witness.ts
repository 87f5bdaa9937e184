import type { DieInput, Signal } from '../../device.js';
import { RESYNC_MS, UNRESOLVED_MS } from '../godice.js';
import type { Reader } from './reading.js';

/** A die that was not heard for longer was put away: how it lies afterwards is no lost throw. */
export const AWAY_MS = 60_000;
/** Without a link a bounce may look like a rest: what moves again so soon was still on its way. */
export const BOUNCE_MS = 1_000;

type Rested = Extract<Signal, { kind: 'rested' }>;

export interface WitnessOptions {
  readonly reader: Reader;
  /** True for a die whose throws count: what happens to it unheard is told. */
  rolls(): boolean;
  /** `advertised`: told by an advertisement, which nobody can vouch for. */
  tell(signal: Signal, at: number, advertised: boolean): void;
}

/** A throw whose link was lost under way. `rested`: the die has told a face since, and it was the one it had before. */
interface Broken {
  readonly since: number;
  readonly rested: boolean;
}

/** Words of a die that a hand laid down, told as it happens: no memory, and no throw. */
const PLACED = ['onFace', 'move', 'fake'];
const isPlaced = ({ evidence }: Rested): boolean =>
  evidence.snapshot === undefined && PLACED.includes(String(evidence.vendor));

/**
 * What may be believed of what a die says: a throw is thrown only when its tumbling and its rest were heard on one link
 * without a hole (issue 4). What was lost is told as unresolved, once; what lies there afterwards is told as re-read.
 */
export class Witness {
  readonly #options: WitnessOptions;
  #broken: Broken | null = null;
  #lastFace: Rested['face'] | null = null;
  #upAt: number | null = null;
  /** When the die last gave a sign of life, or its link was lost. */
  #aliveAt: number | null = null;
  /** The link was lost since the last rest. */
  #lost = false;
  /** A throw was told as lost before anybody knew where it ended: the next new face is its end, no second loss. */
  #owed = false;
  /** When a loss was told by where the die lay, or was last seen to go on. */
  #toldAt: number | null = null;

  constructor(options: WitnessOptions) {
    this.#options = options;
  }

  /** Takes what reached the die's codec. */
  hear(input: DieInput): void {
    const { at } = input;
    if (input.kind === 'up') {
      this.#upAt = at;
      this.#breakTumble();
    }
    if (input.kind === 'down') {
      // A loss that is still open when the next link ends would be taken for one with the next.
      if (this.#broken !== null) this.#unresolved(at, false);
      this.#upAt = null;
      this.#lost = true;
      this.#breakTumble();
    }
    if (input.kind === 'tick' && this.#broken !== null && at >= this.#broken.since + UNRESOLVED_MS) {
      this.#unresolved(at, !this.#broken.rested);
    }
    const open = this.#options.reader.tumblingSince() !== null;
    for (const signal of this.#options.reader.hear(input)) this.#signal(signal, input, open);
    if (input.kind === 'notification' || input.kind === 'advert' || input.kind === 'down') this.#aliveAt = at;
  }

  /** Notifications are missing: an open throw is lost at once. */
  hole(at: number): void {
    if (this.#options.reader.tumblingSince() === null) return;
    this.#options.reader.breakTumble();
    this.#unresolved(at, true);
  }

  /** When `tick` must come at the latest; null with nothing open. */
  due(): number | null {
    const own = this.#options.reader.due();
    if (this.#broken === null) return own;
    const broken = this.#broken.since + UNRESOLVED_MS;
    return own === null ? broken : Math.min(own, broken);
  }

  #breakTumble(): void {
    const since = this.#options.reader.tumblingSince();
    if (since === null) return;
    this.#options.reader.breakTumble();
    this.#broken ??= { since, rested: false };
  }

  #signal(signal: Signal, { kind, at }: DieInput, open: boolean): void {
    const advertised = kind === 'advert';
    switch (signal.kind) {
      case 'tumbling':
        this.#tumbles(at, advertised);
        break;
      case 'rested':
        this.#rested(signal, at, advertised, open);
        return;
      case 'unresolved':
        this.#unresolved(at, true);
        return;
      default:
    }
    this.#options.tell(signal, at, advertised);
  }

  #tumbles(at: number, advertised: boolean): void {
    const broken = this.#broken;
    // Whatever rolls here cannot be vouched for: it ends as re-read.
    const unsure = advertised || (this.#upAt !== null && at - this.#upAt <= RESYNC_MS);
    if (broken === null) {
      if (!unsure || !this.#isFresh(at)) return;
      this.#options.reader.breakTumble();
      this.#toldAt = at;
      this.#owed = true;
    } else if (unsure && !broken.rested) {
      // A die that has told no rest and rolls right behind the loss still rolls.
      this.#options.reader.breakTumble();
    } else {
      this.#unresolved(at, false);
    }
  }

  #rested(signal: Rested, at: number, advertised: boolean, open: boolean): void {
    const { face } = signal;
    const moved = this.#lastFace !== null && face !== this.#lastFace && !isPlaced(signal);
    const news = this.#lost || face !== this.#lastFace;
    if (signal.how !== 'resync') {
      if (this.#broken !== null) this.#unresolved(at, false);
    } else if (this.#broken !== null) {
      // The face it had before may be what it remembers while it still rolls.
      if (face === this.#lastFace) this.#broken = { ...this.#broken, rested: true };
      else this.#lies(at);
    } else if (this.#options.rolls() && (open || (moved && this.#wasThere(at) && !this.#owed && !this.#isFresh(at)))) {
      this.#lies(at);
    }
    this.#owed = false;
    this.#lost = false;
    this.#lastFace = face;
    // The answer to a poll mostly tells what is known.
    if (signal.evidence.snapshot === 'answer' && !news) return;
    this.#options.tell(signal, at, advertised);
  }

  /** The die was heard just before: if it lies otherwise now, something happened that nobody heard. */
  #wasThere(at: number): boolean {
    return this.#aliveAt !== null && at - this.#aliveAt <= AWAY_MS;
  }

  /** Where the die lies shows that a throw was lost. */
  #lies(at: number): void {
    this.#unresolved(at, false);
    this.#toldAt = at;
  }

  /** A loss was told just now, and is not over yet. */
  #isFresh(at: number): boolean {
    return this.#toldAt !== null && at - this.#toldAt <= BOUNCE_MS;
  }

  /** One loss is told once, whatever is found out about it later. */
  #unresolved(at: number, owed: boolean): void {
    this.#broken = null;
    this.#owed = owed;
    this.#options.tell({ kind: 'unresolved' }, at, false);
  }
}
