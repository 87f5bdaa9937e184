import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../dice/result.js';
import { inspectJournal, type JournalContents } from './backup.js';
import { type Connection, connect } from './connection.js';
import { faultOf, type JournalFault } from './fault.js';
import { copyJournal, LOCK_PATIENCE_MS, openForReading, stampOf, syncPath } from './file.js';
import { lockDataDir } from './lock.js';
import { JOURNAL_FILE } from './schema.js';

/** What was put in place, and where the old journal is now. */
export interface Restored {
  readonly contents: JournalContents;
  /** Absent if there was no journal before. */
  readonly keptAs?: string;
}

/**
 * Puts a backup in the place of the journal. The backup is verified first (every page, format); the old journal is kept
 * beside it as `journal.db.before-restore-TIME`, or `journal.db.damaged-TIME` if it is damaged. At every moment, also in a
 * power cut, `journal.db` is the old journal or the restored one.
 * @param dir data folder; refused (`held`) while a daemon runs on it
 * @param backup any backup or copy of a journal, of this version or an older one
 */
export function restoreJournal(
  dir: string,
  backup: string,
  clock: () => number = Date.now,
): Result<Restored, JournalFault> {
  const contents = inspectJournal(backup);
  if (!contents.ok) return contents;
  const lock = lockDataDir(dir, clock);
  if (!lock.ok) return lock;
  try {
    const file = join(dir, JOURNAL_FILE);
    const draft = `${file}.restoring`;
    const source = openForReading(backup, 0);
    if (!source.ok) return source;
    // Not a plain copy: a journal that was copied with its -wal keeps its last records there.
    const copied = copyJournal(source.value.db, backup, draft);
    source.value.db.close();
    if (!copied.ok) return copied;
    const keptAs = keepOld(file, clock());
    renameSync(draft, file);
    syncPath(dir);
    return ok(keptAs === undefined ? { contents: contents.value } : { contents: contents.value, keptAs });
  } catch (error) {
    return err(faultOf(dir, 'putting the backup in place', error));
  } finally {
    lock.value.release();
  }
}

/** Gives the old journal a second name and takes its -wal away, which must never meet another journal. */
function keepOld(file: string, now: number): string | undefined {
  const isWhole = foldWal(file);
  const kept = `${file}.${isWhole ? 'before-restore' : 'damaged'}-${stampOf(now)}`;
  for (const end of ['-wal', '-shm']) {
    const size = statSync(file + end, { throwIfNoEntry: false })?.size;
    if (size === undefined) continue;
    if (isWhole) rmSync(file + end, { force: true });
    else renameSync(file + end, kept + end);
  }
  if (!existsSync(file)) return undefined;
  try {
    linkSync(file, kept);
  } catch {
    // FAT and some network file systems have no second names.
    copyFileSync(file, kept);
    syncPath(kept);
  }
  return kept;
}

/** Brings the -wal of a sound journal into it, so that one file is all of it. @returns false if it is damaged or absent */
function foldWal(file: string): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  try {
    // Looked at without writing first: opened for writing, SQLite would throw away the -wal of a damaged journal.
    runOn(connect(file, 'read', LOCK_PATIENCE_MS), EVERY_ROW);
    runOn(connect(file, 'write', LOCK_PATIENCE_MS), 'PRAGMA wal_checkpoint(TRUNCATE)');
    return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  } catch {
    return false;
  }
}

/** Touches every page that holds a record or a value. */
const EVERY_ROW = 'SELECT max(length(body)) FROM records; SELECT count(origin) FROM records; SELECT * FROM meta;';

function runOn(db: Connection, sql: string): void {
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}
