import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const CHILD = fileURLToPath(new URL('./day/child.mjs', import.meta.url));
const MB = 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;
const ROLLS = 1_000_000;
const VISITS = 1_000;
/** Rolls before the measure: more than the 50,000 origins that a daemon remembers. */
const WARM_UP = 60_000;
/** Rolling stops here, wherever it has come to: a busy machine rolls fewer, and the number is told. */
const LIMIT_MS = 500_000;

/** What may not grow, as the child counted it. */
interface Count {
  readonly heap: number;
  readonly rss: number;
  readonly external: number;
  readonly handles: Readonly<Record<string, number>>;
  readonly listeners: Readonly<Record<string, number>>;
  readonly sockets: number;
  readonly log: number;
}

interface Day {
  readonly done: {
    readonly rolls: number;
    readonly asBytes: number;
    readonly connects: number;
    readonly reconnects: number;
  };
  readonly ms: number;
  readonly cpuMs: number;
  readonly upMs: number;
  readonly start: Count;
  readonly end: Count;
  readonly waiting: number;
}

async function aDay(): Promise<Day> {
  const dir = mkdtempSync(join(tmpdir(), 'tiro-day-'));
  const order = { dir, rolls: ROLLS, warmUp: WARM_UP, visits: VISITS, limitMs: LIMIT_MS };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', CHILD, JSON.stringify(order)]);
    return JSON.parse(stdout) as Day;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test('F143 a day in minutes: 1,000,000 rolls or as many as fit, 1,000 clients, 1,000 reconnects, and nothing grows', {
  timeout: 900_000,
}, async () => {
  const { done, ms, cpuMs, upMs, start, end, waiting } = await aDay();
  const grown = (end.heap - start.heap) / MB;
  const share = ((100 * done.asBytes) / done.rolls).toFixed(0);
  const logOfDay = (end.log * DAY_MS) / upMs;
  process.stdout.write(
    `a day: ${done.rolls} of ${ROLLS} rolls (${share} % as bytes, ${end.sockets} clients left) in ${(ms / 1000).toFixed(0)} s, ` +
      `${(cpuMs / done.rolls).toFixed(2)} ms of CPU each; heap ${(start.heap / MB).toFixed(1)} MB, ` +
      `${grown >= 0 ? '+' : ''}${grown.toFixed(2)} MB; RSS ${(start.rss / MB).toFixed(0)} to ${(end.rss / MB).toFixed(0)} MB; ` +
      `log ${end.log} bytes, at that pace ${(logOfDay / MB).toFixed(2)} MB a day\n`,
  );
  expect(grown).toBeLessThanOrEqual(10);
  expect((end.external - start.external) / MB).toBeLessThanOrEqual(10);
  expect(end.handles).toEqual(start.handles);
  expect(end.listeners).toEqual(start.listeners);
  expect(end.sockets).toBe(0);
  expect(waiting).toBe(0);
  expect(done.connects).toBeGreaterThanOrEqual(VISITS - 1);
  expect(done.reconnects).toBe(done.connects);
  // What is said at the start and once per change, taken as if it went on so all day.
  expect(logOfDay).toBeLessThan(10 * MB);
  expect(done.rolls).toBeGreaterThanOrEqual(10_000);
});
