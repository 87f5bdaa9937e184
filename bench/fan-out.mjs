// (c) One record to 1,000 WebSocket clients, with the whole view in each envelope, against a bare loop that sends one
// prepared buffer of the same size: CPU time of the sending process.
import { once } from 'node:events';
import WebSocket from 'ws';
import { child, folder, ready, sleep, spread, tell } from './parts.mjs';

const CLIENTS = 1000;
const ROUNDS = 7;
const RECORDS = 10;

async function crowd(url) {
  const sockets = [];
  let heard = 0;
  let bytes = 0;
  for (let n = 0; n < CLIENTS; n += 50) {
    const some = Array.from({ length: 50 }, () => new WebSocket(url));
    await Promise.all(some.map((socket) => once(socket, 'open')));
    sockets.push(...some);
  }
  for (const socket of sockets) {
    socket.on('message', (data) => {
      if (socket.counts === true) {
        heard += 1;
        bytes = data.length;
      }
    });
  }
  await sleep(500);
  for (const socket of sockets) socket.counts = true;
  return {
    async until(count) {
      for (let wait = 0; wait < 3000 && heard < count; wait++) await sleep(5);
      if (heard < count) throw new Error(`only ${heard} of ${count} frames came`);
      heard = 0;
    },
    size: () => bytes,
    end: () => sockets.forEach((socket) => socket.terminate()),
  };
}

async function roll(port, n) {
  const body = JSON.stringify({ id: `b${n}`, do: 'digital', args: { seat: 'ada', dice: ['d20'] } });
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/tables/prova/commands`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) throw new Error(await answer.text());
}

/** CPU of a record that nobody hears, in ms. */
async function lonely(daemon, one) {
  for (let warm = 0; warm < 5 * RECORDS; warm++) await one();
  const before = (await daemon.ask()).cpuMs;
  for (let record = 0; record < ROUNDS * RECORDS; record++) await one();
  return ((await daemon.ask()).cpuMs - before) / (ROUNDS * RECORDS);
}

export async function fanOut() {
  const dir = folder();
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const args = { port, mqttPort: 'off', data: `${dir}/fan` };
  const daemon = await child('daemon.mjs', [JSON.stringify({ args, tuning: {} })], { TIRO_LOG_LEVEL: 'silent', TIRO_BLE_ENABLED: 'off' });
  await ready(port);
  let n = 0;
  const alone = await lonely(daemon, () => roll(port, n++));
  const bare = await child('bare-ws.mjs', []);
  const { port: barePort } = await bare.next();
  const ours = await crowd(`ws://127.0.0.1:${port}/ws?table=prova&role=spectator`);
  const theirs = await crowd(`ws://127.0.0.1:${barePort}`);
  const ratios = [];
  const shares = [];
  const costs = [];
  const single = async () => {
    const before = (await daemon.ask()).cpuMs;
    for (let record = 0; record < RECORDS; record++) {
      await roll(port, n++);
      await ours.until(CLIENTS);
    }
    return (await daemon.ask()).cpuMs - before;
  };
  const base = async () => {
    const before = (await bare.ask()).cpuMs;
    for (let record = 0; record < RECORDS; record++) {
      await bare.ask({ bytes: ours.size() });
      await theirs.until(CLIENTS);
    }
    return (await bare.ask()).cpuMs - before;
  };
  await single();
  await base();
  for (let round = 0; round < ROUNDS; round++) {
    const own = await single();
    const other = await base();
    ratios.push(own / other);
    shares.push((own - alone * RECORDS) / other);
    costs.push(own / RECORDS);
  }
  console.log(`(c) one record of ${ours.size()} bytes to ${CLIENTS} WebSocket clients, ${ROUNDS} rounds of ${RECORDS} records, sides alternating`);
  console.log(`  CPU of the daemon per record ${spread(costs)} ms; with nobody there ${alone.toFixed(2)} ms (HTTP command, rules, journal)`);
  tell('CPU ratio against the bare loop', ratios, 1.1);
  tell('the same without what a record costs alone', shares, 1.1);
  ours.end();
  theirs.end();
  await daemon.end();
  await bare.end();
}
