import type { JsonObject } from '../dice/json.js';
import type { TablePort, Told } from '../table/port.js';
import type { Envelope, Live } from '../wire/envelope.js';
import { Courier, type CursorBook } from './mqtt-courier.js';
import { MAX_PAYLOAD_BYTES, type MqttMessage, type MqttOutlet, topicPart } from './mqtt-outlet.js';

/** MQTT carries what a spectator sees, and nothing else (contracts F). */
const SPECTATOR = { role: 'spectator' } as const;

/** No longer known to be what the broker keeps. */
const UNKNOWN = '\u0000';

/** Live words that leave a die's face, link and charge as they were. */
const PASSING: ReadonlySet<unknown> = new Set(['handling', 'tumbling', 'garbled', 'ignored']);

/** How long the last word may wait for a broker that does not answer. */
const LAST_WORD_MS = 3000;

/** What was last published of values that are only told when they change. */
class LastTold {
  readonly #values = new Map<string, string>();

  /** True if the value differs from the last one; notes it. */
  changed(topic: string, value: string): boolean {
    if (this.#values.get(topic) === value) return false;
    this.#values.set(topic, value);
    return true;
  }

  /** Topics below `prefix` that are not among `present`; forgets them. */
  gone(prefix: string, present: ReadonlySet<string>): readonly string[] {
    const gone = [...this.#values.keys()].filter((topic) => topic.startsWith(prefix) && !present.has(topic));
    for (const topic of gone) this.#values.delete(topic);
    return gone;
  }

  /** The broker may have forgotten all of it: everything is told again, and what is gone is still cleared. */
  doubt(): void {
    for (const topic of this.#values.keys()) this.#values.set(topic, UNKNOWN);
  }
}

export interface VoiceParts {
  readonly table: TablePort;
  readonly outlet: MqttOutlet;
  readonly book: CursorBook;
  readonly log: (message: string) => void;
}

/** Speaks for one table. */
export class TableVoice {
  readonly #table: TablePort;
  readonly #outlet: MqttOutlet;
  readonly #base: string;
  readonly #last = new LastTold();
  readonly #courier: Courier | null;
  readonly #leave: () => void;
  #ended = false;

  constructor({ table, outlet, book, log }: VoiceParts) {
    this.#table = table;
    this.#outlet = outlet;
    this.#base = `tiro/${topicPart(table.id)}`;
    const { remote } = outlet;
    const messages = (envelope: Envelope, late: boolean) => this.#messages(envelope, late);
    this.#courier = remote === undefined ? null : new Courier({ table, outlet, remote, book, messages, log });
    this.#leave = table.subscribe({ told: (told) => this.#told(told), live: (live) => this.#live(live) });
    if (remote === undefined) this.#greet();
    else remote.onUp((again) => this.#up(again));
  }

  publish(message: MqttMessage): void {
    this.#outlet.publish(message);
  }

  /** The last word: the table is gone until the daemon comes back. Resolves when the broker has it, or is not there. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#leave();
    this.#courier?.halt();
    this.#keep(`${this.#base}/status`, 'offline');
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      late = setTimeout(resolve, LAST_WORD_MS);
    });
    await Promise.race([this.#outlet.flush(), patience]);
    clearTimeout(late);
    await this.#courier?.save();
  }

  #up(again: boolean): void {
    if (this.#ended) return;
    this.#last.doubt();
    this.#greet();
    this.#courier?.up(again);
  }

  #greet(): void {
    this.#keep(`${this.#base}/status`, 'online');
    const { seq, view, awaited } = this.#table.snapshot(SPECTATOR);
    this.#state({ seq, at: null, awaited, view });
  }

  #keep(topic: string, payload: string): void {
    this.#outlet.publish({ topic, payload, qos: 1, retain: true });
  }

  /** While the broker is away nobody is told: the next connection brings what is retained, the courier the records. */
  #isHeard(): boolean {
    return this.#outlet.remote?.connected !== false;
  }

  #live({ signal }: Live): void {
    if (this.#isHeard() && !PASSING.has(signal.kind)) this.#dice(this.#table.snapshot(SPECTATOR).view);
  }

  #told(told: Told): void {
    if (!this.#isHeard()) return;
    const envelope = told.envelope(SPECTATOR);
    if (envelope === null) return;
    if (this.#courier !== null) this.#courier.told(told);
    else for (const message of this.#messages(envelope, false)) this.#outlet.publish(message);
    const { view, seq, at, awaited } = envelope;
    if (view !== undefined) this.#state({ seq, at, awaited, view });
  }

  /** A record as it is told: itself, and each die of a roll for those who follow one die. */
  #messages({ view: _view, ...event }: Envelope, late: boolean): readonly MqttMessage[] {
    const told = late ? { ...event, late } : event;
    const { roll } = event;
    const own = this.#once(event.kind === 'roll' ? 'roll' : 'event', told);
    if (roll === undefined) return [own];
    const { seq, at } = event;
    const { id, seat, verdict } = roll;
    // `event_type` is what Home Assistant's event entities look for (conventions B2).
    const common = { event_type: 'roll', roll: id, seq, at, seat, verdict, ...(late ? { late } : {}) };
    return [own, ...roll.dice.map((die) => this.#once(`die/${topicPart(die.die)}/roll`, { ...common, ...die }))];
  }

  #once(topic: string, value: Parameters<typeof bounded>[0]): MqttMessage {
    return { topic: `${this.#base}/${topic}`, payload: bounded(value), qos: 1, retain: false };
  }

  #state(state: Pick<Envelope, 'seq' | 'awaited' | 'view'> & { readonly at: string | null }): void {
    this.#keep(`${this.#base}/state`, bounded({ v: 1, table: this.#table.id, ...state }));
    this.#counters(state.view);
    this.#dice(state.view);
  }

  #counters(view: Envelope['view']): void {
    const seats = Array.isArray(view?.seats) ? view.seats : [];
    const values = new Map<string, string>();
    for (const seat of seats as readonly { readonly id?: unknown; readonly counters?: unknown }[]) {
      if (typeof seat.id !== 'string' || typeof seat.counters !== 'object' || seat.counters === null) continue;
      for (const [counter, value] of Object.entries(seat.counters))
        values.set(`${this.#base}/seat/${topicPart(seat.id)}/${topicPart(counter)}`, String(value));
    }
    this.#retain(`${this.#base}/seat/`, values);
  }

  /** From the spectator's view, not from the daemon's list: a die that fell for a secret roll shows no face there. */
  #dice(view: Envelope['view']): void {
    const states = new Map<string, string>();
    for (const die of Array.isArray(view?.dice) ? (view.dice as readonly JsonObject[]) : []) {
      if (typeof die.id !== 'string') continue;
      const { face, battery, link, type, fake } = die;
      states.set(`${this.#base}/die/${topicPart(die.id)}/state`, JSON.stringify({ face, battery, link, type, fake }));
    }
    this.#retain(`${this.#base}/die/`, states);
  }

  /** Tells what changed, and clears what is no longer there. */
  #retain(prefix: string, values: ReadonlyMap<string, string>): void {
    for (const [topic, value] of values) if (this.#last.changed(topic, value)) this.#keep(topic, value);
    for (const topic of this.#last.gone(prefix, new Set(values.keys()))) this.#keep(topic, '');
  }
}

/** What does not fit into a message is told without its body: it stands in the chronicle, and HTTP gives it. */
function bounded(value: Pick<Envelope, 'seq'> & { readonly [field: string]: unknown }): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES) return text;
  const { v, table, seq, prev, at, clock, kind, late } = value;
  return JSON.stringify({ v, table, seq, prev, at, clock, kind, late, awaited: [], too_large: true });
}
