// A day of the built daemon in one process, as cli/start composes it: journal with its worker, tables, devices, HTTP and
// WebSocket, an external broker that is away, two trays that are not there. Told by its parent how much; tells what it
// measured. Needs --expose-gc.
import { mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import WebSocket from 'ws';
import { HttpDoor } from '../../../dist/broadcast/http.js';
import { TokenStore } from '../../../dist/broadcast/tokens.js';
import { AwakeClock } from '../../../dist/cli/awake-clock.js';
import { MqttGate } from '../../../dist/cli/mqtt-door.js';
import { Running } from '../../../dist/cli/running.js';
import { loadConfig } from '../../../dist/config/load.js';
import { openJournal } from '../../../dist/journal/open.js';

/** Rolls that are driven before the first is told to be on disk. */
const BURST = 250;
/** Of a burst, so many go as bytes through the fake tray, its session and its codec; the others enter at the table's ear. */
const AS_BYTES = 25;
const DICE = ['fake-godice-d20', 'fake-pixels-d20', 'fake-godice-d6', 'fake-pixels-d6', 'fake-tray'];

const { dir, rolls, warmUp, visits, limitMs } = JSON.parse(process.argv[2] ?? '{}');
mkdirSync(dir, { recursive: true });
const logFile = join(dir, 'tiro.log');
const place = pino.destination({ dest: logFile, sync: true });
const out = pino({ level: 'info', base: null, timestamp: pino.stdTimeFunctions.isoTime }, place);
const log = (level, message, about) => out[level](about ?? {}, message);

/** A port that nobody listens on. */
async function closedPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const loaded = loadConfig({
  env: {},
  args: {
    'http.port': 0,
    'data.dir': dir,
    'ble.enabled': 'off',
    'devices.fake': 'on',
    'devices.serial': [{ path: join(dir, 'absent-1') }, { path: join(dir, 'absent-2') }],
    'mqtt.mode': 'external',
    'mqtt.url': `mqtt://127.0.0.1:${await closedPort()}`,
  },
});
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
const config = loaded.value;

const opened = await openJournal({ dir });
if (!opened.ok) throw new Error(opened.error.message);
const journal = opened.value;
const listeners = { journal: 0, table: 0, newTable: 0 };
/** Counts who listens by `method` of `of`, and who has left. */
function count(of, method, name) {
  const own = of[method].bind(of);
  of[method] = (listener) => {
    const leave = own(listener);
    listeners[name] += 1;
    let here = true;
    return () => {
      if (here) listeners[name] -= 1;
      here = false;
      return leave?.();
    };
  };
}
count(journal, 'onState', 'journal');
const time = new AwakeClock((ms) => log('warn', `asleep for ${ms} ms`));
const running = await Running.open('0.0.0-day', config, journal, log, time);
const [table] = running.tables();
count(table, 'subscribe', 'table');
count(running, 'onTable', 'newTable');
const tokens = TokenStore.open(join(dir, 'tokens.json'), (message) => log('warn', message), config.http.gmToken);
if (!tokens.ok) throw new Error(tokens.error);
const door = await HttpDoor.open({
  daemon: running,
  config: { host: '127.0.0.1', port: 0, trustLoopback: true, names: () => [], pages: null, schemas: null },
  tokens: tokens.value,
  mqtt: () => gate.state(),
});
if (!door.ok) throw new Error(door.error.message);
const gate = new MqttGate(running, door.value.access, journal);
await gate.open(config.mqtt);
running.start();
const url = `ws://127.0.0.1:${door.value.port}/ws?table=${table.id}&role=spectator`;

const done = { rolls: 0, asBytes: 0, connects: 0, reconnects: 0, heard: 0 };
const tray = table.state().bindings.get('fake-tray');
const die = { id: tray.die, model: tray.model, type: 'd20', settleMs: 0, dwellMs: 0, quality: 'ok' };
let throws = 0;

/** A throw as the devices hand it to the table, decoded already. */
function decoded() {
  throws += 1;
  const evidence = { boot: journal.epoch, seq: throws, ms: throws, q: 97, vendor: 'roll' };
  const signal = { kind: 'rested', type: 'd20', sides: 20, face: (throws % 20) + 1, how: 'thrown', evidence };
  return {
    device: tray.device,
    fake: true,
    at: performance.now(),
    origin: `day/${journal.epoch}/${throws}`,
    die,
    signal,
  };
}

async function burst(size) {
  const bytes = [];
  const ear = [];
  for (let n = 0; n < size; n += 1) {
    if (n < AS_BYTES) bytes.push(running.fake('fake-tray', { verb: 'roll', natural: (n % 20) + 1 }));
    else ear.push(table.hear(decoded(), tray).outcome);
  }
  for (const answer of await Promise.all(bytes))
    if (!answer.ok || answer.value.roll === null) throw new Error(`a roll was lost: ${JSON.stringify(answer)}`);
  for (const judged of await Promise.all(ear)) if (judged?.roll === undefined) throw new Error('a roll was lost');
  done.asBytes += bytes.length;
  done.rolls += size;
}

/** A client comes, is told the table as it is and hears one roll, and goes. */
async function visit() {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (data) => {
      const { kind } = JSON.parse(data.toString());
      if (kind === 'snapshot') running.fake('fake-tray', { verb: 'roll', natural: 7 });
      if (kind === 'roll') resolve();
    });
  });
  done.rolls += 1;
  done.asBytes += 1;
  done.heard += 1;
  socket.close();
  await new Promise((resolve) => socket.once('close', resolve));
  done.connects += 1;
}

/** A device is lost and comes back. */
async function reconnect() {
  const device = DICE[done.reconnects % DICE.length];
  await running.fake(device, { verb: 'link', up: false });
  await running.fake(device, { verb: 'link', up: true });
  done.reconnects += 1;
}

async function settle() {
  await sleep(500);
  await table.settled();
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc();
    await sleep(50);
  }
}

/** Handles of each kind: the median of many looks, since a client that dials a broker has one more for a moment. */
async function handles() {
  const looks = [];
  for (let n = 0; n < 21; n += 1) {
    const counts = {};
    for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
    looks.push(counts);
    await sleep(50);
  }
  const names = [...new Set(looks.flatMap((counts) => Object.keys(counts)))].sort();
  const medians = names.map((name) => [name, looks.map((counts) => counts[name] ?? 0).sort((a, b) => a - b)[10]]);
  return Object.fromEntries(medians.filter(([, count]) => count > 0));
}

const processListeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);

async function measure() {
  await settle();
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  return {
    heap: heapUsed,
    external,
    arrayBuffers,
    rss,
    handles: await handles(),
    listeners: { ...listeners, process: processListeners() },
    sockets: door.value.sockets.count(),
    log: statSync(logFile).size,
  };
}

async function day(amount, comings) {
  const before = { ...done };
  const began = performance.now();
  while (done.rolls - before.rolls < amount && performance.now() - began < limitMs) {
    await burst(Math.min(BURST, amount - (done.rolls - before.rolls)));
    const passed = Math.max((done.rolls - before.rolls) / amount, (performance.now() - began) / limitMs);
    const due = Math.floor(Math.min(1, passed) * comings);
    while (done.connects - before.connects < due) {
      await visit();
      await reconnect();
    }
  }
  return { ms: performance.now() - began };
}

await day(warmUp, 50);
const start = await measure();
Object.assign(done, { rolls: 0, asBytes: 0, connects: 0, reconnects: 0, heard: 0 });
const used = process.cpuUsage();
const ran = await day(rolls, visits);
const spent = process.cpuUsage(used);
const end = await measure();
const cpuMs = (spent.user + spent.system) / 1000;
const told = { done, ms: ran.ms, cpuMs, upMs: process.uptime() * 1000, start, end, waiting: journal.waiting() };
process.stdout.write(`${JSON.stringify(told)}\n`);
await running.stop();
await gate.close();
await door.value.close();
time.stop();
tokens.value.close();
await journal.close();
process.exit(0);
