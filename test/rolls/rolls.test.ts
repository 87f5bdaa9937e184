import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DieType } from '../../src/dice/die.js';
import { sidesOf } from '../../src/dice/die.js';
import type { Effect, Instruction, Option, Use } from '../../src/rolls/instruction.js';
import { accepts, beginWith, decide, type Resolution, settle, take, waitsFor } from '../../src/rolls/resolution.js';
import { overlaps, rowsHit } from '../../src/rolls/rows.js';
import { largestGroup, rerollsOf, restore, store } from '../../src/rolls/stored.js';
import { isFair, oneFor, planarMapping, substitutesFor } from '../../src/rolls/substitute.js';
import { triggered } from '../../src/rolls/triggers.js';
import { asks, chosen, die, outcomeOf, played, rewritten, rolled, taken } from './throwing.js';

const instruction = (dice: readonly DieType[], more: Partial<Instruction> = {}): Instruction => ({
  dice,
  modifiers: [],
  percentile: 'zero',
  roller: 'ada',
  use: { kind: 'none' },
  ...more,
});
const effect = (more: Partial<Effect> & { kind: Effect['kind'] }): Effect =>
  ({ source: more.kind, by: 'ada', ...more }) as Effect;
const advantage = effect({ kind: 'advantage', source: 'Pixie Guide' });

/** All outcomes of an instruction's first throw, each face of each die once; ties by the first option. */
function census(dice: number, sides: number, asked: Instruction): Map<number, number> {
  const totals = new Map<number, number>();
  for (let code = 0; code < sides ** dice; code += 1) {
    let rest = code;
    const outcome = settle(
      asked,
      (type) => {
        const natural = (rest % sides) + 1;
        rest = Math.floor(rest / sides);
        return die(`d${rest}`, type, natural);
      },
      ({ options }) => options[0] ?? 'pass',
    );
    totals.set(outcome.total ?? 0, (totals.get(outcome.total ?? 0) ?? 0) + 1);
  }
  return totals;
}
const sum = (counts: Map<number, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);

describe('census', () => {
  it.each([['rule', instruction(['d20'], { effects: [advantage] })] as const, ['notation', asks('2d20kh1')] as const])(
    '2d20 ignore the lowest, by %s: natural k is kept 2k-1 times of 400',
    (_by, asked) => {
      const counts = census(2, 20, asked);
      expect(sum(counts)).toBe(400);
      for (let k = 1; k <= 20; k += 1) expect(counts.get(k), `natural ${k}`).toBe(2 * k - 1);
    },
  );

  it.each([
    ['rule', instruction(['d6', 'd6', 'd6', 'd6'], { lowest: 1, use: { kind: 'total' } })] as const,
    ['notation', asks('4d6dl1')] as const,
  ])('4d6 drop the lowest, by %s: 1,296 outcomes', (_by, asked) => {
    const counts = census(4, 6, asked);
    expect(sum(counts)).toBe(1296);
    expect([counts.get(3), counts.get(18), counts.get(13)]).toEqual([1, 21, 172]);
  });

  it.each(['zero', 'ten'] as const)('d100 of a pair read as %s: 1 to 100, once each', (percentile) => {
    const seen = new Set<number>();
    for (let tens = 0; tens < 100; tens += 10) {
      for (let ones = 0; ones < 10; ones += 1) {
        const start = beginWith(instruction(['d100'], { percentile }));
        const pair = taken(taken(start, die('t', 'd00', tens)), { ...die('o', 'd10', 1), face: ones });
        seen.add(outcomeOf(pair).natural ?? 0);
      }
    }
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });

  it.each([1, 2, 3])('%i effects: as many dice more, as many lowest ignored', (k) => {
    const counts = census(k + 1, 6, instruction(['d6'], { effects: Array.from({ length: k }, () => advantage) }));
    expect(sum(counts)).toBe(6 ** (k + 1));
    for (let face = 1; face <= 6; face += 1) expect(counts.get(face)).toBe(face ** (k + 1) - (face - 1) ** (k + 1));
  });
});

const EFFECTS: readonly Effect[] = [
  advantage,
  effect({ kind: 'plusOneIgnoreOne', chooser: 'bea', by: 'bea', scope: 'any' }),
  effect({ kind: 'doubleEachDie' }),
  effect({ kind: 'adjustEach', amount: -2 }),
  effect({ kind: 'adjust', amounts: [1, -1], cost: '1 life', uses: 2 }),
  effect({ kind: 'adjust', amounts: [1], by: 'bea', scope: 'any', uses: 1, cost: 'tap it' }),
  effect({ kind: 'reroll', natural: 3, dice: 6 }),
  effect({ kind: 'reroll', many: true, uses: 1, cost: '{1}' }),
  effect({ kind: 'reroll', by: 'bea', scope: 'any', uses: 1 }),
  effect({ kind: 'exchange', value: 9, uses: 1 }),
];
const USES: readonly Use[] = [{ kind: 'choose' }, { kind: 'total' }, { kind: 'table', rows: ['1-3', '4+'] }];
const anyInstruction = fc
  .record({
    dice: fc.array(fc.constantFrom<DieType>('d6', 'd4', 'd20'), { minLength: 1, maxLength: 3 }),
    effects: fc.subarray([...EFFECTS]),
    use: fc.constantFrom(...USES),
    lowest: fc.constantFrom(0, 1),
    amount: fc.integer({ min: -9, max: 9 }),
  })
  .map(({ amount, ...more }) => instruction(more.dice, { ...more, modifiers: [{ source: 'printed', amount }] }));
const anyNotation = fc
  .constantFrom('3d6r1', '2d20kh1+2', '4d6!dl1', '{2d6,1d10}kh1', '5d4>3', '3d6!!ro1', '2d100+d10')
  .map(asks);
const anyRoll = fc.oneof(anyInstruction, anyNotation);
const chances = fc.array(fc.nat(999), { minLength: 60, maxLength: 60 });

const faceBy = (chance: readonly number[]) => (type: DieType, nth: number) =>
  ((chance[nth % chance.length] ?? 0) % sidesOf(type)) + 1;
const optionBy = (chance: readonly number[]) => (options: readonly Option[], nth: number) =>
  options[((chance[nth % chance.length] ?? 0) * 7 + nth) % options.length] ?? 'pass';

describe('any roll', () => {
  it('cut at any point, written down and read again, ends the same', () => {
    fc.assert(
      fc.property(anyRoll, chances, (asked, chance) => {
        const whole = played(asked, faceBy(chance), optionBy(chance));
        const cut = played(asked, faceBy(chance), optionBy(chance), rewritten);
        expect(outcomeOf(cut)).toEqual(outcomeOf(rewritten(whole)));
      }),
    );
  });

  it('does not depend on the order in which the dice of a throw come to rest', () => {
    fc.assert(
      fc.property(anyInstruction, chances, fc.infiniteStream(fc.nat(999)), (asked, chance, shuffle) => {
        const throwAll = (order: (names: string[]) => string[]): Resolution => {
          let roll = beginWith(asked);
          for (let wave = 0; wave < 50; wave += 1) {
            const wait = waitsFor(roll);
            if (wait.kind === 'done') return roll;
            if (wait.kind === 'decision') {
              roll = chosen(roll, wait.decision.who, optionBy(chance)(wait.decision.options, wave));
              continue;
            }
            const dice = wait.missing.map((type, at) =>
              die(`w${wave}-${at}`, type, faceBy(chance)(type, wave * 9 + at)),
            );
            for (const name of order(dice.map((one) => one.die))) {
              const next = dice.find((one) => one.die === name);
              if (next !== undefined) roll = taken(roll, next);
            }
          }
          throw new Error('a roll without end');
        };
        const forth = throwAll((names) => names);
        const keys = new Map<string, number>();
        const mixed = throwAll((names) => {
          for (const name of names) keys.set(name, shuffle.next().value ?? 0);
          return [...names].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
        });
        expect(outcomeOf(mixed)).toEqual(outcomeOf(forth));
      }),
    );
  });

  it('lets no ignored or re-rolled die into triggers, results or sums', () => {
    fc.assert(
      fc.property(anyInstruction, chances, (asked, chance) => {
        const outcome = outcomeOf(played(asked, faceBy(chance), optionBy(chance)));
        const kept = outcome.dice.filter(({ status }) => status === 'kept');
        expect(triggered('each_die', outcome)).toEqual({ ok: true, value: kept.length });
        expect(triggered('nat==max', outcome)).toEqual({
          ok: true,
          value: kept.filter(({ natural, sides }) => natural === sides).length,
        });
        expect(outcome.account?.results).toHaveLength(kept.length);
        const printed = asked.modifiers[0]?.amount ?? 0;
        const results = outcome.account?.results.reduce((all, one) => all + one, 0) ?? 0;
        const total = kept.length === 1 ? results : results + printed;
        expect(outcome.total).toBe(kept.length === 0 ? undefined : total);
      }),
    );
  });

  it('takes only what it waits for', () => {
    fc.assert(
      fc.property(anyInstruction, chances, (asked, chance) => {
        played(asked, faceBy(chance), optionBy(chance), (roll) => {
          const wait = waitsFor(roll);
          expect(decide(roll, 'nobody', 'pass').ok).toBe(false);
          expect(accepts(roll, 'd12')).toBe(false);
          expect(take(roll, die('x', 'd12', 1)).ok).toBe(false);
          if (wait.kind === 'decision') expect(accepts(roll, 'd6')).toBe(false);
          if (wait.kind === 'done') expect(take(roll, die('x', 'd6', 1)).ok).toBe(false);
          return roll;
        });
      }),
    );
  });
});

describe('decisions', () => {
  it('asks the roller about a tie for the lowest, and only among the tied', () => {
    const three = ['a', 'b', 'c'].reduce(
      (now, name, at) => taken(now, die(name, 'd20', [4, 7, 4][at] ?? 1)),
      beginWith(instruction(['d20', 'd20'], { effects: [advantage], use: { kind: 'total' } })),
    );
    expect(waitsFor(three)).toMatchObject({
      kind: 'decision',
      decision: { about: 'ignore', who: 'ada', rule: '706.6', options: [{ die: 0 }, { die: 2 }] },
    });
    expect(decide(three, 'bea', 0)).toMatchObject({ error: { code: 'wrong_seat' } });
    expect(decide(three, 'ada', 1)).toMatchObject({ error: { code: 'unknown_option' } });
    const outcome = outcomeOf(chosen(three, 'ada', { die: 2 }));
    expect(outcome.dice.map(({ die: name, status }) => [name, status])).toEqual([
      ['a', 'kept'],
      ['b', 'kept'],
      ['c', 'ignored'],
    ]);
  });

  it('lets the owner decide and pay, and the roller say whose effect comes first (706.2b)', () => {
    const effects = [
      effect({ kind: 'adjust', amounts: [1], by: 'ada', uses: 1, cost: '1 life' }),
      effect({ kind: 'adjust', amounts: [1], by: 'bea', scope: 'any', uses: 1, cost: 'tap it' }),
    ];
    let roll = taken(beginWith(instruction(['d6'], { effects })), die('a', 'd6', 5));
    expect(waitsFor(roll)).toMatchObject({ decision: { about: 'order', who: 'ada' } });
    roll = chosen(chosen(roll, 'ada', { first: 'bea' }), 'bea', { by: 1 });
    expect(waitsFor(roll)).toMatchObject({ decision: { about: 'adjust', who: 'ada' } });
    const outcome = outcomeOf(chosen(roll, 'ada', 'pass'));
    expect([outcome.result, outcome.account?.paid]).toEqual([6, [{ by: 'bea', source: 'adjust', cost: 'tap it' }]]);
  });

  it('a die thrown again may be the same die', () => {
    let roll = beginWith(instruction(['d6', 'd6'], { effects: [effect({ kind: 'reroll', natural: 3, dice: 6 })] }));
    roll = taken(taken(roll, die('a', 'd6', 3)), die('b', 'd6', 2));
    expect(take(roll, die('a', 'd6', 1)).ok).toBe(false);
    roll = taken(chosen(roll, 'ada', { die: 0 }), die('a', 'd6', 5));
    expect(outcomeOf(roll).account).toMatchObject({ naturals: [5, 2], replaced: [0] });
  });
});

it('F116: results are not clamped: 1 - 3 is -2, 20 + 5 is 25', () => {
  expect(rolled('1d20-3', [1])).toMatchObject({ natural: 1, result: -2, total: -2 });
  expect(rolled('1d20+5', [20])).toMatchObject({ natural: 20, result: 25, total: 25 });
  const effects = [effect({ kind: 'adjust', amounts: [1], uses: 1 })];
  const printed = instruction(['d20'], { effects, modifiers: [{ source: 'printed', amount: -4 }] });
  const roll = chosen(taken(beginWith(printed), die('a', 'd20', 3)), 'ada', { by: 1 });
  expect(outcomeOf(roll).result).toBe(0);
});

it('tells every modifier apart, printed or of an effect, with what it comes from (706.2)', () => {
  const effects = [
    effect({ kind: 'adjustEach', amount: 2, source: 'Squirrel-Powered Scheme' }),
    effect({ kind: 'adjust', amounts: [1, -1], uses: 1, source: 'Night Shift of the Living Dead' }),
  ];
  const printed = instruction(['d6', 'd6'], { effects, modifiers: [{ source: 'printed', amount: -4 }] });
  const lying = taken(taken(beginWith(printed), die('a', 'd6', 1)), die('b', 'd6', 3));
  const { modifiers, total } = outcomeOf(chosen(lying, 'ada', { die: 1, by: -1 }));
  expect(modifiers).toEqual([
    { source: 'printed', amount: -4 },
    { source: 'Squirrel-Powered Scheme', amount: 2 },
    { source: 'Squirrel-Powered Scheme', amount: 2 },
    { source: 'Night Shift of the Living Dead', amount: -1 },
  ]);
  expect(total).toBe(1 + 3 - 4 + 2 + 2 - 1);
});

it('F068: natural 19 with +1 is result 20: its row is hit, a watcher of a natural 20 is not', () => {
  const printed = instruction(['d20'], { modifiers: [{ source: 'printed', amount: 1 }] });
  const outcome = outcomeOf(taken(beginWith(printed), die('a', 'd20', 19)));
  expect(outcome.dice).toMatchObject([{ natural: 19, result: 20, status: 'kept' }]);
  expect(rowsHit(['1–9', '10–19', '20'], outcome.result ?? 0)).toEqual(rowsHit(['1–9', '10–19', '20'], 20));
  expect(triggered('nat==20', outcome)).toEqual({ ok: true, value: 0 });
  expect(triggered('nat==max', outcome)).toEqual({ ok: true, value: 0 });
  expect(triggered('res>=20', outcome)).toEqual({ ok: true, value: 1 });
});

it('F151: a table has gaps, its last row is not open, and overlaps are told', () => {
  const rows = ['1–9', '10—19', '20'];
  expect([0, 21, 9, 10, 19, 20].map((result) => rowsHit(rows, result))).toEqual([
    [],
    [],
    ['1–9'],
    ['10—19'],
    ['10—19'],
    ['20'],
  ]);
  expect(overlaps(rows)).toEqual([]);
  expect(overlaps(['1-10', '10-20', '15+'])).toEqual([
    ['1-10', '10-20'],
    ['10-20', '15+'],
  ]);
});

describe('substitutes (706.1b)', () => {
  const KINDS: readonly DieType[] = ['d4', 'd6', 'd8', 'd10', 'd12', 'd20', 'd100'];
  it('every one offered is fair, counted through', () => {
    for (let target = 2; target <= 100; target += 1) {
      for (const kind of KINDS) {
        const one = oneFor(target, kind);
        expect(one === undefined ? sidesOf(kind) < target : isFair(one), `d${target} by ${kind}`).toBe(true);
      }
    }
  });

  it('offers what the bound dice can do, the plainest first', () => {
    const told = (type: DieType, atHand: readonly DieType[]): string[] =>
      substitutesFor(type, atHand, 'zero').map(({ from, how }) => `${from.join('+')} ${how}`);
    expect(told('d3', ['d20', 'd6'])).toEqual(['d6 halves', 'd20 discard']);
    expect(told('d2', ['d6', 'd20'])).toEqual(['d6 parity', 'd20 parity']);
    expect(told('d10', ['d20'])).toEqual(['d20 modulo']);
    expect(told('d100', ['d00', 'd10', 'd20'])).toEqual(['d00+d10 pair']);
    expect(told('d12', ['d6'])).toEqual([]);
    const [seven] = substitutesFor('d7', ['d8'], 'zero');
    expect([seven?.read([7]), seven?.read([8])]).toEqual([7, null]);
  });

  it('maps a d6 to the planar die only with one, one and four', () => {
    const right = planarMapping(['planeswalker', 'chaos', 'blank', 'blank', 'blank', 'blank']);
    expect(right.ok && [1, 2, 6].map((face) => right.value(face))).toEqual(['planeswalker', 'chaos', 'blank']);
    expect(planarMapping(['planeswalker', 'chaos', 'chaos', 'blank', 'blank', 'blank']).ok).toBe(false);
  });
});

it('stored results are re-rolled by entry, never by value, and storing twice adds up', () => {
  const five = store(store([], 6, [3, 3]), 8, [3]);
  expect(largestGroup(five)).toBe(3);
  expect(rerollsOf(five, [0, 2])).toEqual([
    { type: 'd6', sides: 6, entries: [0] },
    { type: 'd8', sides: 8, entries: [2] },
  ]);
  expect(restore(five, [0], [6]).map(({ value }) => value)).toEqual([6, 3, 3]);
});
