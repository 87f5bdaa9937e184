import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import type { Connection } from './connection.js';
import { faultOf, type JournalFault } from './fault.js';
import { openForReading } from './file.js';
import type { JournalRecord } from './journal.js';
import { metaOf, recordOf, selectMeta, selectNewestAt, selectRecords, selectTables } from './rows.js';
import { JOURNAL_FILE } from './schema.js';

/** Records fetched at once: between two pages no read lock is held, so the daemon's checkpoints go on. */
const PAGE_RECORDS = 1000;

/**
 * Reads a journal from the command line, synchronously, while a daemon may be writing it: sees all that is
 * acknowledged, writes nothing, holds nobody up. Methods throw `JournalError` or what SQLite throws on damage.
 */
export class JournalReader {
  readonly file: string;
  /** Format of the file, 0…SCHEMA_VERSION. */
  readonly version: number;
  private readonly db: Connection;

  constructor(file: string, version: number, db: Connection) {
    this.file = file;
    this.version = version;
    this.db = db;
  }

  /** Ids of the tables that have records. */
  tables(): readonly string[] {
    return selectTables(this.db);
  }

  /** Records of a table with `seq` > `after`, in order, at most `limit`. */
  read(table: string, after: number, limit: number): readonly JournalRecord[] {
    return selectRecords(this.db, table, after, limit).map((row) => recordOf(row, this.file));
  }

  /** All records of a table in order, fetched in pages. */
  *records(table: string): Generator<JournalRecord, void> {
    let last = 0;
    for (;;) {
      const page = this.read(table, last, PAGE_RECORDS);
      yield* page;
      if (page.length < PAGE_RECORDS) return;
      last = page.at(-1)?.seq ?? last;
    }
  }

  /** Latest `at` among the newest records, milliseconds since 1970. */
  newestAt(): number | undefined {
    return selectNewestAt(this.db);
  }

  getMeta(key: string): Json | undefined {
    const text = selectMeta(this.db, key);
    return text === undefined ? undefined : metaOf(text, this.file, key);
  }

  close(): void {
    this.db.close();
  }
}

/**
 * Opens a journal for reading only.
 * @param path a data folder, a journal or a backup
 */
export function openJournalReader(path: string): Result<JournalReader, JournalFault> {
  try {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const file = isFolder ? join(path, JOURNAL_FILE) : path;
    const opened = openForReading(file, 0);
    return opened.ok ? ok(new JournalReader(file, opened.value.version, opened.value.db)) : opened;
  } catch (error) {
    return err(faultOf(path, 'opening it', error));
  }
}
