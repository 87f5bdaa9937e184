import { afterAll, beforeAll, expect, test } from 'vitest';
import { AwakeClock } from '../../src/cli/awake-clock.js';
import { PtyTray } from '../devices/pty.js';
import { cleanUp, Daemon, sleep, until } from './daemon.js';
import { Ear } from './ears.js';

const STOPPED_MS = 20_000;

let cable: PtyTray;
let daemon: Daemon;

beforeAll(async () => {
  cable = new PtyTray();
  await cable.plug();
  const config = `devices:\n  fake: "on"\n  serial:\n    - path: ${cable.path}\n`;
  daemon = await Daemon.start({ config, mqtt: 0 });
});
afterAll(async () => {
  await cleanUp();
  await cable?.end();
});

test('stopped for 20 s and woken: no timer has run out, no link is taken for lost, what came meanwhile counts once (F139)', async () => {
  const ear = await Ear.at(daemon, 'table=prova');
  await until('the tray is met', async () => (await daemon.get('/api/v1/status')).json.serial.trays[0]?.link === 'up');
  cable.frame('TTROL,1,9,2000,d20,4,slot=1,kind=roll');
  await until('a first roll', () => ear.rolls().length === 1);
  const ttl = 10_000;
  expect(await ear.command('call', { seat: 'bea', notation: '1d12', purpose: 'prova', ttl }, 'chiamata')).toMatchObject(
    {
      kind: 'ack',
    },
  );
  await daemon.notify('fake-godice-d20', '52');
  const heard = ear.heard.length;
  daemon.process.kill('SIGSTOP');
  await sleep(STOPPED_MS / 2);
  cable.frame('TTROL,2,9,3000,d20,11,slot=1,kind=roll');
  await sleep(STOPPED_MS / 2);
  daemon.process.kill('SIGCONT');
  const woken = performance.now();

  await until('the roll of the tray', () => ear.rolls().length === 2, 3000);
  expect(ear.rolls()[1]).toMatchObject({ natural: 11, verdict: 'accepted' });
  const awaited = (await daemon.get('/api/v1/tables/prova')).json.awaited.map(({ id }: { id: string }) => id);
  expect(awaited).toContain('chiamata');
  const ended = await daemon.notify('fake-godice-d20', '545300EAC0');
  expect(ended.json.signals[0]).toMatchObject({ kind: 'rested', how: 'thrown', face: 17 });
  expect(ended.json.roll).not.toBeNull();
  await until(
    'the call ends in awake time',
    async () =>
      !(await daemon.get('/api/v1/tables/prova')).json.awaited.some(({ id }: { id: string }) => id === 'chiamata'),
    20_000,
  );
  expect(performance.now() - woken).toBeGreaterThan(ttl - 4000);
  const links = ear.heard.slice(heard).filter((message) => message.kind === 'live' && message.signal.kind === 'link');
  expect(links).toEqual([]);
  expect(ear.heard.filter((message) => message.notice?.code === 'unresolved')).toEqual([]);
  expect(ear.closed).toBeNull();
  expect(daemon.err).toMatch(/slept, or this program did not run, for (19|2\d)\d{3} ms/);
  ear.end();
}, 90_000);

test('awake time: a gap and a jump either way do not pass, and a wait ends when its own time has passed (F047)', async () => {
  let real = 1000;
  const gaps: number[] = [];
  const clock = new AwakeClock(
    (ms) => gaps.push(ms),
    () => real,
  );
  const start = clock.now();
  real += 500;
  expect(clock.now() - start).toBe(500);
  real += 8 * 3_600_000;
  expect(clock.now() - start).toBe(500);
  real -= 2 * 3_600_000;
  expect(clock.now() - start).toBe(500);
  expect(gaps).toEqual([8 * 3_600_000, -2 * 3_600_000]);
  let done = 0;
  clock.after(30, () => {
    done += 1;
  });
  const taken = clock.after(30, () => {
    done += 10;
  });
  taken();
  await sleep(100);
  expect(done).toBe(0);
  real += 31;
  await until('its own time', () => done === 1);
  clock.stop();
});
