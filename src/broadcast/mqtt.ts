import type { JsonObject } from '../dice/json.js';
import type { TablePort, Told } from '../table/port.js';
import { type Command, parseCommand } from '../wire/command.js';
import type { Envelope, RollWire } from '../wire/envelope.js';
import { type Access, forbids, viewerOf } from './access.js';
import { parseJson } from './bounded-json.js';
import { type Daemon, tableOf } from './daemon.js';
import { type MqttCommand, type MqttOutlet, topicPart } from './mqtt-outlet.js';

/** MQTT carries what a spectator sees, and nothing else (contracts F). */
const SPECTATOR = { role: 'spectator' } as const;

/** Bytes of a command's payload. */
const MAX_COMMAND_BYTES = 64 * 1024;

/** Commands that may be on their way at once. */
const MAX_UNDERWAY = 256;

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
}

/** Speaks for one table. */
class TableVoice {
  readonly #table: TablePort;
  readonly #outlet: MqttOutlet;
  readonly #base: string;
  readonly #last = new LastTold();
  readonly #leave: () => void;

  constructor(table: TablePort, outlet: MqttOutlet) {
    this.#table = table;
    this.#outlet = outlet;
    this.#base = `tiro/${topicPart(table.id)}`;
    this.#keep(`${this.#base}/status`, 'online');
    const { seq, view, awaited } = table.snapshot(SPECTATOR);
    this.#state({ seq, at: null, awaited, view });
    this.#leave = table.subscribe({ told: (told) => this.#told(told), live: () => this.#dice() });
  }

  /** The last word: the table is gone until the daemon comes back. */
  end(): void {
    this.#leave();
    this.#keep(`${this.#base}/status`, 'offline');
  }

  #keep(topic: string, payload: string): void {
    this.#outlet.publish({ topic, payload, qos: 1, retain: true });
  }

  #told(told: Told): void {
    const envelope = told.envelope(SPECTATOR);
    if (envelope === null) return;
    const { view, ...event } = envelope;
    const topic = event.kind === 'roll' ? 'roll' : 'event';
    this.#outlet.publish({ topic: `${this.#base}/${topic}`, payload: JSON.stringify(event), qos: 1, retain: false });
    if (event.roll !== undefined) this.#rolled(event.roll, event);
    if (view !== undefined) this.#state({ seq: event.seq, at: event.at, awaited: event.awaited, view });
  }

  /** `event_type` is what Home Assistant's event entities look for (conventions B2). */
  #rolled(roll: RollWire, { seq, at }: Pick<Envelope, 'seq' | 'at'>): void {
    for (const die of roll.dice) {
      const { id, seat, verdict } = roll;
      const payload = JSON.stringify({ event_type: 'roll', roll: id, seq, at, seat, verdict, ...die });
      this.#outlet.publish({ topic: `${this.#base}/die/${topicPart(die.die)}/roll`, payload, qos: 1, retain: false });
    }
  }

  #state(state: Pick<Envelope, 'seq' | 'awaited' | 'view'> & { readonly at: string | null }): void {
    this.#keep(`${this.#base}/state`, JSON.stringify({ v: 1, table: this.#table.id, ...state }));
    this.#counters(state.view);
    this.#dice();
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

  #dice(): void {
    const states = new Map<string, string>();
    // From the spectator's view, not from the daemon's list: a die that fell for a secret roll shows no face there.
    const dice = this.#table.snapshot(SPECTATOR).view.dice;
    for (const die of Array.isArray(dice) ? (dice as readonly JsonObject[]) : []) {
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

/** The daemon's voice on MQTT, and its ear for commands (contracts F). */
export class MqttVoice {
  readonly #daemon: Daemon;
  readonly #access: Access;
  readonly #outlet: MqttOutlet;
  readonly #voices = new Map<string, TableVoice>();
  readonly #leave: () => void;
  #refused = 0;
  #underway = 0;

  constructor(daemon: Daemon, access: Access, outlet: MqttOutlet) {
    this.#daemon = daemon;
    this.#access = access;
    this.#outlet = outlet;
    for (const table of daemon.tables()) this.#add(table);
    this.#leave = daemon.onTable((table) => this.#add(table));
  }

  /** Payloads that were no command. */
  get garbled(): number {
    return this.#refused;
  }

  /** Says `offline` on every table and waits until the broker has it. */
  async end(): Promise<void> {
    this.#leave();
    for (const voice of this.#voices.values()) voice.end();
    this.#voices.clear();
    await this.#outlet.flush();
  }

  /** Judges a command that came in; answers on `reply/ID` where it has an id. */
  async hear(heard: MqttCommand): Promise<void> {
    const input = heard.payload.length > MAX_COMMAND_BYTES ? null : parseJson(heard.payload.toString('utf8'));
    if (input === null || !input.ok) {
      this.#warn(heard.table, input === null ? `larger than ${MAX_COMMAND_BYTES} bytes` : input.error);
      return;
    }
    const command = parseCommand(input.value);
    if (!command.ok) {
      this.#warn(heard.table, command.error);
      if (command.id !== '') this.#refuse(heard.table, command.id, 'command_invalid', command.error);
      return;
    }
    await this.#obey(heard, ownToken(input.value) ?? heard.token, command.value);
  }

  async #obey({ table: id }: MqttCommand, token: string | undefined, command: Command): Promise<void> {
    const table = tableOf(this.#daemon, id);
    const grant = this.#access.grantOf(token ?? '');
    if (table === undefined || grant === null || (grant.table ?? id) !== id) {
      this.#refuse(id, command.id, 'forbidden', 'no such table, or the token is not for it');
      return;
    }
    const viewer = viewerOf(grant, {}, table.seats());
    const forbidden = viewer.ok ? forbids(viewer.value, command) : viewer.error.message;
    if (!viewer.ok || forbidden !== null) {
      this.#refuse(id, command.id, 'forbidden', forbidden ?? 'not allowed');
      return;
    }
    if (this.#underway >= MAX_UNDERWAY) {
      this.#refuse(id, command.id, 'busy', 'too many commands without an answer yet');
      return;
    }
    this.#underway += 1;
    const answer = await table.command(viewer.value.caller, command).finally(() => {
      this.#underway -= 1;
    });
    // A preview holds what only the GM may see; its id is enough to confirm it.
    const shown = answer.kind === 'ack' && answer.preview ? { ...answer, preview: { id: answer.preview.id } } : answer;
    this.#reply(id, command.id, shown);
  }

  #refuse(table: string, id: string, code: string, reason: string): void {
    this.#reply(table, id, { kind: 'refused', id, code, reason });
  }

  #reply(table: string, id: string, answer: object): void {
    const topic = `tiro/${topicPart(table)}/reply/${topicPart(id)}`;
    this.#outlet.publish({ topic, payload: JSON.stringify(answer), qos: 1, retain: false });
  }

  #warn(table: string, why: string): void {
    this.#refused += 1;
    this.#daemon.log('warn', `MQTT: a payload on tiro/${table}/command was no command: ${why.slice(0, 200)}`);
  }

  #add(table: TablePort): void {
    if (!this.#voices.has(table.id)) this.#voices.set(table.id, new TableVoice(table, this.#outlet));
  }
}

function ownToken(input: unknown): string | undefined {
  const token = typeof input === 'object' && input !== null && 'token' in input ? input.token : undefined;
  return typeof token === 'string' ? token : undefined;
}
