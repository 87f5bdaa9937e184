import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DieType, type Face, parseDieType } from '../../src/dice/die.js';
import type { Json, JsonObject } from '../../src/dice/json.js';
import { landed, matchThrow, maySee, unawaited, wireAwaited } from '../../src/games/awaited.js';
import { external } from '../../src/games/external/external.js';
import { MAX_OPEN_CALLS } from '../../src/games/external/judge.js';
import { free } from '../../src/games/free/free.js';
import type { AnyGame, Deed, Expectation, Game, GameEvent, Seat } from '../../src/games/game.js';
import { GAME_IDS, gameById } from '../../src/games/registry.js';
import { parseNotation } from '../../src/rolls/notation.js';
import { begin, take } from '../../src/rolls/resolution.js';
import { awaitedSchema } from '../../src/wire/envelope.js';
import { last, open, type Played, put, thrown } from '../contract/driver.js';

const call = (id: string, seat: Seat | null, dice: readonly DieType[], optional = false): Expectation => ({
  kind: 'roll',
  id,
  seat,
  rule: `rule:${id}`,
  purpose: 'attack',
  optional,
  resolution: begin(dice),
});
const natural = (
  seat: Seat | null,
  type: DieType,
  face: Face = 1,
  id: string | null = null,
  die = 'd',
): Deed & { kind: 'natural' } => ({
  kind: 'natural',
  call: id,
  seat,
  die: { die, type, quality: 'ok' },
  face,
  source: 'physical',
});
const outcome = <S, E extends GameEvent>(played: Played<S, E>): string => {
  const verdict = last(played);
  return 'code' in verdict ? `${verdict.verdict} ${verdict.code}` : verdict.verdict;
};
const stateOf = <S, E extends GameEvent>({ game, state }: Played<S, E>): JsonObject =>
  game.view(state, { role: 'spectator' }).state;

describe('awaited, as the wire tells it (contracts B)', () => {
  const base = { id: 'x', seat: 'ada', rule: 'r:1', purpose: 'p', optional: false } as const;
  const wire = { id: 'x', seat: 'ada', what: 'p', rule: 'r:1' };
  const rows: readonly [string, Expectation, object][] = [
    ['one die', { ...base, kind: 'roll', resolution: begin(['d20']) }, { sides: 20 }],
    ['a d100', { ...base, kind: 'roll', resolution: begin(['d100']) }, { sides: 100 }],
    ['several', { ...base, kind: 'roll', resolution: begin(['d8', 'd6']) }, { dice: [{ type: 'd8' }, { type: 'd6' }] }],
    ['the planar die', { ...base, kind: 'roll', resolution: begin(['planar']) }, { dice: [{ type: 'planar' }] }],
    ['a tens die', { ...base, kind: 'roll', resolution: begin(['d00']) }, { dice: [{ type: 'd00' }] }],
    ['options', { ...base, kind: 'choice', options: [1, 'a'] }, { options: [1, 'a'] }],
    [
      'actions',
      { ...base, kind: 'choice', actions: [{ action: 'go', args: { to: [1] } }] },
      { actions: [{ action: 'go', args: { to: [1] } }] },
    ],
    [
      'a tracker',
      { ...base, kind: 'set', counter: 'pv', face: 9, for: 'bea', optional: true },
      { counter: 'pv', face: 9, for: 'bea', optional: true },
    ],
    ['a timer', { ...base, kind: 'timer', ms: 500 }, { ms: 500 }],
    ['a draw', { ...base, kind: 'draw', sides: [100], secret: true }, {}],
  ];
  test.each(rows)('%s', (_what, expectation, more) => {
    const line = wireAwaited(expectation);
    expect(line).toEqual({ ...wire, ...more });
    expect(awaitedSchema.parse(line)).toEqual(line);
  });

  test('what is addressed is known to its seats and the GM', () => {
    expect(maySee({ to: ['ada'] }, { role: 'seat', seat: 'ada' })).toBe(true);
    expect(maySee({ to: ['ada'] }, { role: 'seat', seat: 'bea' })).toBe(false);
    expect(maySee({ to: ['ada'] }, { role: 'spectator' })).toBe(false);
    expect(maySee({ to: [] }, { role: 'gm' })).toBe(true);
    expect(maySee({}, { role: 'spectator' })).toBe(true);
  });
});

describe('where a throw belongs (Z2, Z3, Z9)', () => {
  const expects = [
    call('opt', 'ada', ['d20'], true),
    call('ada', 'ada', ['d20']),
    call('bea', 'bea', ['d8']),
    call('any', null, ['d6']),
  ];
  const rows: readonly [Seat | null, DieType, object][] = [
    ['ada', 'd20', { kind: 'call', id: 'ada' }],
    ['ada', 'd8', { kind: 'none' }],
    ['cai', 'd6', { kind: 'call', id: 'any' }],
    [null, 'd6', { kind: 'call', id: 'any' }],
    [null, 'd8', { kind: 'call', id: 'bea' }],
    [null, 'd20', { kind: 'call', id: 'ada' }],
    [null, 'd12', { kind: 'none' }],
  ];
  test.each(rows)('seat %s, %s', (seat, type, match) => {
    expect(matchThrow(expects, { seat, type })).toEqual(match);
  });

  test('a shared die asks where several seats are awaited', () => {
    const two = [call('a', 'ada', ['d20']), call('b', 'bea', ['d20'])];
    expect(matchThrow(two, { seat: null, type: 'd20' })).toEqual({ kind: 'several', seats: ['ada', 'bea'] });
    expect(unawaited(two, natural(null, 'd20'))).toMatchObject({ verdict: 'loose', code: 'whose', rule: 'Z9' });
  });

  test('equal dice fill from the top', () => {
    const [first, second] = [call('one', 'ada', ['d6']), call('two', 'ada', ['d6'])];
    expect(matchThrow([first, second], { seat: 'ada', type: 'd6' })).toEqual({ kind: 'call', id: 'one' });
    expect(matchThrow([second], { seat: 'ada', type: 'd6' })).toEqual({ kind: 'call', id: 'two' });
  });

  test('half a percentile pair takes only its other half', () => {
    const half = take(begin(['d100']), { die: 't', type: 'd00', face: 70, source: 'physical', quality: 'ok' });
    if (!half.ok) throw new Error('a d00 begins a pair');
    const pair: Expectation = {
      kind: 'roll',
      id: 'p',
      seat: 'ada',
      rule: 'r:1',
      purpose: 'p',
      optional: false,
      resolution: half.value,
    };
    expect(matchThrow([pair], { seat: 'ada', type: 'd10' })).toEqual({ kind: 'call', id: 'p' });
    expect(unawaited([pair], natural('ada', 'd00', 10))).toMatchObject({
      code: 'already_rolled',
      expected: 'd10 by ada',
    });
  });
});

describe('a throw that fits no call (Z2)', () => {
  const two = [call('a', 'ada', ['d20']), call('b', 'bea', ['d8', 'd8', 'd6'])];
  const choice: Expectation = {
    kind: 'choice',
    id: 'c',
    seat: 'ada',
    rule: 'r:1',
    purpose: 'p',
    optional: false,
    options: [1],
  };
  const timer: Expectation = { kind: 'timer', id: 't', seat: null, rule: 'r:1', purpose: 'p', optional: false, ms: 5 };
  const rows: readonly [string, readonly Expectation[], Seat | null, DieType, object][] = [
    ['nothing awaited', [], 'ada', 'd20', { verdict: 'loose', code: 'not_awaited' }],
    ['only a choice and a timer', [choice, timer], 'ada', 'd20', { verdict: 'loose', code: 'not_awaited' }],
    [
      'the wrong die',
      two,
      'ada',
      'd12',
      { verdict: 'refused', code: 'wrong_die', rule: 'rule:a', expected: 'd20 by ada' },
    ],
    [
      'the wrong seat',
      two,
      'cai',
      'd20',
      { verdict: 'refused', code: 'wrong_seat', expected: 'd20 by ada; 2 d8 + d6 by bea' },
    ],
    [
      'a wrong throw beside an optional one',
      [call('o', 'ada', ['d20'], true)],
      'bea',
      'd20',
      { verdict: 'refused', code: 'wrong_seat', rule: 'rule:o' },
    ],
    ['a shared die of a kind nobody wants', two, null, 'd12', { verdict: 'refused', code: 'wrong_die' }],
    ['a fitting throw that names no call', two, 'ada', 'd20', { verdict: 'refused', code: 'no_call' }],
  ];
  test.each(rows)('%s', (_what, expects, seat, type, verdict) => {
    expect(unawaited(expects, natural(seat, type))).toMatchObject(verdict);
  });

  test('a throw put to a call: taken, closed, of another seat, one die too many, no such face', () => {
    expect(landed(two, natural('ada', 'd20', 7, 'a'))).toMatchObject({ ok: true, value: { call: { id: 'a' } } });
    expect(landed(two, natural('ada', 'd20', 7, 'z'))).toMatchObject({ error: { code: 'call_closed' } });
    expect(landed(two, natural('bea', 'd20', 7, 'a'))).toMatchObject({ error: { code: 'wrong_seat' } });
    expect(landed(two, natural('ada', 'd20', 21, 'a'))).toMatchObject({
      error: { code: 'no_such_face', rule: 'rule:a' },
    });
    expect(landed(two, natural('bea', 'd12', 7, 'b'))).toMatchObject({ error: { code: 'wrong_die' } });
  });
});

describe('plain dice notation', () => {
  const understood: readonly [string, readonly DieType[], readonly number[]][] = [
    ['1d20', ['d20'], []],
    ['d%', ['d100'], []],
    ['D100', ['d100'], []],
    ['2d6 + 1', ['d6', 'd6'], [1]],
    ['1d8+1d6+2', ['d8', 'd6'], [2]],
    [' -3 + d00 − 1 ', ['d00'], [-3, -1]],
  ];
  test.each(understood)('%s', (text, dice, amounts) => {
    const asks = parseNotation(text, 'ten');
    expect(asks).toEqual({
      ok: true,
      value: { dice, modifiers: amounts.map((amount) => ({ source: 'notation', amount })), percentile: 'ten' },
    });
  });

  const not: readonly [string, string, number][] = [
    ['', 'empty', 1],
    ['1d20 ++ 2', 'syntax', 6],
    ['1d20+', 'syntax', 5],
    ['2d6 3', 'syntax', 5],
    ['0d6', 'no_dice', 1],
    ['5', 'no_dice', 1],
    ['d1', 'no_such_die', 1],
    ['3d1001', 'no_such_die', 2],
    ['101d6', 'too_many_dice', 1],
    ['60d6+41d6', 'too_many_dice', 6],
    ['d20+10001', 'too_large', 5],
    ['d20*2', 'syntax', 4],
    ['()', 'syntax', 1],
    [`d6${' '.repeat(200)}`, 'too_long', 201],
  ];
  test.each(not)('%s is refused by its position', (text, code, at) => {
    const asks = parseNotation(text, 'zero');
    expect(asks).toMatchObject({ ok: false, error: { code, at } });
    expect(asks.ok ? '' : asks.error.reason).toContain(`position ${at}: `);
  });

  test('any text is understood or refused, never an exception', () => {
    const piece = fc.constantFrom('d', '6', '20', '%', '+', '-', ' ', '!', 'kh', '0', '−');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((all) => all.join('')),
        ),
        (text) => {
          const asks = parseNotation(text, 'zero');
          if (asks.ok) expect(asks.value.dice.length).toBeGreaterThan(0);
          else expect(asks.error.at).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('free', () => {
  const start = open(free, ['ada', 'constructor']);
  const set = (seat: Seat, counter: string, face: number): Deed => ({ kind: 'set', seat, counter, face });
  const ruling = (name: string, args: JsonObject): Deed => ({ kind: 'ruling', ruling: { ruling: name, args } });

  test('every clean throw counts, of a seat, a shared die or the GM', () => {
    const played = thrown(thrown(thrown(start, 'ada', 'd20', 17), null, 'd10', 10), 'gm', 'planar', 'chaos');
    expect(played.log.map((entry) => entry.verdict.verdict)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(stateOf(played)).toEqual({
      phase: 'open',
      seats: { ada: { counters: {} }, constructor: { counters: {} } },
      awaited: [],
      rolls: 3,
      over: false,
    });
  });

  test('counters mirror their dice, and the GM may set or forget one', () => {
    let now = put(put(start, set('ada', 'pv', 14)), set('constructor', 'valueof', 3));
    expect(stateOf(now).seats).toEqual({ ada: { counters: { pv: 14 } }, constructor: { counters: { valueof: 3 } } });
    now = put(
      put(now, set('ada', 'pv', 13)),
      ruling('counter', { seat: 'constructor', counter: 'valueof', face: null }),
    );
    expect(stateOf(now).seats).toEqual({ ada: { counters: { pv: 13 } }, constructor: { counters: {} } });
  });

  test('seats come and go', () => {
    let now = put(put(start, ruling('seat', { id: 'bea', name: 'Bea' })), set('bea', 'pa', 6));
    now = put(now, ruling('seat', { id: 'bea', name: 'Beatrice' }));
    now = put(now, ruling('seat_left', { id: 'ada' }));
    expect(stateOf(now).seats).toEqual({ constructor: { counters: {} }, bea: { counters: { pa: 6 } } });
  });

  const rows: readonly [string, Deed][] = [
    ['refused unknown_seat', natural('zoe', 'd20')],
    ['refused no_such_face', natural('ada', 'd20', 21)],
    ['refused no_such_call', natural('ada', 'd20', 2, 'x')],
    ['refused unknown_seat', set('zoe', 'pv', 3)],
    ['refused no_such_counter', set('ada', '__proto__', 3)],
    ['refused no_such_face', set('ada', 'pv', 1.5)],
    ['refused not_awaited', { kind: 'choice', by: 'ada', option: 1 }],
    ['refused not_awaited', { kind: 'elapsed', timer: 't' }],
    ['refused unknown_ruling', ruling('__proto__', {})],
    ['refused seats', ruling('seat', { id: 'table' })],
    ['refused unknown_seat', ruling('seat_left', { id: 'zoe' })],
  ];
  test.each(rows)('%s', (verdict, deed) => {
    const end = put(start, deed);
    expect(outcome(end)).toBe(verdict);
    expect(end.state).toEqual(start.state);
  });
});

describe('external', () => {
  const start = open(external, ['ada', 'bea']);
  const acts = (action: string, args: JsonObject, by = 'gm'): Deed => ({ kind: 'choice', by, action, args });
  const asked = (id: string, seat: Seat | null, notation: string, more: JsonObject = {}) =>
    acts('call', { id, seat, notation, purpose: 'attack', ...more });
  const set = (face: number): Deed => ({ kind: 'set', seat: 'ada', counter: 'pv', face });
  const ids = ({ state }: typeof start) => external.expects(state).map((one) => one.id);

  test('a call is told, gathered and answered', () => {
    let now = put(start, asked('c1', 'ada', '2d6+d8'));
    expect(outcome(now)).toBe('accepted');
    expect(stateOf(now)).toMatchObject({
      rolls: 0,
      calls: [{ id: 'c1', seat: 'ada', notation: '2d6+d8', purpose: 'attack', missing: ['d6', 'd6', 'd8'] }],
      awaited: [{ what: 'attack', dice: [{ type: 'd6' }, { type: 'd6' }, { type: 'd8' }] }],
    });
    now = thrown(thrown(now, 'ada', 'd8', 3), 'ada', 'd6', 2);
    expect(outcome(now)).toBe('open');
    expect(stateOf(now)).toMatchObject({
      calls: [
        {
          missing: ['d6'],
          landed: [
            { type: 'd8', face: 3 },
            { type: 'd6', face: 2 },
          ],
        },
      ],
    });
    expect(outcome(thrown(now, 'ada', 'd8', 4))).toBe('refused already_rolled');
    expect(outcome(thrown(now, 'bea', 'd6', 4))).toBe('refused wrong_seat');
    now = thrown(now, 'ada', 'd6', 6);
    expect(outcome(now)).toBe('accepted');
    expect(stateOf(now)).toMatchObject({ calls: [], awaited: [], rolls: 1 });
    expect(outcome(thrown(now, 'ada', 'd6', 6))).toBe('loose not_awaited');
  });

  test("anybody's call, and a percentile read as the table does", () => {
    const ten = open(external, ['ada'], { percentile: 'ten' });
    const now = thrown(put(ten, asked('p', null, 'd%')), 'ada', 'd00', 0);
    expect(now.state.calls[0]?.resolution.asks.percentile).toBe('ten');
    expect(stateOf(thrown(now, 'ada', 'd10', 10))).toMatchObject({ calls: [], rolls: 1 });
  });

  test('a call is cancelled, or expires; then its dice are loose', () => {
    let now = put(put(start, asked('c1', 'ada', 'd20', { ttl: 60_000 })), asked('c2', 'bea', 'd20'));
    expect(external.expects(now.state)).toMatchObject([
      { kind: 'roll' },
      { kind: 'timer', ms: 60_000, for: 'c1' },
      { kind: 'roll' },
    ]);
    now = put(now, { kind: 'elapsed', timer: 'ttl.c1.1' });
    expect(outcome(now)).toBe('accepted');
    expect(outcome(put(now, { kind: 'elapsed', timer: 'ttl.c1.1' }))).toBe('refused no_such_timer');
    now = put(now, acts('cancel', { id: 'c2' }));
    expect(ids(now)).toEqual([]);
    expect(outcome(thrown(now, 'ada', 'd20', 6))).toBe('loose not_awaited');
  });

  test('a seat that leaves takes its calls and trackers with it', () => {
    const now = put(
      put(put(start, asked('c1', 'ada', 'd20')), asked('c2', 'bea', 'd20')),
      acts('expect', { seat: 'ada', counter: 'pv', face: 9 }),
    );
    const left = put(now, { kind: 'ruling', ruling: { ruling: 'seat_left', args: { id: 'ada' } } });
    expect(stateOf(left)).toMatchObject({ calls: [{ id: 'c2' }], expected: {} });
  });

  test('trackers: what is expected must be shown; what is turned away is expected back', () => {
    let now = put(start, acts('expect', { seat: 'ada', counter: 'pv', face: 14 }));
    expect(stateOf(now)).toMatchObject({
      expected: { ada: { pv: 14 } },
      awaited: [{ counter: 'pv', face: 14, optional: true }],
    });
    expect(last(put(now, set(12)))).toMatchObject({ verdict: 'refused', code: 'mismatch', expected: 'pv 14 by ada' });
    now = put(now, set(14));
    expect(ids(now)).toEqual([]);
    now = put(now, set(3));
    expect(outcome(now)).toBe('open');
    expect(ids(now)).toEqual(['set.ada.pv']);
    now = put(now, { kind: 'ruling', ruling: { ruling: 'counter', args: { seat: 'ada', counter: 'pv', face: 3 } } });
    expect(stateOf(now)).toMatchObject({ expected: { ada: { pv: 3 } }, counters: { ada: { pv: 3 } }, awaited: [] });
    now = put(now, acts('expect', { seat: 'ada', counter: 'pv', face: null }));
    expect(stateOf(now)).toMatchObject({ expected: {} });
    expect(outcome(put(now, set(8)))).toBe('accepted');
  });

  const open1 = put(start, asked('c1', 'ada', 'd20'));
  const rows: readonly [string, Deed][] = [
    ['refused duplicate_call', asked('c1', 'bea', 'd6')],
    ['refused unknown_seat', asked('c2', 'zoe', 'd6')],
    ['refused bad_notation', asked('c2', 'ada', '2d6xx1')],
    ['refused bad_id', asked('', 'ada', 'd6')],
    ['refused bad_id', asked('x'.repeat(65), 'ada', 'd6')],
    ['refused bad_ttl', asked('c2', 'ada', 'd6', { ttl: 0 })],
    ['refused bad_purpose', asked('c2', 'ada', 'd6', { purpose: 'x'.repeat(201) })],
    ['refused no_such_call', acts('cancel', { id: 'c9' })],
    ['refused not_allowed', acts('cancel', { id: 'c1' }, 'ada')],
    ['refused unknown_action', acts('__proto__', {})],
    ['refused unknown_seat', acts('expect', { seat: 'zoe', counter: 'pv', face: 1 })],
    ['refused no_such_counter', acts('expect', { seat: 'ada', counter: 'P V', face: 1 })],
    ['refused no_such_face', acts('expect', { seat: 'ada', counter: 'pv', face: 'x' })],
    ['refused wrong_die', natural('ada', 'd6')],
    ['refused wrong_seat', natural('bea', 'd20')],
    ['refused unknown_seat', natural('zoe', 'd20')],
    ['refused call_closed', natural('ada', 'd20', 3, 'c9')],
    ['refused not_awaited', { kind: 'drawn', draw: 'd', values: [] }],
  ];
  test.each(rows)('%s', (verdict, deed) => {
    const end = put(open1, deed);
    expect(outcome(end)).toBe(verdict);
    expect(end.state).toEqual(open1.state);
  });

  test(`at most ${MAX_OPEN_CALLS} calls are open`, () => {
    let now = start;
    for (let at = 0; at < MAX_OPEN_CALLS; at += 1) now = put(now, asked(`c${at}`, null, 'd6'));
    expect(ids(now)).toHaveLength(MAX_OPEN_CALLS);
    expect(outcome(put(now, asked('more', null, 'd6')))).toBe('refused too_many_calls');
  });
});

test('the registry knows its games, and nothing by inheritance', () => {
  expect(GAME_IDS).toEqual(expect.arrayContaining(['free', 'external', 'dadoteck', 'dicebound']));
  for (const id of GAME_IDS) expect(gameById(id)?.id).toBe(id);
  expect(gameById('constructor')).toBeUndefined();
});

describe('any deed at all', () => {
  const seat = fc.constantFrom('ada', 'bea', 'gm', 'table', '__proto__', 'constructor');
  const word = fc.oneof(
    seat,
    fc.constantFrom('pv', 'c1', 'call', 'expect', 'cancel', 'call.c1', 'ttl.c1.1'),
    fc.string({ maxLength: 8 }),
  );
  const value = fc.oneof(word, fc.integer({ min: -3, max: 25 }), fc.jsonValue()) as fc.Arbitrary<Json>;
  const args = fc.dictionary(
    fc.constantFrom('id', 'seat', 'notation', 'purpose', 'ttl', 'counter', 'face'),
    fc.oneof(value, fc.constantFrom<Json>('d20', 'ada', 'c1', 9)),
  );
  const type = fc.constantFrom('d20', 'd6', 'd10', 'd00', 'planar', 'fudge').map((text): DieType => {
    const parsed = parseDieType(text);
    return parsed.ok ? parsed.value : 'd6';
  });
  const face = fc.oneof(fc.integer({ min: -1, max: 21 }), fc.constantFrom<Face>('chaos', 'blank'));
  const deed: fc.Arbitrary<Deed> = fc.oneof(
    fc
      .tuple(fc.option(word), fc.option(seat), type, face)
      .map(([id, who, kind, shown]): Deed => natural(who, kind, shown, id)),
    fc.tuple(seat, word, args).map(([by, action, fields]): Deed => ({ kind: 'choice', by, action, args: fields })),
    fc.tuple(seat, value).map(([by, option]): Deed => ({ kind: 'choice', by, option })),
    fc
      .tuple(seat, word, fc.double())
      .map(([who, counter, shown]): Deed => ({ kind: 'set', seat: who, counter, face: shown })),
    word.map((timer): Deed => ({ kind: 'elapsed', timer })),
    fc
      .tuple(fc.constantFrom('counter', 'seat', 'seat_left', '__proto__'), args)
      .map(([ruling, fields]): Deed => ({ kind: 'ruling', ruling: { ruling, args: fields } })),
  );

  test.each(GAME_IDS)('%s: never an exception, a refusal changes nothing, events give the state', (id) => {
    const game: AnyGame | undefined = gameById(id);
    if (game === undefined) throw new Error(id);
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
        let now = open(game as Game<unknown, GameEvent>, ['ada', 'bea']);
        for (const one of deeds) {
          const next = put(now, one);
          if (!('events' in last(next))) expect(next.state).toEqual(now.state);
          now = next;
        }
        const view = game.view(now.state, { role: 'gm' });
        expect(view.state.awaited).toEqual(view.awaited.map(wireAwaited));
      }),
      { numRuns: 150 },
    );
  });
});
