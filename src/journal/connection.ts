import { pathToFileURL } from 'node:url';
import Database from 'libsql';

/** One open SQLite file. */
export type Connection = Database.Database;

/** A cell as SQLite hands it over. */
export type Cell = string | number | null | bigint | Uint8Array;

/** `create` makes the file; the others never do, so a file that vanished is noticed instead of begun anew. */
export type OpenMode = 'read' | 'write' | 'create' | 'frozen';

const QUERY: Readonly<Record<OpenMode, string>> = {
  read: 'mode=ro',
  write: 'mode=rw',
  create: 'mode=rwc',
  frozen: 'mode=ro&immutable=1',
};

/** Opens a file. @param patienceMs how long a statement waits for a lock of another process. Throws if it cannot. */
export function connect(file: string, mode: OpenMode, patienceMs: number): Connection {
  return new Database(`${pathToFileURL(file).href}?${QUERY[mode]}`, { timeout: patienceMs });
}

/** All rows of a query as arrays of cells. */
export function rowsOf(db: Connection, sql: string, ...values: readonly Cell[]): Cell[][] {
  // libsql takes one array as the list of parameters; raw rows carry no metadata object.
  return db.prepare(sql).raw().all(values) as Cell[][];
}
