import { afterAll, expect, test } from 'vitest';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, House, player, SPECTATOR, seated } from './house.js';

afterAll(removeFolders);

/** A Magic table where ada has these dice; bea's and those that count are not ada's to throw. */
async function magicTable(...dice: readonly ReturnType<typeof bound>[]) {
  const house = await House.open(freshFolder());
  const order = { id: 'magic', name: 'Magic', game: 'magic', options: {}, seats: seated('ada', 'bea') };
  const table = await house.table({
    ...order,
    bindings: [bound('bea-d12', 'd12', 'bea'), bound('pv', 'd20', 'ada', 'pv'), ...dice],
  });
  const asks = async (notation: string) => {
    await house.command(table, GM, 'choose', { action: 'cancel' });
    await house.ack(table, player('ada'), 'choose', { action: 'roll', notation });
    return table.snapshot(SPECTATOR).awaited[0];
  };
  return { house, table, asks };
}

test('a missing kind is offered what the dice at hand can stand for, the plainest first', async () => {
  const { house, table, asks } = await magicTable(bound('ada-d6', 'd6', 'ada'), bound('shared-d20', 'd20', null));
  expect((await asks('d3'))?.substitutes).toEqual([
    { for: 'd3', by: 'd6', how: 'halves' },
    { for: 'd3', by: 'd20', how: 'discard' },
  ]);
  expect((await asks('d6+d20'))?.substitutes).toBeUndefined();
  expect((await asks('d100'))?.substitutes).toBeUndefined();
  expect((await asks('d12+d6'))?.substitutes).toEqual([{ for: 'd12', by: 'd20', how: 'discard' }]);
  const client = new Client(table, SPECTATOR);
  await house.ack(table, player('ada'), 'choose', { action: 'substitute', die: 'd12', by: 'd20' });
  expect(client.got.at(-1)?.awaited[0]).toMatchObject({ dice: [{ type: 'd20' }, { type: 'd6' }] });
  await house.close();
});

test('a substitute counts as agreed on every view, and a correction changes what lay', async () => {
  const { house, table, asks } = await magicTable(bound('ada-d6', 'd6', 'ada'));
  await asks('2d3');
  await house.ack(table, player('ada'), 'choose', { action: 'substitute', die: 'd3', by: 'd6' });
  await house.throws('ada-d6', 'd6', 5);
  const roll = await house.throws('ada-d6', 'd6', 1);
  expect(roll).toMatchObject({
    verdict: 'accepted',
    total: 4,
    dice: [
      { die: 'ada-d6', type: 'd3', natural: 3, thrown: { type: 'd6', face: 5 } },
      { die: 'ada-d6', type: 'd3', natural: 1, thrown: { type: 'd6', face: 1 } },
    ],
  });
  await house.ack(table, GM, 'correct', { roll: roll?.id, dice: [5, 4] });
  expect(table.snapshot(SPECTATOR).rolls.at(-1)).toMatchObject({ standing: 'corrected', total: 5 });
  await house.close();
});

test('a face that stands for nothing is thrown again, and the roll knows nothing of it', async () => {
  const { house, table, asks } = await magicTable(bound('ada-d20', 'd20', 'ada'));
  await asks('2d6');
  await house.ack(table, player('ada'), 'choose', { action: 'substitute', die: 'd6', by: 'd20' });
  const faces = [14, 20, 19, 7];
  const rolls = [];
  for (const face of faces) rolls.push(await house.throws('ada-d20', 'd20', face));
  expect(rolls.map((roll) => roll?.code)).toEqual([undefined, 'throw_again', 'throw_again', undefined]);
  expect(rolls.at(-1)).toMatchObject({ total: 3, dice: [{ natural: 2 }, { natural: 1 }] });
  await house.close();
});

test('a die that is a counter or a token is not rolled, though its kind is awaited and no other is there (R14)', async () => {
  const { house, table, asks } = await magicTable({ ...bound('token', 'd8', 'ada'), duty: 'pawn' });
  await asks('d20');
  expect(await house.throws('pv', 'd20', 17)).toBeUndefined();
  await asks('d8');
  expect(await house.throws('token', 'd8', 5)).toBeUndefined();
  await house.ack(table, GM, 'bind', { die: 'token', seat: 'ada' });
  expect(await house.throws('token', 'd8', 5)).toMatchObject({ verdict: 'accepted', total: 5 });
  // A die that has become a token (Pippa) leaves the rolls.
  await house.ack(table, GM, 'bind', { die: 'token', seat: 'ada', duty: 'pawn' });
  await asks('d8');
  expect(await house.throws('token', 'd8', 6)).toBeUndefined();
  await house.close();
});
