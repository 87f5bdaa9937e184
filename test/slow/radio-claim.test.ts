import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ClaimView } from '../../src/wire/view.js';
import { cleanUp, Daemon, freshFolder, PROGRAM, sleep, until } from '../daemon/daemon.js';
import { RadioProcess } from '../radio/radio-process.js';

afterAll(cleanUp);

const PATIENCE_MS = 60_000;
const DICE = [
  { make: 'pixels', id: '0a0b0c01', kind: 'd20' },
  { make: 'pixels', id: '0a0b0c02', kind: 'd8' },
  { make: 'godice', id: 'BC0940', shell: 'd12', letter: 'K' },
] as const;
const NAMES = ['pixels-0a0b0c01', 'pixels-0a0b0c02', 'godice-bc0940'] as const;

/** A die as `GET /api/v1/dice` lists it, as far as this test looks. */
interface Listed {
  readonly id: string;
  readonly link: string;
  readonly table: string | null;
  readonly rssi?: number;
  readonly following?: { readonly by: string };
}

const tiro = (...args: string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });

test('dice of nobody are claimed over the air by throwing them, count from then on, and a recording of it ends the same', {
  timeout: 240_000,
}, async () => {
  const radio = await RadioProcess.start({ seed: 4, links: 3 });
  const file = join(freshFolder(), 'evening.tiro-rec');
  const config = `language: en\ndevices: {fake: 'off'}\nble: {hci: 'uart:${radio.path}', links: 3}\n`;
  const daemon = await Daemon.start({ verb: ['record', file], config });
  try {
    const listed = async (): Promise<readonly Listed[]> => (await daemon.get('/api/v1/dice')).json.dice;
    const view = async () => (await daemon.get('/api/v1/tables/prova')).json.view;
    for (const die of DICE) await radio.add(die);
    await until('three dice of nobody', async () => (await listed()).length === 3, PATIENCE_MS);
    for (const die of await listed())
      expect(die).toMatchObject({ table: null, link: 'down', rssi: expect.any(Number) });

    await radio.landing('0a0b0c02', 'throw', 5);
    expect((await view()).game.state.rolls).toBe(0);
    expect((await daemon.command('prova', 'collect', { seat: 'ada' })).status).toBe(200);
    const claim = async (): Promise<ClaimView> => (await view()).collecting;
    // A GoDice says nothing until it is linked, which it is while the window is open.
    await until('a link to the GoDice', async () =>
      (await listed()).some(({ id, link }) => id === NAMES[2] && link === 'up'),
    );
    // Whoever sees no light throws again, as people do.
    for (let face = 1; (await claim()).dice.length < 3 && (await claim()).leftMs !== undefined; face = (face % 4) + 1) {
      await Promise.all(DICE.map(({ id }) => radio.landing(id, 'throw', face)));
    }
    expect((await daemon.command('prova', 'collect', { seat: 'ada', stop: true })).status).toBe(200);
    const asked = (await claim()).asked.toSorted((a, b) => a.die.localeCompare(b.die));
    expect(asked).toEqual([
      { die: NAMES[2], why: 'kind' },
      { die: NAMES[0], why: 'duty' },
    ]);
    expect((await view()).game.state.rolls).toBe(0);

    await daemon.command('prova', 'bind', { die: NAMES[0], seat: 'ada', duty: 'counts', counter: 'pv' });
    await daemon.command('prova', 'bind', { die: NAMES[2], seat: 'ada', shell: 'd12' });
    await until(
      'links to the dice that roll',
      async () =>
        (await listed()).every(
          ({ id, link, following }) => id === NAMES[0] || (link === 'up' && following?.by === 'link'),
        ),
      PATIENCE_MS,
    );
    await sleep(2_300);
    const before = (await view()).game.state.rolls;
    const heard = [await radio.landing('0a0b0c02', 'throw', 7), await radio.landing('BC0940', 'throw', 9)];
    expect(heard.map(({ delivered }) => delivered)).toEqual([true, true]);
    await until('two rolls', async () => (await view()).game.state.rolls === before + 2);
    const rolls = (await daemon.get('/api/v1/tables/prova')).json.rolls.slice(-2);
    expect(rolls).toMatchObject([
      { seat: 'ada', dice: [{ die: NAMES[1], natural: 7 }] },
      { seat: 'ada', dice: [{ die: NAMES[2], natural: 9, type: 'd12' }] },
    ]);

    const settings = join(freshFolder(), 'scan.yaml');
    const { port } = new URL(daemon.url);
    writeFileSync(settings, `http: {port: ${port}}\n`);
    const scanned = tiro('scan', '--seconds', '1', '--json', '--config', settings);
    expect(JSON.parse(scanned.stdout).dice).toHaveLength(3);
    expect(await daemon.stop()).toBe(0);
    const replayed = tiro('replay', file);
    expect(replayed.stderr).toBe('');
    expect(replayed.stdout).toBe(tiro('replay', join(daemon.data, 'journal.db')).stdout);

    // With no table open the scan has a radio of its own.
    writeFileSync(settings, `http: {port: ${port}}\nble: {hci: 'uart:${radio.path}'}\n`);
    const alone = tiro('scan', '--seconds', '8', '--config', settings);
    expect([alone.status, alone.stderr]).toEqual([0, '']);
    for (const name of NAMES) expect(alone.stdout).toContain(name);
  } finally {
    await daemon.kill('SIGKILL');
    await radio.close();
  }
});
