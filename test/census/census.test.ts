import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Census, Position } from './enumerate.js';
import { census, differences, leaves, multiset, POSITIONS } from './enumerate.js';
import type { Board } from './model.js';
import { canonical, chosen, nextRound, opening, phaseOf, renounced, rolled } from './model.js';

const file = new URL('./expected.json', import.meta.url);
const found: Record<string, Census[]> = Object.fromEntries(
  POSITIONS.map((position) => [
    position.name,
    Array.from({ length: position.depth }, (_, index) => census(position, index + 1)),
  ]),
);
if (process.env.CENSUS_PIN === '1') writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
const pinned: Record<string, Census[]> = JSON.parse(readFileSync(file, 'utf8'));

function at(name: string, depth: number): Census {
  const counted = found[name]?.[depth - 1];
  if (counted === undefined) throw new Error(`no census of ${name} at ${depth}`);
  return counted;
}

function named(name: string): Position {
  const position = POSITIONS.find((each) => each.name === name);
  if (position === undefined) throw new Error(`no position ${name}`);
  return position;
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

// Leaves after one roll from a canonical board. Of the s faces, one is suicide and each ordinary face is one leaf; 13 and
// 17 give three leaves each; 20 gives one for each possible victim, the living less the roller and the occupant who falls
// first, and one leaf where there is no victim left. So s + 2[s>=13] + 2[s>=17] + [s>=20](max(1, n-1-o) - 1). The last
// one left has s + 1 (the renouncement). A round that ended gives that for each of the n! orders.
function growth(form: string, dieOfNextRound: (alive: number) => number): number {
  const [phase, list = '', , , awaited = ''] = form.split('|');
  if (phase === 'over') return 1;
  const pawns = list.split(',').map((each) => each.split(':'));
  const alive = pawns.length;
  const fan = (sides: number, roller: string): number => {
    const taken = pawns.some(([seat, square]) => square === '20' && seat !== roller) ? 1 : 0;
    const victims = Math.max(1, alive - 1 - taken);
    return sides + (sides >= 13 ? 2 : 0) + (sides >= 17 ? 2 : 0) + (sides >= 20 ? victims - 1 : 0);
  };
  const [what = '', who = ''] = awaited.split('@');
  const [seat = '', sides] = who.split('/');
  if (what === 'last') return Number(sides) + 1;
  if (what === 'move') return fan(Number(sides), seat);
  return pawns.reduce((sum, [first = '']) => sum + factorial(alive - 1) * fan(dieOfNextRound(alive), first), 0);
}

function dieOf(position: Position): (alive: number) => number {
  return (alive) => {
    const agreed = (position.movement ?? []).filter((each) => alive < each.below).map((each) => each.sides);
    return agreed.length === 0 ? 20 : Math.min(...agreed);
  };
}

describe('the census reproduces its pinned numbers', () => {
  test.each(POSITIONS)('$name', (position) => {
    expect(found[position.name]).toEqual(pinned[position.name]);
  });

  test('nothing else is pinned', () => {
    expect(Object.keys(pinned).sort()).toEqual(POSITIONS.map((each) => each.name).sort());
  });
});

describe('closed forms', () => {
  // With a die of at most 12 faces no roll opens a choice, and a roll fells at most one seat. With n >= 2k seats, before
  // the k-th roll at most k-1 seats have moved and at most k-1 have fallen, so one is still to move and two are alive:
  // every board of depth < k has exactly s rolls. Hence s^k leaves, the 1 in one of s at each depth: k*s^(k-1) suicides.
  test.each([
    ['six-d12', 12, 3],
    ['four-d6', 6, 2],
  ])('%s: s^k leaves without choices', (name, sides, deepest) => {
    for (let depth = 1; depth <= deepest; depth += 1) {
      expect(at(name, depth).leaves).toBe(sides ** depth);
      expect(at(name, depth).open.leaves).toBe(sides ** depth);
      expect(at(name, depth).eliminations.M4).toBe(depth * sides ** (depth - 1));
    }
  });

  // Two seats, a on 5 and b on 9. Depth 1: 20 + 2 + 2 = 24. Of these 2 are over (a rolls 9; a rolls 20 and names b), 1
  // leaves b the last (21 leaves), 21 leave two alive and 20 free (24 each): 2 + 21 + 21*24 = 527. Depth 2 is over in
  // 2 + 21 leaves, and in 21 (b rolls 20) + 21 (b rolls 1, a has moved) + 29 (b strikes a) of the 504. The 29: a square
  // is reached in two ways if it is 12, 14, 16 or 18, in one otherwise, by a as by b, so 4*(2*2) + 2*(1*1) for 13, 17 +
  // 11 for the other squares 2..19 without 9. The 504-71 = 433 left start a round: 2 orders, 24 leaves each.
  test('duel: 24, 527 and 94 + 433*2*24 = 20878 leaves', () => {
    expect([1, 2, 3].map((depth) => at('duel', depth).leaves)).toEqual([24, 527, 94 + 433 * 2 * 24]);
    expect(at('duel', 2).survivors).toEqual({ 0: 1, 1: 93, 2: 433 });
    expect(at('duel', 2).overWithoutWinner).toBe(1);
    expect(at('duel', 2).winners).toEqual({ a: 2 + 21, b: 20 + 21 + 29 });
  });

  // F2: 20 faces and the renouncement; only the 1 has no winner.
  test.each([
    ['last', 20],
    ['last-on-one', 20],
    ['last-d8', 8],
  ])('%s: s + 1 leaves, one without a winner', (name, sides) => {
    const counted = at(name, 1);
    expect(counted.leaves).toBe(sides + 1);
    expect(counted.overWithoutWinner).toBe(1);
    expect(counted.winners).toEqual({ b: sides });
    expect(counted.survivors).toEqual({ 0: 1, 1: sides });
  });

  // All squares taken, a (on 1) to roll: 17 faces without a choice, 2*3 by the bastards, and on 20 the occupant falls and
  // one of the 18 others is named. Struck: the 16 ordinary squares 2..19 without 13, 17; all 6 squares of the bastards.
  test('twenty: 17 + 6 + 18 leaves, and everybody reached falls', () => {
    const counted = at('twenty', 1);
    expect(counted.leaves).toBe(41);
    expect(counted.eliminations).toEqual({ M2: 16, M4: 1, M6: 6, 'M5-occupant': 18, 'M5-victim': 18 });
    expect(counted.survivors).toEqual({ 18: 18, 19: 23 });
  });

  // Depth 1 without a last one: M2 = the others on ordinary squares within the die, M6 = those on 12..14 and 16..18,
  // M4 = 1, M5 = one victim a leaf and, in each, the occupant.
  test.each(POSITIONS.filter((each) => each.before === undefined))('$name: eliminations of one roll', (position) => {
    const sides = dieOf(position)(position.start.order.length);
    const roller = position.start.order[0] ?? '';
    const others = Object.entries(position.start.pawns).filter(([seat]) => seat !== roller);
    const on = (test: (square: number) => boolean): number => others.filter(([, square]) => test(square)).length;
    const special = [1, 13, 17, 20];
    const taken = sides >= 20 ? on((square) => square === 20) : 0;
    const victims = sides >= 20 ? others.length - taken : 0;
    const wanted: Record<string, number> = {
      M2: on((square) => square <= sides && !special.includes(square)),
      M4: 1,
      'M5-occupant': taken * Math.max(1, victims),
      'M5-victim': victims,
      M6:
        (sides >= 13 ? on((square) => Math.abs(square - 13) <= 1) : 0) +
        (sides >= 17 ? on((square) => Math.abs(square - 17) <= 1) : 0),
    };
    const counted = Object.entries(wanted).filter(([, count]) => count > 0);
    expect(at(position.name, 1).eliminations).toEqual(Object.fromEntries(counted));
  });

  test.each(POSITIONS.filter((each) => each.depth > 1))(
    '$name: each depth grows from the boards of the one before',
    (position) => {
      for (let depth = 1; depth < position.depth; depth += 1) {
        const forms = multiset(leaves(position, depth).map((leaf) => canonical(leaf.board)));
        let wanted = 0;
        for (const [form, count] of forms) wanted += count * growth(form, dieOf(position));
        expect(at(position.name, depth + 1).leaves).toBe(wanted);
      }
    },
  );

  test.each(POSITIONS)('$name: every seat is either alive or fallen by one rule', (position) => {
    const seats = position.start.order.length;
    for (const counted of found[position.name] ?? []) {
      const fallen = Object.values(counted.eliminations).reduce((sum, count) => sum + count, 0);
      const missing = Object.entries(counted.survivors).reduce(
        (sum, [alive, n]) => sum + (seats - Number(alive)) * n,
        0,
      );
      expect(fallen).toBe(missing);
    }
  });
});

test('differences() finds an implementation that answers otherwise, and none in one that answers alike', () => {
  const position = named('duel-bastards');
  const truth = new Map(
    [...leaves(position, 2, true), ...leaves(position, 2)].map((leaf) => [
      JSON.stringify(leaf.deeds),
      canonical(leaf.board),
    ]),
  );
  expect(differences(position, 2, (_, deeds) => truth.get(JSON.stringify(deeds)) ?? '')).toEqual([]);
  expect(differences(position, 2, () => 'over||||-', 5)).toHaveLength(5);
});

interface ScriptLine {
  readonly setup?: { readonly start?: Position['start']; readonly movement?: NonNullable<Position['movement']> };
  readonly roll?: { readonly seat?: string; readonly sides: number; readonly natural: number };
  readonly choose?: { readonly seat: string; readonly option: string | number };
}

interface ScriptAnswer {
  readonly verdict?: string | readonly string[];
  readonly state?: {
    readonly phase: string;
    readonly winner?: string | null;
    readonly pawns?: object;
    readonly eliminated: string[];
  };
}

const scripts = new URL('./scripts/', import.meta.url);

function linesOf<T>(name: string): T[] {
  const text = readFileSync(new URL(name, scripts), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line): T => JSON.parse(line));
}

// The board after the deeds a script says are taken; initiative rolls here have no ties and give the order by number.
function replayed(board: Board, deeds: readonly ScriptLine[], answers: readonly ScriptAnswer[]): Board {
  let now = board;
  let initiative: [string, number][] = [];
  deeds.forEach((deed, index) => {
    const verdict = [answers[index]?.verdict ?? ''].flat();
    if (!verdict.includes('accepted') && !verdict.includes('open')) return;
    if (deed.choose?.option === 'renounce') now = renounced(now);
    else if (deed.choose) now = chosen(now, deed.choose.option);
    else if (deed.roll && phaseOf(now) === 'initiative') {
      initiative.push([deed.roll.seat ?? '', deed.roll.natural]);
      if (initiative.length < now.pawns.size) return;
      now = nextRound(
        now,
        initiative.sort(([, one], [, other]) => other - one).map(([seat]) => seat),
      );
      initiative = [];
    } else if (deed.roll) now = rolled(now, deed.roll.natural);
  });
  return now;
}

const replayable = readdirSync(scripts)
  .filter((name) => name.endsWith('.expected.jsonl'))
  .map((name) => name.replace('.expected', ''))
  .filter((name) => {
    const [first, ...deeds] = linesOf<ScriptLine>(name);
    return first?.setup?.start !== undefined && deeds.every((deed) => deed.roll?.seat ?? deed.choose);
  });

describe('the scripts that begin with a move agree with the model at their end', () => {
  test('there are some', () => expect(replayable.length).toBeGreaterThanOrEqual(9));

  test.each(replayable)('%s', (name) => {
    const [first, ...deeds] = linesOf<ScriptLine>(name);
    const [, ...answers] = linesOf<ScriptAnswer>(name.replace('.jsonl', '.expected.jsonl'));
    const start = first?.setup?.start;
    if (start === undefined) throw new Error('a script without a start');
    const end = replayed(opening(start.pawns, start.order, first?.setup?.movement ?? []), deeds, answers);
    const wanted = answers.at(-1)?.state;
    expect(phaseOf(end)).toBe(wanted?.phase);
    expect(end.winner).toBe(wanted?.winner ?? null);
    expect(end.fallen.map((each) => each.seat)).toEqual(wanted?.eliminated);
    if (wanted?.pawns) expect(Object.fromEntries(end.pawns)).toEqual(wanted.pawns);
  });
});
