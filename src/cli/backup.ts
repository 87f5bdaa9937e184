import { resolve } from 'node:path';
import { backupJournal, type JournalContents } from '../journal/backup.js';
import type { JournalFault } from '../journal/fault.js';
import { restoreJournal } from '../journal/restore.js';
import { JOURNAL_FILE } from '../journal/schema.js';

/** Arguments of `tiro backup` and `tiro restore`. */
export interface BackupArguments {
  /** The data folder. */
  readonly data: string;
  /** The backup. */
  readonly file: string;
}

/** Exit codes: a data folder in use by a daemon is 3 everywhere (contracts G). */
const DONE = 0;
const FAILED = 1;
const IN_USE = 3;

/**
 * `tiro backup FILE`: a verified copy of the journal, complete to the last acknowledged record, also while a daemon plays.
 * @returns 0, or 1 with the reason on standard error
 */
export function backup({ data, file }: BackupArguments): number {
  const target = resolve(file);
  const done = backupJournal(resolve(data, JOURNAL_FILE), target);
  if (!done.ok) return failed('No backup was made', done.error);
  process.stdout.write(`Backup written and checked: ${target}\n${contentsText(done.value)}\n`);
  return DONE;
}

/**
 * `tiro restore FILE`: verifies a backup and puts it in the place of the journal; the old one is kept beside it.
 * @returns 0; 1 with the reason on standard error; 3 while a daemon runs on the data folder
 */
export function restore({ data, file }: BackupArguments): number {
  const done = restoreJournal(resolve(data), resolve(file));
  if (!done.ok) return failed('Nothing was restored', done.error);
  const { contents, keptAs } = done.value;
  const kept = keptAs === undefined ? 'There was no journal before.' : `The journal it replaces is kept as ${keptAs}`;
  process.stdout.write(`Restored and checked: ${resolve(data, JOURNAL_FILE)}\n${contentsText(contents)}\n${kept}\n`);
  return DONE;
}

function failed(what: string, fault: JournalFault): number {
  process.stderr.write(`${what}. ${fault.message}\n`);
  return fault.code === 'held' ? IN_USE : FAILED;
}

function contentsText({ records, tables, newestAt }: JournalContents): string {
  if (records === 0) return 'It holds no records yet.';
  const last = newestAt === undefined ? '' : `, the latest of ${new Date(newestAt).toISOString()}`;
  const lines = records === 1 ? '1 record' : `${records} records`;
  return `It holds ${lines} of ${tables.length === 1 ? 'the table' : 'the tables'} ${tables.join(', ')}${last}.`;
}
