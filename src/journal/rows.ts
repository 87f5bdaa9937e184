import type { Json, JsonObject } from '../dice/json.js';
import { type Cell, type Connection, rowsOf } from './connection.js';
import { fault, JournalError } from './fault.js';
import type { JournalRecord, StoredAnswer } from './journal.js';
import type { AnswerRow, RecordRow } from './messages.js';

/** The clock is compared with this many of the newest records, so that one wrong date far ahead is outgrown. */
const CLOCK_RECORDS = 10_000;

/** Ids of the tables that have records. */
export function selectTables(db: Connection): readonly string[] {
  return rowsOf(db, 'SELECT DISTINCT "table" FROM records ORDER BY 1').map((row) => String(row[0]));
}

/** Records of a table with `seq` > `after`, in order, at most `limit`. */
export function selectRecords(db: Connection, table: string, after: number, limit: number): readonly RecordRow[] {
  const sql = `SELECT "table", seq, at, clock, kind, origin, body FROM records
    WHERE "table" = ? AND seq > ? ORDER BY seq LIMIT ?`;
  return rowsOf(db, sql, table, after, limit).map(recordRow);
}

/** The record with this key, or the one with this origin. */
export function selectRival(db: Connection, row: RecordRow): RecordRow | undefined {
  const sql = `SELECT "table", seq, at, clock, kind, origin, body FROM records
    WHERE ("table" = ? AND seq = ?) OR origin = ? LIMIT 1`;
  return rowsOf(db, sql, row.table, row.seq, row.origin).map(recordRow)[0];
}

/** True if a record has this origin. */
export function selectOrigin(db: Connection, origin: string): boolean {
  return rowsOf(db, 'SELECT 1 FROM records WHERE origin = ?', origin).length > 0;
}

/** The newest origins, newest first. */
export function selectOrigins(db: Connection, limit: number): readonly string[] {
  const sql = 'SELECT origin FROM records WHERE origin IS NOT NULL ORDER BY id DESC LIMIT ?';
  return rowsOf(db, sql, limit).map((row) => String(row[0]));
}

/** Latest wall clock among the newest records, milliseconds since 1970. */
export function selectNewestAt(db: Connection): number | undefined {
  const sql = 'SELECT max(at) FROM (SELECT at FROM records ORDER BY id DESC LIMIT ?)';
  const newest = rowsOf(db, sql, CLOCK_RECORDS)[0]?.[0];
  return typeof newest === 'number' ? newest : undefined;
}

/** Answers given at `since` or later, oldest first; of more than `limit` the newest. */
export function selectAnswers(db: Connection, since: number, limit: number): readonly AnswerRow[] {
  const sql = 'SELECT caller, command, at, answer FROM answers WHERE at >= ? ORDER BY at DESC LIMIT ?';
  return rowsOf(db, sql, since, limit)
    .map(([caller, command, at, answer]) => ({
      caller: String(caller),
      command: String(command),
      at: Number(at),
      answer: String(answer),
    }))
    .reverse();
}

/** The text stored under a key. */
export function selectMeta(db: Connection, key: string): string | undefined {
  const cell = rowsOf(db, 'SELECT value FROM meta WHERE key = ?', key)[0]?.[0];
  return typeof cell === 'string' ? cell : undefined;
}

function recordRow([table, seq, at, clock, kind, origin, body]: Cell[]): RecordRow {
  return {
    table: String(table),
    seq: Number(seq),
    at: Number(at),
    clock: String(clock),
    kind: String(kind),
    origin: typeof origin === 'string' ? origin : null,
    body: String(body),
  };
}

/** A stored row as a record. Throws `JournalError` if its body is no JSON object: damage is never read as empty. */
export function recordOf(row: RecordRow, file: string): JournalRecord {
  const body = objectOf(row.body, file, `record ${row.seq} of the table "${row.table}"`);
  const clock = row.clock === 'trusted' ? 'trusted' : 'untrusted';
  const record = { table: row.table, seq: row.seq, at: row.at, clock, kind: row.kind, body } as const;
  return row.origin === null ? record : { ...record, origin: row.origin };
}

/** A stored row as an answer. Throws as `recordOf` does. */
export function answerOf(row: AnswerRow, file: string): StoredAnswer {
  const answer = objectOf(row.answer, file, `the answer to "${row.command}"`);
  return { caller: row.caller, command: row.command, at: row.at, answer };
}

/** The value of a text under `key`. Throws as `recordOf` does. */
export function metaOf(text: string, file: string, key: string): Json {
  return parsed(text, file, `the entry "${key}"`);
}

function objectOf(text: string, file: string, what: string): JsonObject {
  const value = parsed(text, file, what);
  if (typeof value === 'object' && value !== null && !isList(value)) return value;
  throw new JournalError(fault('damaged', file, `${what} is not an object`));
}

function parsed(text: string, file: string, what: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new JournalError(fault('damaged', file, `${what} is not readable`));
  }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
