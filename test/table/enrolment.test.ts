import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DieType } from '../../src/dice/die.js';
import { drawChallenge } from '../../src/table/claim-window.js';
import type { Table } from '../../src/table/table.js';
import type { ClaimView } from '../../src/wire/view.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, GM_SEES, gameOf, House, player, rest, SPECTATOR, seated, sees, viewOf } from './house.js';

afterAll(removeFolders);

let house: House;
let dark: Set<string>;
beforeEach(async () => {
  dark = new Set();
  house = await House.open(freshFolder(), { drawn: [3, 3, 3], dark });
});
afterEach(() => house.close());

const SET: readonly DieType[] = ['d4', 'd6', 'd8', 'd10', 'd00', 'd12', 'd20'];
const SEATS = seated('ada', 'bea', 'carlo', 'dan');
/** A person reads a question and answers it. */
const READING_MS = 4_000;
const DICEBOUND = {
  mode: 'story',
  campaign: 'fast',
  level: 1,
  seats: SEATS.map(({ id }) => ({ id, class: 'baluardo' })),
};

/** A die on the air that belongs to nobody. */
function onAir(id: string, type: DieType | null, model = 'Pixels'): void {
  house.tables.announce({ id, device: id, model, type, fake: false, link: 'down', rssi: -60 });
}

/** A Pixels is thrown and heard by its advertisements: that it rolls, then where it stands, both of them snapshots. */
async function thrownNearby(id: string, type: DieType, face: number): Promise<void> {
  await house.hear({ id, model: 'Pixels' }, { kind: 'tumbling' });
  await house.hear({ id, model: 'Pixels' }, rest(type, face, 'resync', { snapshot: 'advert' }));
}

const claimOf = (table: Table, audience = GM_SEES): ClaimView | undefined =>
  viewOf(table, audience).collecting as unknown as ClaimView | undefined;
const bindingsOf = (table: Table) =>
  [...table.state().bindings.values()].map(({ die, seat, duty, counter }) => [die, seat, duty, counter ?? null]);

describe('a die of nobody', () => {
  test('is listed for the GM alone with model, colour and signal, and counts for nobody (F035)', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS });
    const screen = new Client(table, SPECTATOR);
    const stranger = { id: 'godice-abcdef', device: 'godice-abcdef', model: 'GoDice', fake: false, link: 'down' };
    house.tables.announce({ ...stranger, type: null, rssi: -31, colour: 'black' });
    expect(await house.throws('godice-abcdef', 'd20', 20)).toBeUndefined();
    const [die] = (viewOf(table) as { dice: object[] }).dice;
    expect(die).toMatchObject({ id: 'godice-abcdef', state: 'unknown', colour: 'black', rssi: -31, seat: null });
    expect(viewOf(table, SPECTATOR).dice).toEqual([]);
    expect(screen.rolls).toEqual([]);
    expect(gameOf(table).rolls).toBe(0);
  });
});

test('of a crowd of strangers the nearest are listed, and one’s own always', async () => {
  const table = await house.table({ id: 'prova', seats: SEATS, bindings: [bound('mine', 'd6', 'ada')] });
  for (let n = 0; n < 420; n += 1) {
    const id = `pixels-${n}`;
    house.tables.announce({
      id,
      device: id,
      model: 'Pixels',
      type: 'd20',
      fake: false,
      link: 'down',
      rssi: -40 - (n % 50),
    });
  }
  const { dice } = viewOf(table) as { dice: { id: string; rssi?: number }[] };
  expect(dice[0]?.id).toBe('mine');
  expect(dice).toHaveLength(41);
  expect(Math.min(...dice.map(({ rssi = 0 }) => rssi))).toBeGreaterThanOrEqual(-48);
  expect(JSON.stringify(dice).length).toBeLessThan(16_384);
});

describe('a set is claimed in one window', () => {
  test('its kinds get the duties of the game, its throws are no rolls, and then they count', async () => {
    const table = await house.table({ id: 'prova', game: 'dicebound', options: DICEBOUND, seats: SEATS });
    const screen = new Client(table, SPECTATOR);
    for (const type of SET) onAir(`p-${type}`, type);
    await house.ack(table, GM, 'collect', { seat: 'ada' });
    expect(claimOf(table)).toMatchObject({ seat: 'ada', how: 'set', leftMs: 20_000, dice: [], asked: [] });
    expect(house.tables.claiming).toBe(true);
    for (const type of SET) await thrownNearby(`p-${type}`, type, type === 'd00' ? 30 : 2);
    await table.settled();
    expect(house.tables.claiming).toBe(false);
    expect(bindingsOf(table)).toEqual([
      ['p-d4', 'ada', 'rolls', null],
      ['p-d6', 'ada', 'counts', 'pa'],
      ['p-d8', 'ada', 'rolls', null],
      ['p-d10', 'ada', 'rolls', null],
      ['p-d00', 'ada', 'counts', 'level'],
      ['p-d12', 'ada', 'rolls', null],
      ['p-d20', 'ada', 'counts', 'pv'],
    ]);
    expect(screen.rolls).toEqual([]);
    expect(claimOf(table)?.asked).toEqual([]);
    expect(claimOf(table)?.leftMs).toBeUndefined();
    await house.throws('p-d8', 'd8', 5);
    expect(screen.rolls).toHaveLength(1);
  });

  test('the GM’s own set marks and rolls: its dice are pawns, whatever their kinds count for players', async () => {
    const table = await house.table({ id: 'prova', game: 'dicebound', options: DICEBOUND, seats: SEATS });
    for (const type of SET) onAir(`p-${type}`, type);
    await house.ack(table, GM, 'collect', { seat: 'gm' });
    for (const type of SET) await thrownNearby(`p-${type}`, type, type === 'd00' ? 30 : 2);
    expect(bindingsOf(table).map(([, seat, duty]) => [seat, duty])).toEqual(SET.map(() => ['gm', 'pawn']));
  });

  test('a die that is not linked blinks when it is, and no longer after a minute', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS });
    for (const id of ['p-soon', 'p-late']) onAir(id, 'd8');
    await house.ack(table, GM, 'collect', { seat: 'ada' });
    for (const id of ['p-soon', 'p-late']) dark.add(id);
    await thrownNearby('p-soon', 'd8', 2);
    await thrownNearby('p-late', 'd8', 3);
    dark.clear();
    expect(house.blinked).toEqual(['p-soon', 'p-late']);
    await house.pass(20_000);
    house.tables.linked('p-soon', 'up');
    await house.pass(60_000);
    house.tables.linked('p-late', 'up');
    expect(house.blinked).toEqual(['p-soon', 'p-late', 'p-soon']);
  });

  test('a die that only says how it lies, one of another table and a blocked one are not taken', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS });
    await house.table({ id: 'altro', seats: SEATS, bindings: [bound('p-theirs', 'd8', 'ada')] });
    for (const id of ['p-lying', 'p-turned', 'p-blocked', 'p-theirs']) onAir(id, 'd8');
    await house.ack(table, GM, 'block', { die: 'p-blocked' });
    await house.ack(table, GM, 'collect', { seat: 'bea' });
    const lies = (id: string, face: number) => house.hear({ id, model: 'Pixels' }, rest('d8', face, 'resync'));
    await lies('p-lying', 4);
    await lies('p-lying', 4);
    await lies('p-turned', 4);
    await lies('p-turned', 7);
    await thrownNearby('p-blocked', 'd8', 3);
    await thrownNearby('p-theirs', 'd8', 3);
    await house.pass(20_000);
    expect(bindingsOf(table)).toEqual([['p-turned', 'bea', 'rolls', null]]);
  });

  test('asks only where it must: two of a kind, a kind the seat has, a shell that no die knows, roll or count', async () => {
    const bindings = [bound('old', 'd12', 'ada')];
    const table = await house.table({ id: 'prova', seats: SEATS, bindings });
    const kinds = { 'p-a': 'd8', 'p-b': 'd8', 'p-c': 'd12', 'p-d': 'd20', 'p-e': 'd4' } as const;
    for (const [id, type] of Object.entries(kinds)) onAir(id, type);
    onAir('godice-000001', null, 'GoDice');
    await house.ack(table, GM, 'collect', { seat: 'ada' });
    for (const [id, type] of Object.entries(kinds)) await thrownNearby(id, type, 1);
    await house.throws('godice-000001', 'd6', 3);
    await house.pass(20_000);
    expect(bindingsOf(table).slice(1)).toEqual([['p-e', 'ada', 'rolls', null]]);
    expect(claimOf(table)?.asked).toEqual([
      { die: 'p-a', why: 'twice' },
      { die: 'p-b', why: 'twice' },
      { die: 'p-c', why: 'held' },
      { die: 'p-d', why: 'duty' },
      { die: 'godice-000001', why: 'kind' },
    ]);
    expect(house.tables.asked).toHaveLength(5);
    await house.ack(table, GM, 'blink', { die: 'godice-000001' });
    expect(await house.refusal(table, player('ada'), 'blink', { die: 'godice-000001' })).toBe('no_such_die');
    await house.ack(table, GM, 'bind', { die: 'godice-000001', seat: 'ada', shell: 'd10x' });
    await house.ack(table, GM, 'bind', { die: 'p-d', seat: 'ada', duty: 'counts' });
    expect(claimOf(table)?.asked.map(({ die }) => die)).toEqual(['p-a', 'p-b', 'p-c']);
    expect(table.state().bindings.get('godice-000001')).toMatchObject({ shell: 'd10x', type: 'd00' });
    expect(table.state().bindings.get('p-d')).toMatchObject({ duty: 'counts', counter: 'pv' });
    await house.ack(table, GM, 'collect', { seat: 'ada', stop: true });
    expect(claimOf(table)).toBeUndefined();
  });

  test('a claimed die that still rolls when the window closes is heard again only once it has lain', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS });
    onAir('p-d12', 'd12');
    await house.ack(table, GM, 'collect', { seat: 'ada' });
    await thrownNearby('p-d12', 'd12', 4);
    await house.hear({ id: 'p-d12', model: 'Pixels' }, { kind: 'tumbling' });
    await house.pass(20_000);
    await house.hear({ id: 'p-d12', type: 'd12' }, rest('d12', 9));
    expect(gameOf(table).rolls).toBe(0);
    await house.throws('p-d12', 'd12', 11);
    expect(gameOf(table).rolls).toBe(1);
  });

  test('one window at a time in the house; the seat and the GM see it, players cannot open one', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS });
    const other = await house.table({ id: 'altro', seats: SEATS });
    await house.ack(table, GM, 'collect', { seat: 'ada' });
    expect(await house.refusal(other, GM, 'collect', { seat: 'ada' })).toBe('claim_running');
    expect(await house.refusal(table, GM, 'collect', { seat: 'bea' })).toBe('claim_running');
    expect(await house.refusal(table, player('ada'), 'collect', { seat: 'ada' })).toBe('not_allowed');
    expect(await house.refusal(table, GM, 'collect', { seat: 'nobody' })).toBe('no_such_seat');
    expect(claimOf(table, sees('ada'))).toBeDefined();
    expect(claimOf(table, sees('bea'))).toBeUndefined();
    expect(claimOf(table, SPECTATOR)).toBeUndefined();
    expect(claimOf(other)).toBeUndefined();
    await house.ack(table, GM, 'collect', { seat: 'ada', stop: true });
    await house.ack(other, GM, 'collect', { seat: 'ada' });
  });

  test('28 dice of four seats, half of them GoDice, sit within five minutes, whatever order they fall in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 2_400 }), { minLength: 28, maxLength: 28 }),
        async (pauses) => {
          const id = `t${house.tables.list().length}`;
          const table = await house.table({ id, game: 'dicebound', options: DICEBOUND, seats: SEATS });
          const begun = house.clock.now();
          const left = [...pauses];
          for (const [place, { id: seat }] of SEATS.entries()) {
            await house.ack(table, GM, 'collect', { seat });
            for (const type of SET) {
              const die = `${id}-${seat}-${type}`;
              await house.pass(left.shift() ?? 0);
              if (place % 2 === 0) await claimPixels(die, type);
              else await claimGodice(die);
            }
            if (place % 2 === 1) await answerFor(table, seat, (type) => `${id}-${seat}-${type}`);
          }
          const seats = [...table.state().bindings.values()].map((binding) => binding.seat);
          expect(seats).toHaveLength(28);
          for (const { id: seat } of SEATS) expect(seats.filter((owner) => owner === seat)).toHaveLength(7);
          expect(house.clock.now() - begun).toBeLessThan(300_000);
          expect(table.state().rolls).toEqual([]);
        },
      ),
      { numRuns: 5 },
    );
  });
});

/** It says itself what it is. */
async function claimPixels(die: string, type: DieType): Promise<void> {
  onAir(die, type);
  await thrownNearby(die, type, type === 'd00' ? 30 : 2);
}

/** It does not know the shell it wears: that is asked. */
async function claimGodice(die: string): Promise<void> {
  onAir(die, null, 'GoDice');
  await house.throws(die, 'd6', 3);
}

/** A person looks at each die of a seat and chooses its shell on the page. */
async function answerFor(table: Table, seat: string, dieOf: (type: DieType) => string): Promise<void> {
  expect(claimOf(table)?.asked).toEqual(SET.map((type) => ({ die: dieOf(type), why: 'kind' })));
  for (const type of SET) {
    const die = dieOf(type);
    await house.pass(READING_MS);
    await house.ack(table, GM, 'bind', { die, seat, shell: type === 'd00' ? 'd10x' : type });
    expect(table.state().bindings.get(die)).toMatchObject({ seat, type });
  }
}

describe('one die', () => {
  test('is the seat’s by one throw; where another falls with it, both are asked', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS });
    for (const id of ['p-1', 'p-2', 'p-3']) onAir(id, 'd8');
    await house.ack(table, GM, 'collect', { seat: 'ada', how: 'one' });
    await thrownNearby('p-1', 'd8', 2);
    await house.pass(1_500);
    expect(bindingsOf(table)).toEqual([['p-1', 'ada', 'rolls', null]]);
    await house.ack(table, GM, 'collect', { seat: 'bea', how: 'one' });
    await thrownNearby('p-2', 'd8', 2);
    await house.pass(1_000);
    await thrownNearby('p-3', 'd8', 2);
    await house.pass(500);
    expect(bindingsOf(table)).toHaveLength(1);
    expect(claimOf(table)?.asked.map(({ why }) => why)).toEqual(['several', 'several']);
  });

  test('in a crowd is the one that shows 3, then 7', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS });
    for (const id of ['p-mine', 'p-six', 'p-tens', 'p-stranger']) onAir(id, null);
    await house.ack(table, GM, 'collect', { seat: 'ada', crowd: true });
    expect(claimOf(table)).toMatchObject({ large: [3, 7], small: [3, 2] });
    const shows = async (id: string, type: DieType, ...faces: number[]): Promise<void> => {
      for (const face of faces) await thrownNearby(id, type, face);
    };
    await shows('p-stranger', 'd20', 7, 3, 20, 17);
    await shows('p-mine', 'd20', 3, 12, 7);
    await shows('p-six', 'd6', 3, 2);
    await shows('p-tens', 'd00', 30, 70);
    await house.pass(20_000);
    expect(claimOf(table)?.dice.map(({ die }) => die)).toEqual(['p-mine', 'p-six', 'p-tens']);
  });

  test('any two numbers of a challenge differ and stand on their dice', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 3, maxLength: 3 }), (numbers) => {
        const left = [...numbers];
        const { small, large } = drawChallenge((sides) => ((left.shift() ?? 0) % sides) + 1);
        for (const [pair, most] of [
          [small, 4],
          [large, 8],
        ] as const) {
          expect(pair[0]).not.toBe(pair[1]);
          for (const number of pair) expect(number >= 1 && number <= most).toBe(true);
        }
      }),
    );
  });
});

describe('the owner’s word', () => {
  test('a list of dice nobody has heard is taken whole or not at all, and stands after a restart', async () => {
    const folder = freshFolder();
    const first = await House.open(folder);
    const table = await first.table({ id: 'prova', seats: SEATS });
    const dice = [
      { die: 'pixels-03ef405d', seat: 'ada', duty: 'counts', counter: 'pv', name: 'Rosso' },
      { die: 'godice-bc0940', seat: 'bea', shell: 'd20' },
      { die: 'godice-bc0941', seat: null },
    ];
    const wrong = [...dice, { die: 'pixels-03ef405e', seat: 'ada', duty: 'counts', counter: 'pv' }];
    expect(await first.refusal(table, GM, 'enlist', { dice: wrong })).toBe('counter_taken');
    expect(await first.refusal(table, GM, 'enlist', { dice: [{ die: 'unknown', seat: 'ada' }] })).toBe('no_such_die');
    expect(table.state().bindings.size).toBe(0);
    await first.ack(table, GM, 'enlist', { dice });
    const second = await first.again(folder);
    const again = second.tables.get('prova');
    expect([...(again?.state().bindings.values() ?? [])]).toMatchObject([
      { die: 'pixels-03ef405d', model: 'Pixels', name: 'Rosso', counter: 'pv' },
      { die: 'godice-bc0940', model: 'GoDice', shell: 'd20', type: 'd20' },
      { die: 'godice-bc0941', seat: null },
    ]);
    await second.close();
  });

  test('on shell, kind and faces is checked, kept and taken back; a die changes hands with them', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS, bindings: [bound('x', 'd6', 'ada')] });
    const binding = () => table.state().bindings.get('x');
    await house.ack(table, GM, 'enrol', { die: 'x', shell: 'd20', faces: [[7, 12]] });
    expect(binding()).toMatchObject({ type: 'd20', shell: 'd20', faces: [[7, 12]], seat: 'ada' });
    await house.ack(table, GM, 'bind', { die: 'x', seat: 'bea' });
    expect(binding()).toMatchObject({ shell: 'd20', faces: [[7, 12]], seat: 'bea' });
    expect(await house.refusal(table, GM, 'enrol', { die: 'x', faces: [[7, 21]] })).toBe('no_such_face');
    const twice = [
      [1, 2],
      [1, 3],
    ];
    expect(await house.refusal(table, GM, 'enrol', { die: 'x', faces: twice })).toBe('no_such_face');
    await house.ack(table, GM, 'enrol', { die: 'x', shell: 'd8' });
    expect(binding()).toMatchObject({ type: 'd8', shell: 'd8' });
    expect(binding()?.faces).toBeUndefined();
    await house.ack(table, GM, 'enrol', { die: 'x', shell: null, kind: 'd12' });
    expect(binding()).toMatchObject({ type: 'd12', kind: 'd12' });
    expect(binding()?.shell).toBeUndefined();
  });

  test('on a face that bears a symbol is kept and told; it counts its number all the same (magic R14)', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS, bindings: [bound('x', 'd20', 'ada')] });
    const names = [[20, 'Tarkir']];
    await house.ack(table, GM, 'enrol', { die: 'x', names });
    await house.ack(table, GM, 'bind', { die: 'x', seat: 'bea' });
    expect(table.state().bindings.get('x')).toMatchObject({ names, seat: 'bea' });
    expect(table.snapshot(SPECTATOR).view.dice).toMatchObject([{ id: 'x', names }]);
    expect(await house.throws('x', 'd20', 20)).toMatchObject({ dice: [{ face: 20, natural: 20 }], total: 20 });
    for (const wrong of [
      [[21, 'Tarkir']],
      [['chaos', 'Tarkir']],
      [
        [20, 'Tarkir'],
        [20, 'Izzet'],
      ],
    ]) {
      expect(await house.refusal(table, GM, 'enrol', { die: 'x', names: wrong })).toBe('no_such_face');
    }
    await house.ack(table, GM, 'enrol', { die: 'x', kind: 'd12' });
    expect(table.state().bindings.get('x')?.names).toBeUndefined();
    await house.ack(table, GM, 'enrol', { die: 'x', names: [[12, '★']] });
    await house.ack(table, GM, 'enrol', { die: 'x', names: [] });
    expect(table.state().bindings.get('x')?.names).toBeUndefined();
  });

  test('on a shell is doubted after three rests that fit another, until one fits again', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS, bindings: [bound('x', 'd20', 'ada')] });
    const doubt = async (shellDoubt?: number): Promise<unknown> => {
      await house.hear(
        { id: 'x', type: 'd20' },
        rest('d20', 4, 'thrown', shellDoubt === undefined ? {} : { shellDoubt }),
      );
      const [die] = (viewOf(table) as { dice: { doubt?: string }[] }).dice;
      return die?.doubt;
    };
    expect([await doubt(1), await doubt(2), await doubt(3), await doubt()]).toEqual([
      undefined,
      undefined,
      'shell',
      undefined,
    ]);
  });
});
