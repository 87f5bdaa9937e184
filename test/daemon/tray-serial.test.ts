import { afterAll, beforeAll, expect, test } from 'vitest';
import { framed } from '../../src/devices/fake/tray-frames.js';
import { hasPython, PtyTray } from '../devices/pty.js';
import { cleanUp, Daemon, sleep, until } from './daemon.js';
import { Ear, type Message } from './ears.js';

let cable: PtyTray;
let daemon: Daemon;
let ear: Ear;
let seq = 0;

const trays = async (): Promise<Message[]> => (await daemon.get('/api/v1/status')).json.serial.trays;

async function tray(): Promise<Message> {
  return (await trays())[0];
}

/** The tray throws a d20; gives the roll as the WebSocket tells it. */
async function thrown(natural: number): Promise<Message> {
  seq += 1;
  const known = ear.rolls().length;
  cable.frame(`TTROL,${seq},9,${2000 + seq * 10},d20,${natural},slot=1,kind=roll`);
  await until(`roll ${seq}`, () => ear.rolls().length > known, 8000);
  return ear.rolls()[known];
}

beforeAll(async () => {
  expect(hasPython(), 'python3 plays the tray').toBe(true);
  cable = new PtyTray();
  await cable.plug();
  const config = `devices:\n  serial:\n    - path: ${cable.path}\n`;
  // Neither udevadm nor anything else of the system is in the path (F019).
  daemon = await Daemon.start({ config, env: { PATH: '/nowhere' } });
  ear = await Ear.at(daemon, 'table=prova');
  await until('the tray is met', async () => (await tray())?.link === 'up');
});
afterAll(async () => {
  ear?.end();
  await cleanUp();
  await cable?.end();
});

test('a tray that is configured turns the fakes off, and its rolls count without Bluetooth and udevadm (F001, F019)', async () => {
  const status = (await daemon.get('/api/v1/status')).json;
  expect(status.fake).toMatchObject({ state: 'off', setting: 'auto', devices: [] });
  expect((await daemon.fake('fake-tray', 'roll', { natural: 3 })).status).toBe(404);
  expect(status.serial).toMatchObject({ state: 'on', trays: [{ link: 'up', model: expect.any(String) }] });
  const roll = await thrown(17);
  expect(roll).toMatchObject({ natural: 17, verdict: 'accepted', dice: [{ type: 'd20', source: 'physical' }] });
  expect(roll.dice[0]).not.toHaveProperty('fake');
});

test('a flipped digit is no roll: garbled with what came and what was expected, in metrics, status and live', async () => {
  const before = await daemon.metric('tiro_garbled_total');
  const rolls = ear.rolls().length;
  const frame = framed(`TTROL,${seq + 1},9,5000,d20,17,slot=1,kind=roll`);
  const flipped = frame.replace(',17,', ',18,');
  cable.say(`${flipped}\n`);
  const live = await ear.first((message) => message.kind === 'live' && message.signal.kind === 'garbled');
  expect(live.signal).toMatchObject({ why: 'check', got: expect.any(String), expected: expect.any(String) });
  expect(live.signal.got).not.toBe(live.signal.expected);
  expect(frame).toContain(live.signal.got);
  expect(await daemon.metric('tiro_garbled_total')).toBe(before + 1);
  const { garbled } = await tray();
  expect(garbled).toMatchObject({ why: 'check', got: live.signal.got, expected: live.signal.expected });
  await sleep(300);
  expect(ear.rolls()).toHaveLength(rolls);
  await thrown(5);
});

test('64 MiB without a newline: memory flat, the loop under 200 ms, the next frame is a roll (F006)', async () => {
  await daemon.get('/metrics');
  const before = await daemon.metric('tiro_process_resident_memory_bytes');
  let worst = 0;
  let flooding = true;
  let most = 0;
  const watch = (async () => {
    while (flooding) {
      const began = performance.now();
      const pong = new Promise((resolve) => ear.socket.once('pong', resolve));
      ear.socket.ping();
      await pong;
      worst = Math.max(worst, performance.now() - began);
      await sleep(20);
    }
  })();
  const memory = (async () => {
    while (flooding) {
      most = Math.max(most, await daemon.metric('tiro_process_resident_memory_bytes'));
      await sleep(500);
    }
  })();
  const lag = await loopLag();
  await cable.flood(64 * 1024 * 1024, 60_000);
  flooding = false;
  await Promise.all([watch, memory]);
  const after = await loopLag();
  process.stdout.write(
    `64 MiB without a newline: WS ping at most ${worst.toFixed(0)} ms, loop p99 ${(lag * 1000).toFixed(0)} → ${(after * 1000).toFixed(0)} ms, RSS +${((most - before) / 1e6).toFixed(0)} MB\n`,
  );
  expect(most - before).toBeLessThan(50e6);
  expect(worst).toBeLessThan(1000);
  cable.say('\n');
  expect((await thrown(11)).natural).toBe(11);
}, 90_000);

test('a cable that is pulled out is told, and taken up again by itself (F089)', async () => {
  await cable.unplug();
  const down = await until('told down', async () => {
    const now = await tray();
    return now.link === 'up' ? null : now;
  });
  expect(down.reason).toMatch(/\S/);
  expect((await daemon.get('/readyz')).status).toBe(200);
  await cable.plug();
  await until('the tray is back', async () => (await tray()).link === 'up');
  expect((await thrown(9)).natural).toBe(9);
});

async function loopLag(): Promise<number> {
  return daemon.metric('tiro_nodejs_eventloop_lag_p99_seconds');
}
