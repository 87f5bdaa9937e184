import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, Daemon, freshFolder, tiro } from './daemon.js';

afterAll(cleanUp);

const MB = 1024 * 1024;
const BOX = '/api/v1/tables/prova/box';

test('F148 a packed, a deeply nested and an endless import are refused at a stated limit; memory stays, rolls go on', async () => {
  const daemon = await Daemon.start();
  await daemon.command('prova', 'game', { game: 'dicebound' });
  const first = await daemon.post(BOX, { text: '{"format":"tiro-dicebound-box","version":1}', dry: true });
  expect(first.text).toContain('entries');
  const before = await daemon.metric('tiro_process_resident_memory_bytes');
  const deep = (times: number): string => `{"format":"tiro-dicebound-box","version":1,"tiles":${'{"a":'.repeat(times)}`;
  const events = JSON.stringify({ text: `[${'{"n":1},'.repeat(5_000_000)}{}]` });
  const packed = gzipSync(Buffer.alloc(10 * MB));

  const zipped = await fetch(daemon.url + BOX, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: packed,
  });
  expect(zipped.status).toBe(415);
  expect(await zipped.text()).toContain('not compressed');
  // A server that answers before it has read all may cut the line; either way nothing of it is taken.
  const giant = await daemon.request('POST', BOX, events).catch(() => null);
  if (giant !== null) expect(giant).toMatchObject({ status: 413, json: { error: { code: 'too_large' } } });
  const outer = await daemon.request('POST', BOX, '['.repeat(900_000));
  expect(outer).toMatchObject({ status: 400, json: { error: { code: 'json_invalid' } } });
  expect(outer.text).toMatch(/deeper than \d+/);
  const inner = await daemon.post(BOX, { text: deep(90_000) });
  expect(inner).toMatchObject({ status: 422, json: { faults: [{ line: 1, reason: expect.stringMatching(/deep/) }] } });

  expect((await daemon.metric('tiro_process_resident_memory_bytes')) - before).toBeLessThan(100 * MB);
  const rolled = await daemon.fake('fake-godice-d20', 'roll', { natural: 17 });
  expect(rolled.status).toBe(200);
  expect(rolled.json.roll).toEqual(expect.any(String));
});

test('F148 the command line reads no box beyond the same limits', async () => {
  const folder = freshFolder();
  for (const [name, text] of [
    ['deep', `${'['.repeat(500_000)}`],
    ['giant', ' '.repeat(2 * MB)],
  ] as const) {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    const { code, err } = await tiro(['box', 'check', file]);
    expect([name, code]).toEqual([name, 2]);
    expect(err).toMatch(/oltre \d+ livelli|grande di \d+ byte/);
  }
});
