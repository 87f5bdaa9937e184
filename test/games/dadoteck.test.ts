import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/dice/json.js';
import { wireAwaited } from '../../src/games/awaited.js';
import { dadoteck } from '../../src/games/dadoteck/dadoteck.js';
import type { DadoteckEvent, DadoteckState } from '../../src/games/dadoteck/state.js';
import type { Deed, StoredEvent } from '../../src/games/game.js';
import { awaitedSchema } from '../../src/wire/envelope.js';
import { choice, folded, opened, roll } from './dadoteck-play.js';

type Step = (state: DadoteckState) => Deed;
const throws =
  (seat: string | null, natural: number, sides = 20): Step =>
  (state) =>
    roll(state, seat, sides, natural);
const chooses =
  (by: string, option: Json): Step =>
  () =>
    choice(by, option);
const play = (state: DadoteckState, ...steps: readonly Step[]): DadoteckState =>
  steps.reduce((now, step) => folded(now, dadoteck.judge(now, step(now))), state);
const viewOf = (state: DadoteckState) => dadoteck.view(state, { role: 'spectator' }).state;

/** A position with the pawns on these squares, to be moved in this order, given as `ada5 bea9`. */
function position(pawns: string, options: { readonly [name: string]: Json } = {}): DadoteckState {
  const placed = pawns.split(' ').map((one): [string, number] => [one.slice(0, 3), Number(one.slice(3))]);
  const order = placed.map(([seat]) => seat);
  return opened(order, { ...options, start: { pawns: Object.fromEntries(placed), order } });
}

const abc = ['ada', 'bea', 'cai'];
const placed = play(opened(abc), throws('ada', 3), throws('bea', 9), throws('cai', 20));

interface Accepted {
  readonly rule: string;
  readonly given: DadoteckState;
  readonly when: readonly Step[];
  readonly shows: { readonly [field: string]: Json };
  readonly what: string;
}

const accepted: readonly Accepted[] = [
  {
    rule: 'S2',
    what: 'a free square is taken, special squares do nothing',
    given: opened(abc),
    when: [throws('cai', 20), throws('ada', 1)],
    shows: { pawns: { cai: 20, ada: 1 }, phase: 'placement', round: 0, order: [] },
  },
  {
    rule: 'S2',
    what: 'first come, first served: who meets a taken square rolls again under a new call',
    given: opened(abc),
    when: [throws('bea', 7), throws('ada', 7)],
    shows: { pawns: { bea: 7 } },
  },
  {
    rule: 'I1',
    what: 'highest moves first',
    given: placed,
    when: [throws('ada', 5), throws('bea', 19), throws('cai', 7)],
    shows: { phase: 'movement', order: ['bea', 'cai', 'ada'], round: 1, turn: 'bea' },
  },
  {
    rule: 'I2',
    what: 'ties wait until all have rolled; the tied group keeps its place',
    given: placed,
    when: [
      throws('ada', 9),
      throws('cai', 9),
      throws('bea', 2),
      throws('ada', 1),
      throws('cai', 1),
      throws('ada', 2),
      throws('cai', 20),
    ],
    shows: { order: ['cai', 'ada', 'bea'] },
  },
  {
    rule: 'M1',
    what: 'to a free square',
    given: position('ada5 bea9'),
    when: [throws('ada', 6)],
    shows: { pawns: { ada: 6, bea: 9 }, turn: 'bea' },
  },
  {
    rule: 'M2',
    what: 'the occupant falls before having moved, and its turn is skipped',
    given: position('ada5 bea9 cai3'),
    when: [throws('ada', 9)],
    shows: { pawns: { ada: 9, cai: 3 }, eliminated: ['bea'], order: ['ada', 'bea', 'cai'], turn: 'cai' },
  },
  {
    rule: 'M3',
    what: "on one's own square nothing moves",
    given: position('ada5 bea9'),
    when: [throws('ada', 5)],
    shows: { pawns: { ada: 5, bea: 9 }, turn: 'bea' },
  },
  {
    rule: 'M4',
    what: 'suicide, the occupant of 1 is not harmed',
    given: position('ada5 bea1 cai3'),
    when: [throws('ada', 1)],
    shows: { pawns: { bea: 1, cai: 3 }, eliminated: ['ada'], turn: 'bea' },
  },
  {
    rule: 'M4',
    what: 'also when standing on 1',
    given: position('ada1 bea9 cai3'),
    when: [throws('ada', 1)],
    shows: { eliminated: ['ada'] },
  },
  {
    rule: 'M5',
    what: 'the occupant falls, then the chosen one, in this order',
    given: position('ada5 bea20 cai3 dia4'),
    when: [throws('ada', 20), chooses('ada', 'dia')],
    shows: { eliminated: ['bea', 'dia'], pawns: { ada: 20, cai: 3 }, phase: 'movement', turn: 'cai' },
  },
  {
    rule: 'M5',
    what: 'already standing on 20, one victim must be chosen even where only one is possible',
    given: position('ada20 bea9'),
    when: [throws('ada', 20)],
    shows: { phase: 'assassin', eliminated: [], turn: 'ada' },
  },
  {
    rule: 'M5',
    what: 'the occupant was the only other: nothing to choose, and the game is won',
    given: position('ada5 bea20'),
    when: [throws('ada', 20)],
    shows: { phase: 'over', winner: 'ada', pawns: { ada: 20 }, over: true },
  },
  {
    rule: 'M6',
    what: 'the chosen square is taken by M2, its own effect is not triggered',
    given: position('ada5 bea12 cai3'),
    when: [throws('ada', 13), chooses('ada', 12)],
    shows: { pawns: { ada: 12, cai: 3 }, eliminated: ['bea'] },
  },
  {
    rule: 'M6',
    what: "one's own square may be chosen: nothing moves",
    given: position('ada17 bea9'),
    when: [throws('ada', 17), chooses('ada', 17)],
    shows: { pawns: { ada: 17, bea: 9 }, turn: 'bea' },
  },
  {
    rule: 'F1',
    what: 'when all have moved, a new round starts with initiative',
    given: position('ada5 bea9'),
    when: [throws('ada', 6), throws('bea', 10)],
    shows: { phase: 'initiative', round: 2, order: [], turn: null },
  },
  {
    rule: 'F2',
    what: 'the last one who has moved has won',
    given: position('ada5 bea9'),
    when: [throws('ada', 6), throws('bea', 6)],
    shows: { phase: 'over', winner: 'bea' },
  },
  {
    rule: 'F2',
    what: 'the last one who has still to move may renounce and win',
    given: position('ada5 bea9'),
    when: [throws('ada', 1), chooses('bea', 'renounce')],
    shows: { winner: 'bea', over: true, pawns: { bea: 9 } },
  },
  {
    rule: 'F2',
    what: 'or roll: any result but 1 wins, and no choice is asked',
    given: position('ada5 bea9'),
    when: [throws('ada', 1), throws('bea', 13)],
    shows: { winner: 'bea', over: true },
  },
  {
    rule: 'F2',
    what: 'or roll a 1: nobody wins',
    given: position('ada5 bea9'),
    when: [throws('ada', 1), throws('bea', 1)],
    shows: { winner: null, over: true, eliminated: ['ada', 'bea'], pawns: {} },
  },
  {
    rule: 'V1',
    what: 'the smallest die with enough faces, from the first round on',
    given: opened(abc, { initiative: 'smallest' }),
    when: [throws('ada', 3), throws('bea', 9), throws('cai', 20)],
    shows: { initiativeDie: 6, movementDie: 20 },
  },
  {
    rule: 'V2',
    what: 'below the threshold at the start of a round, not in its midst',
    given: position('ada5 bea9 cai3', { movement: [{ below: 3, sides: 8 }] }),
    when: [throws('ada', 9), throws('cai', 4)],
    shows: { movementDie: 8, round: 2 },
  },
  {
    rule: 'V2',
    what: 'a position counts its living too, and a d10 that shows 0 counts 10',
    given: position('ada5 bea9', {
      movement: [
        { below: 6, sides: 12 },
        { below: 3, sides: 10 },
      ],
    }),
    when: [throws('ada', 10, 10)],
    shows: { movementDie: 10, pawns: { ada: 10, bea: 9 } },
  },
  {
    rule: 'V3',
    what: 'the table agrees on smaller dice before the first initiative roll',
    given: placed,
    when: [chooses('table', { initiativeDie: 12, movementDie: 8 }), chooses('gm', { movementDie: 6 })],
    shows: { initiativeDie: 12, movementDie: 6 },
  },
];

describe('what the rules let happen', () => {
  test.each(accepted)('$rule: $what', ({ given, when, shows }) => {
    expect(viewOf(play(given, ...when))).toMatchObject(shows);
  });
});

interface Refused {
  readonly rule: string;
  readonly code: string;
  readonly given: DadoteckState;
  readonly when: Step;
  readonly expected?: string;
}

const last = play(position('ada5 bea9'), throws('ada', 1));
const bastard = play(position('ada5 bea9 cai3'), throws('ada', 13));
const assassin = play(position('ada5 bea9 cai3'), throws('ada', 20));
const rolledOnce = play(placed, throws('ada', 5));
const septet = ['ada', 'bea', 'cai', 'dia', 'eva', 'fia', 'gea'];
const seven = play(opened(septet), ...septet.map((seat, at) => throws(seat, at + 1)));
const over = play(last, chooses('bea', 'renounce'));

const refusals: readonly Refused[] = [
  { rule: 'S2', code: 'wrong_die', given: opened(abc), when: throws('ada', 4, 6), expected: 'd20 by ada' },
  { rule: 'S2', code: 'already_rolled', given: play(opened(abc), throws('ada', 4)), when: throws('ada', 5) },
  { rule: 'S2', code: 'wrong_seat', given: opened(abc), when: throws('gm', 5), expected: 'd20 by ada, bea, cai' },
  { rule: 'I1', code: 'wrong_die', given: placed, when: throws('ada', 4, 12) },
  { rule: 'I2', code: 'already_rolled', given: rolledOnce, when: throws('ada', 5), expected: 'd20 by bea, cai' },
  { rule: 'I1', code: 'no_such_face', given: placed, when: (state) => roll(state, 'ada', 20, 21) },
  { rule: 'M1', code: 'wrong_seat', given: position('ada5 bea9'), when: throws('bea', 4), expected: 'd20 by ada' },
  { rule: 'M1', code: 'wrong_die', given: position('ada5 bea9'), when: throws('ada', 4, 12) },
  { rule: 'M1', code: 'already_rolled', given: play(position('ada5 bea9'), throws('ada', 6)), when: throws('ada', 6) },
  {
    rule: 'M1',
    code: 'wrong_seat',
    given: position('ada5 bea9'),
    when: (state) => roll(state, 'bea', 20, 4, 'r1.move.ada'),
  },
  { rule: 'M1', code: 'not_awaited', given: play(position('ada5 bea9'), throws('ada', 6)), when: chooses('ada', 7) },
  {
    rule: 'M2',
    code: 'not_awaited',
    given: play(position('ada5 bea9 cai3'), throws('ada', 9)),
    when: chooses('ada', 'cai'),
  },
  { rule: 'M3', code: 'not_awaited', given: play(position('ada5 bea9'), throws('ada', 5)), when: chooses('ada', 6) },
  {
    rule: 'M4',
    code: 'not_awaited',
    given: play(position('ada5 bea9 cai3'), throws('ada', 1)),
    when: chooses('ada', 2),
  },
  { rule: 'M5', code: 'unknown_option', given: assassin, when: chooses('ada', 'ada'), expected: 'bea, cai' },
  { rule: 'M5', code: 'wrong_seat', given: assassin, when: chooses('bea', 'cai'), expected: 'assassin by ada' },
  { rule: 'M6', code: 'unknown_option', given: bastard, when: chooses('ada', 15), expected: '12, 13, 14' },
  { rule: 'M6', code: 'unknown_option', given: bastard, when: () => ({ kind: 'choice', by: 'ada', action: 'stay' }) },
  { rule: 'M6', code: 'call_closed', given: bastard, when: () => choice('ada', 13, { call: 'r1.bastard.bea' }) },
  {
    rule: 'F1',
    code: 'call_closed',
    given: play(position('ada5 bea9'), throws('ada', 6), throws('bea', 10)),
    when: (state) => roll(state, 'ada', 20, 4, 'r1.move.ada'),
  },
  { rule: 'F2', code: 'wrong_die', given: last, when: throws('bea', 4, 8) },
  { rule: 'F2', code: 'unknown_option', given: last, when: chooses('bea', 'roll'), expected: 'renounce' },
  { rule: 'F2', code: 'not_awaited', given: position('ada5 bea9'), when: chooses('ada', 'renounce') },
  { rule: 'F3', code: 'game_over', given: over, when: chooses('bea', 'renounce') },
  {
    rule: 'F4',
    code: 'seat_out',
    given: play(position('ada5 bea9 cai3'), throws('ada', 9)),
    when: chooses('bea', 'cai'),
  },
  { rule: 'V1', code: 'too_few_faces', given: seven, when: chooses('table', { initiativeDie: 6 }) },
  { rule: 'V1', code: 'no_such_die', given: placed, when: chooses('table', { initiativeDie: 4 }) },
  { rule: 'V2', code: 'no_such_die', given: placed, when: chooses('table', { movementDie: 4 }) },
  {
    rule: 'V3',
    code: 'upwards',
    given: play(placed, chooses('table', { movementDie: 8 })),
    when: chooses('table', { movementDie: 12 }),
  },
  { rule: 'V3', code: 'no_change', given: placed, when: chooses('table', { movementDie: 20 }) },
  { rule: 'V3', code: 'not_awaited', given: rolledOnce, when: chooses('table', { movementDie: 8 }) },
  { rule: 'V3', code: 'wrong_seat', given: placed, when: chooses('ada', { movementDie: 8 }) },
  { rule: 'V3', code: 'unknown_option', given: placed, when: chooses('table', { movementDie: 8, squares: 3 }) },
];

describe('what the rules refuse, changing nothing', () => {
  test.each(refusals)('$rule: $code', ({ rule, code, given, when, expected }) => {
    const before = JSON.stringify(given);
    const verdict = dadoteck.judge(given, when(given));
    const wanted = expected === undefined ? {} : { expected };
    expect(verdict).toMatchObject({ verdict: 'refused', rule: `dadoteck:${rule}`, code, ...wanted });
    expect(verdict).toHaveProperty('reason');
    expect(JSON.stringify(given)).toBe(before);
  });
});

describe('what nobody awaits is loose', () => {
  const rows: readonly {
    readonly code: string;
    readonly rule: string;
    readonly given: DadoteckState;
    readonly when: Step;
  }[] = [
    { code: 'pawn', rule: 'dadoteck:S1', given: placed, when: throws('ada', 2, 4) },
    { code: 'not_awaited', rule: 'Z2', given: assassin, when: throws('ada', 7) },
    { code: 'seat_out', rule: 'dadoteck:F4', given: last, when: throws('ada', 7) },
    { code: 'game_over', rule: 'dadoteck:F3', given: over, when: throws('bea', 7) },
    { code: 'whose', rule: 'Z9', given: placed, when: throws(null, 7) },
    {
      code: 'not_awaited',
      rule: 'Z2',
      given: placed,
      when: () => ({ kind: 'set', seat: 'ada', counter: 'pv', face: 3 }),
    },
  ];
  test.each(rows)('$rule $code', ({ code, rule, given, when }) => {
    expect(dadoteck.judge(given, when(given))).toMatchObject({ verdict: 'loose', code, rule });
  });
});

describe('what is awaited', () => {
  const ids = (state: DadoteckState) => dadoteck.expects(state).map((one) => one.id);

  test('ids of calls are made from the state', () => {
    expect(ids(play(opened(abc), throws('ada', 3), throws('bea', 3), throws('bea', 3)))).toEqual([
      'place.bea.3',
      'place.cai',
    ]);
    expect(ids(placed)).toEqual(['r1.init.ada', 'r1.init.bea', 'r1.init.cai', 'r1.dice']);
    expect(ids(play(placed, throws('ada', 3), throws('bea', 3), throws('cai', 9)))).toEqual([
      'r1.init.ada.2',
      'r1.init.bea.2',
    ]);
    expect(ids(last)).toEqual(['r1.move.bea', 'r1.renounce.bea']);
    expect(ids(bastard)).toEqual(['r1.bastard.ada']);
  });

  test("is told in the wire's words", () => {
    const lines = [placed, last, bastard, assassin].flatMap((state) => dadoteck.expects(state).map(wireAwaited));
    for (const line of lines) expect(awaitedSchema.parse(line)).toEqual(line);
    expect(lines[0]).toEqual({ id: 'r1.init.ada', seat: 'ada', what: 'initiative', rule: 'dadoteck:I1', sides: 20 });
    expect(lines.map((line) => line.what)).toEqual([
      'initiative',
      'initiative',
      'initiative',
      'dice',
      'move',
      'renounce',
      'bastard',
      'assassin',
    ]);
    expect(lines.at(-2)?.options).toEqual([12, 13, 14]);
    expect(lines.at(-1)?.options).toEqual(['bea', 'cai']);
  });

  test('every pair of dice that is offered is accepted', () => {
    const dice = dadoteck.expects(placed).find((one) => one.purpose === 'dice');
    if (dice?.kind !== 'choice') throw new Error('dice are offered before the first roll');
    expect(dice.options).toHaveLength(35);
    for (const option of dice.options ?? []) {
      expect(dadoteck.judge(placed, choice('table', option)).verdict).toBe('accepted');
    }
  });

  test('a roll that asks for a choice is open, and the GM may choose for an absent seat', () => {
    const start = position('ada5 bea9 cai3');
    expect(dadoteck.judge(start, roll(start, 'ada', 20, 13)).verdict).toBe('open');
    expect(dadoteck.judge(bastard, choice('ada', 14, { via: 'gm' })).verdict).toBe('accepted');
    expect(dadoteck.judge(bastard, choice('gm', 14))).toMatchObject({ verdict: 'refused', code: 'wrong_seat' });
  });
});

describe('a seat that leaves (Z5)', () => {
  const leaves =
    (id: string): Step =>
    () => ({ kind: 'ruling', ruling: { ruling: 'seat_left', args: { id } } });

  test.each([
    {
      what: 'in its turn: the next one moves',
      given: position('ada5 bea9 cai3'),
      gone: ['ada'],
      shows: { turn: 'bea' },
    },
    {
      what: 'with its choice open: cancelled',
      given: assassin,
      gone: ['ada'],
      shows: { turn: 'bea', phase: 'movement' },
    },
    {
      what: 'as the last victim: the choice ends, the chooser has won',
      given: assassin,
      gone: ['bea', 'cai'],
      shows: { winner: 'ada' },
    },
    {
      what: 'as the last other of a bastard: no choice is asked',
      given: bastard,
      gone: ['bea', 'cai'],
      shows: { winner: 'ada' },
    },
    {
      what: 'in initiative: the others who have rolled go on',
      given: play(rolledOnce, throws('bea', 3)),
      gone: ['cai'],
      shows: { order: ['ada', 'bea'] },
    },
    {
      what: 'out of a tie: the other one rolls no more',
      given: play(rolledOnce, throws('bea', 5), throws('cai', 1)),
      gone: ['bea'],
      shows: { order: ['ada', 'cai'] },
    },
    {
      what: 'in placement, leaving one: that one has won',
      given: opened(abc),
      gone: ['ada', 'cai'],
      shows: { winner: 'bea', over: true },
    },
    {
      what: 'in initiative, leaving one: it may renounce or roll',
      given: placed,
      gone: ['ada', 'cai'],
      shows: { phase: 'movement', turn: 'bea', over: false },
    },
  ])('$what', ({ given, gone, shows }) => {
    expect(viewOf(play(given, ...gone.map(leaves)))).toMatchObject(shows);
  });

  test('nobody leaves twice, and nobody joins a running game', () => {
    expect(dadoteck.judge(last, leaves('ada')(last))).toMatchObject({ code: 'unknown_seat' });
    const joins: Deed = { kind: 'ruling', ruling: { ruling: 'seat', args: { id: 'zoe', name: 'Zoe' } } };
    expect(dadoteck.judge(last, joins)).toMatchObject({ verdict: 'refused', code: 'game_running' });
  });
});

describe('the setup', () => {
  const setup = (options: { readonly [name: string]: Json }, seats: readonly string[] = abc) =>
    dadoteck.setup(
      options,
      seats.map((id) => ({ id, name: id })),
    );
  const twentyOne = Array.from({ length: 21 }, (_, at) => `s${at}`);

  test.each<[string, { readonly [name: string]: Json }, string, (readonly string[])?]>([
    ['one seat', {}, 'S1', ['ada']],
    ['21 seats', {}, 'S1', twentyOne],
    ['a reserved seat', {}, 'S1', ['ada', 'gm']],
    ['a seat twice', {}, 'S1', ['ada', 'ada']],
    ['an unknown option', { dice: 6 }, 'S1'],
    ['a layout with a square twice', { layout: [1, 1, ...Array.from({ length: 18 }, (_, at) => at + 3)] }, 'S1'],
    ['a layout that is no list', { layout: 'book' }, 'S1'],
    ['a strange initiative', { initiative: 'd12' }, 'V1'],
    ['a d4 to move with', { movement: [{ below: 3, sides: 4 }] }, 'V2'],
    ['a threshold without dice', { movement: [{ below: 3 }] }, 'V2'],
    ['two pawns on a square', { start: { pawns: { ada: 3, bea: 3, cai: 4 }, order: abc } }, 'S1'],
    ['a pawn off the board', { start: { pawns: { ada: 21, bea: 3, cai: 4 }, order: abc } }, 'S1'],
    ['a stranger in the order', { start: { pawns: { ada: 2, bea: 3 }, order: ['ada', 'zoe'] } }, 'S1'],
    ['an order with one missing', { start: { pawns: { ada: 2, bea: 3 }, order: ['ada'] } }, 'S1'],
    ['pawns by inheritance', { start: { pawns: { constructor: 2, ada: 3 }, order: ['ada', 'constructor'] } }, 'S1'],
  ])('refuses %s', (_what, options, rule, seats) => {
    expect(setup(options, seats)).toMatchObject({ verdict: 'refused', rule: `dadoteck:${rule}` });
  });

  test('takes 20 numbers in any order as a board, in rows of four', () => {
    const layout = Array.from({ length: 20 }, (_, at) => 20 - at);
    expect(viewOf(opened(abc, { layout })).layout).toEqual([0, 4, 8, 12, 16].map((at) => layout.slice(at, at + 4)));
    expect(viewOf(opened(abc)).layout).toHaveLength(5);
  });

  test('seats with names of the language are ordinary seats', () => {
    const state = play(opened(['constructor', 'valueof']), throws('constructor', 3), throws('valueof', 3));
    expect(viewOf(state).pawns).toEqual({ constructor: 3 });
    expect(dadoteck.expects(state).map((one) => one.id)).toEqual(['place.valueof.2']);
  });
});

const seat = fc.constantFrom(...abc, 'gm', 'table', 'zoe');
const anyId = fc.constantFrom('r1.init.ada', 'r1.move.ada', 'place.bea.2', 'r1.dice', 'r1.assassin.bea', 'x');
const die = { die: 'd', quality: 'ok' } as const;
const anyDeed: fc.Arbitrary<(state: DadoteckState) => Deed> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 20 })).map(([at, natural]) => likely(at, natural)),
  },
  fc
    .tuple(fc.option(seat), fc.constantFrom(20, 12, 10, 6, 4), fc.integer({ min: -1, max: 21 }))
    .map(([who, sides, natural]) => throws(who, natural, sides)),
  fc.tuple(anyId, seat, fc.integer({ min: 1, max: 20 })).map(
    ([call, who, face]) =>
      (): Deed => ({ kind: 'natural', call, seat: who, die: { ...die, type: 'd20' }, face, source: 'manual' }),
  ),
  fc.tuple(seat, fc.jsonValue()).map(([by, option]) => chooses(by, option as Json)),
  fc
    .tuple(seat, fc.constantFrom('ada', 'bea', 12, 13, 18, 'renounce', { movementDie: 6 }))
    .map(([by, option]) => chooses(by, option)),
  fc.constantFrom<() => Deed>(
    () => ({ kind: 'elapsed', timer: 't' }),
    () => ({ kind: 'drawn', draw: 'd', values: [3] }),
    () => ({ kind: 'ruling', ruling: { ruling: 'seat_left', args: { id: 'bea' } } }),
    () => ({ kind: 'ruling', ruling: { ruling: '__proto__', args: {} } }),
  ),
);

/** A deed that something awaited asks for, if anything is. */
function likely(at: number, natural: number): Step {
  return (state) => {
    const expects = dadoteck.expects(state);
    const one = expects[at % Math.max(1, expects.length)];
    if (one?.kind === 'choice' && one.seat !== null) {
      const options = one.options ?? [];
      return choice(one.seat, options[at % Math.max(1, options.length)] ?? null);
    }
    return roll(
      state,
      one?.seat ?? 'ada',
      Math.max(state.phase === 'movement' ? state.movementDie : state.initiativeDie, 6),
      natural,
    );
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

describe('whatever happens', () => {
  test('no deed throws, none changes the state it was put to, and the events alone give the state', () => {
    fc.assert(
      fc.property(fc.array(anyDeed, { maxLength: 60 }), (deeds) => {
        const setup = dadoteck.setup(
          {},
          abc.map((id) => ({ id, name: id })),
        );
        const events: DadoteckEvent[] = 'events' in setup ? [...setup.events] : [];
        let state = deepFreeze(folded(undefined, setup));
        for (const next of deeds) {
          const verdict = dadoteck.judge(state, next(state));
          if ('events' in verdict) events.push(...verdict.events);
          state = deepFreeze(folded(state, verdict));
        }
        const stored = JSON.parse(JSON.stringify(events)) as StoredEvent[];
        const replayed = stored.reduce<DadoteckState | undefined>((now, event) => {
          const known = dadoteck.upcast(event);
          return known === undefined ? now : dadoteck.evolve(now, known);
        }, undefined);
        expect(replayed).toEqual(state);
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
      { numRuns: 200 },
    );
  });

  test('the order in which initiative rolls arrive does not matter', () => {
    const naturals = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 7, maxLength: 7 });
    const passes = fc.array(naturals, { minLength: 4, maxLength: 4 });
    const orders = fc.array(fc.shuffledSubarray(septet, { minLength: 7 }), { minLength: 4, maxLength: 4 });
    const rolledIn = (values: readonly (readonly number[])[], order: readonly (readonly string[])[]) => {
      const one = (state: DadoteckState, pass: number): DadoteckState => {
        const waiting = dadoteck.expects(state).map((call) => call.seat);
        const due = (order[pass] ?? []).filter((id) => waiting.includes(id));
        return play(state, ...due.map((id) => throws(id, values[pass]?.[septet.indexOf(id)] ?? 1)));
      };
      return [0, 1, 2, 3].reduce((now, pass) => (now.phase === 'initiative' ? one(now, pass) : now), seven);
    };
    fc.assert(
      fc.property(passes, orders, (values, order) => {
        const straight = rolledIn(values, [septet, septet, septet, septet]);
        expect(viewOf(rolledIn(values, order))).toMatchObject({ order: straight.order, phase: straight.phase });
      }),
    );
  });
});

describe('what the journal holds', () => {
  test('an event of another kind or version is not known', () => {
    expect(dadoteck.upcast({ kind: 'moved', ev: 1, seat: 'ada', square: 3 })).toMatchObject({ kind: 'moved' });
    expect(dadoteck.upcast({ kind: 'moved', ev: 2 })).toBeUndefined();
    expect(dadoteck.upcast({ kind: 'flew', ev: 1 })).toBeUndefined();
  });
});
