import { spawn } from 'node:child_process';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { HttpDoor } from '../../src/broadcast/http.js';
import { defaultBackoff, type LinkState, TableClient } from '../../src/client/client.js';
import type { Socket as ClientSocket } from '../../src/client/socket.js';
import type { Envelope, Snapshot } from '../../src/wire/envelope.js';
import { cleanUp, Daemon } from '../daemon/daemon.js';
import { Bench } from './bench-daemon.js';

const benches: Bench[] = [];
const raws: Socket[] = [];

async function bench(...options: Parameters<typeof Bench.open>): Promise<Bench> {
  const made = await Bench.open(...options);
  benches.push(made);
  return made;
}

afterEach(async () => {
  await cleanUp();
  for (const raw of raws.splice(0)) raw.destroy();
  for (const made of benches.splice(0)) await made.close();
});

/** A handshake by hand, so that frames can be anything. */
async function raw(port: number, headers: readonly string[] = []): Promise<{ socket: Socket; answer: string }> {
  const socket = createConnection({ host: '127.0.0.1', port });
  raws.push(socket);
  socket.on('error', () => undefined);
  const lines = [
    'GET /ws?table=prova HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(data.toString('latin1')));
    socket.once('close', () => resolve(''));
  });
  return { socket, answer };
}

/** A masked client frame with a zero mask. */
function frame(head: number, payload: Buffer): Buffer {
  const size = payload.length;
  const length =
    size < 126
      ? Buffer.from([0x80 | size])
      : size < 65536
        ? Buffer.from([0x80 | 126, size >> 8, size & 255])
        : Buffer.concat([Buffer.from([0x80 | 127, 0, 0, 0, 0]), uint32(size)]);
  return Buffer.concat([Buffer.from([head]), length, Buffer.alloc(4), payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const alive = async (at: Bench): Promise<void> => {
  const ear = at.follow('table=prova');
  await ear.ready();
  const seq = at.table.addRoll(7);
  await ear.hear((message) => message.seq === seq && message.kind === 'roll');
  ear.socket.terminate();
};

test('hello, snapshot, then every record of the audience with prev', async () => {
  const at = await bench();
  at.table.addRoll(3);
  const gm = at.follow('table=prova');
  const overlay = at.follow('table=prova&role=overlay');
  const ada = at.follow('table=prova&role=player&seat=ada');
  await Promise.all([gm.ready(), overlay.ready(), ada.ready()]);
  expect(gm.heard[0]).toEqual({ kind: 'hello', version: '0.0.0-bench', role: 'gm', seq: 1 });
  expect(ada.heard[0]).toMatchObject({ kind: 'hello', role: 'player', seat: 'ada' });
  at.table.addNotice('secret', []);
  at.table.addNotice('for ada', ['ada']);
  at.table.addRoll(17);
  const seen = async (ear: typeof gm) => {
    await ear.hear((message) => message.seq === 4);
    return ear.heard.slice(2).map((message) => [message.seq, message.prev]);
  };
  expect(await seen(gm)).toEqual([
    [2, 1],
    [3, 2],
    [4, 3],
  ]);
  expect(await seen(ada)).toEqual([
    [3, 1],
    [4, 3],
  ]);
  expect(await seen(overlay)).toEqual([[4, 1]]);
  expect(JSON.stringify(overlay.heard)).not.toMatch(/secret|hand of/);
  expect(ada.heard.at(-1)?.view).toMatchObject({ hand: 'hand of ada' });
  at.table.addLive('ada-d20', { kind: 'tumbling' });
  expect(await overlay.hear((message) => message.kind === 'live')).toMatchObject({ die: 'ada-d20' });
});

test('since brings the missing envelopes, too many of them a snapshot, and nothing twice', async () => {
  const at = await bench();
  for (let n = 0; n < 10; n++) at.table.addRoll(n + 1);
  const ear = at.follow('table=prova&role=spectator&since=6');
  await ear.hear((message) => message.seq === 10 && message.kind === 'roll');
  expect(ear.heard.map((message) => message.seq)).toEqual([10, 7, 8, 9, 10]);
  for (let n = 0; n < 1001; n++) at.table.addRoll(5);
  const late = at.follow('table=prova&since=6');
  expect(await late.hear((message) => message.kind === 'snapshot')).toMatchObject({ seq: 1011 });
  const ahead = at.follow('table=prova&since=5000');
  expect(await ahead.hear((message) => message.kind === 'snapshot')).toMatchObject({ seq: 1011 });
});

test('a long replay to a client while rolls go on arrives whole and in order', async () => {
  const at = await bench();
  at.table.padding = 'x'.repeat(3000);
  for (let n = 0; n < 900; n++) at.table.addRoll(1);
  const ear = at.follow('table=prova&since=0');
  const more = setInterval(() => at.table.addRoll(2), 1);
  await ear.hear((message) => message.kind === 'roll' && (message.seq ?? 0) > 950, 10_000);
  clearInterval(more);
  const rolls = ear.heard.filter((message) => message.kind === 'roll');
  expect(rolls.map((message) => message.seq)).toEqual(rolls.map((_, index) => index + 1));
});

test('commands are answered by id, and the same id does nothing twice', async () => {
  const at = await bench();
  const ear = at.follow('table=prova');
  await ear.ready();
  ear.say({ id: 'c1', do: 'type', args: { seat: 'ada', sides: 20, natural: 11 } });
  expect(await ear.hear((message) => message.id === 'c1')).toEqual({ kind: 'ack', id: 'c1', seq: 1, durable: true });
  ear.say({ id: 'c1', do: 'type', args: { seat: 'ada', sides: 20, natural: 11 } });
  ear.say({ id: 'c2', do: 'undo' });
  expect(await ear.hear((message) => message.id === 'c2')).toMatchObject({ kind: 'refused', code: 'nothing_to_undo' });
  expect(at.table.seq({ role: 'gm' })).toBe(1);
  for (const bad of ['', 'x', '{"a":', '[1]', '{"id":"c9","do":"fly"}', '['.repeat(30_000)]) ear.say(bad);
  expect(await ear.hear((message) => message.id === 'c9')).toMatchObject({ kind: 'refused', code: 'command_invalid' });
  await ear.hear((message) => message.code === 'json_invalid' && /nested/.test(String(message.message)));
  expect(ear.code).toBeNull();
});

test('a player acts for its seat only, an overlay for nobody', async () => {
  const at = await bench();
  const ada = at.follow('table=prova&role=player&seat=ada');
  const overlay = at.follow('table=prova&role=overlay');
  await Promise.all([ada.ready(), overlay.ready()]);
  ada.say({ id: 'a1', do: 'type', args: { seat: 'bea', sides: 20, natural: 20 } });
  ada.say({ id: 'a2', do: 'void', args: { roll: 'prova-1' } });
  ada.say({ id: 'a3', do: 'type', args: { sides: 20, natural: 4 } });
  overlay.say({ id: 'o1', do: 'type', args: { seat: 'ada', sides: 20, natural: 20 } });
  expect(await ada.hear((message) => message.id === 'a1')).toMatchObject({ kind: 'refused', code: 'forbidden' });
  expect(await ada.hear((message) => message.id === 'a2')).toMatchObject({ kind: 'refused', code: 'forbidden' });
  expect(await ada.hear((message) => message.id === 'a3')).toMatchObject({ kind: 'ack' });
  expect(await overlay.hear((message) => message.id === 'o1')).toMatchObject({ kind: 'refused', code: 'forbidden' });
  expect(at.table.asked.map(({ caller }) => caller)).toEqual([{ id: 'loopback', role: 'player', seat: 'ada' }]);
});

test('close codes: no such table 4004, token 4001, binary 1003, restart 1012', async () => {
  const at = await bench();
  expect(await at.follow('table=nessuna').closed()).toBe(4004);
  expect(await at.follow('table=__proto__').closed()).toBe(4004);
  expect(await at.follow('table=prova&token=tiro_wrong').closed()).toBe(4001);
  expect(await at.follow('table=prova', { headers: { 'x-forwarded-for': '10.0.0.9' } }).closed()).toBe(4001);
  const ear = at.follow('table=prova');
  await ear.ready();
  ear.socket.send(Buffer.from('{}'));
  expect(await ear.closed()).toBe(1003);
  const last = at.follow('table=prova');
  await last.ready();
  await at.door.close();
  expect(await last.closed()).toBe(1012);
});

test('F011 a malformed frame, a wrong close frame and a reset end that socket only', async () => {
  const at = await bench();
  const bad = [
    Buffer.from([0xff, 0x80, 0, 0, 0, 0]),
    frame(0x88, Buffer.from([0x03, 0xee])),
    Buffer.from([0x81, 0x05, 1, 2, 3, 4, 5]),
    frame(0x81, Buffer.from([0xff, 0xfe])),
  ];
  for (const bytes of bad) {
    const { socket, answer } = await raw(at.door.port);
    expect(answer).toMatch(/^HTTP\/1\.1 101/);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(bytes);
    socket.resume();
    await closed;
  }
  const { socket } = await raw(at.door.port);
  socket.resetAndDestroy();
  // A reset in the middle of the handshake, before the server has answered.
  const half = createConnection({ host: '127.0.0.1', port: at.door.port });
  half.write(
    `GET /ws?table=prova HTTP/1.1\r\nHost: 127.0.0.1:${at.door.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  half.on('error', () => undefined);
  half.resetAndDestroy();
  await alive(at);
});

test('F043 a client that stops reading is let go at 1 MB, the others hear everything in time', async () => {
  const at = await bench();
  at.table.padding = 'x'.repeat(2000);
  const stalled = await raw(at.door.port);
  stalled.socket.pause();
  const ear = at.follow('table=prova');
  await ear.ready();
  await sleep(50);
  expect(at.door.sockets.count()).toBe(2);
  const before = process.memoryUsage().arrayBuffers;
  let worst = 0;
  for (let n = 1; n <= 10_000; n++) {
    at.table.addRoll(n % 20);
    if (n % 100 === 0) {
      const from = performance.now();
      await ear.hear((message) => message.seq === n && message.kind === 'roll');
      worst = Math.max(worst, performance.now() - from);
      ear.heard.length = 0;
    }
  }
  await sleep(1200);
  expect(at.door.sockets.count()).toBe(1);
  expect(at.door.sockets.closes().size).toBeGreaterThan(0);
  expect(worst).toBeLessThan(2000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20e6);
});

test('F043 a slow client reads 4008, and with since goes on where it was', async () => {
  const at = await bench();
  const ear = at.follow('table=prova');
  await ear.ready();
  ear.socket.pause();
  at.table.padding = 'x'.repeat(60_000);
  // More than the system's own buffers between the two and our megabyte; the client wakes up within the grace.
  for (let n = 1; n <= 300; n++) {
    at.table.addRoll((n % 20) + 1);
    if (n % 20 === 0) await sleep(1);
  }
  ear.socket.resume();
  expect(await ear.closed()).toBe(4008);
  at.table.padding = '';
  const last = ear.heard.at(-1)?.seq ?? 0;
  const newest = at.table.seq({ role: 'gm' });
  expect(last).toBeGreaterThan(0);
  expect(last).toBeLessThan(newest);
  const back = at.follow(`table=prova&since=${last}`);
  await back.hear((message) => message.seq === newest && message.kind === 'roll');
  const seqs = [...ear.heard, ...back.heard].filter(({ kind }) => kind === 'roll').map(({ seq }) => seq);
  expect(seqs).toEqual(Array.from({ length: newest }, (_, n) => n + 1));
});

test('F044 a peer that has stopped is dropped after three silent pings, and comes back with since', async () => {
  const at = await bench({}, { pingMs: 100 });
  const script = `
    const WebSocket = require('ws');
    const socket = new WebSocket(process.argv[1]);
    socket.on('message', (data) => console.log(String(data)));
    socket.on('close', (code) => { console.log('closed ' + code); process.exit(0); });
    setTimeout(() => process.exit(3), 20000);`;
  const url = `ws://127.0.0.1:${at.door.port}/ws?table=prova&role=spectator`;
  const child = spawn(process.execPath, ['-e', script, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = '';
  child.stdout.on('data', (data) => {
    heard += String(data);
  });
  const until = async (fits: () => boolean): Promise<void> => {
    for (let n = 0; n < 1000 && !fits(); n++) await sleep(10);
    expect(fits()).toBe(true);
  };
  await until(() => heard.includes('snapshot'));
  await sleep(500);
  expect(at.door.sockets.present(at.table)).toEqual([{ role: 'spectator' }]);
  child.kill('SIGSTOP');
  await until(() => at.door.sockets.count() === 0);
  child.kill('SIGCONT');
  await until(() => heard.includes('closed 1006'));
  await alive(at);
});

test('F076 a message over 64 KiB, and a rain of one-byte pieces, are closed with 1009', async () => {
  const at = await bench();
  const fits = at.follow('table=prova');
  await fits.ready();
  fits.say(`{"id":"c1","do":"undo","args":{}}${' '.repeat(64 * 1024 - 33)}`);
  await fits.hear((message) => message.id === 'c1');
  fits.socket.send('x'.repeat(64 * 1024 + 1));
  expect(await fits.closed()).toBe(1009);

  const rain = `
    const { createConnection } = require('node:net');
    const socket = createConnection({ host: '127.0.0.1', port: Number(process.argv[1]) });
    const heads = ['GET /ws?table=prova HTTP/1.1', 'Host: 127.0.0.1:' + process.argv[1], 'Connection: Upgrade',
      'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    socket.write(heads.join('\\r\\n') + '\\r\\n\\r\\n');
    const received = [];
    socket.on('data', (data) => received.push(data));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      console.log('code ' + Buffer.concat(received).subarray(-2).readUInt16BE(0));
      process.exit(0);
    });
    const piece = Buffer.from([0x00, 0x81, 0, 0, 0, 0, 0x78]);
    const many = Buffer.concat(Array.from({ length: 1000 }, () => piece));
    socket.write(Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x78]));
    let sent = 0;
    const more = () => { while (sent++ < 1000 && !socket.destroyed) if (!socket.write(many)) { socket.once('drain', more); return; } };
    socket.once('data', more);
    setTimeout(() => process.exit(3), 15000);`;
  // Against a daemon of its own, so that nothing else uses its memory; the first rains only warm it up.
  const daemon = await Daemon.start();
  const port = new URL(daemon.url).port;
  const memory = (): Promise<number> => daemon.metric('tiro_process_resident_memory_bytes');
  const pour = async (): Promise<{ exit: unknown; said: string }> => {
    const child = spawn(process.execPath, ['-e', rain, port], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (data) => {
      said += String(data);
    });
    const exit = await new Promise((resolve) => child.once('exit', resolve));
    return { exit, said: said.trim() };
  };
  const closed = { exit: 0, said: 'code 1009' };
  for (let warm = 0; warm < 3; warm++) expect(await pour()).toEqual(closed);
  // What a rain keeps it keeps each time: over many of them the collector's own pace falls out.
  const rains = 24;
  const before = await memory();
  for (let fallen = 0; fallen < rains; fallen++) expect(await pour()).toEqual(closed);
  const grown = ((await memory()) - before) / rains;
  await daemon.stop();
  expect(grown).toBeLessThan(10e6);

  const big = at.follow('table=prova');
  await big.ready();
  big.socket.send('x'.repeat(50 * 1024 * 1024));
  expect(await big.closed()).toBe(1009);
  await alive(at);
});

test('F127 compression is not negotiated', async () => {
  const at = await bench();
  const ear = at.follow('table=prova', { perMessageDeflate: true });
  await ear.ready();
  expect(ear.socket.extensions).toBe('');
});

test('F128 an upgrade with more headers than the limit is answered 4xx', async () => {
  const at = await bench();
  for (const count of [1990, 2100]) {
    const headers = Array.from({ length: count }, (_, n) => `X-${n}: y`);
    const { answer } = await raw(at.door.port, headers);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
  }
  await alive(at);
});

test('F154 headers, ids and seats named constructor or __proto__ are ordinary names', async () => {
  const at = await bench();
  const { answer } = await raw(at.door.port, ['constructor: x', '__proto__: y', 'Sec-WebSocket-Protocol: constructor']);
  expect(answer).toMatch(/^HTTP\/1\.1 101/);
  const strange = at.addTable('constructor');
  const ear = at.follow('table=constructor');
  await ear.ready();
  ear.say('{"id":"__proto__","do":"undo","args":{"__proto__":{"n":1}}}');
  expect(await ear.hear((message) => message.id === '__proto__')).toMatchObject({ id: '__proto__' });
  const seq = strange.addRoll(3);
  await ear.hear((message) => message.seq === seq && message.kind === 'roll');
  expect(({} as Record<string, unknown>).n).toBeUndefined();
});

test('a browser gets its sub-protocol back, with the token beside it or alone', async () => {
  const at = await bench();
  const { token } = at.token('overlay');
  for (const protocols of [['tiro.v1', `tiro.token.${token}`], [`tiro.token.${token}`]]) {
    const ear = at.follow('table=prova', { protocols, headers: { 'x-forwarded-for': '10.0.0.9' } });
    await ear.ready();
    expect(ear.heard[0]).toMatchObject({ role: 'overlay' });
    expect(ear.socket.protocol).toBe(protocols[0]);
  }
});

interface Followed {
  readonly client: TableClient;
  readonly states: LinkState[];
  readonly snapshots: Snapshot[];
  readonly envelopes: { envelope: Envelope; replayed: boolean }[];
  readonly sockets: WebSocket[];
  until(fits: () => boolean): Promise<void>;
}

function followed(at: Bench, more: { token?: string; table?: string } = {}): Followed {
  const made = {
    states: [] as LinkState[],
    snapshots: [] as Snapshot[],
    envelopes: [] as { envelope: Envelope; replayed: boolean }[],
    sockets: [] as WebSocket[],
  };
  const client = new TableClient({
    url: at.url,
    table: 'prova',
    ...more,
    backoff: () => 20,
    open: (url, protocols) => {
      const socket = new WebSocket(url, protocols);
      made.sockets.push(socket);
      return socket as unknown as ClientSocket;
    },
    onState: (state) => made.states.push(state),
    onSnapshot: (snapshot) => made.snapshots.push(snapshot),
    onEnvelope: (envelope, replayed) => made.envelopes.push({ envelope, replayed }),
  });
  const until = async (fits: () => boolean): Promise<void> => {
    for (let n = 0; n < 500 && !fits(); n++) await sleep(10);
    expect(fits()).toBe(true);
  };
  return { client, ...made, until };
}

test('the client resumes with since and repeats a command under its id', async () => {
  const at = await bench();
  at.table.addRoll(1);
  const one = followed(at);
  await one.until(() => one.states.at(-1)?.link === 'live');
  expect(one.snapshots.map((snapshot) => snapshot.seq)).toEqual([1]);
  at.table.addRoll(2);
  await one.until(() => one.envelopes.length === 1);
  one.sockets[0]?.terminate();
  at.table.addRoll(3);
  const answer = one.client.send('type', { seat: 'ada', sides: 20, natural: 9 }, 'mine');
  at.table.addRoll(4);
  expect(await answer).toMatchObject({ kind: 'ack', id: 'mine' });
  expect(one.snapshots).toHaveLength(1);
  await one.until(() => one.envelopes.length === 4);
  expect(one.envelopes.map(({ envelope, replayed }) => [envelope.seq, replayed])).toEqual([
    [2, false],
    [3, true],
    [4, true],
    [5, false],
  ]);
  // The answer is lost on the way: the same id is sent again and nothing happens twice.
  at.table.asked.length = 0;
  const lost = one.client.send('type', { seat: 'ada', sides: 20, natural: 10 }, 'lost');
  await one.until(() => at.table.asked.length === 1);
  one.sockets.at(-1)?.terminate();
  expect(await lost).toMatchObject({ id: 'lost' });
  expect(at.table.asked).toHaveLength(1);
  one.client.close();
  expect(await one.client.send('undo')).toMatchObject({ kind: 'refused', code: 'closed' });
});

test('the client stops for good where trying again is no use', async () => {
  const at = await bench();
  const one = followed(at, { table: 'nessuna' });
  await one.until(() => one.states.at(-1)?.link === 'closed');
  expect(one.states.at(-1)).toMatchObject({ code: 4004 });
  expect(one.sockets).toHaveLength(1);
});

test('100 clients come back after a restart, not all at once, each with what it missed and nothing twice', async () => {
  const at = await bench();
  const config = { host: '127.0.0.1', trustLoopback: true, names: [], pages: null, schemas: null };
  const parts = { daemon: at.daemon, tokens: at.tokens, mqtt: () => ({ url: null }) };
  const open = async (port: number): Promise<HttpDoor> => {
    const door = await HttpDoor.open({ ...parts, config: { ...config, port } });
    if (!door.ok) throw new Error(door.error.message);
    return door.value;
  };
  const before = await open(0);
  at.table.addRoll(1);
  const waits: number[] = [];
  const guests = Array.from({ length: 100 }, () => {
    const heard: { seqs: number[]; snapshots: number; live: number } = { seqs: [], snapshots: 0, live: 0 };
    const client = new TableClient({
      url: `http://127.0.0.1:${before.port}`,
      table: 'prova',
      open: (url, protocols) => new WebSocket(url, protocols) as unknown as ClientSocket,
      backoff: (attempt) => {
        const wait = defaultBackoff(attempt);
        if (attempt === 1) waits.push(wait);
        return wait;
      },
      onState: ({ link }) => {
        if (link === 'live') heard.live += 1;
      },
      onSnapshot: () => {
        heard.snapshots += 1;
      },
      onEnvelope: ({ seq }) => heard.seqs.push(seq),
    });
    return { client, heard };
  });
  const all = async (times: number): Promise<void> => {
    for (let n = 0; n < 1500 && guests.some(({ heard }) => heard.live < times); n++) await sleep(10);
    expect(guests.filter(({ heard }) => heard.live < times)).toEqual([]);
  };
  await all(1);
  await before.close();
  at.table.addRoll(2);
  at.table.addRoll(3);
  const from = performance.now();
  const after = await open(before.port);
  await all(2);
  const took = performance.now() - from;
  at.table.addRoll(4);
  for (let n = 0; n < 500 && guests.some(({ heard }) => heard.seqs.length < 3); n++) await sleep(10);
  for (const { client, heard } of guests) {
    expect(heard).toMatchObject({ seqs: [2, 3, 4], snapshots: 1 });
    client.close();
  }
  // Half of the wait is chance: of ten equal parts of it none holds a third of the room.
  expect(waits.length).toBeGreaterThanOrEqual(100);
  const parts10 = Array.from({ length: 10 }, (_, part) =>
    waits.filter((wait) => Math.floor((wait - 125) / 12.5) === part),
  );
  expect(Math.max(...parts10.map((part) => part.length))).toBeLessThan(waits.length / 3);
  expect(took).toBeLessThan(10_000);
  await after.close();
});
