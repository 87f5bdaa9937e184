import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IClientOptions } from 'mqtt';
import { afterAll, afterEach, expect, test } from 'vitest';
import { MqttLink } from '../../src/broadcast/mqtt-link.js';
import { MAX_PAYLOAD_BYTES } from '../../src/broadcast/mqtt-outlet.js';
import {
  type BrokerServer,
  cleanUpBrokers,
  freePort,
  freshFolder,
  LOGIN,
  mosquitto,
  program,
  until,
  Wire,
  writePassword,
} from './brokers.js';
import { cleanUpVenues, Kept, Listener, Venue } from './external.js';

const CI = process.env.CI !== undefined;
const absent = program('mosquitto') === null;
if (absent) process.stderr.write('mosquitto is not installed, so the external broker is not tested\n');
const when = test.skipIf(absent && !CI);

const wires: Wire[] = [];
const ends: (() => unknown)[] = [];

afterEach(async () => {
  await cleanUpVenues();
  for (const wire of wires.splice(0)) await wire.close();
  for (const end of ends.splice(0)) await end();
});
afterAll(cleanUpBrokers);

async function broker(more = '', persistence = true): Promise<BrokerServer> {
  const made = await mosquitto(more, persistence);
  await made.start();
  return made;
}

async function wireTo(port: number): Promise<Wire> {
  const wire = await Wire.to(port);
  wires.push(wire);
  return wire;
}

when(
  'F041 a refused login is told and tried again more and more slowly, until it is let in',
  async () => {
    const server = await mosquitto();
    writePassword(server.folder, 'another');
    await server.start();
    for (const protocol of [4, 5] as const) {
      const wire = await wireTo(server.port);
      const venue = await Venue.open(wire.port, { protocol });
      await until('the refusal is told', () => venue.broker.reason?.includes('refuses the login'));
      expect(venue.broker.reason).toMatch(/check mqtt\.username and mqtt\.password/);
      await sleep(3000);
      expect(wire.arrivals.length).toBeGreaterThanOrEqual(2);
      expect(wire.arrivals.length).toBeLessThanOrEqual(4);
      writePassword(server.folder, LOGIN.password);
      server.signal('SIGHUP');
      await venue.connected(30_000);
      expect(venue.bench.logged.filter((line) => line.includes('refuses the login'))).toHaveLength(1);
      await venue.stop();
      writePassword(server.folder, 'another');
      server.signal('SIGHUP');
      await sleep(100);
    }
  },
  60_000,
);

when(
  'F038 two instances never share an id; with one id by force they slow down; a copy takes another',
  async () => {
    const server = await broker();
    const [a, b, c, d, e, f] = await Promise.all(Array.from({ length: 6 }, () => wireTo(server.port)));
    if (!a || !b || !c || !d || !e || !f) throw new Error('no wires');
    const copied = new Kept();
    copied.id = 'tiro-0badcafe';
    const copy = new Kept();
    copy.id = copied.id;
    const venues = await Promise.all([
      Venue.open(a.port),
      Venue.open(b.port),
      Venue.open(c.port, { clientId: 'same' }),
      Venue.open(d.port, { clientId: 'same' }),
      Venue.open(e.port, { kept: copied, protocol: 5 }),
      Venue.open(f.port, { kept: copy, protocol: 5 }),
    ]);
    await sleep(10_000);
    expect(a.arrivals).toHaveLength(1);
    expect(b.arrivals).toHaveLength(1);
    expect(venues[0].kept.id).toMatch(/^tiro-[0-9a-f]{8}$/);
    expect(venues[0].kept.id).not.toBe(venues[1].kept.id);
    for (const wire of [c, d]) expect(wire.arrivals.length).toBeLessThanOrEqual(3);
    const told = [...venues[2].bench.logged, ...venues[3].bench.logged].join('\n');
    expect(told).toContain('another program may use the client id same-prova');
    await Promise.all([venues[4].connected(), venues[5].connected()]);
    expect(copied.id).not.toBe(copy.id);
    expect(e.arrivals.length + f.arrivals.length).toBeLessThanOrEqual(5);
  },
  60_000,
);

when(
  'F040 F071 a broker that forgot everything has all of it again, and hears commands',
  async () => {
    const server = await broker('', false);
    const venue = await (await Venue.open(server.port)).connected();
    venue.table.setCounter('ada', 14);
    const { token } = venue.bench.token('gm');
    for (let times = 0; times < 2; times++) {
      await server.kill();
      await until('the loss is noticed', () => venue.broker.reason !== null);
      await server.start();
      const from = performance.now();
      await venue.connected();
      const listener = await Listener.open(server.port, 'tiro/#');
      await listener.until(() => listener.texts('tiro/prova/seat/ada/pv').includes('14'));
      expect(listener.texts('tiro/prova/status')).toContain('online');
      expect(listener.on('tiro/prova/die/ada-d20/state')).not.toEqual([]);
      expect(performance.now() - from).toBeLessThan(5000);
      const command = JSON.stringify({ id: `c${times}`, token, do: 'open' });
      await listener.client.publishAsync('tiro/prova/command', command, { qos: 1 });
      await listener.until(() => listener.on(`tiro/prova/reply/c${times}`).length === 1);
      listener.end();
    }
  },
  60_000,
);

when(
  'a retained command is no command, and one of 2 MB neither stops rolls nor fills memory',
  async () => {
    const server = await broker();
    for (const protocol of [4, 5] as const) {
      const venue = await (await Venue.open(server.port, { protocol })).connected();
      const { token } = venue.bench.token('gm');
      const listener = await Listener.open(server.port, ['tiro/prova/roll', 'tiro/prova/reply/+']);
      await listener.client.publishAsync('tiro/prova/command', JSON.stringify({ id: 'kept', token, do: 'undo' }), {
        qos: 1,
        retain: true,
      });
      await venue.stop();
      const again = await (await Venue.open(server.port, { protocol, bench: venue.bench })).connected();
      await until('the retained one is told', () => again.bench.logged.some((line) => line.includes('is no command')));
      await listener.client.publishAsync('tiro/prova/command', '', { qos: 1, retain: true });
      const asked = again.table.asked.length;
      await listener.client.publishAsync('tiro/prova/command', Buffer.alloc(2 * 1024 * 1024, 0x20), { qos: 1 });
      await listener.client.publishAsync('tiro/prova/command', '[', { qos: 1 });
      again.table.addRoll(20);
      await listener.until(() => listener.rolls().at(-1)?.natural === 20, 20_000);
      expect(again.table.asked.length).toBe(asked);
      listener.end();
      await again.stop();
    }
  },
  60_000,
);

when('what is larger than a message is told without its body', async () => {
  const server = await broker(`message_size_limit ${MAX_PAYLOAD_BYTES}\n`);
  const venue = await Venue.open(server.port);
  venue.table.padding = 'x'.repeat(MAX_PAYLOAD_BYTES);
  await venue.connected();
  const listener = await Listener.open(server.port, 'tiro/#');
  const seq = venue.table.addRoll(9);
  await listener.until(() => listener.rolls().length === 1);
  await listener.until(() => (listener.texts('tiro/prova/state').at(-1) ?? '').includes(`"seq":${seq}`));
  const state = JSON.parse(listener.texts('tiro/prova/state').at(-1) ?? '');
  expect(state).toEqual({ v: 1, table: 'prova', seq, at: expect.any(String), awaited: [], too_large: true });
});

when(
  'TLS: a broker with our authority and a certificate of ours is trusted, any other is refused and told',
  async () => {
    const folder = freshFolder();
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    const subject = (name: string): string[] => [
      '-nodes',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-subj',
      `/CN=${name}`,
    ];
    openssl('req', '-x509', ...subject('prova-ca'), '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2');
    for (const name of ['localhost', 'tiro']) {
      const own = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '2'];
      openssl(
        'req',
        '-x509',
        ...subject(name),
        ...own,
        '-addext',
        `subjectAltName=DNS:${name}`,
        '-addext',
        'basicConstraints=CA:FALSE',
      );
    }
    const secure = await freePort();
    const at = (name: string): string => join(folder, name);
    const server = await broker(
      `listener ${secure} 127.0.0.1\ncafile ${at('ca.pem')}\ncertfile ${at('localhost.pem')}\nkeyfile ${at('localhost.key')}\nrequire_certificate true\n`,
    );
    const read = (name: string): string => readFileSync(at(name), 'utf8');
    const own = { cert: read('tiro.pem'), key: read('tiro.key') };
    const trusting = await Venue.open(secure, { secure: true, host: 'localhost', ca: read('ca.pem'), ...own });
    await trusting.connected();
    const listener = await Listener.open(server.port, 'tiro/prova/roll');
    trusting.table.addRoll(11);
    await listener.until(() => listener.rolls().length === 1);
    expect(trusting.broker.url).toBe(`mqtts://localhost:${secure}`);
    const strange = await Venue.open(secure, { secure: true, host: 'localhost', ...own });
    await until('the strange authority is told', () => strange.broker.reason?.includes('self-signed'));
    const misnamed = await Venue.open(secure, { secure: true, ca: read('ca.pem'), ...own });
    await until('the wrong name is told', () => /altnames|127\.0\.0\.1/.test(misnamed.broker.reason ?? ''));
    const nobody = await Venue.open(secure, { secure: true, host: 'localhost', ca: read('ca.pem') });
    await sleep(1000);
    expect(nobody.broker.reason).not.toBeNull();
  },
  30_000,
);

when('without a broker memory stays flat, and the log short', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const logged: string[] = [];
  const link = new MqttLink({
    table: 'prova',
    address: { host: '127.0.0.1', port: await freePort(), secure: false, protocol: 4 },
    clientId: () => 'x',
    anotherId: () => false,
    onCommand: () => undefined,
    log: (message) => logged.push(message),
  });
  ends.push(() => link.close());
  gc();
  const before = process.memoryUsage().heapUsed;
  let lost = 0;
  for (let n = 0; n < 100_000; n++) {
    const payload = `${n}`.padEnd(1000, 'x');
    link.publish({ topic: 'tiro/prova/state', payload, qos: 1, retain: true });
    link.publish({ topic: `tiro/prova/reply/${n}`, payload, qos: 1, retain: false });
    if ((await link.deliver({ topic: 'tiro/prova/roll', payload, qos: 1, retain: false })) === 'lost') lost += 1;
  }
  await sleep(2500);
  gc();
  expect(lost).toBe(100_000);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(3e6);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('ECONNREFUSED');
});

test('a broker that takes messages and never answers holds few of them, and is left', async () => {
  const sockets: Socket[] = [];
  let bytes = 0;
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(Buffer.from('20020000', 'hex')));
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const venue = await Venue.open(typeof address === 'object' && address !== null ? address.port : 0);
  await venue.connected();
  for (let n = 0; n < 5000; n++) venue.table.addRoll(1);
  await sleep(300);
  expect(bytes).toBeLessThan(50_000);
  const from = performance.now();
  await venue.stop();
  expect(performance.now() - from).toBeLessThan(5000);
});

/** The shipped configuration with this folder's paths and a free port. */
function shipped(folder: string, port: number): string {
  return `user root\n${readFileSync('config/mosquitto/mosquitto.conf', 'utf8')}`
    .replace(/^listener 1883$/m, `listener ${port}`)
    .replaceAll('/mosquitto/config/', `${folder}/`)
    .replaceAll('/mosquitto/data/', `${folder}/`);
}

when(
  'F121 F074 the shipped configuration: no queue without end, no large junk, nobody without a name',
  async () => {
    const server = await mosquitto();
    const file = join(server.folder, 'mosquitto.conf');
    const conf = shipped(server.folder, server.port).replace(/^listener (\d+)$/m, 'listener $1 127.0.0.1');
    expect(conf).toContain(`password_file ${server.folder}/passwords`);
    writeFileSync(file, conf);
    await server.start();
    const nameless = Listener.open(server.port, '#', {
      username: undefined,
      password: undefined,
      reconnectPeriod: 0,
    } as unknown as IClientOptions);
    await expect(
      Promise.race([nameless, sleep(1500).then(() => Promise.reject(new Error('refused')))]),
    ).rejects.toThrow();
    nameless.catch(() => undefined);
    const away = { clean: false, clientId: 'away' } as const;
    const first = await Listener.open(server.port, 'tiro/prova/roll', away);
    first.end();
    const writer = await Listener.open(server.port, 'nothing');
    const payload = 'x'.repeat(300);
    for (let n = 0; n < 20_000; n += 500)
      await Promise.all(
        Array.from({ length: 500 }, () => writer.client.publishAsync('tiro/prova/roll', payload, { qos: 1 })),
      );
    const back = await Listener.open(server.port, 'nothing', away);
    await back.until(() => back.on('tiro/prova/roll').length >= 1000, 20_000);
    await sleep(300);
    expect(back.on('tiro/prova/roll').length).toBeLessThanOrEqual(1000 + 20);
    const junk = await Listener.open(server.port, 'nothing', { reconnectPeriod: 0 });
    junk.client.publish('tiro/junk', Buffer.alloc(1024 * 1024), { qos: 1, retain: true });
    await sleep(500);
    const late = await Listener.open(server.port, 'tiro/junk');
    await sleep(200);
    expect(late.heard).toEqual([]);
  },
  60_000,
);
