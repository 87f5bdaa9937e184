import { afterAll, expect, test } from 'vitest';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, GM_SEES, gameOf, House, seated } from './house.js';

afterAll(removeFolders);

test('a throw is one roll', async () => {
  const dir = freshFolder();
  const house = await House.open(dir);
  const table = await house.table({ id: 'prova', seats: seated('ada', 'bea'), bindings: [bound('x', 'd20', 'ada')] });
  const gm = new Client(table, GM_SEES);
  const roll = await house.throws('x', 'd20', 17);
  expect(roll).toMatchObject({ natural: 17, verdict: 'accepted', seat: 'ada' });
  expect(gm.rolls).toEqual([roll]);
  await house.ack(table, GM, 'undo');
  expect(gameOf(table).rolls).toBe(0);
  await house.close();
});
