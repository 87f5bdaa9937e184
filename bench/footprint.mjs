// (d) Start to ready and idle memory against a bare process that imports the same parts and listens; memory of one
// WebSocket client against a bare ws server. Both sides in turns.
import { once } from 'node:events';
import WebSocket from 'ws';
import { child, folder, median, sleep, spread, tell } from './parts.mjs';

const ROUNDS = 7;
const IDLE_MS = 3000;
const CLIENTS = 500;
const CLIENT_ROUNDS = 5;
const MB = 1024 * 1024;

let nextPort = 20_000 + Math.floor(Math.random() * 20_000);

/** Waits for the first 200. */
async function ready(port) {
  const limit = performance.now() + 60_000;
  while (performance.now() < limit) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(4);
  }
  throw new Error('not ready within a minute');
}

/** Starts a side and waits for its first 200; then, after a rest, its memory. */
async function started(script, argsOf, env) {
  const port = (nextPort += 2);
  const began = performance.now();
  const side = await child(script, argsOf(port), env);
  await ready(port);
  const ms = performance.now() - began;
  await sleep(IDLE_MS);
  const { rss } = await side.ask('memory');
  await side.end();
  return { ms, rss };
}

const DAEMON_ENV = { TIRO_LOG_LEVEL: 'silent', TIRO_BLE_ENABLED: 'off' };

async function starts() {
  const dir = folder();
  const daemon = (port) => [JSON.stringify({ args: { port, mqttPort: port + 1, data: `${dir}/start` }, tuning: {} })];
  const bare = (port) => [String(port), `${dir}/bare.db`];
  await started('daemon.mjs', daemon, DAEMON_ENV);
  await started('bare-footprint.mjs', bare, {});
  const own = [];
  const base = [];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await started('daemon.mjs', daemon, DAEMON_ENV));
    base.push(await started('bare-footprint.mjs', bare, {}));
  }
  const ms = (sides) => spread(sides.map((side) => side.ms), 0);
  const rss = (sides) => spread(sides.map((side) => side.rss / MB), 1);
  console.log(`(d) from start to the first answer of /readyz, and RSS ${IDLE_MS / 1000} s later after a collection, ${ROUNDS} rounds, sides alternating`);
  console.log(`  ready after ${ms(own)} ms, bare process ${ms(base)} ms`);
  tell('start against the bare process', own.map((side, n) => side.ms / base[n].ms), 1.5);
  console.log(`  RSS ${rss(own)} MB, bare process ${rss(base)} MB`);
  tell('idle memory against the bare process', own.map((side, n) => side.rss / base[n].rss), 1.3);
}

/** Bytes that a client costs the server: with all of them there, less with none. */
async function clients(side, url) {
  await sleep(300);
  const before = await side.ask('memory');
  const sockets = [];
  for (let n = 0; n < CLIENTS; n += 50) {
    const some = Array.from({ length: 50 }, () => new WebSocket(url, { perMessageDeflate: false }));
    await Promise.all(some.map((socket) => once(socket, 'open')));
    sockets.push(...some);
  }
  await sleep(1000);
  const with_ = await side.ask('memory');
  for (const socket of sockets) socket.terminate();
  await sleep(700);
  return { heap: (with_.heap - before.heap) / CLIENTS, rss: (with_.rss - before.rss) / CLIENTS };
}

async function perClient() {
  const dir = folder();
  const port = (nextPort += 2);
  const args = JSON.stringify({ args: { port, mqttPort: 'off', data: `${dir}/clients` }, tuning: {} });
  const daemon = await child('daemon.mjs', [args], DAEMON_ENV);
  const bare = await child('bare-ws.mjs', []);
  const { port: barePort } = await bare.next();
  await ready(port);
  const ours = `ws://127.0.0.1:${port}/ws?table=prova&role=spectator`;
  const theirs = `ws://127.0.0.1:${barePort}`;
  // The first crowd also pays for what is made once and kept.
  await clients(daemon, ours);
  await clients(bare, theirs);
  const own = [];
  const base = [];
  for (let round = 0; round < CLIENT_ROUNDS; round++) {
    own.push(await clients(daemon, ours));
    base.push(await clients(bare, theirs));
  }
  const kb = (sides) => spread(sides.map((side) => side.heap / 1024));
  console.log(`  heap and buffers of one of ${CLIENTS} WebSocket clients ${kb(own)} kB, bare ws ${kb(base)} kB, ${CLIENT_ROUNDS} rounds`);
  console.log(`  RSS of one client ${(median(own.map((side) => side.rss)) / 1024).toFixed(1)} kB, bare ws ${(median(base.map((side) => side.rss)) / 1024).toFixed(1)} kB`);
  tell('memory of a client against bare ws', own.map((side, n) => side.heap / base[n].heap), 1.1);
  await daemon.end();
  await bare.end();
}

export async function footprint() {
  await starts();
  await perClient();
}
