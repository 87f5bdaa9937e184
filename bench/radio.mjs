// (g) From a die's notification to the WebSocket frame: through the radio process, the codec, the table and the journal
// (without the sync), against the Bluetooth library alone; each on a virtual radio of its own with the same seed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { child, folder, median, quantile, ready, sleep, spread, tell } from './parts.mjs';

const ROUNDS = 5;
const ROLLS = 40;
const DIE = '03ef405d';
const SIDES = 20;
const PATIENCE_MS = 60_000;
const dir = folder();

/** A virtual radio with one Pixels in a process of its own. */
async function air(name) {
  const path = `${dir}/${name.replaceAll(' ', '-')}`;
  const script = fileURLToPath(new URL('../test/radio/run.mjs', import.meta.url));
  const radio = spawn(process.execPath, [script, '--pty', path, '--seed', '1'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: radio.stdout });
  let id = 0;
  const order = (what) => radio.stdin.write(`${JSON.stringify({ ...what, id: (id += 1) })}\n`);
  await once(lines, 'line');
  lines.on('line', () => undefined);
  order({ do: 'add', die: { make: 'pixels', id: DIE, kind: 'd20' } });
  return { path, say: (hex) => order({ do: 'say', die: DIE, hex }), end: () => radio.stdin.end() };
}

async function bareSide() {
  const own = await air('bare');
  const env = { BLUETOOTH_HCI_SOCKET_UART_PORT: own.path, NOBLE_REPORT_ALL_HCI_EVENTS: '1' };
  const program = await child('bare-radio.mjs', [], env);
  const { port } = await program.next();
  await program.next();
  return { name: 'library alone', air: own, program, socket: await connect(`ws://127.0.0.1:${port}`) };
}

async function daemonSide(name, tuning) {
  const own = await air(name);
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const args = { port, mqttPort: 'off', data: `${own.path}-data` };
  const program = await child('daemon.mjs', [JSON.stringify({ args, tuning })], {
    TIRO_BLE_HCI: `uart:${own.path}`,
    TIRO_LOG_LEVEL: 'silent',
  });
  await ready(port);
  const api = `http://127.0.0.1:${port}/api/v1`;
  const die = `pixels-${DIE}`;
  const find = async () => (await (await fetch(`${api}/dice`)).json()).dice.find((one) => one.id === die);
  await until('the die on the air', async () => (await find()) !== undefined);
  const began = performance.now();
  const bind = JSON.stringify({ id: 'bind', do: 'bind', args: { die, seat: 'ada' } });
  await fetch(`${api}/tables/prova/commands`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: bind });
  await until('the link', async () => (await find())?.link === 'up');
  console.log(`  ${name}: linked ${Math.round(performance.now() - began)} ms after it was enrolled`);
  await sleep(2_500);
  return { name, air: own, program, socket: await connect(`ws://127.0.0.1:${port}/ws?table=prova`) };
}

async function until(what, look) {
  const end = performance.now() + PATIENCE_MS;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await sleep(50);
  }
}

async function connect(url) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  return socket;
}

const byte = (value) => value.toString(16).padStart(2, '0');

async function round({ name, air: own, socket }) {
  const times = [];
  for (let roll = 0; roll < ROLLS; roll += 1) {
    const index = (roll * 7) % SIDES;
    for (const passed of [1, 2, 3, 4]) own.say(`0303${byte((index + passed) % SIDES)}`);
    await sleep(120);
    const landed = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${name}: roll ${roll} never came`)), 10_000);
      const hear = (data) => {
        if (!data.toString().includes('"kind":"roll"')) return;
        clearTimeout(late);
        socket.off('message', hear);
        resolve(performance.now());
      };
      socket.on('message', hear);
    });
    const said = performance.now();
    own.say(`0301${byte(index)}`);
    times.push((await landed) - said);
    await sleep(Math.random() * 30);
  }
  return times;
}

export async function radio() {
  console.log(`(g) notification -> WebSocket frame, ${ROUNDS} rounds of ${ROLLS} rolls, sides alternating; air time included`);
  const bare = await bareSide();
  const sides = [await daemonSide('without the sync', { sync: false }), await daemonSide('with the sync', {})];
  for (const side of [bare, ...sides]) await round(side);
  const rounds = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const base = await round(bare);
    const own = [];
    for (const side of sides) own.push(await round(side));
    rounds.push({ base, own });
  }
  const told = (times) => `p50 ${spread(times.map(median))} ms, p99 ${spread(times.map((t) => quantile(t, 0.99)))} ms`;
  console.log(`  library alone: ${told(rounds.map(({ base }) => base))}`);
  for (const [index, { name }] of sides.entries()) {
    console.log(`  ${name}: ${told(rounds.map(({ own }) => own[index]))}`);
    const ratios = rounds.map(({ base, own }) => median(own[index]) / median(base));
    tell(`${name}, p50 ratio`, ratios, index === 0 ? 1.2 : undefined);
  }
  for (const side of [bare, ...sides]) {
    side.socket.terminate();
    await side.program.end();
    side.air.end();
  }
}
