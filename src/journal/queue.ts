import { isId } from '../dice/ids.js';
import type { Json } from '../dice/json.js';
import { RefusedWrite } from './fault.js';
import {
  type JournalRecord,
  MAX_BODY_CHARACTERS,
  MAX_WAITING_RECORDS,
  type StoredAnswer,
  type Write,
} from './journal.js';
import type { Group, Refusal, WriteRows } from './messages.js';

/** At most this many records are committed with one sync. */
const GROUP_RECORDS = 1000;

/** The caller refuses commands at the first limit; past the second it is out of control and hears so. */
const HARD_LIMIT = 2 * MAX_WAITING_RECORDS;

interface QueuedWrite {
  readonly rows: WriteRows;
  readonly done: () => void;
  readonly refused: (why: RefusedWrite) => void;
}

interface QueuedMeta {
  readonly text: string;
  readonly waiters: (() => void)[];
}

interface Taken {
  readonly writes: readonly QueuedWrite[];
  readonly meta: Map<string, QueuedMeta>;
}

/** What is queued and not yet on disk, in order; at most one group of it is with the worker. */
export class WriteQueue {
  private writes: QueuedWrite[] = [];
  private meta = new Map<string, QueuedMeta>();
  private taken: Taken | undefined;
  private readonly origins = new Set<string>();
  private records = 0;

  /** Records queued or with the worker. */
  get waiting(): number {
    return this.records;
  }

  get isEmpty(): boolean {
    return this.taken === undefined && this.hasNext === false;
  }

  /** True if there is something to take, apart from what the worker has. */
  get hasNext(): boolean {
    return this.writes.length > 0 || this.meta.size > 0;
  }

  /** Queues a write; see `Journal.append`. */
  add(write: Write): Promise<void> {
    const fault = faultIn(write, this.records);
    if (fault !== undefined) return Promise.reject(new RefusedWrite(fault));
    const rows = rowsOfWrite(write);
    const long = rows.records.find((record) => record.body.length > MAX_BODY_CHARACTERS);
    if (long !== undefined) {
      const why = `a record takes at most ${MAX_BODY_CHARACTERS} characters, ${long.table} ${long.seq} has ${long.body.length}`;
      return Promise.reject(new RefusedWrite(why));
    }
    this.records += rows.records.length;
    for (const { origin } of rows.records) if (origin !== null) this.origins.add(origin);
    return new Promise((done, refused) => {
      this.writes.push({ rows, done, refused });
    });
  }

  /** Queues a value; a queued one of the same key gives way to it. */
  addMeta(key: string, value: Json): Promise<void> {
    return new Promise((done) => {
      const waiters = this.meta.get(key)?.waiters ?? [];
      waiters.push(done);
      this.meta.set(key, { text: JSON.stringify(value), waiters });
    });
  }

  hasOrigin(origin: string): boolean {
    return this.origins.has(origin);
  }

  /** The newest queued text of a key. */
  metaText(key: string): string | undefined {
    return (this.meta.get(key) ?? this.taken?.meta.get(key))?.text;
  }

  /** Takes the oldest writes, up to a group, and all queued values. */
  take(): Omit<Group, 'forgetBefore'> {
    let count = 0;
    let records = 0;
    for (const { rows } of this.writes) {
      if (count > 0 && records + rows.records.length > GROUP_RECORDS) break;
      count += 1;
      records += rows.records.length;
    }
    this.taken = { writes: this.writes.splice(0, count), meta: this.meta };
    this.meta = new Map();
    const meta = [...this.taken.meta].map(([key, { text }]) => [key, text] as const);
    return { writes: this.taken.writes.map(({ rows }) => rows), meta };
  }

  /** The group is on disk, but for the writes that were refused. */
  committed(refusals: readonly Refusal[]): void {
    const why = new Map(refusals.map((refusal) => [refusal.write, refusal.why]));
    for (const [index, write] of this.taken?.writes.entries() ?? []) {
      this.records -= write.rows.records.length;
      for (const { origin } of write.rows.records) if (origin !== null) this.origins.delete(origin);
      const refusal = why.get(index);
      if (refusal === undefined) write.done();
      else write.refused(new RefusedWrite(refusal));
    }
    for (const { waiters } of this.taken?.meta.values() ?? []) for (const done of waiters) done();
    this.taken = undefined;
  }

  /** The group could not be written: it goes back to the head, in its order. */
  putBack(): void {
    if (this.taken === undefined) return;
    this.writes.unshift(...this.taken.writes);
    for (const [key, older] of this.taken.meta) {
      const newer = this.meta.get(key);
      if (newer === undefined) this.meta.set(key, older);
      else newer.waiters.unshift(...older.waiters);
    }
    this.taken = undefined;
  }
}

function rowsOfWrite(write: Write): WriteRows {
  return {
    records: write.records.map(({ table, seq, at, clock, kind, origin, body }) => ({
      table,
      seq,
      at,
      clock,
      kind,
      origin: origin ?? null,
      body: JSON.stringify(body),
    })),
    answers: (write.answers ?? []).map(({ caller, command, at, answer }) => ({
      caller,
      command,
      at,
      answer: JSON.stringify(answer),
    })),
  };
}

function faultIn(write: Write, waiting: number): string | undefined {
  if (waiting + write.records.length > HARD_LIMIT) {
    return `${waiting} records wait already: commands are to be refused from ${MAX_WAITING_RECORDS} on`;
  }
  for (const record of write.records) {
    const fault = faultInRecord(record);
    if (fault !== undefined) return fault;
  }
  return (write.answers ?? []).some(({ at }: StoredAnswer) => !Number.isSafeInteger(at))
    ? 'the time of an answer is whole milliseconds'
    : undefined;
}

function faultInRecord({ table, seq, at, kind, origin }: JournalRecord): string | undefined {
  if (!isId(table)) return `"${table.slice(0, 40)}" is not the id of a table`;
  if (!Number.isSafeInteger(seq) || seq < 1) return `a record is numbered 1, 2, 3 …, not ${seq}`;
  if (!Number.isSafeInteger(at)) return `the time of a record is whole milliseconds, not ${at}`;
  if (kind === '') return 'a record has a kind';
  return origin === '' ? 'an origin is not empty' : undefined;
}
