import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, freshFolder, until } from '../daemon/daemon.js';
import { RadioEvening, type SeatedDie } from '../daemon/radio-evening.js';
import { dealer, otherFace, settle } from '../daemon/radio-throws.js';
import { noNoble, noSocat, noTshark } from '../radio/needs.js';
import { malformedIn } from '../radio/tshark.js';
import type { DieSpec } from '../radio/virtual-radio.js';

afterAll(cleanUp);

const LINKS = 7;
const PATIENCE_MS = 120_000;
const faces = Array.from({ length: 20 }, (_, place) => place + 1);
const hex = (place: number): string => place.toString(16).toUpperCase();

const seated = (die: DieSpec, place: number): SeatedDie => ({ die, seat: place % 2 === 0 ? 'ada' : 'bea', faces });
/** Seven dice of each make that roll: as many as two adapters link. */
const GODICE = Array.from({ length: LINKS }, (_, place) =>
  seated({ make: 'godice', id: `BC094${hex(place)}`, shell: 'd20' }, place),
);
const PIXELS = Array.from({ length: LINKS }, (_, place) =>
  seated(
    { make: 'pixels', id: `03ef405${place}`, kind: 'd20', firmware: place % 2 === 0 ? 'legacy' : 'chunked' },
    place,
  ),
);

describe.skipIf(noNoble() || noSocat())('fourteen dice over two adapters', () => {
  test('are all linked; with one adapter pulled GoDice come first; nothing is lost in silence, nothing counts twice', {
    timeout: 600_000,
  }, async () => {
    const snoop = join(freshFolder(), 'air.log');
    const evening = await RadioEvening.open([...PIXELS, ...GODICE], { seed: 23, controllers: 2, links: LINKS, snoop });
    const { radio, daemon, dice } = evening;
    const chance = dealer(23);
    const statusOf = async () => (await daemon.get('/api/v1/status')).json.ble;
    const throwAll = (some: readonly SeatedDie[]) =>
      Promise.all(some.map((one) => radio.landing(one.die.id, 'throw', otherFace(evening, one, chance))));
    try {
      await evening.linked();
      const { links, radio: told } = await statusOf();
      expect(links).toBe(2 * LINKS);
      expect(told.adapters).toMatchObject(radio.paths.map((name) => ({ name, links: LINKS, linked: LINKS })));
      await pullUnderThrows(evening, chance);
      await until('GoDice on the adapter that is left', async () => {
        const { followed } = await statusOf();
        const linked = followed.filter(({ by }: { by: string }) => by === 'link');
        return linked.length === LINKS && linked.every(({ die }: { die: string }) => die.startsWith('godice'));
      });
      const { links: left, reason } = await statusOf();
      expect([left, reason]).toEqual([LINKS, expect.stringContaining(radio.paths[1] ?? 'none')]);
      await radio.order({ do: 'plug', controller: 1 });
      await evening.linked(GODICE);
      await throwAll(GODICE);
      await until(
        'all fourteen linked again',
        async () => {
          const { radio: again } = await statusOf();
          return again.adapters.every(({ linked }: { linked: number }) => linked === LINKS);
        },
        PATIENCE_MS,
      );
      await evening.linked();
      await throwAll(dice);
      const ledgers = await settle(evening);
      const lost = ledgers.filter((ledger) => ledger.lost > 0);
      expect(lost).toHaveLength(LINKS);
      process.stdout.write(
        `adapters: ${ledgers.flatMap(({ delivered }) => delivered).length} throws counted, ${lost.length} told as lost\n`,
      );
    } finally {
      await evening.close();
    }
    if (!noTshark()) for (const file of [snoop, `${snoop}.1`]) expect(malformedIn(file)).toBe(0);
  });
});

/** Every die is on its way when the second adapter goes; resolves when all lie. */
async function pullUnderThrows(evening: RadioEvening, chance: (below: number) => number): Promise<void> {
  const { radio, dice } = evening;
  // All orders at once: a busy machine must not pull the radio when a throw has just been handed over.
  const moving = dice.map(async (one) => {
    return { one, move: await radio.move(one.die.id, 'throw', otherFace(evening, one, chance)) };
  });
  await radio.order({ do: 'unplug', controller: 1, afterMs: 300 });
  const moves = await Promise.all(moving);
  await Promise.all(moves.map(({ one, move }) => radio.landed(one.die.id, move)));
}
