import { afterAll, describe, expect, test } from 'vitest';
import { noNoble, noSocat } from '../radio/needs.js';
import { cleanUp, until } from './daemon.js';
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
      const { controllers } = (await radio.order({ do: 'status' })) as { controllers: string[][] };
      expect(new Set(controllers.flat()).size).toBe(FOUR_DICE.length);
      expect(await adapters()).toMatchObject(
        radio.paths.map((name, place) => ({ name, links: 4, linked: controllers[place]?.length, state: 'on' })),
      );
      // Whichever of them heard more dice first.
      const [pulled, left] = (controllers[0]?.length ?? 0) > (controllers[1]?.length ?? 0) ? [0, 1] : [1, 0];
      // All orders at once: a busy machine must not pull the radio when a throw has just been handed over.
      const moving = FOUR_DICE.map(async (seated) => {
        const { id } = seated.die;
        return { id, move: await radio.move(id, 'throw', otherFace(evening, seated, chance)) };
      });
      await radio.order({ do: 'unplug', controller: pulled, afterMs: UNDERWAY_MS });
      const moves = await Promise.all(moving);
      await Promise.all(moves.map(({ id, move }) => radio.landed(id, move)));
      await until('all dice on one adapter', async () => (await adapters())[left].linked === 4, PATIENCE_MS);
      await evening.linked();
      const { json } = await daemon.get('/api/v1/status');
      expect(json.ble).toMatchObject({
        state: 'available',
        reason: expect.stringContaining(`${radio.paths[pulled]}: `),
      });
      const { json: listed } = await daemon.get('/api/v1/dice');
      for (const seated of FOUR_DICE)
        expect(listed.dice).toContainEqual(
          expect.objectContaining({
            id: nameOf(seated.die),
            link: 'up',
            following: { by: 'link', adapter: radio.paths[left] },
          }),
        );
      await Promise.all(
        FOUR_DICE.map((seated) => radio.landing(seated.die.id, 'throw', otherFace(evening, seated, chance))),
      );
      const ledgers = await settle(evening);
      expect(ledgers.filter(({ lost }) => lost === 1)).toHaveLength(controllers[pulled]?.length ?? 0);
      for (const { delivered, lost } of ledgers) expect(delivered.length + lost).toBe(2);
    } finally {
      await evening.close();
    }
  });
});
