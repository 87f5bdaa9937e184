import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, Daemon, freshFolder, until } from '../daemon/daemon.js';
import { Ear } from '../daemon/ears.js';
import { DRIVERS, noNoble } from './needs.js';
import { RadioProcess } from './radio-process.js';

const preload = fileURLToPath(new URL('./preload.cjs', import.meta.url));
const DIE = '03ef405d';
const NAME = `pixels-${DIE}`;
const PATIENCE_MS = 40_000;
/** A rest this soon after the link came up is the die's memory (contracts A). */
const MEMORY_MS = 2_300;

afterAll(cleanUp);

interface DieOnTheAir {
  readonly id: string;
  readonly link: string;
}

describe.concurrent('the daemon as it is built, with its radio process on a unix socket', () => {
  for (const driver of DRIVERS) {
    test.skipIf(noNoble(driver))(`hears a throw with @${driver}/noble`, async () => {
      const socket = join(freshFolder(), 'hci');
      const radio = await RadioProcess.start({ socket });
      await radio.add({ make: 'pixels', id: DIE, kind: 'd20', face: 20 });
      const daemon = await Daemon.start({
        env: { NODE_OPTIONS: `--require ${preload}`, VIRTUAL_RADIO_SOCKET: socket },
        config: `devices: {fake: 'off'}\nble: {links: 7, driver: ${driver}}\n`,
      });
      const ear = await Ear.at(daemon, 'table=prova&role=gm');
      try {
        const seen = async (fits: (die: DieOnTheAir) => boolean): Promise<boolean> => {
          const { json } = await daemon.get('/api/v1/dice');
          return (json.dice as readonly DieOnTheAir[]).some((die) => die.id === NAME && fits(die));
        };
        await until('on the air', () => seen(() => true), PATIENCE_MS);
        const bound = await daemon.command('prova', 'bind', { die: NAME, seat: 'ada', duty: 'rolls' });
        expect(bound.status).toBe(200);
        await until('linked', () => seen(({ link }) => link === 'up'), PATIENCE_MS);
        const up = performance.now();
        await until('no memory any more', () => performance.now() - up > MEMORY_MS);
        expect(await radio.landing(DIE, 'throw', 17)).toMatchObject({ delivered: true, whole: true });
        await until('a roll', () => ear.rolls().length === 1, PATIENCE_MS);
        expect(ear.rolls()[0]).toMatchObject({ seat: 'ada', dice: [{ die: NAME, face: 17 }] });
        const { ble } = (await daemon.get('/api/v1/status')).json;
        expect(ble.radio).toMatchObject({ driver });
      } finally {
        ear.socket.close();
        await daemon.stop();
        await radio.close();
      }
    });
  }
});
