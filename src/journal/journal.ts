import type { Json, JsonObject } from '../dice/json.js';
import type { TroubleCause } from './fault.js';

/** One numbered line of a table's chronicle, as it stands on disk. `body` is the table's own affair. */
export interface JournalRecord {
  readonly table: string;
  readonly seq: number;
  /** Wall clock, whole milliseconds since 1970; order is `seq`, never this. */
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

/** What a table writes in one go: all of it is stored, or nothing. */
export interface Write {
  readonly records: readonly JournalRecord[];
  readonly answers?: readonly StoredAnswer[];
}

export type JournalState =
  | { readonly state: 'writing' }
  | {
      readonly state: 'degraded';
      /** English, for logs; screens say it in their language by `cause`. */
      readonly reason: string;
      readonly waiting: number;
      readonly cause?: TroubleCause;
    };

/** At most this many records wait in memory while the disk refuses; then commands are refused (design, Journal). */
export const MAX_WAITING_RECORDS = 10_000;

/** Answers are kept this long. */
export const ANSWER_TTL_MS = 24 * 3600 * 1000;

/** A record whose body takes more text than this is a programming fault. */
export const MAX_BODY_CHARACTERS = 1024 * 1024;

/**
 * The durable log, one file for all tables, written by a worker thread: queued writes are committed in groups with one
 * sync, an idle write at once.
 */
export interface Journal {
  /** Grows by one at every start of the daemon; radio origins carry it. */
  readonly epoch: number;
  /**
   * Queues a write; resolves when it is on disk. While degraded it waits. A record that is already there word for word
   * counts as written. Rejects with `RefusedWrite` on a programming fault only: another record has this (table, seq) or
   * this origin, a record breaks a limit, the caller went on past twice `MAX_WAITING_RECORDS`, or the journal is closed.
   * Then nothing of this write is stored, and every other write is.
   */
  append(write: Write): Promise<void>;
  /** Records queued and not yet on disk. From `MAX_WAITING_RECORDS` on the caller refuses commands. */
  waiting(): number;
  state(): JournalState;
  /** Called on every change between `writing` and `degraded`. Back to `writing` when nothing waits from before. */
  onState(listener: (state: JournalState) => void): void;
  /** Ids of the tables that have records on disk. */
  tables(): Promise<readonly string[]>;
  /** Records of a table on disk with `seq` > `after`, in order, at most `limit`. Rejects with `JournalError`. */
  read(table: string, after: number, limit: number): Promise<readonly JournalRecord[]>;
  /** True if a record with this origin is queued or on disk, in any table. */
  hasOrigin(origin: string): Promise<boolean>;
  /** The newest origins on disk, newest first, at most `limit`: for refusing what comes again without asking the disk. */
  recentOrigins(limit: number): Promise<readonly string[]>;
  /** Latest `at` among the newest 10,000 records on disk: a clock behind it is not to be trusted (F048). */
  newestAt(): Promise<number | undefined>;
  /** Answers younger than 24 h, oldest first, at most the newest 50,000. */
  answers(): Promise<readonly StoredAnswer[]>;
  getMeta(key: string): Promise<Json | undefined>;
  /** Resolves when the value is on disk; of several queued values of a key only the last is written. */
  setMeta(key: string, value: Json): Promise<void>;
  /**
   * A consistent copy of the whole journal up to the last acknowledged record, verified, put in place atomically; play
   * goes on meanwhile. Replaces an older backup of that name, never another file. Rejects with `JournalError`.
   */
  backup(file: string): Promise<void>;
  /** Waits for what is queued, then closes. @returns how many records could not be written (0 unless degraded) */
  close(): Promise<number>;
}
