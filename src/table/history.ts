import type { Audience } from '../games/game.js';
import type { Envelope } from '../wire/envelope.js';
import { Outgoing } from './release.js';
import type { TableState } from './state.js';
import type { Surroundings, Told } from './view.js';

/** Records whose envelopes are kept at hand for clients that come back; older ones get a snapshot (contracts D). */
export const MAX_HISTORY = 1_000;

/** The newest records of a table with the states around them, from which a returning client is served. */
export class History {
  #told: Told[] = [];
  /** One record's state after it is the next one's before it. */
  #leaned: { readonly whole: TableState; readonly lean: TableState } | undefined;
  readonly #around: () => Surroundings;

  constructor(around: () => Surroundings) {
    this.#around = around;
  }

  add(told: Told): void {
    this.#told.push({ ...told, before: this.#lean(told.before), after: this.#lean(told.after) });
    if (this.#told.length > MAX_HISTORY + MAX_HISTORY / 4) this.#told = this.#told.slice(-MAX_HISTORY);
  }

  /** The state without the deeds that led to it: no envelope shows them, and each state would keep a list of its own. */
  #lean(state: TableState): TableState {
    if (this.#leaned?.whole === state) return this.#leaned.lean;
    const lean = state.course === undefined ? state : { ...state, course: { ...state.course, steps: [] } };
    this.#leaned = { whole: state, lean };
    return lean;
  }

  /** True if every record after `seq` is at hand. */
  reaches(seq: number): boolean {
    const first = this.#told[0];
    return first === undefined || first.before.seq <= seq;
  }

  /**
   * Envelopes after `seq` up to what has been told, as text; null where a snapshot must be sent instead (too far back,
   * a ruling between, or a number that this table has not reached).
   */
  since(audience: Audience, seq: number, shown: TableState): readonly string[] | null {
    if (seq > shown.seq || !this.reaches(seq)) return null;
    const later = this.#told.filter((told) => told.seq > seq && told.seq <= shown.seq);
    if (later.some((told) => told.body.rewound !== undefined) || later.length > MAX_HISTORY) return null;
    return later.flatMap((told) => new Outgoing(told, this.#around).text(audience) ?? []);
  }

  /** Collects at most `limit` envelopes after `since` for an audience, from the records handed in, in order. */
  async page(
    records: Iterable<Told> | AsyncIterable<Told>,
    audience: Audience,
    since: number,
    until: number,
    limit: number,
  ): Promise<Envelope[]> {
    const events: Envelope[] = [];
    for await (const told of records) {
      if (events.length >= limit || told.seq > until) break;
      const made = told.seq > since ? new Outgoing(told, this.#around).envelope(audience) : null;
      if (made !== null) events.push(made);
    }
    return events;
  }

  records(): Iterable<Told> {
    return [...this.#told];
  }
}
