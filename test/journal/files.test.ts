import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'libsql';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { backup, restore } from '../../src/cli/backup.js';
import { backupJournal, inspectJournal } from '../../src/journal/backup.js';
import { JournalError } from '../../src/journal/fault.js';
import { lockDataDir } from '../../src/journal/lock.js';
import { openJournal } from '../../src/journal/open.js';
import { openJournalReader } from '../../src/journal/reader.js';
import { restoreJournal } from '../../src/journal/restore.js';
import { APPLICATION_ID, SCHEMA_VERSION } from '../../src/journal/schema.js';
import { child, ended, freshFolder, opened, removeFolders, roll, WORKER_URL } from './built.js';

afterAll(removeFolders);
afterEach(() => vi.restoreAllMocks());

const journalOf = (dir: string): string => join(dir, 'journal.db');

async function written(dir: string, ...seqs: readonly number[]): Promise<void> {
  const journal = await opened(dir);
  for (const seq of seqs) await journal.append({ records: [roll(seq)] });
  await journal.close();
}

function seqsIn(path: string): number[] {
  const reader = openJournalReader(path);
  if (!reader.ok) throw new Error(reader.error.message);
  const seqs = [...reader.value.records('tavolo')].map((record) => record.seq);
  reader.value.close();
  return seqs;
}

/** An SQLite file made by other hands. */
function foreignFile(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

const RECORDS_V0 = `CREATE TABLE records (id INTEGER PRIMARY KEY, "table" TEXT NOT NULL, seq INTEGER NOT NULL,
  at INTEGER NOT NULL, clock TEXT NOT NULL, kind TEXT NOT NULL, origin TEXT UNIQUE, body TEXT NOT NULL,
  UNIQUE ("table", seq)) STRICT;
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;`;

test.each<[string, (file: string) => void, string, string]>([
  ['0 bytes', (file) => writeFileSync(file, ''), 'damaged', 'empty (0 bytes)'],
  ['garbage', (file) => writeFileSync(file, 'garbage '.repeat(2000)), 'damaged', 'not a database'],
  ['JSON', (file) => writeFileSync(file, '{"tables":[]}'), 'damaged', 'not a database'],
  ['another program’s SQLite', (file) => foreignFile(file, 'CREATE TABLE people (name)'), 'foreign', 'not a journal'],
  [
    'our mark on a wrong shape',
    (file) => foreignFile(file, `PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE records (id, seq);`),
    'damaged',
    'the table "records" lacks table, at',
  ],
  [
    'a newer format',
    (file) =>
      foreignFile(file, `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION + 1};`),
    'newer',
    'written by a newer version',
  ],
])('a journal of %s is refused with a remedy and left as it is (F054)', async (_name, make, code, text) => {
  const dir = freshFolder();
  const file = journalOf(dir);
  make(file);
  const before = readFileSync(file);
  const result = await openJournal({ dir, workerUrl: WORKER_URL });
  if (result.ok) throw new Error('it was opened');
  expect(result.error).toMatchObject({ code, file });
  expect(result.error.message).toContain(file);
  expect(result.error.message).toContain(text);
  expect(result.error.message).toContain('Nothing was changed.');
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(openJournalReader(dir)).toMatchObject({ ok: false, error: { code } });
});

test('a page damaged in the middle is found at the start', async () => {
  const dir = freshFolder();
  await written(dir, ...Array.from({ length: 300 }, (_, n) => n + 1));
  const bytes = readFileSync(journalOf(dir));
  bytes.fill(0xff, 4096 * 4, 4096 * 8);
  writeFileSync(journalOf(dir), bytes);
  expect(await openJournal({ dir, workerUrl: WORKER_URL })).toMatchObject({ ok: false, error: { code: 'damaged' } });
  expect(readFileSync(journalOf(dir)).equals(bytes)).toBe(true);
});

test('a journal that lost its file but not its -wal is not begun anew; a start that was cut short is', async () => {
  const dir = freshFolder();
  writeFileSync(`${journalOf(dir)}-wal`, 'the last records');
  expect(await openJournal({ dir, workerUrl: WORKER_URL })).toMatchObject({ ok: false, error: { code: 'damaged' } });
  rmSync(`${journalOf(dir)}-wal`);
  writeFileSync(`${journalOf(dir)}.new`, '');
  await written(dir, 1);
  expect(seqsIn(dir)).toEqual([1]);
});

test('an older journal is copied, then brought to this version', async () => {
  const dir = freshFolder();
  const record = `INSERT INTO records VALUES (1, 'tavolo', 1, 5, 'trusted', 'roll', NULL, '{"n":1}');`;
  foreignFile(journalOf(dir), `PRAGMA application_id = ${APPLICATION_ID}; ${RECORDS_V0} ${record}`);
  expect(seqsIn(dir)).toEqual([1]);
  const clock = (): number => Date.UTC(2026, 0, 2, 3, 4, 5);
  const journal = await opened(dir, { clock });
  const answer = { caller: 'loopback', command: 'c1', at: clock(), answer: { ok: true } };
  await journal.append({ records: [roll(2)], answers: [answer] });
  expect(await journal.answers()).toEqual([answer]);
  await journal.close();
  const kept = `${journalOf(dir)}.before-v1-20260102T030405Z`;
  expect(seqsIn(kept)).toEqual([1]);
  const reader = openJournalReader(kept);
  expect(reader.ok && reader.value.version).toBe(0);
  const now = openJournalReader(dir);
  expect(now.ok && now.value.version).toBe(SCHEMA_VERSION);
  expect(seqsIn(dir)).toEqual([1, 2]);
});

test('a data folder that cannot be made or written is explained', async () => {
  const dir = freshFolder();
  writeFileSync(join(dir, 'file'), '');
  const result = await openJournal({ dir: join(dir, 'file', 'data'), workerUrl: WORKER_URL });
  expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining('ENOTDIR') } });
  expect(lockDataDir(join(dir, 'file'))).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('EEXIST') },
  });
  // Where nothing can be made: Node's own recursive mkdir goes round for ever there.
  if (process.platform === 'linux') expect(lockDataDir('/proc/tiro/data')).toMatchObject({ ok: false });
  expect(await openJournal({ dir, workerUrl: new URL('./none.js', WORKER_URL) })).toMatchObject({
    ok: false,
    error: { code: 'worker', message: expect.stringContaining('npm run build') },
  });
});

test('a backup during play holds everything acknowledged, and restores (F086)', async () => {
  const dir = freshFolder();
  const file = join(dir, 'evening.backup');
  const journal = await opened(dir);
  let seq = 0;
  let acknowledged = 0;
  let isPlaying = true;
  const play = (async () => {
    while (isPlaying) {
      const mine = ++seq;
      await journal.append({ records: [roll(mine)] });
      acknowledged = mine;
    }
  })();
  for (let n = 0; n < 5; n++) {
    while (acknowledged < (n + 1) * 50) await new Promise((resolve) => setTimeout(resolve, 1));
    const before = acknowledged;
    await journal.backup(file);
    const held = inspectJournal(file);
    if (!held.ok) throw new Error(held.error.message);
    expect(held.value.records).toBeGreaterThanOrEqual(before);
    expect(held.value.tables).toEqual(['tavolo']);
    expect(seqsIn(file)).toEqual(Array.from({ length: held.value.records }, (_, at) => at + 1));
  }
  const fromOutside = backupJournal(journalOf(dir), join(dir, 'outside.backup'));
  expect(fromOutside.ok && fromOutside.value.records).toBeGreaterThanOrEqual(250);
  isPlaying = false;
  await play;
  await journal.close();
  expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);

  const kept = seqsIn(file).length;
  const restored = restoreJournal(dir, file, () => Date.UTC(2026, 0, 2, 3, 4, 5));
  if (!restored.ok) throw new Error(restored.error.message);
  expect(restored.value.contents.records).toBe(kept);
  expect(restored.value.keptAs).toBe(`${journalOf(dir)}.before-restore-20260102T030405Z`);
  expect(seqsIn(restored.value.keptAs ?? '').length).toBe(seq);
  await written(dir, kept + 1);
  expect(seqsIn(dir).length).toBe(kept + 1);
});

test('a backup takes the place of an older backup and of nothing else', async () => {
  const dir = freshFolder();
  const file = join(dir, 'backup');
  const journal = await opened(dir);
  await journal.append({ records: [roll(1)] });
  await journal.backup(file);
  await journal.append({ records: [roll(2)] });
  await journal.backup(file);
  expect(seqsIn(file)).toEqual([1, 2]);
  writeFileSync(join(dir, 'letter.txt'), 'Cara Ada');
  await expect(journal.backup(join(dir, 'letter.txt'))).rejects.toThrow(JournalError);
  await expect(journal.backup(join(dir, 'letter.txt'))).rejects.toMatchObject({ code: 'exists' });
  await expect(journal.backup(journalOf(dir))).rejects.toThrow('the journal itself');
  await expect(journal.backup(join(dir, 'none', 'backup'))).rejects.toThrow('there is no folder');
  expect(readFileSync(join(dir, 'letter.txt'), 'utf8')).toBe('Cara Ada');
  await journal.append({ records: [roll(3)] });
  await journal.close();
  expect(seqsIn(dir)).toEqual([1, 2, 3]);
});

test('a copy of journal and -wal restores whole; a bad backup changes nothing; a damaged journal is kept aside', async () => {
  const dir = freshFolder();
  const copies = freshFolder();
  const journal = await opened(dir);
  for (const seq of [1, 2, 3]) await journal.append({ records: [roll(seq)] });
  for (const end of ['', '-wal']) copyFileSync(journalOf(dir) + end, join(copies, `copy.db${end}`));
  await journal.close();
  const bytes = readFileSync(journalOf(dir));

  writeFileSync(join(copies, 'bad'), 'garbage '.repeat(999));
  expect(restoreJournal(dir, join(copies, 'bad'))).toMatchObject({ ok: false, error: { code: 'damaged' } });
  expect(restoreJournal(dir, join(copies, 'none'))).toMatchObject({ ok: false, error: { code: 'missing' } });
  expect(readFileSync(journalOf(dir)).equals(bytes)).toBe(true);

  truncateSync(journalOf(dir), 5000);
  writeFileSync(`${journalOf(dir)}-wal`, 'of the damaged one');
  const restored = restoreJournal(dir, join(copies, 'copy.db'));
  if (!restored.ok) throw new Error(restored.error.message);
  expect(restored.value.keptAs).toMatch(/journal\.db\.damaged-\d{8}T\d{6}Z$/);
  expect(readFileSync(restored.value.keptAs ?? '').equals(bytes.subarray(0, 5000))).toBe(true);
  expect(readFileSync(`${restored.value.keptAs}-wal`, 'utf8')).toBe('of the damaged one');
  expect(existsSync(`${journalOf(dir)}-wal`)).toBe(false);
  expect(seqsIn(dir)).toEqual([1, 2, 3]);
  const fresh = join(freshFolder(), 'new', 'data');
  expect(restoreJournal(fresh, join(copies, 'copy.db'))).toMatchObject({
    ok: true,
    value: { contents: { records: 3 } },
  });
  expect(seqsIn(fresh)).toEqual([1, 2, 3]);
});

test('another process reads, pages and copies a live journal without holding up or changing it', async () => {
  const dir = freshFolder();
  const writer = child('writer.mjs', dir, '4000');
  if (writer.stdout === null) throw new Error('no output');
  const gone = ended(writer);
  let acknowledged = 0;
  createInterface(writer.stdout).on('line', (line) => {
    acknowledged = Number(line);
  });
  for (let n = 0; n < 8; n++) {
    const goal = acknowledged + 50;
    while (acknowledged < goal) await new Promise((resolve) => setTimeout(resolve, 2));
    const before = acknowledged;
    const seqs = seqsIn(dir);
    expect(seqs.length).toBeGreaterThanOrEqual(before);
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, at) => at + 1));
  }
  writer.kill('SIGKILL');
  await gone;
  const before = readFileSync(journalOf(dir));
  const wal = readFileSync(`${journalOf(dir)}-wal`);
  expect(seqsIn(dir).length).toBeGreaterThanOrEqual(acknowledged);
  const reader = openJournalReader(dir);
  if (!reader.ok) throw new Error(reader.error.message);
  expect(reader.value.getMeta('epoch')).toBe(1);
  expect(reader.value.newestAt()).toBeGreaterThan(1_700_000_000_000);
  reader.value.close();
  expect(readFileSync(journalOf(dir)).equals(before)).toBe(true);
  expect(readFileSync(`${journalOf(dir)}-wal`).equals(wal)).toBe(true);
});

test('one daemon a data folder: the second is told who is there, and SIGKILL frees it', async () => {
  const dir = join(freshFolder(), 'data');
  const first = child('lock.mjs', dir);
  if (first.stdout === null) throw new Error('no output');
  const gone = ended(first);
  expect(String(await once(first.stdout, 'data'))).toBe('locked\n');
  const second = lockDataDir(dir);
  if (second.ok) throw new Error('locked twice');
  expect(second.error).toMatchObject({ code: 'held', holder: { pid: first.pid } });
  expect(second.error.message).toContain(`process ${first.pid}, since 20`);
  writeFileSync(join(dir, 'lock.json'), '{"pid":');
  expect(lockDataDir(dir)).toMatchObject({ ok: false, error: { message: expect.stringContaining('another process') } });
  first.kill('SIGKILL');
  await gone;
  const third = lockDataDir(dir);
  if (!third.ok) throw new Error(third.error.message);
  expect(lockDataDir(dir)).toMatchObject({ ok: false, error: { code: 'held', holder: { pid: process.pid } } });
  third.value.release();
  third.value.release();
  const fourth = lockDataDir(dir);
  expect(fourth.ok).toBe(true);
  if (fourth.ok) fourth.value.release();
});

test('the commands backup and restore say what they did, or what to do, and end with 0, 1 or 3', async () => {
  const data = freshFolder();
  const file = join(data, 'a.backup');
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const error = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const lastOf = (spy: typeof out): string => String(spy.mock.calls.at(-1)?.[0]);

  expect(backup({ data, file })).toBe(1);
  expect(lastOf(error)).toBe(`No backup was made. ${journalOf(data)}: there is no such file. Check the path.\n`);
  await written(data, 1, 2);
  expect(backup({ data, file })).toBe(0);
  expect(lastOf(out)).toBe(
    `Backup written and checked: ${file}\nIt holds 2 records of the table tavolo, the latest of 2025-11-24T16:00:00.002Z.\n`,
  );
  const lock = lockDataDir(data);
  expect(restore({ data, file })).toBe(3);
  expect(lastOf(error)).toContain('Nothing was restored.');
  if (lock.ok) lock.value.release();
  expect(restore({ data, file })).toBe(0);
  expect(lastOf(out)).toMatch(
    /^Restored and checked: .*\nIt holds 2 records .*\nThe journal it replaces is kept as .*\n$/,
  );
  mkdirSync(join(data, 'folder'));
  expect(restore({ data, file: join(data, 'folder') })).toBe(1);
});
