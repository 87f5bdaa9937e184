import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/dice/json.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { goldenJournals, layGolden } from '../journal/golden.js';
import { folded } from './golden.js';
import { House, viewOf } from './house.js';

afterAll(removeFolders);

const played = goldenJournals().filter((golden) => golden.game !== 'none');

test.each(played.map((golden) => [golden.name, golden] as const))(
  'the golden journal %s folds to what it was, and play goes on (F085)',
  async (_name, golden) => {
    const dir = freshFolder();
    layGolden(golden, dir);
    const house = await House.open(dir);
    for (const [id, { records, state }] of golden.expected) {
      const table = house.tables.get(id);
      if (table === undefined) throw new Error(`no table ${id}`);
      expect(table.state().seq).toBe(records);
      // Later versions may add fields; what was there stays, word for word. No tracker counts right after a start.
      const kept = state as JsonObject & { trackers: readonly JsonObject[] };
      const trackers = kept.trackers.map((tracker) => ({ ...tracker, armed: false }));
      expect(folded(table.state())).toMatchObject({ ...kept, trackers });
      expect(viewOf(table)).not.toHaveProperty('incomplete');
      expect((await table.events({ role: 'gm' }, 0, 1_000)).events).toHaveLength(records);
      table.commit('notice', { v: 1, notice: { code: 'golden' } });
      await table.settled();
    }
    expect(house.lost).toEqual([]);
    await house.close();
  },
);

test('there is a golden journal of every game that was released', () => {
  for (const game of ['free', 'external', 'dadoteck', 'dicebound', 'magic'])
    expect(goldenJournals(game), game).not.toEqual([]);
});
