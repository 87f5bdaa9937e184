/** Why a journal, a backup or a data folder cannot be used. `message` says what, where and what to do. */
export interface JournalFault {
  readonly code: JournalFaultCode;
  readonly file: string;
  readonly message: string;
}

export type JournalFaultCode =
  | 'held'
  | 'no-permission'
  | 'no-space'
  | 'missing'
  | 'exists'
  | 'damaged'
  | 'foreign'
  | 'newer'
  | 'io'
  | 'worker';

/** What kept SQLite from working, as far as it decides what happens next; `content` is a fault of what was written. */
export type TroubleCause = 'busy' | 'full' | 'permission' | 'damaged' | 'io' | 'moved' | 'worker' | 'content';

/** A failed attempt of the worker: the queue keeps the group and tries again, unless the cause is `content`. */
export interface Trouble {
  readonly cause: TroubleCause;
  readonly message: string;
}

/** Primary result codes of SQLite (sqlite.org/rescode.html); the extended ones carry them in the low byte. */
const CAUSE_OF_RESULT: ReadonlyMap<number, TroubleCause> = new Map<number, TroubleCause>([
  [3, 'permission'],
  [5, 'busy'],
  [6, 'busy'],
  [7, 'io'],
  [8, 'permission'],
  [10, 'io'],
  [11, 'damaged'],
  [13, 'full'],
  [14, 'io'],
  [15, 'busy'],
  [18, 'content'],
  [19, 'content'],
  [20, 'content'],
  [26, 'damaged'],
]);

const CAUSE_OF_ERRNO: ReadonlyMap<string, TroubleCause> = new Map<string, TroubleCause>([
  ['EACCES', 'permission'],
  ['EPERM', 'permission'],
  ['EROFS', 'permission'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EFBIG', 'full'],
]);

/** Sorts an exception of libsql or of the file system by its cause. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Error)) return { cause: 'io', message: String(error) };
  const rawCode = 'rawCode' in error && typeof error.rawCode === 'number' ? error.rawCode : undefined;
  // A failed open carries its result code only in the text: `… local database FILE: 14`.
  const opening = /^ConnectionFailed\(.*: (\d{1,5})"?\)$/.exec(error.message)?.[1];
  const result = rawCode ?? (opening === undefined ? undefined : Number(opening));
  if (result !== undefined) return { cause: CAUSE_OF_RESULT.get(result & 0xff) ?? 'io', message: error.message };
  const errno = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { cause: CAUSE_OF_ERRNO.get(errno) ?? 'io', message: error.message };
}

const CODE_OF_CAUSE: Readonly<Record<TroubleCause, JournalFaultCode>> = {
  busy: 'held',
  full: 'no-space',
  permission: 'no-permission',
  damaged: 'damaged',
  io: 'io',
  moved: 'missing',
  worker: 'worker',
  content: 'io',
};

const REMEDY: Readonly<Record<JournalFaultCode, string>> = {
  held: 'Another program holds it: close that program and try again.',
  'no-permission': 'Give the user that runs this program the right to read and write there, or choose another folder.',
  'no-space': 'Free some space on that disk and try again.',
  missing: 'Check the path.',
  exists: 'Choose another name: this file is not one of our journals and is left as it is.',
  damaged:
    'Nothing was changed. Put a backup in its place with `tiro restore FILE` (the damaged file is kept beside it), or move it away to begin an empty chronicle.',
  foreign: 'Nothing was changed. Move that file away, or choose another data folder.',
  newer: 'Nothing was changed. Install the newer version again, or restore a backup made by this one.',
  io: 'Check the disk and the path, then try again.',
  worker: 'Build the program again (npm run build); if it stays, report it.',
};

/** A fault with its remedy. `what` is a clause without a full stop. */
export function fault(code: JournalFaultCode, file: string, what: string): JournalFault {
  return { code, file, message: `${file}: ${what}. ${REMEDY[code]}` };
}

/** The fault that an exception amounts to. */
export function faultOf(file: string, doing: string, error: unknown): JournalFault {
  const trouble = troubleOf(error);
  return fault(CODE_OF_CAUSE[trouble.cause], file, `${doing} failed (${trouble.message})`);
}

/** Thrown by a journal that is already open when the disk or the worker fails a read, a backup or a single write. */
export class JournalError extends Error {
  readonly code: JournalFaultCode;
  constructor(of: JournalFault) {
    super(of.message);
    this.name = 'JournalError';
    this.code = of.code;
  }
}

/**
 * Rejects one `append`: another record already has this (table, seq) or this origin, or the record breaks a limit. A
 * programming fault of the caller: nothing of that write is stored, every other write of the group is.
 */
export class RefusedWrite extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'RefusedWrite';
  }
}
