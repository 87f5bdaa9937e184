import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Table } from '../../src/table/table.js';
import type { TrackerView } from '../../src/wire/view.js';
import { tracker as paidGame } from '../contract/tracker.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, GM_SEES, gameOf, House, player, rest, SPECTATOR, seated, sees, viewOf } from './house.js';

afterAll(removeFolders);

let house: House;
let dir: string;
beforeEach(async () => {
  dir = freshFolder();
  house = await House.open(dir, { games: [paidGame] });
});
afterEach(() => house.close());

const SEATS = seated('ada', 'bea');
const DICE = [bound('hp', 'd20', 'ada', 'pv'), bound('pa', 'd6', 'ada', 'pa'), bound('tens', 'd00', 'ada', 'level')];
const followed = (): Promise<Table> => house.table({ id: 'prova', seats: SEATS, bindings: DICE });

/** Readings of a GoDice in a D20 shell (godice.md §7): the vector its rest reports. */
const XYZ = {
  20: [64, 0, 22],
  8: [64, 0, -22],
  4: [0, 22, 64],
  16: [42, 42, -42],
  2: [37, -37, 37],
  7: [-37, -37, -37],
};
const shows = (face: keyof typeof XYZ) => house.turns('hp', 'd20', face, 'placed', { xyz: XYZ[face] });

const counters = (table: Table, seat = 'ada'): object => {
  const { seats } = viewOf(table) as unknown as { seats: { id: string; counters: object }[] };
  return seats.find(({ id }) => id === seat)?.counters ?? {};
};
const trackers = (table: Table, seat = 'ada'): readonly TrackerView[] => {
  const { seats } = viewOf(table) as unknown as { seats: { id: string; trackers: TrackerView[] }[] };
  return seats.find(({ id }) => id === seat)?.trackers ?? [];
};
const notices = (table: Table, seat = 'ada'): unknown[] => {
  const view = viewOf(table, sees(seat)) as unknown as { notices: { code: string }[] };
  return view.notices.map(({ code }) => code);
};

describe('a tracker on a followed table', () => {
  test('is mirrored once it has lain still; the tens die counts tens', async () => {
    const table = await followed();
    const gm = new Client(table, GM_SEES);
    await house.turns('hp', 'd20', 17);
    await house.turns('tens', 'd00', 30);
    expect(counters(table)).toEqual({ pv: 17, level: 3 });
    expect(gm.kinds).toEqual(['counter', 'counter']);
    expect(trackers(table)).toMatchObject([
      { counter: 'pv', face: 17, expected: 17, mismatch: false, armed: true },
      { counter: 'level', face: 3 },
    ]);
    expect(gameOf(table).rolls).toBe(0);
  });

  test('thrown before it was ever set, it is a roll, and counts from the first face it is set to', async () => {
    const table = await followed();
    await house.turns('pa', 'd6', 3, 'thrown');
    expect(gameOf(table).rolls).toBe(1);
    await house.turns('pa', 'd6', 5);
    expect(counters(table)).toEqual({ pa: 5 });
    expect(notices(table)).toEqual([]);
  });

  test('passing over other faces is set once, with the face it rests on (F067)', async () => {
    const table = await followed();
    await house.turns('hp', 'd20', 17);
    const gm = new Client(table, GM_SEES);
    for (const face of [4, 20, 16]) {
      await house.hear({ id: 'hp', type: 'd20' }, rest('d20', face, 'placed'));
      await house.pass(400);
    }
    await house.pass(800);
    expect(gm.got.map(({ counter }) => counter)).toMatchObject([{ face: 16 }]);
    expect(counters(table)).toEqual({ pv: 16 });
  });

  test('knocked over by one tip, it asks, and changes nothing (F004)', async () => {
    const table = await followed();
    await shows(20);
    const others = new Client(table, sees('bea'));
    await shows(8);
    expect(counters(table)).toEqual({ pv: 20 });
    expect(notices(table)).toEqual(['tracker_knock']);
    expect(trackers(table)).toMatchObject([{ face: 8, expected: 20, mismatch: true, asked: 'knock' }]);
    expect([others.got, notices(table, 'bea')]).toEqual([[], []]);
    await shows(20);
    expect(trackers(table)).toMatchObject([{ face: 20, mismatch: false }]);
    await shows(8);
    await house.ack(table, player('ada'), 'accept', { counter: 'pv' });
    expect(counters(table)).toEqual({ pv: 8 });
    await house.ack(table, GM, 'undo');
    expect(counters(table)).toEqual({ pv: 20 });
  });

  test('turned by hand over a face next to the last one is no knock', async () => {
    const table = await followed();
    await shows(20);
    await house.hear({ id: 'hp', type: 'd20' }, rest('d20', 2, 'placed', { xyz: XYZ[2] }));
    await house.pass(300);
    await house.hear({ id: 'hp', type: 'd20' }, rest('d20', 7, 'placed', { xyz: XYZ[7], turned: 41.8 }));
    await house.pass(800);
    expect(counters(table)).toEqual({ pv: 7 });
  });

  test('set by one player shows to another only as a number', async () => {
    const table = await followed();
    const screen = new Client(table, SPECTATOR);
    await house.turns('hp', 'd20', 17);
    expect(screen.kinds).toEqual(['counter']);
    const { seats } = viewOf(table, SPECTATOR) as unknown as { seats: object[] };
    expect(seats[0]).toEqual({ id: 'ada', name: 'ada', counters: { pv: 17 } });
  });

  test('by a tap counts as well, and the die is expected to follow', async () => {
    const table = await followed();
    await house.turns('hp', 'd20', 17);
    await house.ack(table, player('ada'), 'set', { counter: 'pv', face: 12 });
    expect(trackers(table)).toMatchObject([{ face: 17, expected: 12, mismatch: true }]);
    await house.turns('hp', 'd20', 12);
    expect(trackers(table)).toMatchObject([{ face: 12, mismatch: false, armed: true }]);
    expect(await house.refusal(table, player('ada'), 'set', { counter: 'pv', face: 12, seat: 'bea' })).toBe(
      'not_your_seat',
    );
  });
});

describe('a tracker counts nothing until it is set again (D3)', () => {
  const moves: [string, (table: Table) => Promise<void>][] = [
    [
      'after a pause',
      async (table) => {
        await house.ack(table, GM, 'pause');
        await house.turns('hp', 'd20', 3);
        await house.ack(table, GM, 'resume');
      },
    ],
    [
      'after a new evening',
      async (table) => {
        await house.ack(table, GM, 'close');
        await house.ack(table, GM, 'open');
      },
    ],
    [
      'after an undo',
      async (table) => {
        await house.ack(table, player('ada'), 'type', { sides: 20, natural: 9 });
        await house.ack(table, GM, 'undo');
      },
    ],
    [
      'after a restart',
      async () => {
        house = await house.again(dir);
      },
    ],
  ];

  test.each(moves)('%s', async (_when, move) => {
    await followed();
    await house.turns('hp', 'd20', 17);
    await move(house.tables.get('prova') as Table);
    const table = house.tables.get('prova') as Table;
    expect(trackers(table)).toMatchObject([{ armed: false }]);
    await house.turns('hp', 'd20', 5);
    expect(counters(table)).toEqual({ pv: 17 });
    expect(notices(table)).toEqual(['tracker_unarmed']);
    await house.turns('hp', 'd20', 17);
    await house.turns('hp', 'd20', 15);
    expect(counters(table)).toEqual({ pv: 15 });
    expect(trackers(table)).toMatchObject([{ armed: true, mismatch: false }]);
  });

  test('unless the GM accepts another face', async () => {
    const table = await followed();
    await house.turns('hp', 'd20', 17);
    await house.ack(table, GM, 'pause');
    await house.ack(table, GM, 'resume');
    await house.turns('hp', 'd20', 5);
    await house.ack(table, GM, 'accept', { seat: 'ada', counter: 'pv' });
    expect(counters(table)).toEqual({ pv: 5 });
    expect(trackers(table)).toMatchObject([{ face: 5, armed: true, mismatch: false }]);
  });

  test('a ruling unsettles only the trackers whose face it changes', async () => {
    const table = await followed();
    await house.turns('hp', 'd20', 17);
    const typed = await house.ack(table, player('ada'), 'type', { sides: 20, natural: 9 });
    await house.ack(table, GM, 'correct', { roll: typed.roll, natural: 8 });
    expect(trackers(table)).toMatchObject([{ armed: true }]);
  });
});

describe('a face that another program prescribes', () => {
  test.each(['free', 'external'])(
    'on a table with the game %s is awaited, confirmed, and expected back',
    async (game) => {
      const table = await house.table({ id: 'prova', game, seats: SEATS, bindings: DICE });
      await house.ack(table, GM, 'expect', { seat: 'ada', counter: 'pv', face: 14 });
      const awaits = (): object[] =>
        table.snapshot(GM_SEES).awaited.map(({ counter, face, seat }) => ({ counter, face, seat }));
      expect(awaits()).toEqual([{ counter: 'pv', face: 14, seat: 'ada' }]);
      await house.turns('hp', 'd20', 14);
      expect(awaits()).toEqual([]);
      expect(counters(table)).toEqual({ pv: 14 });
      expect(trackers(table)).toMatchObject([{ face: 14, expected: 14, mismatch: false }]);
      await house.turns('hp', 'd20', 9);
      expect(awaits()).toEqual([{ counter: 'pv', face: 14, seat: 'ada' }]);
      expect(trackers(table)).toMatchObject([{ face: 9, expected: 14, mismatch: true }]);
      await house.ack(table, GM, 'accept', { seat: 'ada', counter: 'pv' });
      expect(awaits()).toEqual([]);
      expect(trackers(table)).toMatchObject([{ face: 9, expected: 9, mismatch: false }]);
    },
  );

  test('a wrong face is a mismatch for its own seat, and no board can wave it through', async () => {
    const table = await house.table({ id: 'prova', game: 'external', seats: SEATS, bindings: DICE });
    await house.ack(table, GM, 'expect', { seat: 'ada', counter: 'pv', face: 14 });
    await house.turns('hp', 'd20', 14);
    await house.ack(table, GM, 'expect', { seat: 'ada', counter: 'pv', face: 11 });
    const others = new Client(table, sees('bea'));
    const mine = new Client(table, sees('ada'));
    await house.turns('hp', 'd20', 12);
    expect(mine.got.map(({ counter }) => counter)).toMatchObject([{ face: 12, verdict: 'refused', code: 'mismatch' }]);
    expect(others.got).toEqual([]);
    expect(await house.refusal(table, player('ada'), 'accept', { counter: 'pv' })).toBe('mismatch');
    expect(trackers(table)).toMatchObject([{ face: 12, expected: 11, mismatch: true }]);
    await house.turns('hp', 'd20', 11);
    expect(trackers(table)).toMatchObject([{ face: 11, mismatch: false }]);
  });
});

describe('a tracker of a game with rules', () => {
  const paid = (): Promise<Table> =>
    house.table({
      id: 'prova',
      game: 'tracker',
      seats: seated('ada'),
      bindings: [...DICE, bound('x', 'd20', 'ada')],
    });

  test('is expected to follow, however it got there, and never holds up play', async () => {
    const table = await paid();
    await house.throws('x', 'd20', 12);
    await house.throws('x', 'd20', 13);
    expect(gameOf(table)).toMatchObject({ pa: 4, rolls: 2 });
    await house.turns('pa', 'd6', 4, 'thrown');
    expect(gameOf(table)).toMatchObject({ shown: 4 });
    expect(notices(table)).toEqual([]);
  });

  test('truly tumbled onto another face, it asks (D3), and is no roll', async () => {
    const table = await paid();
    await house.turns('pa', 'd6', 6);
    await house.throws('x', 'd20', 12);
    await house.turns('pa', 'd6', 2, 'thrown');
    expect(notices(table)).toEqual(['tracker_tumble']);
    expect(gameOf(table)).toMatchObject({ pa: 5, shown: 6, rolls: 1 });
  });

  test('thrown where its kind is awaited and the seat has no other, it is the roll (D5)', async () => {
    const table = await house.table({
      id: 'prova',
      game: 'tracker',
      seats: seated('ada'),
      bindings: [bound('hp', 'd20', 'ada', 'pv')],
    });
    expect(await house.throws('hp', 'd20', 12)).toMatchObject({ verdict: 'accepted', natural: 12 });
    await house.ack(table, GM, 'bind', { die: 'hp', seat: 'ada', duty: 'counts' });
    const more = await paidWithOther();
    expect(await house.throws('hp2', 'd20', 12)).toBeUndefined();
    expect(gameOf(more)).toMatchObject({ rolls: 0 });
  });

  const paidWithOther = (): Promise<Table> =>
    house.table({
      id: 'altro',
      game: 'tracker',
      seats: seated('ada'),
      bindings: [bound('hp2', 'd20', 'ada', 'pv'), bound('y', 'd20', 'ada')],
    });
});

describe('binding a die that counts', () => {
  test('names its counter, usual ones by themselves, and one die counts it', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS });
    for (const [id, type] of [
      ['a', 'd20'],
      ['b', 'd20'],
      ['c', 'd8'],
    ] as const)
      await house.hear({ id, type }, { kind: 'handling' });
    await house.ack(table, GM, 'bind', { die: 'a', seat: 'ada', duty: 'counts' });
    expect(table.state().bindings.get('a')).toMatchObject({ counter: 'pv' });
    expect(await house.refusal(table, GM, 'bind', { die: 'b', seat: 'ada', duty: 'counts' })).toBe('counter_taken');
    expect(await house.refusal(table, GM, 'bind', { die: 'c', seat: 'ada', duty: 'counts' })).toBe('which_counter');
    expect(await house.refusal(table, GM, 'bind', { die: 'b', seat: null, duty: 'counts' })).toBe('which_counter');
    await house.ack(table, GM, 'bind', { die: 'b', seat: 'bea', duty: 'counts' });
    await house.turns('a', 'd20', 13);
    await house.ack(table, GM, 'enrol', { die: 'a', name: 'Vita' });
    expect(trackers(table)).toMatchObject([{ face: 13 }]);
    await house.ack(table, GM, 'bind', { die: 'a', seat: 'ada', duty: 'rolls' });
    expect(trackers(table)).toEqual([]);
  });
});
