import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { child, ended, freshFolder, opened, removeFolders, roll } from './built.js';
import { killSeries } from './killing.js';

afterAll(removeFolders);

test('SIGKILL in full flow, 12 times, also in checkpoints: nothing acknowledged is lost', {
  timeout: 60_000,
}, async () => {
  const written = await Promise.all([killSeries(6), killSeries(6)]);
  expect(Math.min(...written)).toBeGreaterThan(300);
});

/** Damage to the last, unacknowledged part of a -wal. */
const TAILS: readonly [name: string, spoil: (wal: Buffer, acknowledged: number) => Buffer][] = [
  ['cut in a frame header', (wal, end) => wal.subarray(0, end + 10)],
  ['cut in a page', (wal, end) => wal.subarray(0, end + 24 + 2000)],
  ['cut before its last byte', (wal) => wal.subarray(0, wal.length - 1)],
  ['zeroed', (wal, end) => Buffer.concat([wal.subarray(0, end), Buffer.alloc(wal.length - end)])],
  ['garbled', (wal, end) => Buffer.concat([wal.subarray(0, end), Buffer.alloc(wal.length - end, 0xa5)])],
  ['with one bit turned', (wal, end) => Buffer.from(wal.map((byte, at) => (at === end + 300 ? byte ^ 4 : byte)))],
  ['followed by rubbish', (wal) => Buffer.concat([wal, Buffer.from('rubbish'.repeat(999))])],
];

test('a torn tail of the -wal: all acknowledged is there, and so are the next three rolls (F016, F083)', async () => {
  const dir = freshFolder();
  const writer = child('one-more.mjs', dir);
  if (writer.stdout === null) throw new Error('no output');
  const gone = ended(writer);
  const sizes = await new Promise<{ before: number; after: number }>((resolve) => {
    writer.stdout?.once('data', (text: Buffer) => resolve(JSON.parse(text.toString())));
  });
  writer.kill('SIGKILL');
  await gone;
  const wal = readFileSync(join(dir, 'journal.db-wal'));
  expect(wal.length).toBe(sizes.after);
  expect(sizes.after).toBeGreaterThan(sizes.before);

  for (const [name, spoil] of TAILS) {
    const torn = join(dir, name.replaceAll(' ', '-'));
    mkdirSync(torn);
    copyFileSync(join(dir, 'journal.db'), join(torn, 'journal.db'));
    writeFileSync(join(torn, 'journal.db-wal'), spoil(wal, sizes.before));
    const first = await opened(torn);
    const found = (await first.read('tavolo', 0, 100)).map((record) => record.seq);
    const isWhole = name === 'followed by rubbish';
    expect(found, name).toEqual(Array.from({ length: isWhole ? 21 : 20 }, (_, n) => n + 1));
    const next = found.length;
    for (const seq of [next + 1, next + 2, next + 3]) await first.append({ records: [roll(seq)] });
    await first.close();
    expect(statSync(join(torn, 'journal.db')).size).toBeGreaterThan(0);
    const second = await opened(torn);
    expect((await second.read('tavolo', 0, 100)).length, name).toBe(next + 3);
    await second.close();
  }
});
