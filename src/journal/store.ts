import { statSync } from 'node:fs';
import type { Cell, Connection } from './connection.js';
import { type Trouble, troubleOf } from './fault.js';
import type { Group, RecordRow, Refusal, WriteRows } from './messages.js';
import { selectRival } from './rows.js';

const INSERT_RECORD = `INSERT INTO records ("table", seq, at, clock, kind, origin, body)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

/** The first answer stands; only one that should be forgotten by now gives way. */
const INSERT_ANSWER = `INSERT INTO answers (caller, command, at, answer) VALUES (?, ?, ?, ?)
  ON CONFLICT (caller, command) DO UPDATE SET at = excluded.at, answer = excluded.answer
  WHERE answers.at < excluded.at - 86400000`;

const PUT_META = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value';

/** A write that collides with what is stored; it goes back to its caller, the group goes on. */
class Collision extends Error {}

/** The prepared statements of one connection. */
export class Store {
  readonly db: Connection;
  private readonly beforeCommit: () => void;
  private readonly statements = new Map<string, { run(values: readonly Cell[]): { changes: number } }>();

  /** @param beforeCommit called inside the transaction, just before its sync */
  constructor(db: Connection, beforeCommit: () => void) {
    this.db = db;
    this.beforeCommit = beforeCommit;
  }

  /** Raises the number of starts by one and gives it. */
  nextEpoch(): number {
    this.db.exec(`INSERT INTO meta (key, value) VALUES ('epoch', '1')
      ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`);
    return this.epoch();
  }

  /** The number of starts so far. */
  epoch(): number {
    const row = this.db.prepare(`SELECT value FROM meta WHERE key = 'epoch'`).raw().get() as [string] | undefined;
    return Number(row?.[0] ?? 0);
  }

  /**
   * Commits a group in one transaction with one sync.
   * @returns the writes that collide with stored records; throws what SQLite throws, and then nothing is stored
   */
  commit(group: Group): readonly Refusal[] {
    const refusals: Refusal[] = [];
    this.db.exec('BEGIN IMMEDIATE');
    try {
      for (const [index, write] of group.writes.entries()) {
        const why = this.put(write);
        if (why !== undefined) refusals.push({ write: index, why });
      }
      for (const [key, value] of group.meta) this.run(PUT_META, key, value);
      if (group.forgetBefore !== undefined) this.run('DELETE FROM answers WHERE at < ?', group.forgetBefore);
      this.beforeCommit();
      this.db.exec('COMMIT');
      return refusals;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Stores one write whole, or nothing of it and the reason. */
  private put(write: WriteRows): string | undefined {
    this.db.exec('SAVEPOINT one');
    try {
      for (const record of write.records) this.putRecord(record);
      for (const { caller, command, at, answer } of write.answers) this.run(INSERT_ANSWER, caller, command, at, answer);
      this.db.exec('RELEASE one');
      return undefined;
    } catch (error) {
      const why = error instanceof Collision ? error.message : contentFault(troubleOf(error));
      if (why === undefined) throw error;
      this.db.exec('ROLLBACK TO one; RELEASE one');
      return why;
    }
  }

  private putRecord(record: RecordRow): void {
    const { table, seq, at, clock, kind, origin, body } = record;
    const { changes } = this.run(INSERT_RECORD, table, seq, at, clock, kind, origin, body);
    if (changes === 1) return;
    const rival = selectRival(this.db, record);
    // The commit of an attempt whose answer was lost, or that failed after the disk had taken it, comes again.
    if (rival !== undefined && isSame(rival, record)) return;
    const taken =
      rival?.table === table && rival.seq === seq ? `number ${seq} of the table "${table}"` : `the origin "${origin}"`;
    throw new Collision(`${taken} is taken by another record (${rival?.table} ${rival?.seq}, ${rival?.kind})`);
  }

  private run(sql: string, ...values: readonly Cell[]): { changes: number } {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement.run(values);
  }

  private rollBack(): void {
    try {
      // SQLite has rolled back by itself after a full disk or an I/O error.
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
    } catch {
      // The connection is given up by the caller, with the trouble that led here.
    }
  }
}

function contentFault(trouble: Trouble): string | undefined {
  return trouble.cause === 'content' ? trouble.message : undefined;
}

function isSame(a: RecordRow, b: RecordRow): boolean {
  return (
    a.table === b.table &&
    a.seq === b.seq &&
    a.at === b.at &&
    a.clock === b.clock &&
    a.kind === b.kind &&
    a.origin === b.origin &&
    a.body === b.body
  );
}

/** Tells a file from another that took its name; undefined if there is none. */
export function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
