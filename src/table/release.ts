import type { Audience } from '../games/game.js';
import type { Envelope, Live } from '../wire/envelope.js';
import type { Told as PortTold, TableListener } from './port.js';
import type { TableState } from './state.js';
import { envelope, type Surroundings, type Told } from './view.js';

const keyOf = (audience: Audience): string => (audience.role === 'seat' ? `seat ${audience.seat}` : audience.role);

/** A record on its way out: each audience's envelope is made and serialised once, however many clients share it. */
export class Outgoing implements PortTold {
  readonly table: string;
  readonly seq: number;
  readonly #told: Told;
  readonly #around: () => Surroundings;
  /** What lay around when the first audience was told; the same for all. */
  #seen: Surroundings | undefined;
  readonly #made = new Map<string, Envelope | null>();
  readonly #texts = new Map<string, string | null>();

  constructor(told: Told, around: () => Surroundings) {
    this.table = told.after.id;
    this.seq = told.seq;
    this.#told = told;
    this.#around = around;
  }

  envelope(audience: Audience): Envelope | null {
    const key = keyOf(audience);
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    this.#seen ??= this.#around();
    const made = envelope(this.#told, audience, this.#seen);
    this.#made.set(key, made);
    return made;
  }

  text(audience: Audience): string | null {
    const key = keyOf(audience);
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const made = this.envelope(audience);
    const text = made === null ? null : JSON.stringify(made);
    this.#texts.set(key, text);
    return text;
  }
}

/** Tells the listeners of a table, in order, each record once it is on disk (or marked as not durable while it cannot be). */
export class Release {
  readonly #listeners = new Set<TableListener>();
  readonly #queue: { readonly told: Told; ready: boolean; readonly done: () => void }[] = [];
  readonly #around: () => Surroundings;
  #shown: TableState;
  #last: Promise<void> = Promise.resolve();

  constructor(start: TableState, around: () => Surroundings) {
    this.#shown = start;
    this.#around = around;
  }

  /** The table as it has been told: what snapshots show, so that no client sees what may still be lost. */
  get shown(): TableState {
    return this.#shown;
  }

  /** Resolves when all that is queued now has been told. */
  settled(): Promise<void> {
    return this.#last;
  }

  subscribe(listener: TableListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Queues a record; the promise resolves when it has been told. */
  add(told: Told, written: Promise<void>, degraded: () => boolean): Promise<void> {
    this.#last = new Promise((resolve) => {
      const entry = { told, ready: degraded(), done: resolve };
      this.#queue.push(entry);
      const go = (): void => {
        entry.ready = true;
        this.flush(false);
      };
      written.then(go, go);
      if (entry.ready) this.flush(false);
    });
    return this.#last;
  }

  /** Tells what is ready, in order; `all` also what is not on disk (the journal has just failed). */
  flush(all: boolean): void {
    for (;;) {
      const first = this.#queue[0];
      if (first === undefined || !(first.ready || all)) return;
      this.#queue.shift();
      this.#shown = first.told.after;
      const outgoing = new Outgoing(first.told, this.#around);
      for (const listener of this.#listeners) listener.told(outgoing);
      first.done();
    }
  }

  live(live: Live): void {
    for (const listener of this.#listeners) listener.live(live);
  }
}
