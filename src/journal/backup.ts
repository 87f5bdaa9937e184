import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { err, ok, type Result } from '../dice/result.js';
import { rowsOf } from './connection.js';
import { fault, faultOf, type JournalFault } from './fault.js';
import { copyJournal, openForReading } from './file.js';

/** What a journal or a backup holds. */
export interface JournalContents {
  readonly records: number;
  readonly tables: readonly string[];
  /** Latest wall clock among the records, milliseconds since 1970. */
  readonly newestAt?: number;
}

/**
 * Writes a verified copy of a journal that may be in use by the daemon; the daemon is not held up.
 * @param file the journal
 * @param target replaced if it is an older backup; any other existing file is refused
 */
export function backupJournal(file: string, target: string): Result<JournalContents, JournalFault> {
  try {
    const place = resolve(target);
    if (existsSync(place)) {
      if (realPath(place) === realPath(file)) {
        return err(fault('exists', place, 'this is the journal itself; a backup needs a file of its own'));
      }
      const older = openForReading(place, 0);
      if (!older.ok) return err(fault('exists', place, 'there is a file already, and it is not one of our backups'));
      older.value.db.close();
    }
    const source = openForReading(file, 0);
    if (!source.ok) return source;
    const copied = copyJournal(source.value.db, file, place);
    source.value.db.close();
    return copied.ok ? inspectJournal(place) : copied;
  } catch (error) {
    return err(faultOf(target, 'the backup', error));
  }
}

/** Checks a journal or a backup whole (every page) and tells what is in it. Nothing is written. */
export function inspectJournal(file: string): Result<JournalContents, JournalFault> {
  const opened = openForReading(file, Number.POSITIVE_INFINITY);
  if (!opened.ok) return opened;
  const { db } = opened.value;
  try {
    const integrity = rowsOf(db, 'PRAGMA integrity_check(1)')[0]?.[0];
    if (integrity !== 'ok') return err(fault('damaged', file, `SQLite reports: ${String(integrity)}`));
    const [count, newest] = rowsOf(db, 'SELECT count(*), max(at) FROM records')[0] ?? [];
    const tables = rowsOf(db, 'SELECT DISTINCT "table" FROM records ORDER BY 1').map((row) => String(row[0]));
    const contents = { records: Number(count ?? 0), tables };
    return ok(typeof newest === 'number' ? { ...contents, newestAt: newest } : contents);
  } catch (error) {
    return err(faultOf(file, 'checking it', error));
  } finally {
    db.close();
  }
}

/** The one true path of a file, also before it exists. */
function realPath(file: string): string {
  const place = resolve(file);
  return existsSync(place) ? realpathSync(place) : join(realpathSync(dirname(place)), basename(place));
}
