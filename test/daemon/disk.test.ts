import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openJournalReader } from '../../src/journal/reader.js';
import { cleanUp, Daemon, freshFolder, sleep, until } from './daemon.js';
import { Ear, type Message } from './ears.js';

afterAll(cleanUp);

/** Writes until nothing more fits. */
function fill(file: string): void {
  for (let part = 0; part < 64; part++) {
    try {
      writeFileSync(`${file}${part}`, Buffer.alloc(32 * 1024));
    } catch {
      return;
    }
  }
}

test('the disk fills up in play: play goes on and says so everywhere, and all is written when there is room (F082)', async () => {
  const data = freshFolder();
  const mount = 'mount -t tmpfs -o size=1500k tiny "$0" && exec "$@"';
  const daemon = await Daemon.start({
    data,
    mqtt: 'off',
    command: ['unshare', '-rm', 'sh', '-c', mount, data, process.execPath],
  });
  const inside = `/proc/${daemon.pid}/root${data}`;
  const ear = await Ear.at(daemon, 'table=prova');
  const rolls: Message[] = [];
  const roll = async (): Promise<Message> => {
    const { json, status, text } = await daemon.fake('fake-tray', 'roll', { natural: 4 });
    if (status !== 200) throw new Error(text);
    rolls.push(json);
    return ear.first((message) => message.seq === json.seq);
  };
  expect(await roll()).not.toHaveProperty('durable');

  fill(`${inside}/filler`);
  await until('degraded', async () => (await roll()).durable === false, 15_000);
  const ready = await daemon.get('/readyz');
  expect(ready.status).toBe(503);
  expect(ready.text).toMatch(/cannot be written/);
  expect((await daemon.get('/healthz')).status).toBe(200);
  const now = (await daemon.get('/api/v1/tables/prova')).json;
  expect(now).toMatchObject({ durable: false, view: { degraded: true } });
  expect((await daemon.get('/api/v1/status')).json.journal).toMatchObject({ state: 'degraded' });
  expect(await daemon.metric('tiro_ready')).toBe(0);
  const ack = await ear.command('type', { seat: 'ada', sides: 20, natural: 12 });
  expect(ack).toMatchObject({ kind: 'ack', durable: false });
  for (let i = 0; i < 5; i++) expect(await roll()).toMatchObject({ durable: false });

  for (let part = 0; part < 64; part++) rmSync(`${inside}/filler${part}`, { force: true });
  await until('ready again', async () => (await daemon.get('/readyz')).status === 200, 15_000);
  await sleep(50);
  expect(await roll()).not.toHaveProperty('durable');
  const copy = freshFolder();
  for (const name of ['journal.db', 'journal.db-wal']) copyFileSync(join(inside, name), join(copy, name));
  const reader = openJournalReader(copy);
  if (!reader.ok) throw new Error(reader.error.message);
  const written = new Set([...reader.value.records('prova')].map(({ seq }) => seq));
  reader.value.close();
  expect([...rolls, ack].filter(({ seq }) => !written.has(seq))).toEqual([]);
  expect(daemon.err).toMatch(/cannot be written/);
  expect(daemon.err).toMatch(/being written again/);
  ear.end();
  expect(await daemon.stop()).toBe(0);
}, 60_000);
