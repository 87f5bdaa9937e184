import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, Daemon, freshFolder, until } from '../daemon/daemon.js';
import { nameOf, radioProcessOf } from '../daemon/radio-evening.js';
import { noNoble } from '../radio/needs.js';
import { RadioProcess } from '../radio/radio-process.js';

afterAll(cleanUp);

const preload = fileURLToPath(new URL('../radio/preload.cjs', import.meta.url));
const PATIENCE_MS = 90_000;
const DIE = { make: 'pixels', id: '03ef4061', kind: 'd20' } as const;
const FIX = /setcap cap_net_raw/;

test.skipIf(noNoble())(
  'F106 a right that is missing, at the start or later, is told with its remedy; when it is given all goes on by itself',
  { timeout: 300_000 },
  async () => {
    const folder = freshFolder();
    const [socket, forbidden] = [join(folder, 'hci'), join(folder, 'forbidden')];
    const radio = await RadioProcess.start({ socket });
    await radio.add(DIE);
    writeFileSync(forbidden, '');
    const env = {
      NODE_OPTIONS: `--require ${preload}`,
      VIRTUAL_RADIO_SOCKET: socket,
      VIRTUAL_RADIO_FORBIDDEN: forbidden,
    };
    const daemon = await Daemon.start({ env, config: "devices: {fake: 'off'}\nlanguage: en\n" });
    const bluetooth = async (): Promise<{ readonly state: string; readonly remedy?: string }> =>
      (await daemon.get('/api/v1/status')).json.ble;
    const told = (): Promise<boolean> =>
      until(
        'the remedy told',
        async () => {
          const { state, remedy = '' } = await bluetooth();
          return state === 'unavailable' && FIX.test(remedy);
        },
        PATIENCE_MS,
      );
    const link = async (): Promise<string | undefined> =>
      ((await daemon.get('/api/v1/dice')).json.dice as { id: string; link: string }[]).find(
        ({ id }) => id === nameOf(DIE),
      )?.link;
    try {
      await told();
      rmSync(forbidden);
      await until('the die heard', async () => (await link()) !== undefined, PATIENCE_MS);
      expect(await bluetooth()).toMatchObject({ state: 'available' });
      await daemon.command('prova', 'bind', { die: nameOf(DIE), seat: 'ada', duty: 'rolls' });
      await until('the die linked', async () => (await link()) === 'up', PATIENCE_MS);

      writeFileSync(forbidden, '');
      process.kill(radioProcessOf(daemon.pid), 'SIGKILL');
      await told();
      await until('the die without a link', async () => (await link()) === 'down', PATIENCE_MS);
      rmSync(forbidden);
      await until('the die linked again', async () => (await link()) === 'up', PATIENCE_MS);
      expect(await bluetooth()).toMatchObject({ state: 'available' });
    } finally {
      await daemon.stop();
      await radio.close();
    }
  },
);
