import type { TablePort, Told } from '../table/port.js';
import type { Envelope } from '../wire/envelope.js';
import type { Delivery, MqttMessage, MqttOutlet, MqttRemote } from './mqtt-outlet.js';

const SPECTATOR = { role: 'spectator' } as const;

/** Records on their way to the broker at once; what comes beyond is read from the chronicle when there is room. */
const WINDOW = 64;

/** Records read from the chronicle at once. */
const PAGE = 500;

/** How often the cursor is written down at most: the disk belongs to rolls, and what is told twice harms nobody. */
const SAVE_MS = 500;

/** How long a stop waits for the disk; a cursor that is too old costs repetitions only. */
const LAST_SAVE_MS = 1000;

/** After a lost connection others who lost it with us get this long to come back before they are told what they missed. */
const GRACE_MS = 2000;

/** A broker that does not allow a message is asked again after this long. */
const REFUSED_MS = 5000;

/** A record at which the connection ended so often, each time as the first, cannot be told; the others can. */
const MAX_STRIKES = 5;

/** Where the number of the last record is kept that the broker acknowledged. */
export interface CursorBook {
  read(table: string): Promise<number | undefined>;
  /** Resolves when it is on disk. */
  write(table: string, seq: number): Promise<void>;
}

export interface CourierParts {
  readonly table: TablePort;
  readonly outlet: MqttOutlet;
  readonly remote: MqttRemote;
  readonly book: CursorBook;
  /** The messages of a record; `late`: it happened before the connection over which it is sent. */
  readonly messages: (envelope: Envelope, late: boolean) => readonly MqttMessage[];
  readonly log: (message: string) => void;
}

interface Underway {
  readonly seq: number;
  done: boolean;
}

/**
 * Brings every record of a table to the broker, in order and at least once: what the broker did not acknowledge is read
 * from the chronicle again, over lost connections and restarts. It keeps no more than a window of records in memory.
 */
export class Courier {
  readonly #parts: CourierParts;
  readonly #ready: Promise<void>;
  /** Number of the last record acknowledged. */
  #cursor: number;
  #sent = 0;
  #underway: Underway[] = [];
  /** Grows with every connection and every new start from the cursor; what an older one learns is no longer of interest. */
  #round = 0;
  #live = false;
  #halted = false;
  #late = 0;
  #saving: NodeJS.Timeout | undefined;
  #onDrained: (() => void) | null = null;
  #strikes = { seq: 0, count: 0 };

  constructor(parts: CourierParts) {
    this.#parts = parts;
    // Without a cursor nothing is owed: what happened before MQTT was asked for is in the chronicle.
    this.#cursor = parts.table.seq(SPECTATOR);
    this.#ready = this.#open();
  }

  /** Number of the last record the broker acknowledged. */
  get cursor(): number {
    return this.#cursor;
  }

  /** A connection stands: tells what it missed, then goes on live. */
  up(again: boolean): void {
    this.#late = this.#parts.table.seq(SPECTATOR);
    void this.#run(again ? GRACE_MS : 0);
  }

  /** A record has been told. */
  told(told: Told): void {
    if (!this.#live || told.seq <= this.#sent) return;
    if (this.#underway.length >= WINDOW) {
      this.#live = false;
      void this.#follow(this.#round);
      return;
    }
    const envelope = told.envelope(SPECTATOR);
    if (envelope !== null) void this.#send(envelope, this.#round);
  }

  /** Sends nothing more; what is on its way is still waited for. */
  halt(): void {
    this.#halted = true;
    this.#live = false;
  }

  /** Writes the cursor down; resolves when it is on disk, or when the disk lets us wait too long. */
  async save(): Promise<void> {
    await this.#ready;
    await Promise.race([this.#write(), sleep(LAST_SAVE_MS)]);
  }

  async #open(): Promise<void> {
    const { table, book, log } = this.#parts;
    try {
      const known = await book.read(table.id);
      // Not waited for: while the disk refuses, rolls are told all the same.
      if (known === undefined) void this.#write();
      else this.#cursor = Math.min(known, this.#cursor);
    } catch (error) {
      log(`MQTT: the cursor of ${table.id} cannot be read: ${String(error)}`);
    }
  }

  async #run(wait: number): Promise<void> {
    const round = ++this.#round;
    this.#live = false;
    await this.#ready;
    // What is retained comes first; and only a broker that took it is one that a record could be to blame for.
    await this.#parts.outlet.flush();
    if (round !== this.#round || this.#halted) return;
    this.#sent = this.#cursor;
    this.#underway = [];
    if (wait > 0 && this.#sent < this.#late) await sleep(wait);
    await this.#follow(round);
  }

  /** Reads on in the chronicle until nothing is missing. */
  async #follow(round: number): Promise<void> {
    await this.#drained();
    while (round === this.#round && !this.#live && !this.#halted) {
      if (this.#sent >= this.#parts.table.seq(SPECTATOR)) this.#live = true;
      else await this.#page(round);
    }
  }

  #drained(): Promise<void> {
    if (this.#underway.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onDrained = resolve;
    });
  }

  async #page(round: number): Promise<void> {
    const { table, log } = this.#parts;
    try {
      const { events } = await table.events(SPECTATOR, this.#sent, PAGE);
      if (round !== this.#round) return;
      if (events.length === 0) this.#sent = table.seq(SPECTATOR);
      for (let at = 0; at < events.length && round === this.#round && !this.#halted; at += WINDOW)
        await Promise.all(events.slice(at, at + WINDOW).map((envelope) => this.#send(envelope, round)));
    } catch (error) {
      log(`MQTT: the chronicle of ${table.id} cannot be read: ${String(error)}`);
      await sleep(REFUSED_MS);
    }
  }

  async #send(envelope: Envelope, round: number): Promise<void> {
    const { seq } = envelope;
    const entry: Underway = { seq, done: false };
    this.#sent = seq;
    this.#underway.push(entry);
    const messages = this.#parts.messages(envelope, seq <= this.#late);
    const outcomes = await Promise.all(messages.map((message) => this.#parts.remote.deliver(message)));
    if (round === this.#round) this.#answered(entry, outcomes);
  }

  #answered(entry: Underway, outcomes: readonly Delivery[]): void {
    if (outcomes.includes('lost')) this.#lost();
    else if (outcomes.includes('refused')) this.#again();
    else {
      entry.done = true;
      this.#advance();
    }
  }

  #advance(): void {
    while (this.#underway[0]?.done === true) this.#cursor = this.#underway.shift()?.seq ?? this.#cursor;
    this.#saving ??= setTimeout(() => void this.#write(), SAVE_MS).unref();
    if (this.#underway.length > 0) return;
    this.#onDrained?.();
    this.#onDrained = null;
  }

  /** The broker would not take a record: from the cursor again, later. */
  #again(): void {
    const round = ++this.#round;
    this.#live = false;
    setTimeout(() => {
      if (round === this.#round) void this.#run(0);
    }, REFUSED_MS).unref();
  }

  #lost(): void {
    this.#round += 1;
    this.#live = false;
    const seq = this.#underway[0]?.seq ?? 0;
    const count = this.#strikes.seq === seq ? this.#strikes.count + 1 : 1;
    this.#strikes = { seq, count };
    if (count < MAX_STRIKES) return;
    const { table, log } = this.#parts;
    log(`MQTT: the connection ended ${count} times at record ${seq} of ${table.id}; it is left out`);
    this.#cursor = seq;
  }

  async #write(): Promise<void> {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    const { table, book, log } = this.#parts;
    await book.write(table.id, this.#cursor).catch((error: unknown) => {
      log(`MQTT: the cursor of ${table.id} cannot be written: ${String(error)}`);
    });
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
