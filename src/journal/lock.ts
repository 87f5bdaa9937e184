import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../dice/result.js';
import { connect } from './connection.js';
import { fault, faultOf, type JournalFault, troubleOf } from './fault.js';
import { makeFolder } from './folder.js';

/** Held through SQLite for the kernel's lock on it; it never holds anything. */
const LOCK_FILE = 'lock.db';

/** Says who holds the lock, for people; the lock itself does not depend on it. */
const HOLDER_FILE = 'lock.json';

/** Two starts in the same moment: the later one waits this long before it gives up. */
const PATIENCE_MS = 100;

/** The data folder is ours until `release`, or until the process ends in whatever way. */
export interface DataDirLock {
  release(): void;
}

/** Who holds a data folder, as far as it can be told. */
export interface LockHolder {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface LockFault extends JournalFault {
  readonly holder?: LockHolder;
}

/**
 * Takes a data folder for this process, making it if needed. The lock is the kernel's: it ends with the process, also by
 * SIGKILL or a power cut, and no stale file is ever in the way.
 * @returns the lock, or a fault: `held` (with the holder if it can be told), `no-permission`, `no-space`, `io`
 */
export function lockDataDir(dir: string, clock: () => number = Date.now): Result<DataDirLock, LockFault> {
  try {
    makeFolder(dir);
  } catch (error) {
    return err(faultOf(dir, 'making the data folder', error));
  }
  const file = join(dir, LOCK_FILE);
  const holderFile = join(dir, HOLDER_FILE);
  let db: ReturnType<typeof connect>;
  try {
    db = connect(file, 'create', PATIENCE_MS);
  } catch (error) {
    return err(unusable(dir, file, error));
  }
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    return err(troubleOf(error).cause === 'busy' ? heldBy(dir, holderOf(holderFile)) : unusable(dir, file, error));
  }
  try {
    writeFileSync(holderFile, JSON.stringify({ pid: process.pid, since: clock() }), { mode: 0o600 });
  } catch (error) {
    db.close();
    return err(faultOf(dir, 'writing in the data folder', error));
  }
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    rmSync(holderFile, { force: true });
    db.exec('ROLLBACK');
    db.close();
  };
  return ok({ release });
}

function unusable(dir: string, file: string, error: unknown): JournalFault {
  const { cause, message } = troubleOf(error);
  if (cause === 'damaged') return fault('foreign', file, 'this is not our lock file');
  // SQLite says "unable to open" for a folder without rights: ask the file system for the true reason.
  try {
    const probe = join(dir, `.probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe, { force: true });
  } catch (reason) {
    return faultOf(dir, 'writing in the data folder', reason);
  }
  return fault(cause === 'full' ? 'no-space' : 'io', file, `locking the data folder failed (${message})`);
}

function heldBy(dir: string, holder: LockHolder | undefined): LockFault {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}, since ${isoOf(holder.since)}`;
  const message = `${dir}: this data folder is in use by ${who}. Stop it first, or choose another folder with --data.`;
  return holder === undefined ? { code: 'held', file: dir, message } : { code: 'held', file: dir, message, holder };
}

function isoOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toISOString();
}

function holderOf(file: string): LockHolder | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof found !== 'object' || found === null || !('pid' in found) || !('since' in found)) return undefined;
    const { pid, since } = found;
    return typeof pid === 'number' && typeof since === 'number' ? { pid, since } : undefined;
  } catch {
    return undefined;
  }
}
