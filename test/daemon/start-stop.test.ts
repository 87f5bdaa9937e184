import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { cleanUp, Daemon, freshFolder, sleep, tiro, until } from './daemon.js';
import { Ear, MqttEar } from './ears.js';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await cleanUp();
});

/** Holds a port, as another program would. */
async function held(port = 0): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

test('SIGTERM: exit 0 within moments, offline retained and told on MQTT, WebSockets closed with 1012; a second start is the same table', async () => {
  const data = freshFolder();
  const daemon = await Daemon.start({ data, mqtt: 0 });
  const ear = await Ear.at(daemon, 'table=prova');
  const mqtt = await MqttEar.at(daemon);
  await until('online', () => mqtt.on('tiro/prova/status').at(-1)?.text === 'online');
  const { json } = await daemon.fake('fake-godice-d20', 'roll', { natural: 13 });
  const began = performance.now();
  expect(await daemon.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(5000);
  await until('told offline', () => mqtt.on('tiro/prova/status').at(-1)?.text === 'offline');
  await until('closed', () => ear.closed !== null);
  expect(ear.closed).toBe(1012);
  expect(daemon.err).toBe('');

  const again = await Daemon.start({ data });
  const { rolls, seq } = (await again.get('/api/v1/tables/prova')).json;
  expect(rolls.at(-1)).toMatchObject({ id: json.roll, natural: 13 });
  expect(seq).toBe(json.seq);
  expect((await again.get('/api/v1/tables')).json.tables).toHaveLength(1);
  process.stdout.write(`ready after ${daemon.startMs.toFixed(0)} ms, the second time ${again.startMs.toFixed(0)} ms\n`);
  mqtt.end();
});

test('a signal while it still starts ends it as well, and leaves the data folder free', async () => {
  const data = freshFolder();
  const attempt = Daemon.attempt({ data });
  await sleep(150);
  const [daemon] = Daemon.running();
  daemon?.process.kill('SIGTERM');
  const { code } = await attempt;
  // Before the program is loaded nobody listens yet.
  expect([0, null]).toContain(code);
  const next = await Daemon.start({ data });
  expect(await next.stop()).toBe(0);
});

test('a second daemon on the data folder ends with 3, says who holds it, and does not disturb the first', async () => {
  const daemon = await Daemon.start();
  const second = await Daemon.attempt({ data: daemon.data });
  expect(second.code).toBe(3);
  expect(second.daemon.err).toContain(String(daemon.pid));
  expect((await daemon.fake('fake-tray', 'roll', { natural: 2 })).json.seq).toBeGreaterThan(0);
});

test('a data folder left by a daemon that was killed is taken over', async () => {
  const daemon = await Daemon.start();
  await daemon.kill('SIGKILL');
  expect((await (await Daemon.start({ data: daemon.data })).get('/readyz')).status).toBe(200);
});

test('a taken HTTP port ends with 1 and names the holder; a taken MQTT port is passed over and told', async () => {
  const port = await held();
  const refused = await Daemon.attempt({ port });
  expect(refused.code).toBe(1);
  expect(refused.daemon.err).toContain(`${port}`);
  expect(refused.daemon.err).toContain(`pid ${process.pid}`);

  const taken = await held();
  const daemon = await Daemon.start({ mqtt: taken });
  const { mqtt } = (await daemon.get('/api/v1/status')).json;
  const found = Number(mqtt.url.split(':')[2]);
  expect(found).toBeGreaterThan(taken);
  expect(found).toBeLessThanOrEqual(taken + 10);
  expect(mqtt.reason).toContain(String(taken));
  expect(mqtt.taken).toBe(taken);
  expect(daemon.out).toContain(`${mqtt.url} (la porta ${taken} è occupata)`);
});

test('no free MQTT port: the rest works and the status says why; MQTT off likewise', async () => {
  const base = await held();
  for (let next = base + 1; next <= base + 10; next++) await held(next).catch(() => undefined);
  const daemon = await Daemon.start({ mqtt: base });
  const { mqtt } = (await daemon.get('/api/v1/status')).json;
  expect(mqtt).toEqual({ url: null, reason: expect.stringContaining(String(base)) });
  expect(daemon.out).toContain(mqtt.reason);
  expect((await daemon.fake('fake-tray', 'roll', { natural: 2 })).json.roll).not.toBeNull();
  const off = await Daemon.start();
  const reason = expect.stringMatching(/off/);
  expect((await off.get('/api/v1/status')).json.mqtt).toEqual({ url: null, mode: 'off', reason });
  expect(off.out).toMatch(/MQTT +spento \(mqtt\.mode\)/);
});

test('a wrong configuration refuses the start with 2: file, line, reason; also in the environment and on the command line', async () => {
  const attempts = [
    { config: 'http:\n  port: 0\n  prot: 8706\n' },
    { config: '__proto__:\n  isGM: true\nconstructor:\n  prototype: {}\n' },
    { env: { TIRO_HTTP_TRUST_LOOPBACK: 'perhaps' } },
    { env: { TIRO_HTTP_TRUSTLOOPBACK: 'perhaps' } },
  ];
  const [unknown, polluted, env, short] = await Promise.all(attempts.map((attempt) => Daemon.attempt(attempt)));
  expect([unknown, polluted, env, short].map((attempt) => attempt?.code)).toEqual([2, 2, 2, 2]);
  expect(unknown?.daemon.err).toMatch(/tiro\.yaml:3:3: http\.prot: unknown key \(did you mean "port"\?\)/);
  expect(polluted?.daemon.err).toContain('__proto__');
  expect(env?.daemon.err).toContain('TIRO_HTTP_TRUST_LOOPBACK');
  expect(short?.daemon.err).toContain('TIRO_HTTP_TRUST_LOOPBACK');
  const usage = await Promise.all([tiro(['start', '--port', '99999']), tiro(['start', '--prot', '1'])]);
  expect(usage.map(({ code }) => code)).toEqual([2, 2]);
});

test('a tiro.yaml in the data folder is read, and the environment and the command line stand above it', async () => {
  const data = freshFolder();
  writeFileSync(join(data, 'tiro.yaml'), 'language: en\ndevices:\n  fake: "off"\n');
  const daemon = await Daemon.start({ data, env: { TIRO_DEVICES_FAKE: 'on' } });
  expect((await daemon.get('/api/v1/status')).json.fake).toMatchObject({ setting: 'on', state: 'on' });
  expect(daemon.out).toContain('Pages');
});

test('trays on auto-detect without udevadm and without any tray: up, and the status says what it has (F019)', async () => {
  const daemon = await Daemon.start({ env: { TIRO_DEVICES_SERIAL: 'auto', PATH: '/nowhere' } });
  const { serial, fake } = (await daemon.get('/api/v1/status')).json;
  expect(serial).toMatchObject({ state: 'on', trays: [] });
  expect(fake).toMatchObject({ state: 'off', setting: 'auto' });
  expect(daemon.out).toMatch(/Vassoi/);
  expect(await daemon.stop()).toBe(0);
});

test('a damaged journal or token file refuses the start, says so, and is kept as it is (F054)', async () => {
  for (const name of ['journal.db', 'tokens.json']) {
    const data = freshFolder();
    writeFileSync(join(data, name), 'this is not what it should be');
    const { daemon, code } = await Daemon.attempt({ data });
    expect(code, name).toBe(1);
    expect(daemon.err, name).toContain(name);
  }
});
