import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp, Daemon, median, sleep, until } from './daemon.js';
import { Ear, MqttEar } from './ears.js';

const CHROMIUM = process.env.TIRO_CHROMIUM ?? '/usr/bin/chromium';
const D20 = 'fake-godice-d20';

let daemon: Daemon;

beforeAll(async () => {
  daemon = await Daemon.start({ mqtt: 0, env: { PATH: '/nowhere', TIRO_BLE_ENABLED: 'on' } });
});
afterAll(cleanUp);

test('a first start: one table, its seats and dice, and a few lines that say what works and what not (F001, F019)', async () => {
  const tables = (await daemon.get('/api/v1/tables')).json.tables;
  expect(tables).toMatchObject([{ id: 'prova', seats: ['ada', 'bea'] }]);
  const table = (await daemon.get('/api/v1/tables/prova')).json;
  expect(table).toMatchObject({ kind: 'snapshot', view: { game: { id: 'free' }, evening: 'open' }, awaited: [] });
  const dice = (await daemon.get('/api/v1/dice')).json.dice;
  expect(dice).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: D20, type: 'd20', seat: 'ada', duty: 'rolls', link: 'up', fake: true }),
      expect.objectContaining({ id: 'fake-godice-d6', type: 'd6', seat: 'ada', duty: 'counts', counter: 'pa' }),
      expect.objectContaining({ id: 'fake-pixels-d20', model: 'Pixels', type: 'd20', seat: 'bea', duty: 'rolls' }),
      expect.objectContaining({ id: 'fake-pixels-d6', type: 'd6', seat: 'bea', duty: 'counts', counter: 'pa' }),
    ]),
  );
  const status = (await daemon.get('/api/v1/status')).json;
  expect(status).toMatchObject({ version: '0.1.0', url: daemon.url, ready: true, fake: { state: 'on' } });
  expect(status.fake.devices.map((device: { id: string }) => device.id)).toContain('fake-tray');
  const checked = await until('Bluetooth is looked for', async () => {
    const { ble } = (await daemon.get('/api/v1/status')).json;
    return ble.state === 'checking' ? null : ble;
  });
  expect(checked.state).toMatch(/^(available|unavailable)$/);
  if (checked.state === 'unavailable') {
    expect(checked.reason).not.toBe('');
    expect(checked.remedy).not.toBe('');
  }
  await until('Bluetooth is told', () => /Bluetooth/.test(daemon.out));
  const lines = daemon.out.trim().split('\n');
  expect(lines.length).toBeLessThan(15);
  expect(daemon.out).toContain(daemon.url);
  expect(daemon.out).toContain(status.mqtt.url);
  expect(daemon.err).toBe('');
});

test('bytes of a throw: one roll of 17 within a second on WebSocket, MQTT and page; a reading without a throw none', async () => {
  const ear = await Ear.at(daemon, 'table=prova');
  const mqtt = await MqttEar.at(daemon);
  expect((await daemon.notify(D20, '52')).json).toMatchObject({ signals: [{ kind: 'tumbling' }], roll: null });
  const began = performance.now();
  const told = await daemon.notify(D20, '545300EAC0');
  expect(told.json).toMatchObject({ signals: [{ kind: 'rested', face: 17, how: 'thrown' }] });
  const envelope = await ear.first((message) => message.kind === 'roll', 1000);
  await until('MQTT', () => mqtt.on('tiro/prova/roll').length > 0, 1000);
  expect(performance.now() - began).toBeLessThan(1000);
  expect(envelope.seq).toBe(told.json.seq);
  expect(envelope.roll).toMatchObject({
    id: told.json.roll,
    seat: 'ada',
    natural: 17,
    verdict: 'accepted',
    dice: [{ die: D20, type: 'd20', sides: 20, natural: 17, face: 17, source: 'physical', fake: true }],
  });
  expect(JSON.parse(mqtt.on('tiro/prova/roll')[0]?.text ?? '').roll).toEqual(envelope.roll);

  const fake = await daemon.notify(D20, '4653400016');
  expect(fake.json).toMatchObject({ signals: [{ kind: 'rested', face: 20, how: 'placed' }], roll: null });
  await sleep(700);
  expect(ear.rolls()).toHaveLength(1);
  expect(mqtt.on('tiro/prova/roll')).toHaveLength(1);
  expect((await daemon.events('prova')).filter((event) => event.kind === 'roll')).toHaveLength(1);
  ear.end();
  mqtt.end();
});

test('the page of the table shows a throw within a second', async () => {
  expect(existsSync(CHROMIUM), `${CHROMIUM} is there; TIRO_CHROMIUM names another`).toBe(true);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(`${daemon.url}/table/prova`);
    // biome-ignore lint/performance/useDomNodeTextContent: a person sees the rendered text.
    const reads = async (words: RegExp): Promise<boolean> => words.test(await page.locator('body').innerText());
    await until('the roll before', () => reads(/\b17\b/));
    await daemon.notify(D20, '52');
    await daemon.notify(D20, '54532AD628');
    await until('the new roll', () => reads(/\b2\b[\s\S]*\b17\b/), 1000);
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
}, 40_000);

test('the way of a roll: from the bytes to the WebSocket, beyond the 250 ms in which a GoDice settles', async () => {
  const ear = await Ear.at(daemon, 'table=prova');
  const times: number[] = [];
  for (let i = 1; i <= 20; i++) {
    const began = performance.now();
    const { json } = await daemon.fake('fake-tray', 'roll', { natural: (i % 6) + 1 });
    await ear.first((message) => message.seq === json.seq);
    times.push(performance.now() - began);
  }
  process.stdout.write(`roll of the fake tray → WebSocket over HTTP: median ${median(times).toFixed(1)} ms\n`);
  expect(median(times)).toBeLessThan(250);
  ear.end();
});

test('a fake Pixels rolls for bea, and what is set counts after its dwell', async () => {
  const rolled = await daemon.fake('fake-pixels-d20', 'roll', { natural: 17 });
  expect(rolled.json.signals.at(-1)).toMatchObject({ kind: 'rested', face: 17, how: 'thrown' });
  expect(rolled.json.roll).toMatch(/^prova-\d+$/);
  const set = await daemon.fake('fake-pixels-d6', 'set', { face: 4 });
  expect(set.json).toMatchObject({ roll: null, signals: [{}, {}, { kind: 'rested', face: 4, how: 'placed' }] });
  expect(set.json.seq).toBeGreaterThan(0);
  const { seats } = (await daemon.get('/api/v1/tables/prova')).json.view;
  expect(seats[1]).toMatchObject({ id: 'bea', counters: { pa: 4 } });
  const passed = await Promise.all([2, 5].map((face) => daemon.fake('fake-pixels-d6', 'set', { face })));
  expect(passed.map(({ json }) => json.seq)).toEqual([null, set.json.seq + 1]);
});
