import { err, ok, type Result } from '../dice/result.js';
import { type Connection, rowsOf } from './connection.js';
import { fault, type JournalFault } from './fault.js';

/** Name of the journal inside the data folder. */
export const JOURNAL_FILE = 'journal.db';

/** `PRAGMA application_id`, "Tiro" in ASCII: tells our file from any other SQLite file. */
export const APPLICATION_ID = 0x5469726f;

/** `PRAGMA user_version` this program writes. */
export const SCHEMA_VERSION = 1;

/** `id` is the order of writing over all tables; (table, seq) is the key, `origin` what makes a repeat harmless. */
const RECORDS = `CREATE TABLE records (
  id INTEGER PRIMARY KEY,
  "table" TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  clock TEXT NOT NULL,
  kind TEXT NOT NULL,
  origin TEXT UNIQUE,
  body TEXT NOT NULL,
  UNIQUE ("table", seq)
) STRICT;`;

const ANSWERS = `CREATE TABLE answers (
  caller TEXT NOT NULL,
  command TEXT NOT NULL,
  at INTEGER NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (caller, command)
) STRICT, WITHOUT ROWID;`;

const META = `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;`;

const COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['records', ['id', 'table', 'seq', 'at', 'clock', 'kind', 'origin', 'body']],
  ['answers', ['caller', 'command', 'at', 'answer']],
  ['meta', ['key', 'value']],
]);

/** Tables a version does not have yet. */
const NOT_YET: ReadonlyMap<number, readonly string[]> = new Map([[0, ['answers']]]);

interface Migration {
  readonly from: number;
  readonly sql: string;
}

/**
 * One step per version, each from its `from` to the next. Version 0 was never released: it stands for a journal without
 * remembered answers, so that the way of a migration is walked by tests before the first real one.
 */
const MIGRATIONS: readonly Migration[] = [{ from: 0, sql: ANSWERS }];

/** Lays the newest schema into an empty file. */
export function laySchema(db: Connection): void {
  db.exec(`PRAGMA application_id = ${APPLICATION_ID};`);
  db.exec(`BEGIN; ${RECORDS} ${ANSWERS} ${META} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
}

/** Brings an older journal to the newest version, in one transaction: all of it or nothing. */
export function migrate(db: Connection, from: number): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of MIGRATIONS) if (step.from >= from) db.exec(step.sql);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Tells whether an open file is a journal this program can read.
 * @returns its version, 0…SCHEMA_VERSION, or why it is refused; throws what SQLite throws on a damaged file
 */
export function versionOf(db: Connection, file: string): Result<number, JournalFault> {
  const application = rowsOf(db, 'PRAGMA application_id')[0]?.[0];
  const version = Number(rowsOf(db, 'PRAGMA user_version')[0]?.[0]);
  if (application !== APPLICATION_ID) {
    return err(fault('foreign', file, 'this is an SQLite file, but not a journal of this program'));
  }
  if (version > SCHEMA_VERSION) {
    const what = `this journal was written by a newer version (format ${version}; this program knows ${SCHEMA_VERSION})`;
    return err(fault('newer', file, what));
  }
  const later = NOT_YET.get(version) ?? [];
  for (const [table, columns] of COLUMNS) {
    if (later.includes(table)) continue;
    const found = rowsOf(db, `SELECT name FROM pragma_table_info('${table}')`).map((row) => row[0]);
    const missing = columns.filter((column) => !found.includes(column));
    if (missing.length > 0) {
      return err(fault('damaged', file, `the table "${table}" lacks ${missing.join(', ')}`));
    }
  }
  return ok(version);
}
