import { afterAll, expect, test } from 'vitest';
import { RefusedWrite } from '../../src/journal/fault.js';
import { type JournalRecord, MAX_BODY_CHARACTERS } from '../../src/journal/journal.js';
import { freshFolder, opened, removeFolders, roll, watchLoop } from './built.js';

afterAll(removeFolders);

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

test('records come back as they were written, table by table, after a restart too', async () => {
  const dir = freshFolder();
  const first = await opened(dir);
  const strange: JournalRecord = roll(1, {
    table: 'due',
    clock: 'untrusted',
    kind: '__proto__',
    origin: 'constructor',
    body: { ['__proto__']: [1, null, 'è'], toString: true },
  });
  await first.append({ records: [roll(1), roll(2)] });
  await Promise.all([first.append({ records: [roll(3)] }), first.append({ records: [strange] })]);
  expect(first.waiting()).toBe(0);
  expect(await first.close()).toBe(0);

  const second = await opened(dir);
  expect(await second.tables()).toEqual(['due', 'tavolo']);
  expect(await second.read('tavolo', 0, 10)).toEqual([roll(1), roll(2), roll(3)]);
  expect(await second.read('tavolo', 1, 1)).toEqual([roll(2)]);
  expect(await second.read('due', 0, 10)).toEqual([strange]);
  expect(await second.read('nessuno', 0, 10)).toEqual([]);
  await second.close();
});

test('the epoch grows by one at every start', async () => {
  const dir = freshFolder();
  for (const epoch of [1, 2, 3]) {
    const journal = await opened(dir);
    expect(journal.epoch).toBe(epoch);
    await expect(journal.setMeta('epoch', 9)).rejects.toThrow(RefusedWrite);
    await journal.close();
  }
});

test('pages of a long table are complete and in order', async () => {
  const journal = await opened(freshFolder());
  await journal.append({ records: numbers(1, 2500).map((seq) => roll(seq)) });
  expect((await journal.read('tavolo', 0, 10_000)).map((record) => record.seq)).toEqual(numbers(1, 2500));
  expect((await journal.read('tavolo', 100, 1500)).map((record) => record.seq)).toEqual(numbers(101, 1600));
  await journal.close();
});

test('an origin that comes again is refused after a restart, and the other writes of the group are stored', async () => {
  const dir = freshFolder();
  const first = await opened(dir);
  const written = first.append({ records: [roll(1, { origin: 'gd-1:7:41' })] });
  expect(await first.hasOrigin('gd-1:7:41')).toBe(true);
  await written;
  await first.close();

  const second = await opened(dir);
  expect(await second.hasOrigin('gd-1:7:41')).toBe(true);
  expect(await second.hasOrigin('gd-1:7:42')).toBe(false);
  const outcomes = await Promise.allSettled([
    second.append({ records: [roll(2)] }),
    second.append({ records: [roll(3), roll(4, { origin: 'gd-1:7:41' })] }),
    second.append({ records: [roll(3, { origin: 'gd-1:7:42' })] }),
    second.append({ records: [roll(3, { kind: 'other' })] }),
    second.append({ records: [roll(4, { origin: 'gd-1:7:43' })] }),
  ]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  await expect(second.append({ records: [roll(9, { origin: 'gd-1:7:41' })] })).rejects.toThrow(
    'the origin "gd-1:7:41" is taken by another record (tavolo 1, roll)',
  );
  await expect(second.append({ records: [roll(2, { kind: 'other' })] })).rejects.toThrow(
    'number 2 of the table "tavolo" is taken',
  );
  expect(second.state()).toEqual({ state: 'writing' });
  expect((await second.read('tavolo', 0, 10)).map((record) => record.origin)).toEqual([
    'gd-1:7:41',
    undefined,
    'gd-1:7:42',
    'gd-1:7:43',
  ]);
  expect(await second.recentOrigins(2)).toEqual(['gd-1:7:43', 'gd-1:7:42']);
  await second.close();
});

test('the same record again counts as written and is stored once', async () => {
  const journal = await opened(freshFolder());
  const record = roll(1, { origin: 'tray:1:1' });
  await Promise.all([journal.append({ records: [record] }), journal.append({ records: [record] })]);
  await journal.append({ records: [record] });
  expect(await journal.read('tavolo', 0, 10)).toEqual([record]);
  await journal.close();
});

test('what breaks a limit is refused at the door', async () => {
  const journal = await opened(freshFolder());
  const bad = [
    roll(0),
    roll(1.5),
    roll(1, { table: 'No Such' }),
    roll(1, { at: 0.5 }),
    roll(1, { kind: '' }),
    roll(1, { origin: '' }),
    roll(1, { body: { text: 'x'.repeat(MAX_BODY_CHARACTERS) } }),
  ];
  for (const record of bad) await expect(journal.append({ records: [record] })).rejects.toThrow(RefusedWrite);
  expect(journal.waiting()).toBe(0);
  await journal.close();
  await expect(journal.append({ records: [roll(1)] })).rejects.toThrow('closed');
});

test('answers are given again for 24 hours and forgotten later; the first answer stands', async () => {
  const dir = freshFolder();
  const day = 24 * 3600 * 1000;
  let now = 1_764_000_000_000;
  const first = await opened(dir, { clock: () => now });
  const answer = (command: string, seq: number) => ({ caller: 'loopback', command, at: now, answer: { ack: seq } });
  await first.append({ records: [roll(1)], answers: [answer('c1', 1)] });
  await first.append({ records: [roll(2)], answers: [answer('c1', 2), answer('__proto__', 2)] });
  expect((await first.answers()).map(({ command, answer: { ack } }) => [command, ack]).sort()).toEqual([
    ['__proto__', 2],
    ['c1', 1],
  ]);
  now += day + 1;
  expect(await first.answers()).toEqual([]);
  await first.append({ records: [roll(3)], answers: [answer('c1', 3)] });
  await first.close();
  now -= day;
  const second = await opened(dir, { clock: () => now });
  expect((await second.answers()).map(({ command, answer: { ack } }) => [command, ack])).toEqual([['c1', 3]]);
  await second.close();
});

test('meta values are read as last set, queued or stored', async () => {
  const dir = freshFolder();
  const first = await opened(dir);
  const [one, two] = [first.setMeta('cursor', 1), first.setMeta('cursor', { n: 2 })];
  expect(await first.getMeta('cursor')).toEqual({ n: 2 });
  await Promise.all([one, two]);
  await first.setMeta('__proto__', null);
  await first.close();
  const second = await opened(dir);
  expect(await second.getMeta('cursor')).toEqual({ n: 2 });
  expect(await second.getMeta('__proto__')).toBeNull();
  expect(await second.getMeta('constructor')).toBeUndefined();
  await second.close();
});

test('the newest time tells a clock that went back, and one wrong date does not lead for ever (F048)', async () => {
  const journal = await opened(freshFolder());
  expect(await journal.newestAt()).toBeUndefined();
  await journal.append({ records: [roll(1, { at: 2_000 }), roll(2, { at: 9_000 }), roll(3, { at: 1_000 })] });
  expect(await journal.newestAt()).toBe(9_000);
  for (let from = 4; from < 10_004; from += 1000) {
    await journal.append({ records: numbers(from, from + 999).map((seq) => roll(seq, { at: 5_000 })) });
  }
  expect(await journal.newestAt()).toBe(5_000);
  await journal.close();
});

test('queued writes share one sync, are acknowledged in order, and an idle write is immediate', async () => {
  const journal = await opened(freshFolder(), { tuning: { syncDelayMs: 50 } });
  const order: number[] = [];
  const start = performance.now();
  const writes = numbers(1, 400).map((seq) => journal.append({ records: [roll(seq)] }).then(() => order.push(seq)));
  expect(journal.waiting()).toBe(400);
  await Promise.all(writes);
  // One sync each would take 20 s.
  expect(performance.now() - start).toBeLessThan(2000);
  expect(order).toEqual(numbers(1, 400));
  await journal.close();

  const idle = await opened(freshFolder());
  const times: number[] = [];
  for (const seq of numbers(1, 41)) {
    const begun = performance.now();
    await idle.append({ records: [roll(seq)] });
    times.push(performance.now() - begun);
  }
  expect(times.sort((a, b) => a - b)[20]).toBeLessThan(25);
  await idle.close();
});

test.each([20, 100])('a disk that takes %i ms more for a sync does not hold up the event loop', async (syncDelayMs) => {
  const journal = await opened(freshFolder(), { tuning: { syncDelayMs } });
  const delays = watchLoop();
  const writes: Promise<void>[] = [];
  for (const seq of numbers(1, 60)) {
    writes.push(journal.append({ records: [roll(seq)] }));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(writes);
  const sorted = delays();
  expect(sorted.length).toBeGreaterThan(50);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(20);
  expect(sorted[Math.floor(sorted.length / 20)]).toBeLessThan(syncDelayMs);
  await journal.close();
});
