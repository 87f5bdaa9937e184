import type { Json, JsonObject } from '../dice/json.js';

/** One numbered line of a table's chronicle, as it stands on disk. `body` is the table's own affair. */
export interface JournalRecord {
  readonly table: string;
  readonly seq: number;
  /** Wall clock, milliseconds since 1970; order is `seq`, never this. */
  readonly at: number;
  readonly clock: 'trusted' | 'untrusted';
  readonly kind: string;
  /** Device, boot and sequence, or token and command id: unique, so what comes again changes nothing. */
  readonly origin?: string;
  readonly body: JsonObject;
}

/** The answer a command got, kept 24 h so that the same id from the same token gets it again. */
export interface StoredAnswer {
  readonly caller: string;
  readonly command: string;
  readonly at: number;
  readonly answer: JsonObject;
}

/** What a table writes in one go. */
export interface Write {
  readonly records: readonly JournalRecord[];
  readonly answers?: readonly StoredAnswer[];
}

export type JournalState =
  | { readonly state: 'writing' }
  | { readonly state: 'degraded'; readonly reason: string; readonly waiting: number };

/** At most this many records wait in memory while the disk refuses; then commands are refused (design, Journal). */
export const MAX_WAITING_RECORDS = 10_000;

/** Answers are kept this long. */
export const ANSWER_TTL_MS = 24 * 3600 * 1000;

/**
 * The durable log, one file for all tables, written by a worker thread: queued writes are committed in groups with one
 * sync, an idle write at once.
 */
export interface Journal {
  /** Grows by one at every start of the daemon; radio origins carry it. */
  readonly epoch: number;
  /** Queues a write; resolves when it is on disk. Never rejects: while degraded it waits. */
  append(write: Write): Promise<void>;
  /** Records queued and not yet on disk. */
  waiting(): number;
  state(): JournalState;
  /** Called on every change between `writing` and `degraded`. */
  onState(listener: (state: JournalState) => void): void;
  tables(): Promise<readonly string[]>;
  /** Records of a table with `seq` > `after`, in order, at most `limit`. */
  read(table: string, after: number, limit: number): Promise<readonly JournalRecord[]>;
  /** Origins seen in the newest records of all tables, for refusing what comes again without asking the disk. */
  hasOrigin(origin: string): Promise<boolean>;
  /** Answers younger than 24 h. */
  answers(): Promise<readonly StoredAnswer[]>;
  getMeta(key: string): Promise<Json | undefined>;
  setMeta(key: string, value: Json): Promise<void>;
  /** A consistent copy of the whole journal up to the last acknowledged record, into a new file. */
  backup(file: string): Promise<void>;
  /** Waits for what is queued, then closes. */
  close(): Promise<void>;
}
