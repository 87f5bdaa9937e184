import { afterAll, describe, expect, test } from 'vitest';
import { noNoble, noSocat } from '../radio/needs.js';
import { cleanUp, sleep, until } from './daemon.js';
import { nameOf, RadioEvening, type SeatedDie } from './radio-evening.js';
import { dealer, EIGHT_DICE, otherFace, settle } from './radio-throws.js';

afterAll(cleanUp);

/** Two Pixels and two GoDice. */
const FOUR_DICE: readonly SeatedDie[] = EIGHT_DICE.filter((_, place) => place % 4 < 2);
const PATIENCE_MS = 60_000;
/** A hand shakes for so long at least: the throw is under way. */
const UNDERWAY_MS = 400;

describe.skipIf(noNoble() || noSocat())('two adapters behind the unmodified daemon', () => {
  test('share the dice; when one is pulled its dice go over, throws under way are told as lost, none counts twice', {
    timeout: 180_000,
  }, async () => {
    const evening = await RadioEvening.open(FOUR_DICE, { seed: 21, controllers: 2, links: 4 });
    const { radio, daemon } = evening;
    const chance = dealer(21);
    const adapters = async () => (await daemon.get('/api/v1/status')).json.ble.radio.adapters;
    try {
      await evening.linked();
      expect(await adapters()).toMatchObject(radio.paths.map((name) => ({ name, links: 4, linked: 2, state: 'on' })));
      const moves = await Promise.all(
        FOUR_DICE.map(async (seated) => {
          const { id } = seated.die;
          return { id, move: await radio.move(id, 'throw', otherFace(evening, seated, chance)) };
        }),
      );
      await sleep(UNDERWAY_MS);
      await radio.order({ do: 'unplug', controller: 1 });
      await Promise.all(moves.map(({ id, move }) => radio.landed(id, move)));
      await until('all dice on one adapter', async () => (await adapters())[0].linked === 4, PATIENCE_MS);
      await evening.linked();
      const { json } = await daemon.get('/api/v1/status');
      expect(json.ble).toMatchObject({ state: 'available', reason: expect.stringContaining(`${radio.paths[1]}: `) });
      const { json: listed } = await daemon.get('/api/v1/dice');
      for (const seated of FOUR_DICE)
        expect(listed.dice).toContainEqual(
          expect.objectContaining({
            id: nameOf(seated.die),
            link: 'up',
            following: { by: 'link', adapter: radio.paths[0] },
          }),
        );
      await Promise.all(
        FOUR_DICE.map((seated) => radio.landing(seated.die.id, 'throw', otherFace(evening, seated, chance))),
      );
      const ledgers = await settle(evening);
      expect(ledgers.map(({ delivered, lost }) => [delivered.length, lost]).sort()).toEqual([
        [1, 1],
        [1, 1],
        [2, 0],
        [2, 0],
      ]);
    } finally {
      await evening.close();
    }
  });
});
