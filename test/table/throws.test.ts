import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Table } from '../../src/table/table.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, GM_SEES, gameOf, House, player, rest, SPECTATOR, seated, viewOf } from './house.js';

afterAll(removeFolders);

let house: House;
beforeEach(async () => {
  house = await House.open(freshFolder());
});
afterEach(() => house.close());

const SEATS = seated('ada', 'bea');
const followed = (...bindings: ReturnType<typeof bound>[]): Promise<Table> =>
  house.table({ id: 'prova', seats: SEATS, bindings });
const called = async (table: Table, seat: string | null, notation: string, id = 'c1'): Promise<void> => {
  await house.ack(table, GM, 'call', { id, seat, notation, purpose: 'prova' });
};
const codesIn = (table: Table): unknown[] => {
  const { notices } = viewOf(table) as { notices: { code: string }[] };
  return notices.map(({ code }) => code);
};
const looseIn = (table: Table): { id: string; code: string; verdict: string }[] =>
  (viewOf(table) as unknown as { loose: { id: string; code: string; verdict: string }[] }).loose;

describe('a throw', () => {
  test('is one roll, told to everybody, and the same 17 again is another (F094)', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    const screen = new Client(table, SPECTATOR);
    const first = await house.throws('x', 'd20', 17);
    const second = await house.throws('x', 'd20', 17);
    expect(first).toMatchObject({ natural: 17, result: 17, total: 17, verdict: 'accepted', seat: 'ada', game: 'free' });
    expect(first?.dice).toEqual([
      {
        die: 'x',
        type: 'd20',
        sides: 20,
        face: 17,
        natural: 17,
        result: 17,
        status: 'kept',
        source: 'physical',
        quality: 'ok',
      },
    ]);
    expect(screen.rolls).toEqual([first, second]);
    expect(first?.id).not.toBe(second?.id);
    expect(gameOf(table).rolls).toBe(2);
  });

  test('of the same frame heard again changes nothing, of a wrapped or a new count it counts (F064)', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    const thrown = (origin: string) => house.hear({ id: 'x', type: 'd20' }, rest('d20', 5), { origin });
    for (const origin of ['t/7/4294967294', 't/7/4294967295', 't/7/0', 't/8/1', 't/7/0']) await thrown(origin);
    expect(gameOf(table).rolls).toBe(4);
  });

  test('counts only after it has settled, and not if the die moves again before', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    const die = { id: 'x', type: 'd20', settleMs: 250 } as const;
    const lifted = house.hear(die, rest('d20', 3));
    house.clock.pass(249);
    await house.hear(die, { kind: 'tumbling' });
    house.clock.pass(1_000);
    expect(await lifted).toBeNull();
    expect(gameOf(table).rolls).toBe(0);
    const settled = house.hear(die, rest('d20', 9));
    await house.hear(die, rest('d20', 12, 'placed'));
    house.clock.pass(250);
    expect((await settled)?.roll?.natural).toBe(9);
  });

  test('that was handled, held or turned over is none, and its face is shown live (F002)', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    const screen = new Client(table, SPECTATOR);
    await house.hear({ id: 'x', type: 'd20' }, rest('d20', 20, 'placed'));
    for (const face of [17, 2, 20, 3, 7]) await house.hear({ id: 'x', type: 'd20' }, rest('d20', face, 'unsure'));
    expect(gameOf(table).rolls).toBe(0);
    expect(screen.rolls).toEqual([]);
    expect(screen.lives[0]).toMatchObject({ die: 'x', signal: { kind: 'rested', how: 'placed', face: 20 } });
    expect(new Set(codesIn(table))).toEqual(new Set(['unsure']));
  });

  test('off the table is void; the GM may have it thrown again (F115)', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    await house.hear({ id: 'x', type: 'd20' }, { kind: 'tumbling' });
    await house.hear({ id: 'x', type: 'd20' }, { kind: 'unresolved' });
    await house.hear({ id: 'x', type: 'd20' }, { kind: 'tumbling' });
    await house.hear({ id: 'x', type: 'd20' }, rest('d20', 6, 'placed'));
    expect(gameOf(table).rolls).toBe(0);
    expect(codesIn(table)).toEqual(['unresolved']);
  });
});

describe('a throw whose end was not heard (F029)', () => {
  test('is told, may be typed, and a face read again after the link loss is offered, not used', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    await called(table, 'ada', '1d20');
    await house.hear({ id: 'x', type: 'd20' }, { kind: 'tumbling' });
    await house.hear({ id: 'x', type: 'd20' }, { kind: 'unresolved' });
    expect(codesIn(table)).toEqual(['unresolved']);
    await house.hear({ id: 'x', type: 'd20' }, rest('d20', 14, 'resync'));
    expect(codesIn(table)).toEqual(['unresolved', 'resync']);
    expect(table.snapshot(GM_SEES).awaited.map(({ id }) => id)).toEqual(['c1']);
    const typed = await house.ack(table, GM, 'type', { die: 'x', natural: 14 });
    expect(table.roll(typed.roll ?? '', GM_SEES)).toMatchObject({ natural: 14, dice: [{ source: 'manual' }] });
    expect(table.snapshot(GM_SEES).awaited).toEqual([]);
  });

  test('is offered too when the link returns before the ten seconds are over', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    await house.hear({ id: 'x', type: 'd20' }, { kind: 'tumbling' });
    await house.hear({ id: 'x', type: 'd20' }, rest('d20', 14, 'resync'));
    const { notices } = viewOf(table) as unknown as { notices: { code: string; roll: string }[] };
    expect(notices).toMatchObject([{ code: 'resync', face: 14, seat: 'ada' }]);
    const claimed = await house.ack(table, player('ada'), 'claim', { roll: notices[0]?.roll });
    expect(table.roll(claimed.roll ?? '', GM_SEES)).toMatchObject({ natural: 14, dice: [{ quality: 'unverified' }] });
    expect(codesIn(table)).toEqual([]);
  });

  test('a face read again of a die that lay still says nothing', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    await house.throws('x', 'd20', 4);
    await house.hear({ id: 'x', type: 'd20' }, rest('d20', 4, 'resync'));
    expect(codesIn(table)).toEqual([]);
  });
});

test('a leaning die is told and counts only by the word of its roller (F031)', async () => {
  const table = await followed(bound('x', 'd6', 'ada'));
  await called(table, 'ada', '1d6');
  await house.hear({ id: 'x', type: 'd6' }, { kind: 'tumbling' });
  await house.hear({ id: 'x', type: 'd6' }, rest('d6', 6, 'leaning'));
  const { notices } = viewOf(table) as unknown as { notices: { code: string; roll: string }[] };
  expect(notices).toMatchObject([{ code: 'cocked', face: 6, die: 'x', seat: 'ada' }]);
  expect(table.snapshot(GM_SEES).awaited).toHaveLength(1);
  const roll = notices[0]?.roll;
  expect(await house.refusal(table, player('bea'), 'claim', { roll })).toBe('not_your_roll');
  const taken = await house.ack(table, player('ada'), 'claim', { roll });
  expect(table.roll(taken.roll ?? '', GM_SEES)).toMatchObject({ natural: 6, verdict: 'accepted' });
  expect(await house.refusal(table, player('ada'), 'claim', { roll })).toBe('no_such_roll');
  await house.ack(table, GM, 'undo');
  expect(codesIn(table)).toEqual(['cocked']);
  await house.ack(table, player('ada'), 'claim', { roll });
});

test.each([
  ['x', 'y'],
  ['y', 'x'],
])('two dice landing together, %s before %s, are one roll with both dice by their ids (F032)', async (a, b) => {
  const table = await followed(bound('x', 'd20', 'ada'), bound('y', 'd20', 'ada'));
  await called(table, 'ada', '2d20+3');
  const face = { x: 4, y: 19 } as const;
  const gm = new Client(table, GM_SEES);
  await house.throws(a, 'd20', face[a as 'x' | 'y']);
  expect(gm.kinds).toEqual(['gathering']);
  const roll = await house.throws(b, 'd20', face[b as 'x' | 'y']);
  expect(gm.rolls).toEqual([roll]);
  expect(new Map(roll?.dice.map((die) => [die.die, die.face]))).toEqual(new Map(Object.entries(face)));
  expect(roll).toMatchObject({ total: 26, modifiers: [{ amount: 3 }] });
  expect(roll).not.toHaveProperty('natural');
  expect(gameOf(table).rolls).toBe(0);
});

describe('dice of one kind (Z6)', () => {
  test('one die is thrown again where two are asked', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    await called(table, 'ada', '2d20');
    await house.throws('x', 'd20', 4);
    expect(await house.throws('x', 'd20', 4)).toMatchObject({ total: 8, dice: [{ die: 'x' }, { die: 'x' }] });
  });

  test('of two dice each counts once: the bounce of one is refused', async () => {
    const table = await followed(bound('x', 'd20', 'ada'), bound('y', 'd20', 'ada'));
    await called(table, 'ada', '2d20');
    await house.throws('x', 'd20', 4);
    expect(await house.throws('x', 'd20', 9)).toMatchObject({ verdict: 'refused', code: 'already_rolled', natural: 9 });
    expect(await house.throws('y', 'd20', 7)).toMatchObject({ total: 11 });
  });

  test('with two dice and three asked, one is thrown again once both lie', async () => {
    const table = await followed(bound('x', 'd20', 'ada'), bound('y', 'd20', 'ada'));
    await called(table, 'ada', '3d20');
    await house.throws('x', 'd20', 4);
    await house.throws('y', 'd20', 5);
    expect(await house.throws('x', 'd20', 6)).toMatchObject({ total: 15 });
  });

  test('a d100 is filled by its pair, in either order', async () => {
    const table = await followed(bound('tens', 'd00', 'ada'), bound('ones', 'd10', 'ada'));
    for (const [id, order] of [
      ['c1', ['tens', 'ones']],
      ['c2', ['ones', 'tens']],
    ] as const) {
      await called(table, 'ada', '1d100', id);
      let last: Awaited<ReturnType<House['throws']>>;
      for (const die of order) last = await house.throws(die, die === 'tens' ? 'd00' : 'd10', 0);
      expect(last).toMatchObject({ natural: 100, result: 100 });
    }
  });
});

describe('a throw nobody can place', () => {
  test('of a die nobody awaits is loose on a refereed table, and changes nothing (F037)', async () => {
    const table = await house.table({
      id: 'prova',
      game: 'dadoteck',
      seats: SEATS,
      options: { start: { pawns: { ada: 5, bea: 9 }, order: ['ada', 'bea'] } },
      bindings: [bound('x', 'd6', 'ada'), bound('y', 'd20', 'bea'), bound('z', 'd20', 'ada')],
    });
    const before = gameOf(table);
    expect(await house.throws('x', 'd6', 3)).toMatchObject({ verdict: 'refused', code: 'wrong_die' });
    const early = await house.throws('y', 'd20', 3);
    expect(early).toMatchObject({ verdict: 'refused', code: 'wrong_seat', rule: 'dadoteck:M1' });
    expect(gameOf(table)).toEqual(before);
    expect(looseIn(table).map(({ code }) => code)).toEqual(['wrong_die', 'wrong_seat']);
    expect(await house.refusal(table, player('bea'), 'claim', { roll: early?.id })).toBe('only_loose');
    await house.throws('z', 'd20', 8);
    await house.ack(table, GM, 'assign', { roll: early?.id, seat: 'bea' });
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 8, bea: 3 } });
    expect(looseIn(table).map(({ code }) => code)).toEqual(['wrong_die']);
    await house.ack(table, GM, 'void', { roll: looseIn(table)[0]?.id });
    expect(looseIn(table)).toEqual([]);
  });

  test('answers a call from outside before the game calls it loose', async () => {
    const table = await house.table({
      id: 'prova',
      game: 'dadoteck',
      seats: SEATS,
      options: { start: { pawns: { ada: 5, bea: 9 }, order: ['ada', 'bea'] } },
      bindings: [bound('x', 'd6', 'bea')],
    });
    await called(table, 'bea', '1d6');
    const before = gameOf(table);
    const gm = new Client(table, GM_SEES);
    expect(await house.throws('x', 'd6', 3)).toMatchObject({ verdict: 'accepted', game: 'external', purpose: 'prova' });
    expect(gm.kinds).toEqual(['roll']);
    expect(gameOf(table)).toEqual(before);
  });

  test('of a shared die, where several are awaited, asks who rolled it (Z9)', async () => {
    const table = await house.table({
      id: 'prova',
      game: 'dadoteck',
      seats: SEATS,
      bindings: [bound('x', 'd20', null)],
    });
    const whose = await house.throws('x', 'd20', 7);
    expect(whose).toMatchObject({ verdict: 'loose', code: 'whose', rule: 'Z9', seat: null });
    const claimed = await house.ack(table, player('bea'), 'claim', { roll: whose?.id });
    expect(table.roll(claimed.roll ?? '', GM_SEES)).toMatchObject({ seat: 'bea', natural: 7, purpose: 'placement' });
    expect(gameOf(table)).toMatchObject({ pawns: { bea: 7 } });
    expect(await house.refusal(table, player('ada'), 'claim', { roll: whose?.id })).toBe('no_such_roll');
    expect(await house.throws('x', 'd20', 9)).toMatchObject({ verdict: 'accepted', seat: 'ada' });
  });

  test('that was typed is refused by its name, and may be assigned', async () => {
    const table = await house.table({
      id: 'prova',
      game: 'dadoteck',
      seats: SEATS,
      options: { start: { pawns: { ada: 5, bea: 9 }, order: ['ada', 'bea'] } },
    });
    const answer = await house.command(table, player('bea'), 'type', { sides: 20, natural: 3 });
    expect(answer).toMatchObject({ kind: 'refused', code: 'wrong_seat', roll: 'prova-2' });
    expect(table.roll('prova-2', GM_SEES)).toMatchObject({ verdict: 'refused', seat: 'bea', natural: 3 });
    await house.ack(table, GM, 'assign', { roll: 'prova-2', seat: 'ada' });
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 3, bea: 9 } });
  });

  test('on a paused or closed evening is noted without any fuss, and may be claimed later', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    await house.ack(table, GM, 'pause');
    const paused = await house.throws('x', 'd20', 7);
    expect(paused).toMatchObject({ verdict: 'loose', code: 'paused', seat: 'ada' });
    await house.hear({ id: 'x', type: 'd20' }, rest('d20', 6, 'leaning'));
    await house.hear({ id: 'x', type: 'd20' }, { kind: 'unresolved' });
    expect(codesIn(table)).toEqual([]);
    const { roll } = await house.ack(table, player('ada'), 'type', { natural: 3, sides: 20 });
    expect(table.roll(roll ?? '', GM_SEES)).toMatchObject({ natural: 3, verdict: 'loose', code: 'paused' });
    expect(gameOf(table).rolls).toBe(0);
    await house.ack(table, GM, 'close');
    expect(await house.throws('x', 'd20', 8)).toMatchObject({ verdict: 'loose', code: 'closed' });
    expect(await house.refusal(table, GM, 'resume')).toBe('evening_closed');
    expect(await house.refusal(table, player('ada'), 'claim', { roll: paused?.id })).toBe('closed');
    await house.ack(table, GM, 'open');
    await house.ack(table, player('ada'), 'claim', { roll: paused?.id });
    expect(gameOf(table).rolls).toBe(1);
  });

  test('that settles after the pause is loose', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    const pending = house.hear({ id: 'x', type: 'd20', settleMs: 250 }, rest('d20', 3));
    await house.ack(table, GM, 'pause');
    house.clock.pass(250);
    expect((await pending)?.roll).toMatchObject({ verdict: 'loose', code: 'paused' });
  });
});

describe('a die counts for nobody', () => {
  test('before it is enrolled, after it has left, while it is blocked', async () => {
    const table = await followed();
    expect(await house.throws('x', 'd20', 3)).toBeUndefined();
    expect(table.snapshot(GM_SEES).seq).toBe(1);
    await house.ack(table, GM, 'enrol', { die: 'x' });
    expect(await house.throws('x', 'd20', 3)).toMatchObject({ verdict: 'accepted', seat: null });
    const pending = house.hear({ id: 'x', type: 'd20', settleMs: 250 }, rest('d20', 4));
    await house.ack(table, GM, 'block', { die: 'x' });
    house.clock.pass(250);
    expect(await pending).toBeNull();
    expect(await house.throws('x', 'd20', 5)).toBeUndefined();
    expect(await house.refusal(table, GM, 'bind', { die: 'x', seat: 'ada' })).toBe('die_blocked');
    await house.ack(table, GM, 'block', { die: 'x', blocked: false });
    await house.ack(table, GM, 'bind', { die: 'x', seat: 'ada' });
    expect(await house.throws('x', 'd20', 6)).toMatchObject({ seat: 'ada' });
    await house.ack(table, GM, 'enrol', { die: 'x', enrolled: false });
    expect(await house.throws('x', 'd20', 7)).toBeUndefined();
    expect(gameOf(table).rolls).toBe(2);
  });

  test('of another table: enrolling it is refused, naming that table', async () => {
    const table = await followed(bound('x', 'd20', 'ada'));
    const other = await house.table({ id: 'altro', seats: SEATS });
    await house.hear({ id: 'x', type: 'd20' }, { kind: 'handling' });
    for (const [verb, args] of [
      ['enrol', { die: 'x' }],
      ['bind', { die: 'x', seat: 'ada' }],
    ] as const) {
      const answer = await house.command(other, GM, verb, args);
      expect(answer).toMatchObject({
        kind: 'refused',
        code: 'enrolled_elsewhere',
        reason: expect.stringContaining('prova'),
      });
    }
    await house.ack(table, GM, 'enrol', { die: 'x', enrolled: false });
    await house.ack(other, GM, 'enrol', { die: 'x' });
    await house.throws('x', 'd20', 7);
    expect([gameOf(table).rolls, gameOf(other).rolls]).toEqual([0, 1]);
  });

  test('while it is a pawn, however it is flicked', async () => {
    const table = await followed({ ...bound('x', 'd4', 'ada'), duty: 'pawn' });
    expect(await house.throws('x', 'd4', 3)).toBeUndefined();
    await house.hear({ id: 'x', type: 'd4' }, rest('d4', 2, 'leaning'));
    await house.hear({ id: 'x', type: 'd4' }, { kind: 'unresolved' });
    expect(table.snapshot(GM_SEES).seq).toBe(1);
    await called(table, 'ada', '1d4');
    expect(await house.throws('x', 'd4', 3)).toMatchObject({ verdict: 'accepted', game: 'external' });
  });
});

test('a die handed from seat to seat rolls for the new one, and a lent throw counts for another', async () => {
  const table = await followed(bound('x', 'd20', 'ada'));
  await house.ack(table, GM, 'bind', { die: 'x', seat: 'bea' });
  expect(await house.throws('x', 'd20', 3)).toMatchObject({ seat: 'bea' });
  await house.ack(table, GM, 'bind', { die: 'x', seat: 'ada' });
  await called(table, 'bea', '1d20');
  const mine = await house.throws('x', 'd20', 12);
  expect(mine).toMatchObject({ seat: 'ada', verdict: 'accepted', game: 'free' });
  expect(await house.refusal(table, player('bea'), 'lend', { roll: mine?.id, seat: 'bea' })).toBe('not_your_roll');
  expect(await house.refusal(table, GM, 'bind', { die: 'x', seat: 'nessuno' })).toBe('no_such_seat');
  await house.ack(table, player('ada'), 'lend', { roll: mine?.id, seat: 'bea' });
  expect(table.roll(mine?.id ?? '', GM_SEES)).toMatchObject({ seat: 'bea', standing: 'corrected' });
});
