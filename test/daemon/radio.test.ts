import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { noNoble, noSocat, noTshark } from '../radio/needs.js';
import { malformedIn } from '../radio/tshark.js';
import { cleanUp, freshFolder } from './daemon.js';
import { RadioEvening } from './radio-evening.js';
import { dealer, EIGHT_DICE, otherFace, play, settle } from './radio-throws.js';

afterAll(cleanUp);

describe.skipIf(noNoble() || noSocat())(
  'eight dice of both makes behind the unmodified daemon and a serial port',
  () => {
    test('every throw handed over counts once, with its face and seat; every lost one is told; no turn is a throw', {
      timeout: 240_000,
    }, async () => {
      const snoop = join(freshFolder(), 'air.log');
      const evening = await RadioEvening.open(EIGHT_DICE, { seed: 7, links: 8, snoop });
      const chance = dealer(7);
      try {
        await evening.linked();
        await Promise.all(
          EIGHT_DICE.map((seated, place) => {
            // Two of them lose their link in the middle of a throw.
            const cuts = place % 4 === 0 ? 1 : 0;
            return play(evening, seated, { throws: 18, turns: 5, cuts, chance: dealer(place + 1) });
          }),
        );
        await evening.crashUnderThrows((seated) => otherFace(evening, seated, chance));
        await evening.linked();
        await Promise.all(
          EIGHT_DICE.map((seated) => evening.radio.landing(seated.die.id, 'throw', otherFace(evening, seated, chance))),
        );
        const ledgers = await settle(evening);
        const sum = (count: (ledger: (typeof ledgers)[number]) => number): number =>
          ledgers.reduce((total, ledger) => total + count(ledger), 0);
        expect(sum(({ lost }) => lost)).toBeGreaterThanOrEqual(EIGHT_DICE.length);
        expect(sum(({ delivered }) => delivered.length)).toBeGreaterThan(EIGHT_DICE.length);
      } finally {
        await evening.close();
      }
      if (!noTshark()) expect(malformedIn(snoop)).toBe(0);
    });
  },
);
