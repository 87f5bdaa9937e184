import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Audience } from '../../src/games/game.js';
import type { Table } from '../../src/table/table.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { BIDS, duel } from './duel.js';
import { bound, Client, GM, GM_SEES, gameOf, House, player, rest, SPECTATOR, seated, sees } from './house.js';

afterAll(removeFolders);

/** Cards and omens that stand nowhere else: found in another's bytes, they are a leak. */
const CARDS = { ada: [613, 617, 619], bea: [631, 641, 643], cai: [653, 659, 661] };
const OMENS = [743, 947, 751, 953, 757, 967, 761, 971];

let house: House;
let dir: string;
let drawn: number[];
beforeEach(async () => {
  dir = freshFolder();
  drawn = [];
  house = await House.open(dir, { games: [duel], drawn });
});
afterEach(() => house.close());

const DICE = [
  bound('a6', 'd6', 'ada'),
  bound('b6', 'd6', 'bea'),
  bound('c6', 'd6', 'cai'),
  bound('omen1', 'd1000', 'gm'),
  bound('omen2', 'd1000', 'gm'),
];
const open = (): Promise<Table> =>
  house.table({ id: 'prova', game: 'duel', seats: seated('ada', 'bea', 'cai'), bindings: DICE });

const AUDIENCES: readonly Audience[] = [GM_SEES, SPECTATOR, sees('ada'), sees('bea'), sees('cai')];
const nameOf = (audience: Audience): string => (audience.role === 'seat' ? audience.seat : audience.role);

/** Everything this audience could ever get hold of. */
async function bytes(table: Table, audience: Audience, client: Client): Promise<string> {
  const pages: unknown[] = [];
  for (let since: number | null = 0; since !== null; ) {
    const page = await table.events(audience, since, 7);
    pages.push(page.events);
    since = page.next;
  }
  const missing: unknown[] = [];
  for (let seq = 0; seq <= table.seq(audience); seq += 1) missing.push(table.since(audience, seq));
  const rolls = Array.from({ length: 60 }, (_, index) => table.roll(`prova-${index}`, audience));
  const list = audience.role === 'gm' ? [] : house.tables.listings();
  return JSON.stringify([client.texts, client.lives, table.snapshot(audience), pages, missing, rolls, list]);
}

function secretsOf(audience: Audience): readonly (string | number)[] {
  const mine = nameOf(audience);
  if (mine === 'gm') return [];
  return [
    ...Object.entries(CARDS).flatMap(([seat, cards]) => (seat === mine ? [] : cards)),
    ...OMENS,
    // Who bids is offered all bids; what the other one bid is checked by those who never bid.
    ...(mine === 'bea' || mine === 'cai' ? [] : BIDS),
  ];
}

const holds = (text: string, secret: string | number): boolean =>
  new RegExp(`(?<![0-9a-z])${secret}(?![0-9a-z])`).test(text);

/** One round up to the GM's secret roll. */
async function roundTo(table: Table, round: number): Promise<void> {
  drawn.push(CARDS.ada[round] ?? 0, CARDS.bea[round] ?? 0, CARDS.cai[round] ?? 0);
  for (const die of ['b6', 'a6', 'c6']) await house.throws(die, 'd6', 1 + (round % 6));
  await house.ack(table, player('ada'), 'choose', { option: 'hit' });
  await house.ack(table, player('bea'), 'choose', { option: BIDS[0] });
  await house.ack(table, GM, 'choose', { seat: 'cai', option: BIDS[1] });
}

test('no byte of a secret reaches another audience, and all get an unbroken chain', async () => {
  const table = await open();
  const other = await house.table({ id: 'altro', game: 'duel', seats: seated('ada', 'dan') });
  const neighbour = new Client(other, GM_SEES);
  const clients = AUDIENCES.map((audience) => ({ audience, client: new Client(table, audience) }));
  const omen = (die: string, face: number) => house.throws(die, 'd1000', face);

  await roundTo(table, 0);
  await house.hear({ id: 'omen1', type: 'd1000' }, rest('d1000', OMENS[0] ?? 0, 'leaning'));
  expect(await omen('omen1', OMENS[1] ?? 0)).toBeUndefined();
  expect(await omen('omen1', OMENS[2] ?? 0)).toMatchObject({ verdict: 'refused', code: 'already_rolled' });
  await house.throws('a6', 'd6', 5);
  await house.ack(table, GM, 'pause');
  await omen('omen2', OMENS[3] ?? 0);
  await house.ack(table, GM, 'resume');
  const secret = await omen('omen2', OMENS[4] ?? 0);
  expect(secret).toMatchObject({ verdict: 'accepted', purpose: 'omen' });
  await house.hear({ id: 'omen2', type: 'd1000' }, rest('d1000', OMENS[4] ?? 0, 'resync'));
  await house.hear({ id: 'omen2', type: 'd1000' }, rest('d1000', OMENS[4] ?? 0, 'unsure'));

  await roundTo(table, 1);
  expect(await house.refusal(table, player('bea'), 'choose', { option: BIDS[2] })).toBe('not_awaited');
  await house.ack(table, GM, 'type', {
    seat: 'gm',
    dice: [
      { type: 'd1000', natural: OMENS[5] },
      { type: 'd1000', natural: OMENS[6] },
    ],
  });
  await house
    .ack(table, GM, 'correct', { roll: secret?.id, dice: [OMENS[7], OMENS[0]] })
    .then(({ preview }) => house.ack(table, GM, 'confirm', { preview: preview?.id }));
  expect(gameOf(table)).toMatchObject({
    round: 3,
    secrets: [
      [OMENS[7], OMENS[0]],
      [OMENS[5], OMENS[6]],
    ],
  });
  await house.ack(table, GM, 'undo', { n: 1 });
  await house.ack(table, GM, 'redo');
  await roundTo(table, 2);

  for (const { audience, client } of clients) {
    const text = await bytes(table, audience, client);
    for (const secret of secretsOf(audience))
      expect(holds(text, secret), `${secret} for ${nameOf(audience)}`).toBe(false);
    let last = client.start;
    for (const { prev, seq } of client.got) {
      expect(prev).toBe(last);
      expect(seq).toBeGreaterThan(prev);
      last = seq;
    }
    expect(last).toBe(table.seq(audience));
    expect(client.got.at(-1)?.view).toEqual(table.snapshot(audience).view);
  }
  const gmBytes = await bytes(table, GM_SEES, clients[0]?.client as Client);
  const bothCards = [...CARDS.ada, ...CARDS.bea, ...OMENS, ...BIDS];
  for (const secret of bothCards) expect(holds(gmBytes, secret), String(secret)).toBe(true);
  expect(neighbour.got).toEqual([]);
  expect(neighbour.lives).toEqual([]);
  expect(JSON.stringify(other.snapshot(GM_SEES).rolls)).toBe('[]');
});

describe('a record only some may know of', () => {
  test('makes no gap for the others', async () => {
    const table = await open();
    await roundTo(table, 0);
    const [gm, screen] = [new Client(table, GM_SEES), new Client(table, SPECTATOR)];
    await house.throws('omen1', 'd1000', OMENS[0] ?? 0);
    expect([gm.kinds, screen.kinds]).toEqual([['gathering'], []]);
    await house.throws('omen2', 'd1000', OMENS[1] ?? 0);
    expect(gm.kinds).toEqual(['gathering', 'roll']);
    expect(screen.kinds).toEqual(['game']);
    expect(screen.got[0]).not.toHaveProperty('roll');
    expect(screen.got[0]?.seq).toBe((screen.got[0]?.prev ?? 0) + 2);
    expect(table.since(SPECTATOR, screen.start)).toEqual(screen.texts);
  });

  test('is not betrayed by why a throw did not count', async () => {
    const table = await open();
    await roundTo(table, 0);
    const screen = new Client(table, SPECTATOR);
    const roll = await house.throws('b6', 'd6', 4);
    expect(roll).toMatchObject({ verdict: 'loose', code: 'not_awaited', rule: 'Z2' });
    const answer = await house.command(table, player('bea'), 'type', { sides: 1000, natural: 9 });
    expect(answer).toMatchObject({ kind: 'refused', code: 'not_awaited' });
    expect(JSON.stringify([answer, screen.texts])).not.toMatch(/"omen"|r1\.secret/);
    expect(await house.refusal(table, player('bea'), 'digital')).toBe('which_dice');
  });

  test('is secret to players who guess the number of its roll', async () => {
    const table = await open();
    await roundTo(table, 0);
    await house.throws('omen1', 'd1000', OMENS[0] ?? 0);
    const bounce = await house.throws('omen1', 'd1000', OMENS[1] ?? 0);
    expect(await house.refusal(table, player('bea'), 'claim', { roll: bounce?.id })).toBe('no_such_roll');
    expect(table.roll(bounce?.id ?? '', sees('bea'))).toBeNull();
    expect(table.roll(bounce?.id ?? '', GM_SEES)).toMatchObject({ natural: OMENS[1] });
  });

  test('a choice that was not taken is told to nobody but its seat and the GM', async () => {
    const table = await open();
    const [mine, others] = [new Client(table, sees('bea')), new Client(table, sees('cai'))];
    expect(await house.refusal(table, player('bea'), 'choose', { option: 'hit' })).toBe('not_awaited');
    expect(mine.kinds).toEqual(['choice']);
    expect(others.kinds).toEqual([]);
  });
});

test('the dice of another table are listed for the GM without what they do there', async () => {
  const table = await open();
  const other = await house.table({ id: 'altro', seats: seated('dan') });
  await house.throws('a6', 'd6', 4);
  const { dice } = other.snapshot(GM_SEES).view as unknown as { dice: { id: string }[] };
  expect(dice.find(({ id }) => id === 'a6')).toMatchObject({
    table: 'prova',
    state: 'elsewhere',
    face: null,
    seat: null,
  });
  const { dice: shown } = other.snapshot(SPECTATOR).view as unknown as { dice: object[] };
  expect(shown).toEqual([]);
  expect(table.snapshot(SPECTATOR).view).toMatchObject({ dice: [{ id: 'a6', face: 4 }, {}, {}, {}, {}] });
});
