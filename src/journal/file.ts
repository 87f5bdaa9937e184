import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { err, ok, type Result } from '../dice/result.js';
import { type Connection, connect, rowsOf } from './connection.js';
import { fault, faultOf, type JournalFault, troubleOf } from './fault.js';
import { laySchema, migrate, SCHEMA_VERSION, versionOf } from './schema.js';

/** Journals up to this size are checked page by page at every start; larger ones are checked as they are read. */
const CHECKED_BYTES = 64 * 1024 * 1024;

/** How long a statement waits for another process before the attempt is given up and repeated later. */
export const LOCK_PATIENCE_MS = 250;

/** Forces a file, or the names in a folder, onto the disk. */
export function syncPath(path: string): void {
  // Windows cannot open a folder; its file system journals renames by itself.
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  const handle = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** UTC time as part of a file name. */
export function stampOf(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/**
 * Opens an existing journal for reading and checks that it is one. Nothing is written, no writer is held up.
 * @param checkedBytes files up to this size are checked whole
 */
export function openForReading(
  file: string,
  checkedBytes: number,
): Result<{ readonly db: Connection; readonly version: number }, JournalFault> {
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined) return err(fault('missing', file, 'there is no such file'));
    if (size === 0) return err(fault('damaged', file, 'the file is empty (0 bytes)'));
    const db = connectForReading(file);
    const version = versionOf(db, file);
    if (!version.ok) {
      db.close();
      return version;
    }
    if (size <= checkedBytes) {
      const first = rowsOf(db, 'PRAGMA quick_check(1)')[0]?.[0];
      if (first !== 'ok') {
        db.close();
        return err(fault('damaged', file, `SQLite reports: ${String(first)}`));
      }
    }
    return ok({ db, version: version.value });
  } catch (error) {
    return err(faultOf(file, 'reading it', error));
  }
}

function connectForReading(file: string): Connection {
  const db = connect(file, 'read', LOCK_PATIENCE_MS);
  try {
    db.exec('SELECT 1 FROM sqlite_master');
    return db;
  } catch (error) {
    db.close();
    // A journal on a read-only medium: no -shm can be made, and none is needed if there is no -wal.
    if (troubleOf(error).cause === 'damaged' || existsSync(`${file}-wal`)) throw error;
    return connect(file, 'frozen', LOCK_PATIENCE_MS);
  }
}

/**
 * Opens the journal for writing: makes it if there is none, keeps a copy and migrates it if it is older, refuses it
 * untouched if it is newer, damaged or not ours. Damage never becomes an empty journal (F054).
 * @param now milliseconds since 1970, for the name of the copy kept before a migration
 */
export function openForWriting(file: string, now: number, checkpointPages: number): Result<Connection, JournalFault> {
  try {
    if (!existsSync(file)) {
      const wal = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (wal > 0)
        return err(fault('damaged', file, 'it is gone, but its last records are still in the -wal beside it'));
      createJournal(file);
    }
    const checked = openForReading(file, CHECKED_BYTES);
    if (!checked.ok) return checked;
    const { db: reader, version } = checked.value;
    if (version < SCHEMA_VERSION) {
      const kept = `${file}.before-v${SCHEMA_VERSION}-${stampOf(now)}`;
      const copied = copyJournal(reader, file, kept);
      if (!copied.ok) return copied;
    }
    reader.close();
    const db = connectForWriting(file, checkpointPages);
    if (version < SCHEMA_VERSION) migrate(db, version);
    return ok(db);
  } catch (error) {
    return err(faultOf(file, 'opening it', error));
  }
}

/**
 * A connection as the worker keeps it: every commit is synced.
 * @param checkpointPages SQLite makes a checkpoint by itself only when the -wal has grown to this many pages
 */
export function connectForWriting(file: string, checkpointPages: number): Connection {
  const db = connect(file, 'write', LOCK_PATIENCE_MS);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304;');
  db.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  return db;
}

/** Made under another name first: a journal of 0 bytes is then always damage, never a start that was cut short. */
function createJournal(file: string): void {
  const fresh = `${file}.new`;
  for (const name of [fresh, `${fresh}-wal`, `${fresh}-shm`, `${fresh}-journal`]) rmSync(name, { force: true });
  const db = connect(fresh, 'create', LOCK_PATIENCE_MS);
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    laySchema(db);
  } finally {
    db.close();
  }
  syncPath(fresh);
  // Stale shared memory without a journal belongs to nothing.
  for (const name of [`${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  renameSync(fresh, file);
  syncPath(dirname(file));
}

/**
 * Copies an open journal, with all that is committed, into one file without -wal.
 * @param target replaced atomically; the caller has checked that it may be
 */
export function copyJournal(db: Connection, file: string, target: string): Result<void, JournalFault> {
  const draft = `${target}.${process.pid}.tmp`;
  try {
    const folder = dirname(target);
    if (!existsSync(folder)) return err(fault('missing', target, `there is no folder ${folder}`));
    rmSync(draft, { force: true });
    db.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
    syncPath(draft);
    renameSync(draft, target);
    syncPath(folder);
    return ok(undefined);
  } catch (error) {
    rmSync(draft, { force: true });
    return err(faultOf(target, `copying ${file} there`, error));
  }
}
