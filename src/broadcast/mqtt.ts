import type { TablePort } from '../table/port.js';
import { type Command, parseCommand } from '../wire/command.js';
import { type Access, forbids, viewerOf } from './access.js';
import { parseJson } from './bounded-json.js';
import { type Daemon, tableOf } from './daemon.js';
import type { CursorBook } from './mqtt-courier.js';
import { type MqttCommand, type MqttHouse, topicPart } from './mqtt-outlet.js';
import { TableVoice } from './mqtt-voice.js';

/** For a broker that lives and ends with the daemon: nobody is there who could have missed anything. */
const NO_BOOK: CursorBook = { read: async () => undefined, write: async () => undefined };

/** Bytes of a command's payload. */
const MAX_COMMAND_BYTES = 64 * 1024;

/** Commands that may be on their way at once. */
const MAX_UNDERWAY = 256;

/** The daemon's voice on MQTT, and its ear for commands (contracts F). */
export class MqttVoice {
  readonly #daemon: Daemon;
  readonly #access: Access;
  readonly #house: MqttHouse;
  readonly #book: CursorBook;
  readonly #voices = new Map<string, TableVoice>();
  readonly #leave: () => void;
  #refused = 0;
  #underway = 0;

  /** `book` keeps what a broker elsewhere has acknowledged of each table. */
  constructor(daemon: Daemon, access: Access, house: MqttHouse, book: CursorBook = NO_BOOK) {
    this.#daemon = daemon;
    this.#access = access;
    this.#house = house;
    this.#book = book;
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
    const voices = [...this.#voices.values()];
    this.#voices.clear();
    await Promise.all(voices.map((voice) => voice.end()));
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
    // Only the embedded broker hears of tables that are not there, and there all tables share one way.
    const voice = this.#voices.get(table) ?? this.#voices.values().next().value;
    voice?.publish({ topic, payload: JSON.stringify(answer), qos: 1, retain: false });
  }

  #warn(table: string, why: string): void {
    this.#refused += 1;
    this.#daemon.log('warn', `MQTT: a payload on tiro/${table}/command was no command: ${why.slice(0, 200)}`);
  }

  #add(table: TablePort): void {
    if (this.#voices.has(table.id)) return;
    const log = (message: string): void => this.#daemon.log('warn', message);
    this.#voices.set(table.id, new TableVoice({ table, outlet: this.#house.open(table.id), book: this.#book, log }));
  }
}

function ownToken(input: unknown): string | undefined {
  const token = typeof input === 'object' && input !== null && 'token' in input ? input.token : undefined;
  return typeof token === 'string' ? token : undefined;
}
