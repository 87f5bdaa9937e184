// What the benchmarks share: children, pseudo-terminals, percentiles, and how a comparison is told.
import { spawn } from 'node:child_process';
import { fork } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A child that answers every message with its figures. */
export async function child(script, args, env = {}) {
  const process_ = fork(here(script), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, ...env } });
  const waiting = [];
  process_.on('message', (message) => waiting.shift()?.(message));
  const next = () => new Promise((resolve) => waiting.push(resolve));
  return {
    pid: process_.pid,
    next,
    ask(message = 'figures') {
      const answer = next();
      process_.send(message);
      return answer;
    },
    async end() {
      if (process_.exitCode !== null) return;
      process_.kill('SIGTERM');
      await new Promise((resolve) => process_.once('exit', resolve));
    },
  };
}

/** Waits until the daemon on this port takes part. */
export async function ready(port) {
  for (let wait = 0; wait < 300; wait++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`the daemon on port ${port} never got ready`);
}

export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'tiro-bench-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Two ends of one cable: the far one is written here, the near one is a serial port for the program measured. */
export async function cable(dir, name) {
  const near = join(dir, name);
  const far = join(dir, `${name}-far`);
  const socat = spawn('socat', [`pty,raw,echo=0,link=${near}`, `pty,raw,echo=0,link=${far}`], { stdio: 'ignore' });
  for (let wait = 0; wait < 200 && !(existsSync(near) && existsSync(far)); wait++) await sleep(10);
  const fd = openSync(far, 'r+');
  return { path: near, write: (text) => writeSync(fd, text), end: () => (closeSync(fd), socat.kill()) };
}

function crc16(text) {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

export const frame = (body) => `$${body}*${crc16(body)}\n`;
export const rollFrame = (seq, boot, value) => frame(`TTROL,${seq},${boot},${seq * 10},d20,${value},slot=1,kind=roll,q=99`);

export const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
};
export const median = (values) => quantile(values, 0.5);

/** `1.23 (1.10 to 1.40)`: the median of the rounds and their spread. */
export const spread = (values, digits = 2) =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

/** Says a ratio against its goal. */
export function tell(name, ratios, goal) {
  const met = goal === undefined ? '' : median(ratios) <= goal ? `  goal <= ${goal}: met` : `  goal <= ${goal}: MISSED`;
  console.log(`  ${name.padEnd(46)} ${spread(ratios)}${met}`);
}

export { sleep };
