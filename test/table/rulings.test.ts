import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DieType } from '../../src/dice/die.js';
import type { AnyGame, Seat } from '../../src/games/game.js';
import { gameById } from '../../src/games/registry.js';
import type { NamedDie } from '../../src/table/entry.js';
import { Referee } from '../../src/table/referee.js';
import type { Table } from '../../src/table/table.js';
import { contest } from '../contract/simultaneous.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, GM_SEES, gameOf, House, player, SPECTATOR, seated, sees, viewOf } from './house.js';

afterAll(removeFolders);

let house: House;
let dir: string;
beforeEach(async () => {
  dir = freshFolder();
  house = await House.open(dir);
});
afterEach(() => house.close());

const SEATS = seated('ada', 'bea', 'cai');
const DICE = [bound('x', 'd20', 'ada'), bound('y', 'd20', 'bea'), bound('z', 'd20', 'cai')];
/** Dadoteck at the first movement roll: ada on 5, bea on 9, cai on 11. */
const race = (): Promise<Table> =>
  house.table({
    id: 'prova',
    game: 'dadoteck',
    seats: SEATS,
    bindings: DICE,
    options: { start: { pawns: { ada: 5, bea: 9, cai: 11 }, order: ['ada', 'bea', 'cai'] } },
  });
const idOf = async (roll: ReturnType<House['throws']>): Promise<string> => (await roll)?.id ?? '';
const looseIn = (table: Table): { id: string; code: string; seat: string }[] =>
  (viewOf(table) as unknown as { loose: { id: string; code: string; seat: string }[] }).loose;

describe('a ruling about the past', () => {
  test('is applied at once where all later deeds fit and nobody chose between (F119)', async () => {
    const table = await race();
    const first = await idOf(house.throws('x', 'd20', 8));
    await house.throws('y', 'd20', 3);
    const screen = new Client(table, SPECTATOR);
    const mended = await house.ack(table, GM, 'correct', { roll: first, natural: 10 });
    expect(mended.preview).toBeUndefined();
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 10, bea: 3, cai: 11 } });
    expect(screen.kinds).toEqual(['rewound']);
    expect(screen.got[0]?.view).toMatchObject({ game: { state: { pawns: { ada: 10 } } } });
    expect(screen.got[0]?.rewound).toMatchObject({ ruling: 'correct', loose: [] });
    expect(table.roll(first, GM_SEES)).toMatchObject({ natural: 10, result: 10, standing: 'corrected' });
    await house.ack(table, GM, 'correct', { roll: first, natural: 8 });
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 8, bea: 3, cai: 11 } });
    expect(table.state().seq).toBe(5);
  });

  test('that leaves later deeds without a place is shown first; confirmed, they are loose and can be assigned', async () => {
    const table = await race();
    const first = await idOf(house.throws('x', 'd20', 8));
    const second = await idOf(house.throws('y', 'd20', 3));
    const { preview, seq } = await house.ack(table, GM, 'correct', { roll: first, natural: 9 });
    expect(seq).toBeNull();
    expect(preview?.loose).toEqual([{ seq: 3, reason: expect.any(String) }]);
    expect(preview?.changes).toContainEqual({ what: 'pawns.bea', before: 3, after: null });
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 8, bea: 3 } });
    await house.ack(table, GM, 'confirm', { preview: preview?.id });
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 9, cai: 11 }, eliminated: ['bea'] });
    expect(looseIn(table)).toMatchObject([{ id: second, verdict: 'loose', seat: 'bea', standing: 'valid' }]);
    await house.ack(table, GM, 'assign', { roll: second, seat: 'cai' });
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 9, cai: 3 } });
    expect(looseIn(table)).toEqual([]);
  });

  test('over a choice of a person is shown first, though all fits', async () => {
    const table = await race();
    await house.throws('x', 'd20', 13);
    await house.ack(table, player('ada'), 'choose', { option: 14 });
    const later = await idOf(house.throws('y', 'd20', 3));
    const { preview } = await house.ack(table, GM, 'correct', { roll: later, natural: 4 });
    expect(preview).toBeUndefined();
    const earlier = (table.snapshot(GM_SEES).rolls[0] ?? { id: '' }).id;
    const shown = await house.ack(table, GM, 'correct', { roll: earlier, natural: 17 });
    expect(shown.preview?.loose.map(({ seq }) => seq)).toEqual([3, 4]);
    const voided = await house.ack(table, GM, 'void', { roll: earlier });
    expect(voided.preview?.id).not.toBe(shown.preview?.id);
    expect(viewOf(table)).toMatchObject({ previews: [{ id: shown.preview?.id }, { id: voided.preview?.id }] });
    expect(viewOf(table, SPECTATOR)).not.toHaveProperty('previews');
  });

  test('shown before more has happened is shown again where more would become loose', async () => {
    const table = await race();
    const first = await idOf(house.throws('x', 'd20', 8));
    await house.throws('y', 'd20', 3);
    const { preview } = await house.ack(table, GM, 'void', { roll: first });
    expect(preview?.loose.map(({ seq }) => seq)).toEqual([3]);
    await house.throws('z', 'd20', 4);
    const answer = await house.command(table, GM, 'confirm', { preview: preview?.id });
    expect(answer).toMatchObject({ kind: 'refused', code: 'stale_preview' });
    expect(await house.refusal(table, GM, 'confirm', { preview: preview?.id })).toBe('no_such_preview');
    const fresh = answer.kind === 'refused' ? answer.expected?.split(' ')[1] : '';
    await house.ack(table, GM, 'confirm', { preview: fresh });
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 5, bea: 9, cai: 11 } });
    expect(looseIn(table)).toHaveLength(2);
  });

  test('a client that comes back over a ruling gets a snapshot', async () => {
    const table = await race();
    const first = await idOf(house.throws('x', 'd20', 8));
    await house.ack(table, GM, 'correct', { roll: first, natural: 10 });
    expect(table.since(SPECTATOR, 1)).toBeNull();
    await house.throws('y', 'd20', 3);
    expect(table.since(SPECTATOR, 3)).toHaveLength(1);
    expect(table.since(SPECTATOR, 4)).toEqual([]);
    expect(table.since(SPECTATOR, 5)).toBeNull();
  });

  test('names the trackers that must be turned', async () => {
    const table = await house.table({ id: 'prova', seats: SEATS, bindings: [bound('hp', 'd20', 'ada', 'pv')] });
    await house.turns('hp', 'd20', 14);
    await house.turns('hp', 'd20', 13);
    const mine = new Client(table, sees('ada'));
    await house.ack(table, GM, 'undo');
    expect(mine.got[0]?.rewound).toMatchObject({ trackers: [{ seat: 'ada', counter: 'pv', face: 14 }] });
    await house.ack(table, GM, 'redo');
    expect(viewOf(table)).toMatchObject({ seats: [{ counters: { pv: 13 } }, {}, {}] });
  });

  test('on rolls of several dice takes one number a die, in the order they are told', async () => {
    const table = await house.table({
      id: 'prova',
      seats: SEATS,
      bindings: [...DICE, bound('d6', 'd6', 'ada'), bound('tens', 'd00', 'ada'), bound('ones', 'd10', 'ada')],
    });
    for (const again of ['c1', 'c1']) {
      await house.ack(table, GM, 'call', { id: again, seat: 'ada', notation: '1d6+1d20' });
      await house.throws('x', 'd20', 11);
      const roll = await house.throws('d6', 'd6', 2);
      expect(roll?.dice.map(({ die, face }) => [die, face])).toEqual([
        ['d6', 2],
        ['x', 11],
      ]);
      expect(await house.refusal(table, GM, 'correct', { roll: roll?.id, natural: 5 })).toBe('wrong_count');
      expect(await house.refusal(table, GM, 'correct', { roll: roll?.id, dice: [11, 2] })).toBe('no_such_face');
      await house.ack(table, GM, 'correct', { roll: roll?.id, dice: [5, 12] });
      expect(table.roll(roll?.id ?? '', GM_SEES)).toMatchObject({ total: 17, dice: [{ face: 5 }, { face: 12 }] });
    }
    await house.ack(table, GM, 'call', { id: 'c2', seat: 'ada', notation: '1d100' });
    await house.throws('ones', 'd10', 7);
    const pair = await idOf(house.throws('tens', 'd00', 40));
    await house.ack(table, GM, 'correct', { roll: pair, natural: 100 });
    expect(table.roll(pair, GM_SEES)).toMatchObject({ natural: 100, dice: [{ face: 0 }, { face: 0 }] });
    await house.ack(table, GM, 'correct', { roll: pair, natural: 63 });
    expect(table.roll(pair, GM_SEES)).toMatchObject({ natural: 63 });
  });

  test('reaches a roll that a decision completed (706.6)', async () => {
    const table = await house.table({ id: 'prova', game: 'magic', seats: SEATS, bindings: DICE });
    const form = { action: 'form', count: 2, sides: 20, modifier: 3, lowest: 1 };
    await house.ack(table, player('ada'), 'choose', form);
    const screen = new Client(table, SPECTATOR);
    await house.throws('x', 'd20', 4);
    await house.throws('x', 'd20', 4);
    expect(screen.kinds).toEqual(['gathering', 'gathering']);
    const { roll } = await house.ack(table, player('ada'), 'choose', { option: { die: 1 } });
    expect(screen.kinds).toEqual(['gathering', 'gathering', 'roll']);
    expect(screen.rolls).toMatchObject([
      {
        id: roll,
        seat: 'ada',
        dice: [
          { die: 'x', status: 'kept', result: 7 },
          { die: 'x', status: 'ignored' },
        ],
      },
    ]);
    await house.ack(table, player('ada'), 'choose', form);
    const { preview } = await house.ack(table, GM, 'correct', { roll, dice: [4, 9] });
    expect(preview?.loose).toHaveLength(1);
    await house.ack(table, GM, 'confirm', { preview: preview?.id });
    const told = table.snapshot(GM_SEES).rolls;
    expect(told).toMatchObject([
      {
        dice: [
          { face: 4, status: 'ignored' },
          { face: 9, result: 12 },
        ],
      },
      { id: roll, standing: 'void' },
    ]);
    expect(gameOf(table)).toMatchObject({ rolls: 1 });
  });

  test('on a roll that did not count only mends how it is told', async () => {
    const table = await race();
    const early = await idOf(house.throws('y', 'd20', 3));
    await house.ack(table, GM, 'correct', { roll: early, natural: 13 });
    expect(table.roll(early, GM_SEES)).toMatchObject({
      natural: 13,
      verdict: 'refused',
      code: 'wrong_seat',
      standing: 'corrected',
      rule: 'dadoteck:M1',
    });
    expect(looseIn(table).map(({ id }) => id)).toEqual([early]);
    await house.ack(table, GM, 'void', { roll: early });
    expect(await house.refusal(table, GM, 'void', { roll: early })).toBe('already_void');
    expect(await house.refusal(table, GM, 'assign', { roll: early, seat: 'bea' })).toBe('no_such_roll');
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 5, bea: 9, cai: 11 } });
  });

  test.each([
    ['correct', { roll: 'prova-99', natural: 3 }, 'no_such_roll'],
    ['void', { roll: '__proto__' }, 'no_such_roll'],
    ['assign', { roll: 'prova-99', seat: 'ada' }, 'no_such_roll'],
    ['assign', { roll: 'prova-2', seat: 'constructor' }, 'no_such_seat'],
    ['correct', { roll: 'prova-2', natural: 21 }, 'no_such_face'],
    ['correct', { roll: 'prova-2' }, 'wrong_count'],
    ['undo', { n: 5 }, 'nothing_to_undo'],
    ['redo', {}, 'nothing_to_redo'],
    ['confirm', { preview: 'x' }, 'no_such_preview'],
  ])('%s %o is refused: %s', async (verb, args, code) => {
    const table = await race();
    await house.throws('x', 'd20', 8);
    const before = table.state();
    expect(await house.refusal(table, GM, verb, args)).toBe(code);
    expect(table.state()).toBe(before);
  });
});

describe('undo and redo', () => {
  test('take back deeds of persons, and bring them back as they stood', async () => {
    const table = await race();
    const first = await idOf(house.throws('x', 'd20', 8));
    await house.ack(table, GM, 'correct', { roll: first, natural: 7 });
    await house.throws('y', 'd20', 3);
    const end = gameOf(table);
    const rolls = table.snapshot(GM_SEES).rolls;
    await house.ack(table, GM, 'undo', { n: 2 });
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 5, bea: 9 } });
    expect(table.snapshot(GM_SEES).rolls.map(({ standing }) => standing)).toEqual(['void', 'void']);
    expect(viewOf(table)).toMatchObject({ redo: true });
    await house.ack(table, GM, 'redo');
    expect(gameOf(table)).toEqual(end);
    expect(table.snapshot(GM_SEES).rolls).toEqual(rolls);
    expect(await house.refusal(table, GM, 'redo')).toBe('nothing_to_redo');
  });

  test('several undos are redone one by one, until somebody plays on', async () => {
    const table = await race();
    await house.throws('x', 'd20', 8);
    const one = gameOf(table);
    await house.throws('y', 'd20', 3);
    const two = gameOf(table);
    await house.ack(table, GM, 'undo');
    await house.ack(table, GM, 'undo');
    await house.throws('y', 'd20', 3);
    await house.ack(table, GM, 'redo');
    expect(gameOf(table)).toEqual(one);
    await house.ack(table, GM, 'redo');
    expect(gameOf(table)).toEqual(two);
    await house.ack(table, GM, 'undo');
    await house.throws('y', 'd20', 6);
    expect(await house.refusal(table, GM, 'redo')).toBe('nothing_to_redo');
  });

  test('keep calls from outside and seats that left', async () => {
    const table = await race();
    await house.throws('x', 'd20', 8);
    await house.ack(table, GM, 'call', { id: 'c1', seat: 'ada', notation: '2d6' });
    await house.ack(table, GM, 'seat', { id: 'cai', remove: true });
    await house.ack(table, GM, 'undo');
    expect(gameOf(table)).toMatchObject({ pawns: { ada: 5, bea: 9 }, eliminated: ['cai'] });
    expect(table.snapshot(GM_SEES).awaited.map(({ id }) => id)).toEqual(['r1.move.ada', 'c1']);
  });

  test('an assigned throw that is undone is loose again, redone it is given again', async () => {
    const table = await race();
    const early = await idOf(house.throws('y', 'd20', 3));
    await house.throws('x', 'd20', 8);
    await house.ack(table, GM, 'assign', { roll: early, seat: 'bea' });
    expect(table.roll(early, GM_SEES)).toMatchObject({ standing: 'corrected', code: 'assigned' });
    expect(await house.refusal(table, GM, 'void', { roll: early })).toBe('already_given');
    await house.ack(table, GM, 'undo');
    expect(looseIn(table)).toMatchObject([{ id: early, code: 'wrong_seat', standing: 'valid' }]);
    await house.ack(table, GM, 'redo');
    expect(looseIn(table)).toEqual([]);
    expect(gameOf(table)).toMatchObject({ pawns: { bea: 3 } });
  });
});

test('a claim that does not fit writes nothing', async () => {
  const table = await race();
  const early = await idOf(house.throws('y', 'd20', 3));
  const before = table.state();
  expect(await house.refusal(table, GM, 'assign', { roll: early, seat: 'bea' })).toBe('wrong_seat');
  expect(await house.refusal(table, GM, 'claim', { roll: early })).toBe('which_seat');
  expect(table.state()).toBe(before);
});

/** What a deed line of the referee came to. */
interface Line {
  readonly n: number;
  seat: Seat | null;
  dice: NamedDie[];
  option?: string | number | object;
  counts: boolean;
}

const refereeOf = (game: AnyGame, seats: readonly Seat[], options: object): Referee => {
  const outside = gameById('external');
  if (outside === undefined) throw new Error('no external');
  const opening = game.setup({ ...options }, seated(...seats));
  const calls = outside.setup({}, seated(...seats));
  if (opening.verdict !== 'accepted' || calls.verdict !== 'accepted') throw new Error('setup refused');
  return new Referee(game, opening.events, outside, calls.events, () => 1);
};

const counts = (verdict: string): boolean => verdict === 'accepted' || verdict === 'open';

/** Plays a random game with rulings in between; gives the referee and what should still count. */
function playAtRandom(
  game: AnyGame,
  seats: readonly Seat[],
  numbers: readonly number[],
): { referee: Referee; lines: Line[] } {
  const referee = refereeOf(game, seats, {});
  const lines: Line[] = [];
  let at = 0;
  const next = (below: number): number => {
    at += 1;
    return (numbers[(at - 1) % numbers.length] ?? 0) % below;
  };
  for (let n = 1; at < numbers.length; n += 1) {
    const kind = next(10);
    const past = lines.filter((line) => line.counts);
    const target = past[next(Math.max(1, past.length))];
    if (kind === 0 && target !== undefined && target.dice.length > 0) {
      const natural = 1 + next(20);
      settle(lines, referee.correct(target.n, [natural]), () => {
        target.dice = target.dice.map((die) => ({ ...die, natural }));
      });
    } else if (kind === 1 && target !== undefined) {
      settle(lines, referee.void(target.n), () => {
        target.counts = false;
      });
    } else if (kind === 2 && past.length > 0) {
      const count = 1 + next(Math.min(3, past.length));
      settle(lines, referee.undo(count), () => {
        for (const line of past.slice(-count)) line.counts = false;
      });
    } else if (kind === 3 && target !== undefined && target.dice.length > 0) {
      const seat = seats[next(seats.length)] ?? null;
      if (seat !== null)
        settle(lines, referee.assign(n, target.n, seat), () => {
          target.seat = seat;
        });
    } else lines.push(deedLine(referee, n, seats, next));
  }
  return { referee, lines };
}

function settle(lines: readonly Line[], ruled: ReturnType<Referee['void']>, then: () => void): void {
  if (ruled.verdict !== 'accepted') return;
  then();
  const [event] = ruled.events as unknown as { loose?: readonly number[] }[];
  for (const line of lines) if (event?.loose?.includes(line.n) === true) line.counts = false;
}

function deedLine(referee: Referee, n: number, seats: readonly Seat[], next: (below: number) => number): Line {
  const awaited = referee.awaited();
  const due = awaited[next(Math.max(1, awaited.length))];
  const odd = next(6) === 0;
  const seat = odd ? (seats[next(seats.length)] ?? null) : (due?.seat ?? null);
  if (due?.options !== undefined && !odd) {
    const option = due.options[next(due.options.length)] as string | number | object;
    const verdict = referee.deed(n, 'choice', { kind: 'choice', by: seat ?? 'gm', option: option as never });
    return { n, seat, dice: [], option, counts: counts(verdict.verdict) };
  }
  const type: DieType = odd && next(2) === 0 ? 'd6' : `d${due?.sides ?? 20}`;
  const dice = [{ type, natural: 1 + next(Number(type.slice(1))) }];
  return { n, seat, dice, counts: counts(referee.roll(n, seat, dice).verdict) };
}

describe('the state after any rulings equals a game played with the final values', () => {
  test.each([
    ['dadoteck', gameById('dadoteck')],
    ['a contest with ties', contest as AnyGame],
  ])('%s, by the referee', (_name, game) => {
    if (game === undefined) throw new Error('no such game');
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 5 }),
        fc.array(fc.nat({ max: 719 }), { minLength: 20, maxLength: 300 }),
        (players, numbers) => {
          const seats = ['ada', 'bea', 'cai', 'dan', 'eva'].slice(0, players);
          const { referee, lines } = playAtRandom(game, seats, numbers);
          const again = refereeOf(game, seats, {});
          for (const { n, seat, dice, option } of lines.filter((line) => line.counts)) {
            const verdict =
              option === undefined
                ? again.roll(n, seat, dice)
                : again.deed(n, 'choice', { kind: 'choice', by: seat ?? 'gm', option: option as never });
            expect(verdict).toMatchObject({ verdict: expect.stringMatching(/accepted|open/) });
          }
          expect(again.state(GM_SEES)).toEqual(referee.state(GM_SEES));
        },
      ),
      { numRuns: 300 },
    );
  });
});
