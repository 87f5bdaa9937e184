// (g) From a die's notification to the WebSocket frame: through the radio process, the codec, the table and the journal
// (without the sync), against the Bluetooth library alone; each on a virtual radio of its own with the same seed. Then how
// long a radio process takes that is begun anew.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { child, folder, median, quantile, ready, sleep, spread, tell } from './parts.mjs';

const ROUNDS = 5;
const ROLLS = 40;
const STARTS = 3;
/** Connection events are so far apart (15 to 30 ms asked for, and the dongle takes the longest). */
const INTERVAL_MS = 30;
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
  /** When the controller handed over what was said last, by its bytes; the clock is every process's. */
  const handed = new Map();
  lines.on('line', (line) => {
    const { event, hex, monotonic } = JSON.parse(line);
    if (event === 'said') handed.set(hex, monotonic);
  });
  order({ do: 'add', die: { make: 'pixels', id: DIE, kind: 'd20' } });
  return { path, handed, say: (hex) => order({ do: 'say', die: DIE, hex }), end: () => radio.stdin.end() };
}

/** The clock of all processes of this machine, in milliseconds. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

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
  return { name, air: own, program, find, socket: await connect(`ws://127.0.0.1:${port}/ws?table=prova`) };
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

/** Tumbles to a face and back to rest; what the daemon or the script tells of it is a roll. */
function tumble(own, index) {
  for (const passed of [1, 2, 3, 4]) own.say(`0303${byte((index + passed) % SIDES)}`);
}

/** Resolves with the time at which the next roll is told. */
function nextRoll(socket, name) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name}: a roll never came`)), PATIENCE_MS);
    const hear = (data) => {
      if (!data.toString().includes('"kind":"roll"')) return;
      clearTimeout(late);
      socket.off('message', hear);
      resolve(now());
    };
    socket.on('message', hear);
  });
}

/** Waits until so much of the time between two connection events has passed: every roll of a round has its own share of it. */
async function phase(own, share) {
  const last = Math.max(...own.handed.values());
  const late = (now() - last) % INTERVAL_MS;
  await sleep((share * INTERVAL_MS - late + INTERVAL_MS) % INTERVAL_MS);
}

/** Milliseconds of each roll: all of them, and those after the controller had handed it over. */
async function round({ name, air: own, socket }) {
  const times = [];
  for (let roll = 0; roll < ROLLS; roll += 1) {
    const index = (roll * 7) % SIDES;
    tumble(own, index);
    await sleep(120);
    const rest = `0301${byte(index)}`;
    const landed = nextRoll(socket, name);
    own.handed.delete(rest);
    await phase(own, (((roll * 7) % ROLLS) + 0.5) / ROLLS);
    const said = now();
    own.say(rest);
    const told = await landed;
    while (!own.handed.has(rest)) await sleep(1);
    times.push({ all: told - said, heard: told - own.handed.get(rest) });
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
  const figures = (times, part) => times.map((round_) => round_.map((time) => time[part]));
  const told = (times) => `p50 ${spread(times.map(median))} ms, p99 ${spread(times.map((t) => quantile(t, 0.99)))} ms`;
  const parts = [
    ['all', 'with the air'],
    ['heard', 'without it'],
  ];
  for (const [part, where] of parts) {
    const base = figures(rounds.map(({ base: own }) => own), part);
    console.log(`  library alone, ${where}: ${told(base)}`);
    for (const [index, { name }] of sides.entries()) {
      const own = figures(rounds.map((round_) => round_.own[index]), part);
      console.log(`  ${name}, ${where}: ${told(own)}`);
      for (const [q, goal] of [[0.5, 1.2], [0.99, undefined]]) {
        const ratios = own.map((times, n) => quantile(times, q) / quantile(base[n], q));
        tell(`${name}, ${where}, p${100 * q} ratio`, ratios, part === 'all' && index === 0 ? goal : undefined);
      }
    }
  }
  await startAnew(sides[0]);
  for (const side of [bare, ...sides]) {
    side.socket.terminate();
    await side.program.end();
    side.air.end();
  }
}

/** From the end of a radio process to the link of the next one, and to the first roll that counts. */
async function startAnew({ name, air: own, program, find, socket }) {
  const [links, rolls] = [[], []];
  for (let n = 0; n < STARTS; n += 1) {
    const began = now();
    process.kill(radioProcessOf(program.pid), 'SIGKILL');
    await until('the link lost', async () => (await find())?.link !== 'up');
    await until('the link', async () => (await find())?.link === 'up');
    links.push(now() - began);
    const first = nextRoll(socket, name);
    // What it says in the first two seconds is its memory, and no roll: it is thrown until one counts.
    let told = null;
    void first.then((at) => (told = at));
    for (let index = 0; told === null; index = (index + 7) % SIDES) {
      tumble(own, index);
      await sleep(120);
      own.say(`0301${byte(index)}`);
      await sleep(200);
    }
    rolls.push(told - began);
  }
  console.log(`  radio process killed -> link ${spread(links, 0)} ms -> first roll ${spread(rolls, 0)} ms (the first 2 s are memory)`);
}

/** The process among a program's children that holds the radio. */
function radioProcessOf(parent) {
  const isRadio = (pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return ppid === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker.js');
    } catch {
      return false;
    }
  };
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isRadio(name));
  if (pid === undefined) throw new Error('no radio process');
  return Number(pid);
}
