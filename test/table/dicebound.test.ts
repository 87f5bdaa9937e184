import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/dice/json.js';
import { sampleBox } from '../../src/games/dicebound/box-view.js';
import type { Caller } from '../../src/table/port.js';
import type { Table } from '../../src/table/table.js';
import type { TrackerView } from '../../src/wire/view.js';
import { BOX, SEATS } from '../games/dicebound-play.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, GM_SEES, gameOf, House, player, rest, seated, viewOf } from './house.js';

afterAll(removeFolders);

let house: House;
let folder: string;
beforeEach(async () => {
  folder = freshFolder();
  house = await House.open(folder);
});
afterEach(() => house.close());

const pawn = { ...bound('gm-d12', 'd12', 'gm'), duty: 'pawn' as const };
const DICE = [
  bound('ada-d12', 'd12', 'ada'),
  bound('bea-d12', 'd12', 'bea'),
  bound('bea-d20', 'd20', 'bea', 'pv'),
  bound('bea-d6', 'd6', 'bea', 'pa'),
  bound('bea-d00', 'd00', 'bea', 'level'),
  pawn,
];

/** Bea, a mage with a tome (3 PA, d6) and a sword of the house, and Ada; the trackers of Bea have shown their faces. */
async function seatedAtFight(
  buy: readonly string[],
  order: readonly string[],
  options: JsonObject = {},
): Promise<Table> {
  const table = await house.table({
    id: 'prova',
    game: 'dicebound',
    options: { ...BOX, seats: [SEATS[0] ?? {}, { ...SEATS[1], slots: { magic: '111' } }], ...options },
    seats: seated('ada', 'bea'),
    bindings: DICE,
  });
  await house.turns('bea-d20', 'd20', 20);
  await house.turns('bea-d6', 'd6', 6);
  await house.turns('bea-d00', 'd00', options.level === 2 ? 20 : 10);
  await house.ack(table, GM, 'choose', { action: 'openRoom', buy });
  await house.ack(table, GM, 'choose', { action: 'startFight' });
  for (const { id, seat, for: who } of table.snapshot(GM_SEES).awaited.filter(({ what }) => what === 'initiative')) {
    const natural = order.length - order.indexOf(String(who ?? seat));
    await house.ack(table, GM, 'type', { call: id, seat, natural });
  }
  return table;
}

const board = (table: Table): readonly TrackerView[] => {
  const { seats } = viewOf(table) as unknown as { seats: { id: string; trackers: TrackerView[] }[] };
  return seats.find(({ id }) => id === 'bea')?.trackers ?? [];
};
const showing = (table: Table, counter: string) => board(table).find((tracker) => tracker.counter === counter);
const sets = (table: Table): readonly string[] =>
  table
    .snapshot(GM_SEES)
    .awaited.flatMap(({ seat, counter, face }) => (face === undefined ? [] : [`${seat}.${counter}=${face}`]));
const pa = (table: Table): unknown => (gameOf(table).seats as { bea?: { pa: number } }).bea?.pa;

describe('the real box stays with the table', () => {
  const SWORD = { slot: 'physical', cost: 1, flat: 4 } as const;
  const OGRE = { cost: 5, pv: 30, pa: 4, defence: 8, agility: 4, attacks: { physical: { sides: 10, cost: 2 } } };
  const opened = (options: JsonObject = {}) =>
    house.table({ id: 'prova', game: 'dicebound', options, seats: seated('ada', 'bea'), bindings: [] });
  const reopened = async (): Promise<Table> => {
    house = await house.again(folder);
    const [table] = house.tables.list();
    if (table === undefined) throw new Error('the table is gone');
    return table;
  };

  test('through another game, restarts and another campaign, whatever was changed in each (T1)', async () => {
    let table = await opened();
    await house.ack(table, player('ada'), 'choose', { action: 'box', tiles: { '231': SWORD } });
    await house.ack(table, GM, 'choose', { action: 'box', monsters: { ogre: OGRE }, remove: 'samples' });
    const before = table.box(GM_SEES);
    await house.ack(table, GM, 'game', { game: 'free' });
    expect(table.box(GM_SEES)).toBeNull();
    table = await reopened();
    await house.ack(table, GM, 'game', { game: 'dadoteck' });
    await house.ack(table, GM, 'game', { game: 'dicebound', options: { startingTiles: { ada: ['231'] } } });
    expect(table.box(GM_SEES)).toEqual(before);
    expect(gameOf(table)).toMatchObject({ seats: { ada: { slots: { physical: '231' } } }, box: { edits: 0 } });
    await house.ack(table, GM, 'game', { game: 'magic' });
    table = await reopened();
    await house.ack(table, GM, 'game', { game: 'dicebound' });
    await house.ack(table, GM, 'choose', { action: 'box', remove: { tiles: ['231'] } });
    await house.ack(table, GM, 'game', { game: 'dicebound', options: { level: 3 } });
    expect(table.box(GM_SEES)).toMatchObject({ tiles: {}, monsters: { ogre: { pv: 30 } } });
    table = await reopened();
    expect(table.box(GM_SEES)).toMatchObject({ tiles: {}, monsters: { ogre: { pv: 30 } } });
  });

  test('unless the new game brings data of its own, or asks for the samples', async () => {
    const table = await opened();
    await house.ack(table, player('ada'), 'choose', { action: 'box', tiles: { '231': SWORD } });
    await house.ack(table, GM, 'game', { game: 'dicebound', options: { tiles: { '901': SWORD } } });
    expect(Object.keys((table.box(GM_SEES)?.tiles ?? {}) as object)).toEqual(['901']);
    await house.ack(table, GM, 'game', { game: 'dicebound', options: { box: null } });
    expect(table.box(GM_SEES)).toEqual(sampleBox());
    await house.ack(table, GM, 'game', { game: 'dicebound' });
    expect(table.box(GM_SEES)).toHaveProperty('tiles.231');
    const faulty = { box: { tiles: { '231': { slot: 'nose', cost: 1 } } } };
    expect(await house.command(table, GM, 'game', { game: 'dicebound', options: faulty })).toMatchObject({
      kind: 'refused',
      code: 'bad_option',
      reason: 'tiles.231.slot is "nose"',
    });
  });
});

describe('a roll with advantage', () => {
  test('is told with its dice: one kept, the other ignored, and the total that counts (C3, G8)', async () => {
    const table = await seatedAtFight(['orc'], ['bea', 'ada', 'orc-1'], { level: 2 });
    const gm = new Client(table, GM_SEES);
    await house.throws('bea-d12', 'd12', 3);
    await house.throws('bea-d12', 'd12', 9);
    await house.throws('bea-d6', 'd6', 4);
    const [roll] = gm.rolls;
    expect(roll?.dice.map(({ natural, status }) => [natural, status])).toEqual([
      [3, 'ignored'],
      [9, 'kept'],
      [4, 'kept'],
    ]);
    expect(roll).toMatchObject({ total: 13, purpose: 'attack', verdict: 'accepted' });
    expect(gameOf(table)).toMatchObject({ attack: { incoming: 13 } });
  });
});

describe('a tracker thrown as a bonus die (D5)', () => {
  test('counts for the roll, its counter keeps its value, and it is expected back', async () => {
    const table = await seatedAtFight(['orc'], ['bea', 'ada', 'orc-1']);
    await house.throws('bea-d12', 'd12', 5);
    expect(await house.throws('bea-d6', 'd6', 5)).toMatchObject({ verdict: 'accepted', total: 10 });
    expect([pa(table), sets(table)]).toEqual([3, ['bea.pa=3']]);
    expect(showing(table, 'pa')).toMatchObject({ face: 5, expected: 3, mismatch: true, armed: true });
    await house.turns('bea-d6', 'd6', 3);
    expect([pa(table), sets(table)]).toEqual([3, []]);
    expect(showing(table, 'pa')).toMatchObject({ face: 3, mismatch: false });
  });

  test('that comes to rest on its own value is back already', async () => {
    const table = await seatedAtFight(['orc'], ['bea', 'ada', 'orc-1']);
    await house.throws('bea-d12', 'd12', 5);
    await house.throws('bea-d6', 'd6', 3);
    expect([pa(table), sets(table)]).toEqual([3, []]);
  });

  test('that lies askew is offered to its roller, and one set down askew is not believed', async () => {
    const table = await seatedAtFight(['orc'], ['bea', 'ada', 'orc-1'], { trackerAuthority: 'dice' });
    await house.turns('bea-d20', 'd20', 13, 'leaning');
    expect(gameOf(table)).toMatchObject({ seats: { bea: { pv: 20 } } });
    expect(showing(table, 'pv')).toMatchObject({ face: 13, expected: 20, asked: 'mismatch' });
    await house.throws('bea-d12', 'd12', 5);
    await house.hear({ id: 'bea-d6', type: 'd6' }, { kind: 'tumbling' });
    await house.hear({ id: 'bea-d6', type: 'd6' }, rest('d6', 4, 'leaning'));
    await house.ack(table, player('bea'), 'claim', { roll: table.state().offers.at(-1)?.roll });
    expect(gameOf(table)).toMatchObject({ attack: { incoming: 9 } });
    expect([pa(table), sets(table), showing(table, 'pa')?.face]).toEqual([3, ['bea.pa=3'], 4]);
  });

  test('is a flip by a fast hand where the roll need not be made and the face is the one to set (D3)', async () => {
    const table = await seatedAtFight(['orc'], ['bea', 'ada', 'orc-1']);
    await house.ack(table, player('bea'), 'choose', { action: 'attack', weapon: 'base' });
    await house.ack(table, player('bea'), 'type', { natural: 1, sides: 4 });
    await house.ack(table, GM, 'type', { seat: 'gm', natural: 6 });
    expect([pa(table), sets(table)]).toEqual([5, ['bea.pa=5']]);
    await house.turns('bea-d6', 'd6', 5, 'thrown');
    expect([pa(table), sets(table), gameOf(table).phase]).toEqual([5, [], 'turn']);
    const gm = new Client(table, GM_SEES);
    await house.throws('bea-d6', 'd6', 2);
    await house.throws('bea-d12', 'd12', 7);
    expect(gm.rolls).toMatchObject([{ total: 9, verdict: 'accepted' }]);
    expect([pa(table), sets(table)]).toEqual([2, []]);
  });
});

describe('a board whose dice come out of the box', () => {
  test('is told which die to set to which face, and again when another evening opens (D3)', async () => {
    const table = await house.table({
      id: 'prova',
      game: 'dicebound',
      options: { level: 2 },
      seats: seated('bea'),
      bindings: DICE,
    });
    expect(board(table)).toMatchObject([
      { die: 'bea-d20', counter: 'pv', face: null, expected: 20, mismatch: true, armed: false },
      { die: 'bea-d6', counter: 'pa', face: null, expected: 6, mismatch: true },
      { die: 'bea-d00', counter: 'level', face: null, expected: 20, mismatch: true },
    ]);
    await house.turns('bea-d6', 'd6', 6);
    await house.turns('bea-d20', 'd20', 20);
    await house.turns('bea-d00', 'd00', 20);
    expect(board(table).every(({ mismatch, armed }) => mismatch === false && armed)).toBe(true);
    await house.ack(table, GM, 'close');
    await house.ack(table, GM, 'open');
    await house.turns('bea-d20', 'd20', 4);
    expect(showing(table, 'pv')).toMatchObject({ face: 4, expected: 20, mismatch: true, armed: false });
    await house.turns('bea-d20', 'd20', 20);
    expect(showing(table, 'pv')).toMatchObject({ mismatch: false, armed: true });
  });
});

describe('a tracker that follows late', () => {
  test('is not asked for the face on which it lies already (D4)', async () => {
    const table = await seatedAtFight(['orc'], ['bea', 'ada', 'orc-1']);
    const strike = async (): Promise<void> => {
      await house.ack(table, player('bea'), 'choose', { action: 'attack', weapon: 'base' });
      await house.ack(table, player('bea'), 'type', { natural: 1, sides: 4 });
      await house.ack(table, GM, 'type', { seat: 'gm', natural: 6 });
    };
    await strike();
    await house.turns('bea-d6', 'd6', 4);
    expect(showing(table, 'pa')).toMatchObject({ face: 4, expected: 5, mismatch: true });
    await house.ack(table, GM, 'choose', { action: 'adjust', who: 'bea', pa: 4 });
    expect([pa(table), sets(table)]).toEqual([4, []]);
    await house.ack(table, GM, 'undo');
    expect([pa(table), sets(table)]).toEqual([5, ['bea.pa=5']]);
  });

  test('never stands in the way of a correction: it is asked for anew (D4)', async () => {
    const traps = { spikes: { cost: 3, damage: { dice: 1, sides: 6 } } };
    const table = await seatedAtFight(['orc'], ['ada', 'bea', 'orc-1'], { traps });
    await house.ack(table, GM, 'choose', { action: 'endFight', how: 'left' });
    await house.ack(table, GM, 'choose', { action: 'openRoom', buy: ['spikes'] });
    await house.ack(table, GM, 'choose', { action: 'trap', who: 'bea' });
    const { roll } = await house.ack(table, GM, 'type', { seat: 'gm', sides: 6, natural: 4 });
    await house.turns('bea-d20', 'd20', 16);
    expect(sets(table)).toEqual([]);
    const { preview } = await house.ack(table, GM, 'correct', { roll, natural: 2 });
    expect([preview, sets(table)]).toEqual([undefined, ['bea.pv=18']]);
  });

  test('may lie as it likes while its counter is 0, and is believed where it lies when it counts again (D2)', async () => {
    const table = await seatedAtFight(['orc'], ['ada', 'bea', 'orc-1']);
    await house.ack(table, GM, 'choose', { action: 'adjust', who: 'bea', pv: 0 });
    await house.turns('bea-d20', 'd20', 7, 'thrown');
    await house.turns('bea-d20', 'd20', 1);
    expect(viewOf(table)).toMatchObject({ notices: [] });
    await house.ack(table, GM, 'choose', { action: 'endFight', how: 'won' });
    expect(gameOf(table)).toMatchObject({ seats: { bea: { pv: 1, ko: false } } });
    expect(sets(table)).toEqual([]);
  });

  test('by the tens of its level: the face that is printed', async () => {
    const table = await seatedAtFight(['orc'], ['ada', 'bea', 'orc-1'], { campaign: 'fast' });
    await house.ack(table, GM, 'choose', { action: 'endFight', how: 'won' });
    await house.ack(table, GM, 'choose', { action: 'adjust', level: 2 });
    expect(sets(table)).toContain('bea.level=20');
    await house.turns('bea-d00', 'd00', 20);
    expect(sets(table)).not.toContain('bea.level=20');
    expect(viewOf(table)).toMatchObject({ seats: [{}, { id: 'bea', counters: { pv: 20, pa: 6, level: 2 } }] });
  });
});

test('a roll of the GM tells which monster it is for (contracts C)', async () => {
  const table = await seatedAtFight(['orc', 'orc'], ['bea', 'orc-1', 'orc-2', 'ada']);
  const gm = new Client(table, GM_SEES);
  await house.ack(table, GM, 'choose', { action: 'attack', seat: 'bea', weapon: 'base', target: 'orc-2' });
  await house.ack(table, GM, 'type', { seat: 'bea', sides: 4, natural: 4 });
  await house.ack(table, GM, 'type', { seat: 'gm', sides: 6, natural: 1 });
  expect(gm.rolls.map(({ seat, purpose, for: whom }) => [seat, purpose, whom])).toEqual([
    ['bea', 'attack', 'bea'],
    ['gm', 'defence', 'orc-2'],
  ]);
  await house.ack(table, GM, 'correct', { roll: gm.rolls.at(-1)?.id, natural: 2 });
  expect(table.snapshot(GM_SEES).rolls.at(-1)).toMatchObject({ for: 'orc-2', standing: 'corrected' });
});

describe("a throw with another's die", () => {
  test('counts for the one who is awaited, by the word of either or the GM, until somebody else has rolled', async () => {
    const table = await seatedAtFight(['orc'], ['ada', 'bea', 'orc-1']);
    const wrong = async (): Promise<string> => (await house.throws('bea-d12', 'd12', 6))?.id ?? '';
    const first = await wrong();
    expect(await house.refusal(table, player('bea'), 'claim', { roll: first })).toBe('only_loose');
    await house.ack(table, player('ada'), 'lend', { roll: first, seat: 'ada' });
    expect(gameOf(table)).toMatchObject({ attack: { by: 'ada', incoming: 6 } });
    await house.ack(table, GM, 'type', { seat: 'gm', natural: 6 });
    const second = await wrong();
    await house.ack(table, player('bea'), 'lend', { roll: second, seat: 'ada' });
    await house.ack(table, GM, 'type', { seat: 'gm', natural: 6 });
    const third = await wrong();
    await wrong();
    expect(await house.refusal(table, player('ada'), 'lend', { roll: third, seat: 'ada' })).toBe('not_your_roll');
    expect(await house.refusal(table, player('ada'), 'lend', { roll: second, seat: 'bea' })).toBe('not_your_roll');
  });

  test('for 20 s, by nobody else; after that the GM assigns it', async () => {
    const table = await seatedAtFight(['orc'], ['ada', 'bea', 'orc-1']);
    await house.ack(table, GM, 'seat', { id: 'cai' });
    const wrong = async (): Promise<string> => (await house.throws('bea-d12', 'd12', 6))?.id ?? '';
    const takenBy = async (roll: string, caller: Caller): Promise<string> => {
      const answer = await house.command(table, caller, 'lend', { roll, seat: 'ada' });
      return answer.kind === 'refused' ? answer.code : answer.kind;
    };
    const first = await wrong();
    expect(await takenBy(first, player('cai'))).toBe('not_your_roll');
    await house.pass(19_999);
    expect(await takenBy(first, GM)).toBe('ack');
    await house.ack(table, GM, 'type', { seat: 'gm', natural: 6 });
    const second = await wrong();
    await house.pass(20_000);
    for (const caller of [player('ada'), player('bea'), GM]) expect(await takenBy(second, caller)).toBe('loan_over');
    expect(await house.refusal(table, player('ada'), 'claim', { roll: second })).toBe('loan_over');
    expect(gameOf(table)).toMatchObject({ attack: null });
    await house.ack(table, GM, 'assign', { roll: second, seat: 'ada' });
    expect(gameOf(table)).toMatchObject({ attack: { by: 'ada', incoming: 6 } });
  });
});

describe('a pawn (D6)', () => {
  test('means nothing when it is put down or falls, rolls when its kind is awaited, and blinks with its monster', async () => {
    const monsters = {
      orc: { cost: 2, pv: 8, pa: 4, defence: 12, agility: 8, pawn: 'd12', attacks: { physical: { sides: 8 } } },
    };
    const table = await seatedAtFight(['orc'], ['ada', 'bea', 'orc-1'], { monsters });
    const { seq } = table.snapshot(GM_SEES);
    await house.hear({ id: 'gm-d12', type: 'd12' }, rest('d12', 4, 'placed'));
    await house.throws('gm-d12', 'd12', 9);
    expect(table.snapshot(GM_SEES).seq).toBe(seq);
    expect(house.blinked).toEqual([]);
    await house.throws('ada-d12', 'd12', 12);
    expect(await house.throws('gm-d12', 'd12', 2)).toMatchObject({
      seat: 'gm',
      purpose: 'defence',
      verdict: 'accepted',
    });
    await house.ack(table, GM, 'choose', { action: 'dodge', yes: false });
    expect(house.blinked).toEqual(['gm-d12']);
  });
});
