// (a) From a byte on the serial port to the WebSocket frame: the daemon (every check, rules, journal) against the bare
// script, both sides alternating on the same machine in one process tree.
import { once } from 'node:events';
import WebSocket from 'ws';
import { cable, child, folder, frame, median, quantile, rollFrame, sleep, spread, tell } from './parts.mjs';

const ROUNDS = 7;
const ROLLS = 60;
const dir = folder();
let boot = 1;

async function daemonSide(name, tuning) {
  const line = await cable(dir, name);
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const args = { port, mqttPort: 'off', data: `${dir}/${name}-data` };
  const program = await child('daemon.mjs', [JSON.stringify({ args, tuning })], {
    TIRO_DEVICES_SERIAL: JSON.stringify([{ path: line.path }]),
    TIRO_LOG_LEVEL: 'silent',
    TIRO_BLE_ENABLED: 'off',
  });
  const socket = await connect(`ws://127.0.0.1:${port}/ws?table=prova`);
  await sleep(300);
  return { name, line, program, socket, isRoll: (text) => text.includes('"kind":"roll"') };
}

async function bareSide() {
  const line = await cable(dir, 'bare');
  const program = await child('bare-serial.mjs', [line.path]);
  const { port } = await program.next();
  const socket = await connect(`ws://127.0.0.1:${port}`);
  await sleep(300);
  return { name: 'bare script', line, program, socket, isRoll: () => true };
}

async function connect(url) {
  for (let wait = 0; wait < 100; wait++) {
    const socket = new WebSocket(url);
    const opened = await Promise.race([once(socket, 'open').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false);
    if (opened) return socket;
    await sleep(100);
  }
  throw new Error(`nobody answers on ${url}`);
}

async function round(side) {
  boot += 1;
  side.line.write(frame(`TTHEL,1-1,tray-bench,fw=1,boot=${boot},oldest=1,next=1,ms=0,caps=roll,crc=16`));
  await sleep(50);
  const times = [];
  for (let seq = 1; seq <= ROLLS; seq++) {
    const landed = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${side.name}: roll ${seq} never came`)), 5000);
      const hear = (data) => {
        if (!side.isRoll(data.toString())) return;
        clearTimeout(late);
        side.socket.off('message', hear);
        resolve(performance.now());
      };
      side.socket.on('message', hear);
    });
    const sent = performance.now();
    side.line.write(rollFrame(seq, boot, (seq % 20) + 1));
    times.push((await landed) - sent);
    await sleep(3);
  }
  return times;
}

export async function latency() {
  console.log(`(a) byte on the port -> WebSocket frame, ${ROUNDS} rounds of ${ROLLS} rolls, sides alternating`);
  const bare = await bareSide();
  const sides = [
    await daemonSide('without the sync', { sync: false }),
    await daemonSide('with the sync', {}),
    await daemonSide('sync + 20 ms', { syncDelayMs: 20 }),
    await daemonSide('sync + 100 ms', { syncDelayMs: 100 }),
  ];
  for (const side of [bare, ...sides]) await round(side);
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const base = await round(bare);
    const own = [];
    for (const side of sides) {
      await side.program.ask('reset');
      const times = await round(side);
      own.push({ times, figures: await side.program.ask() });
    }
    rounds.push({ base, own });
  }
  console.log(`  bare script p50 ${spread(rounds.map((r) => median(r.base)))} ms, p99 ${spread(rounds.map((r) => quantile(r.base, 0.99)))} ms`);
  for (const [index, side] of sides.entries()) {
    const times = rounds.map((r) => r.own[index].times);
    console.log(`  ${side.name}: p50 ${spread(times.map(median))} ms, p99 ${spread(times.map((t) => quantile(t, 0.99)))} ms`);
    tell(`${side.name}, p50 ratio`, rounds.map((r) => median(r.own[index].times) / median(r.base)), index === 0 ? 1.3 : undefined);
    tell(`${side.name}, p99 ratio`, rounds.map((r) => quantile(r.own[index].times, 0.99) / quantile(r.base, 0.99)));
    const lag = rounds.map((r) => r.own[index].figures.lagMax);
    console.log(`  ${side.name}: event loop delay, worst of a round ${spread(lag)} ms${median(lag) <= 20 ? '  goal <= 20 ms: met' : '  goal <= 20 ms: MISSED'}`);
  }
  for (const side of [bare, ...sides]) {
    side.socket.terminate();
    await side.program.end();
    side.line.end();
  }
}
