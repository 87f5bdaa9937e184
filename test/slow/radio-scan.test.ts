import { expect, test } from 'vitest';
import { noNoble, noSocat } from '../radio/needs.js';
import { WorkerLab } from '../radio/worker-lab.js';

const LINKED = '0000000a';
const LATE = '0000000b';
/** The time in which an enrolled die that comes back must be found. */
const FOUND_MS = 30_000;

test.skipIf(noSocat() || noNoble())(
  'F024 a scan that ends by itself is begun anew: a die that wakes is found',
  async () => {
    const lab = await WorkerLab.open([LINKED, LATE]);
    try {
      lab.radio.die(LATE).away = true;
      await lab.up(LINKED);
      lab.radio.controller.scan.stop();
      lab.radio.die(LATE).away = false;
      const woke = performance.now();
      await lab.up(LATE);
      expect(performance.now() - woke).toBeLessThan(FOUND_MS);
      expect(lab.dice.state()).toMatchObject({ restarts: 0 });
    } finally {
      await lab.close();
    }
  },
);
