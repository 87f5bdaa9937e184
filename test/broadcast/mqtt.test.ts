import { createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';
import { afterEach, expect, test } from 'vitest';
import { MqttVoice } from '../../src/broadcast/mqtt.js';
import { EmbeddedBroker } from '../../src/broadcast/mqtt-broker.js';
import { PacketGauge } from '../../src/broadcast/mqtt-connection.js';
import { Bench } from './bench-daemon.js';
import type { BenchTable } from './bench-table.js';

const clients: MqttClient[] = [];
const raws: Socket[] = [];
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true);
  for (const raw of raws.splice(0)) raw.destroy();
  for (const end of ends.splice(0).reverse()) await end();
});

interface Venue {
  readonly bench: Bench;
  readonly table: BenchTable;
  readonly url: string;
  readonly flush: () => Promise<void>;
  /** Says goodbye and closes the broker. */
  readonly stop: () => Promise<void>;
}

async function venue(): Promise<Venue> {
  const bench = await Bench.open();
  ends.push(() => bench.close());
  let voice: MqttVoice | undefined;
  const { access } = bench.door;
  const broker = await EmbeddedBroker.start({
    port: 0,
    valid: (token) => access.grantOf(token) !== null,
    onCommand: (command) => void voice?.hear(command),
    log: (message) => bench.logged.push(message),
  });
  if (!broker.ok) throw new Error(broker.error);
  voice = new MqttVoice(bench.daemon, access, broker.value);
  await broker.value.flush();
  const stop = async (): Promise<void> => {
    await voice?.end();
    await broker.value.close();
  };
  ends.push(stop);
  return { bench, table: bench.table, url: broker.value.url, flush: () => broker.value.flush(), stop };
}

interface Message {
  readonly topic: string;
  readonly text: string;
  readonly retain: boolean;
  readonly qos: number;
}

class Listener {
  readonly heard: Message[] = [];
  closes = 0;
  connects = 0;
  readonly client: MqttClient;

  constructor(client: MqttClient) {
    this.client = client;
    clients.push(client);
    client.on('message', (topic, payload, packet) =>
      this.heard.push({ topic, text: payload.toString(), retain: packet.retain, qos: packet.qos }),
    );
    client.on('error', () => undefined);
    client.on('close', () => {
      this.closes += 1;
    });
    client.on('connect', () => {
      this.connects += 1;
    });
  }

  static async open(
    url: string,
    topics: string | string[],
    login: { username?: string; password?: string } = {},
  ): Promise<Listener> {
    const listener = new Listener(connect(url, { reconnectPeriod: 0, ...login }));
    await listener.until(() => listener.connects === 1);
    await listener.client.subscribeAsync(topics, { qos: 1 });
    return listener;
  }

  async until(fits: () => boolean, ms = 5000): Promise<void> {
    for (const end = Date.now() + ms; !fits() && Date.now() < end; ) await sleep(5);
    if (!fits()) throw new Error(`not within ${ms} ms; heard ${JSON.stringify(this.heard.slice(-5)).slice(0, 500)}`);
  }

  on(topic: string): readonly Message[] {
    return this.heard.filter((message) => message.topic === topic);
  }
}

test('status, state, counters and dice are retained; rolls and events are not', async () => {
  const at = await venue();
  at.table.setCounter('ada', 14);
  await at.flush();
  const early = await Listener.open(at.url, 'tiro/#');
  await early.until(() => early.heard.length === 4);
  expect(early.on('tiro/prova/status')).toEqual([{ topic: 'tiro/prova/status', text: 'online', retain: true, qos: 1 }]);
  expect(early.on('tiro/prova/seat/ada/pv').map(({ text, retain }) => [text, retain])).toEqual([['14', true]]);
  expect(JSON.parse(early.on('tiro/prova/die/ada-d20/state')[0]?.text ?? '')).toMatchObject({
    face: 17,
    battery: 80,
    link: 'up',
  });
  at.table.addNotice('secret', []);
  at.table.addRoll(17);
  at.table.addNotice('shown');
  await early.until(() => early.on('tiro/prova/event').length === 1 && early.on('tiro/prova/state').length === 3);
  const roll = early.on('tiro/prova/roll');
  expect(roll).toHaveLength(1);
  expect(roll[0]).toMatchObject({ retain: false, qos: 1 });
  expect(JSON.parse(roll[0]?.text ?? '')).toMatchObject({ seq: 3, prev: 1, roll: { id: 'prova-3', natural: 17 } });
  expect(JSON.parse(roll[0]?.text ?? '')).not.toHaveProperty('view');
  expect(JSON.parse(early.on('tiro/prova/die/ada-d20/roll')[0]?.text ?? '')).toMatchObject({
    event_type: 'roll',
    roll: 'prova-3',
    natural: 17,
  });
  expect(JSON.parse(early.on('tiro/prova/state').at(-1)?.text ?? '')).toMatchObject({
    seq: 4,
    view: { evening: 'open' },
  });
  expect(JSON.stringify(early.heard)).not.toMatch(/secret|hand of/);
  const late = await Listener.open(at.url, 'tiro/#');
  await late.until(() => late.on('tiro/prova/seat/ada/pv').length === 1);
  expect(late.on('tiro/prova/roll')).toEqual([]);
  expect(late.on('tiro/prova/event')).toEqual([]);
  expect(late.on('tiro/prova/die/ada-d20/roll')).toEqual([]);
  expect(JSON.parse(late.on('tiro/prova/state')[0]?.text ?? '')).toMatchObject({ seq: 4 });
  const other = at.bench.addTable('altra');
  other.addRoll(3);
  await late.until(() => late.on('tiro/altra/roll').length === 1);
});

test('on stop the table is offline for all who listen, before the connection ends', async () => {
  const at = await venue();
  const listener = await Listener.open(at.url, 'tiro/prova/status');
  await listener.until(() => listener.heard.length === 1);
  await at.stop();
  await listener.until(() => listener.closes === 1);
  expect(listener.heard.map(({ text }) => text)).toEqual(['online', 'offline']);
});

test('a command of a client with a token is answered on reply, once per id, and its token is never shown', async () => {
  const at = await venue();
  const { token } = at.bench.token('gm', { table: 'prova' });
  const login = { username: 'tiro', password: token };
  const anonymous = await Listener.open(at.url, '#');
  for (const topic of ['$tiro/#', '$tiro/command', '$SYS/#'])
    await expect(anonymous.client.subscribeAsync(topic)).rejects.toThrow();
  const gm = await Listener.open(at.url, 'tiro/prova/reply/+', login);
  const say = (topic: string, message: unknown) => gm.client.publishAsync(topic, JSON.stringify(message), { qos: 1 });
  const typed = { id: 'c/1+#', token, do: 'type', args: { seat: 'ada', sides: 20, natural: 8 } };
  await say('tiro/prova/command', typed);
  await say('tiro/prova/command', typed);
  await gm.until(() => gm.heard.length === 2);
  for (const { topic, text } of gm.heard) {
    expect(topic).toBe('tiro/prova/reply/c%2F1%2B%23');
    expect(JSON.parse(text)).toEqual({ kind: 'ack', id: 'c/1+#', seq: 1, durable: true });
  }
  expect(at.table.seq({ role: 'gm' })).toBe(1);
  await say('tiro/prova/command', { id: 'c2', do: 'fly' });
  await say('tiro/prova/command', { id: 'c3', do: 'undo' });
  at.bench.addTable('altra');
  await say('tiro/altra/command', { id: 'c4', do: 'type', args: { natural: 1, sides: 20 } });
  await gm.until(() => gm.heard.length === 4);
  expect(gm.heard.slice(2).map(({ text }) => JSON.parse(text).code)).toEqual(['command_invalid', 'nothing_to_undo']);
  await anonymous.until(() => anonymous.on('tiro/prova/roll').length === 1);
  expect(at.bench.tables[1]?.seq({ role: 'gm' })).toBe(0);
  expect(JSON.stringify(anonymous.heard)).not.toContain(token);
  expect(anonymous.heard.filter(({ topic }) => /reply|command|SYS/.test(topic))).toEqual([]);
});

test('a revoked token ends the connection', async () => {
  const at = await venue();
  const { id, token } = at.bench.token('gm');
  const gm = await Listener.open(at.url, 'tiro/prova/reply/+', { username: 'tiro', password: token });
  at.bench.tokens.revoke(id);
  await gm.until(() => gm.closes === 1, 2000);
});

test('F074 nobody can forge a roll, retain junk or log in with a wrong token', async () => {
  const at = await venue();
  const { token } = at.bench.token('gm');
  const watcher = await Listener.open(at.url, '#');
  const forged = JSON.stringify({ kind: 'roll', roll: { id: 'x', natural: 20 } });
  for (const login of [{}, { username: 'tiro', password: token }])
    for (const topic of [
      'tiro/prova/roll',
      'tiro/prova/state',
      'junk',
      '$SYS/x',
      'tiro/prova/command/x',
      'tiro/PROVA/command',
    ]) {
      const client = await Listener.open(at.url, 'nothing', login);
      client.client.publish(topic, forged, { qos: 0, retain: true });
      await client.until(() => client.closes === 1);
    }
  const anonymous = await Listener.open(at.url, 'nothing');
  anonymous.client.publish('tiro/prova/command', JSON.stringify({ id: 'x', token, do: 'undo' }));
  await anonymous.until(() => anonymous.closes === 1);
  const will = connect(at.url, {
    reconnectPeriod: 0,
    will: { topic: 'tiro/prova/status', payload: Buffer.from('offline'), qos: 1, retain: true },
  });
  clients.push(will);
  await new Promise((resolve) => will.once('connect', resolve));
  will.stream.destroy();
  for (const login of [
    { username: 'tiro', password: 'tiro_wrong' },
    { username: 'tiro' },
    { username: 'admin', password: token },
  ]) {
    const refused = new Listener(connect(at.url, { reconnectPeriod: 0, ...login }));
    await refused.until(() => refused.closes === 1);
    expect(refused.connects).toBe(0);
  }
  at.table.addRoll(2);
  await watcher.until(() => watcher.on('tiro/prova/roll').length > 0);
  await sleep(50);
  expect(watcher.on('tiro/prova/roll').map(({ text }) => JSON.parse(text).roll.natural)).toEqual([2]);
  expect(watcher.on('tiro/prova/status').map(({ text }) => text)).toEqual(['online']);
  const late = await Listener.open(at.url, '#');
  await late.until(() => late.on('tiro/prova/state').length === 1);
  expect(late.on('junk')).toEqual([]);
  expect(at.table.asked).toEqual([]);
});

test('F072 empty, broken, huge, binary and deep payloads are counted, and rolls go on', async () => {
  const at = await venue();
  const { token } = at.bench.token('gm');
  const login = { username: 'tiro', password: token };
  const watcher = await Listener.open(at.url, 'tiro/prova/roll');
  const gm = await Listener.open(at.url, 'tiro/prova/reply/+', login);
  const bad = [
    '',
    'x',
    '{"a":',
    '[]',
    'null',
    '{}',
    '{"__proto__":{"id":"x"}}',
    '['.repeat(50_000),
    Buffer.from([0, 255, 254, 1]),
  ];
  for (const payload of bad) await gm.client.publishAsync('tiro/prova/command', payload, { qos: 1 });
  for (let n = 0; n < 200 && at.bench.logged.length < bad.length; n++) await sleep(5);
  expect(at.bench.logged.filter((line) => line.includes('no command'))).toHaveLength(bad.length);
  expect(gm.closes).toBe(0);
  const huge = await Listener.open(at.url, 'nothing', login);
  huge.client.publish('tiro/prova/command', Buffer.alloc(10 * 1024 * 1024, 0x20));
  await huge.until(() => huge.closes === 1);
  at.table.addRoll(5);
  await watcher.until(() => watcher.heard.length === 1);
});

test('F073 a stalled subscriber is let go; a fast one gets all 20,000 messages of 1 kB', async () => {
  const started = await EmbeddedBroker.start({
    port: 0,
    valid: () => false,
    onCommand: () => undefined,
    log: () => undefined,
  });
  if (!started.ok) throw new Error(started.error);
  const broker = started.value;
  ends.push(() => broker.close());
  const stalled = createConnection({ host: '127.0.0.1', port: broker.port });
  raws.push(stalled);
  stalled.on('error', () => undefined);
  // CONNECT (3.1.1, clean, no keep-alive, id "s"), then SUBSCRIBE "#" with QoS 1; it reads the answers, then never again.
  stalled.write(Buffer.from('100d00044d5154540402000000017382060001000123' + '01', 'hex'));
  await new Promise((resolve) => stalled.once('data', resolve));
  await sleep(100);
  stalled.pause();
  const fast = await Listener.open(broker.url, 'tiro/#');
  expect(broker.clients).toBe(2);
  const before = process.memoryUsage().rss;
  const from = performance.now();
  for (let n = 0; n < 20_000; n++) {
    broker.publish({
      topic: 'tiro/prova/roll',
      payload: `${n} `.padEnd(1000, 'x'),
      qos: 1,
      retain: false,
    });
    if (n % 500 === 499) await sleep(1);
  }
  await broker.flush();
  await fast.until(() => fast.heard.length >= 20_000, 15_000);
  const took = performance.now() - from;
  expect(fast.heard.map(({ text }) => Number.parseInt(text, 10))).toEqual(Array.from({ length: 20_000 }, (_, n) => n));
  expect(fast.closes).toBe(0);
  expect(broker.clients).toBe(1);
  expect(took).toBeLessThan(18_000);
  // What the fast subscriber keeps for this test is 20 MB by itself.
  expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
});

test('F010 names never enter a topic, and odd ids cannot break one', async () => {
  const at = await venue();
  const listener = await Listener.open(at.url, 'tiro/#');
  const odd = at.bench.addTable('constructor');
  odd.pv.set('ada', 3);
  for (const seat of ['Bob#1', 'A+B', 'x/y', '$SYS', '', '\u0000', 'z'.repeat(70_000), '__proto__']) {
    at.table.pv.set(seat, 1);
    at.table.addRoll(4, seat);
  }
  const last = at.table.addRoll(9);
  await listener.until(() => listener.on('tiro/prova/roll').length === 9);
  expect(listener.closes).toBe(0);
  expect(JSON.parse(listener.on('tiro/prova/roll').at(-1)?.text ?? '')).toMatchObject({ seq: last });
  for (const { topic } of listener.heard) expect(topic).toMatch(/^tiro\/[\w%.~!*'()-]+(\/[\w%.~!*'()-]+){1,3}$/);
});

test('a taken port: the next free one, or the reason when there is none', async () => {
  const start = (port: number) =>
    EmbeddedBroker.start({ port, valid: () => false, onCommand: () => undefined, log: () => undefined });
  const first = await start(0);
  if (!first.ok) throw new Error(first.error);
  ends.push(() => first.value.close());
  const second = await start(first.value.port);
  if (!second.ok) throw new Error(second.error);
  ends.push(() => second.value.close());
  expect(second.value.port).toBeGreaterThan(first.value.port);
  expect(second.value.port).toBeLessThanOrEqual(first.value.port + 10);
  const top = createServer();
  await new Promise<void>((resolve) => top.listen(65_535, '127.0.0.1', resolve));
  ends.push(async () => top.close());
  const none = await start(65_535);
  expect(none).toEqual({ ok: false, error: 'the ports 65535 to 65535 are taken' });
});

test('the gauge follows packets over any cut, and stops at a length that is too large or no length', () => {
  const small = Buffer.concat([
    Buffer.from([0xc0, 0]),
    Buffer.from([0x30, 0x80, 0x01]),
    Buffer.alloc(128),
    Buffer.from([0xc0, 0]),
  ]);
  for (let size = 1; size <= small.length; size++) {
    const gauge = new PacketGauge();
    for (let at = 0; at < small.length; at += size) expect(gauge.take(small.subarray(at, at + size))).toBe(true);
  }
  expect(new PacketGauge().take(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]))).toBe(false);
  expect(new PacketGauge().take(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x01]))).toBe(false);
});
