import { type DieType, type Face, naturalOf, type PercentileReading, percentile, sidesOf } from '../dice/die.js';
import { err, ok, type Result } from '../dice/result.js';

/** Products of sides up to this many are counted through. */
const MAX_OUTCOMES = 10_000;

/** How other dice stand in for a die (706.1b): the dice, and the natural result of their faces; null: throw again. */
export interface Substitute {
  readonly target: number;
  readonly from: readonly DieType[];
  readonly read: (faces: readonly number[]) => number | null;
  /** How the players may be told to read it. */
  readonly how: 'same' | 'halves' | 'parity' | 'modulo' | 'pair' | 'discard';
}

/** All faces a die can show as printed. */
function printed(type: DieType): readonly number[] {
  if (type === 'd00') return Array.from({ length: 10 }, (_, at) => at * 10);
  return Array.from({ length: sidesOf(type) }, (_, at) => (type === 'd10' ? at : at + 1));
}

/** Every combination of the faces of these dice. */
function combinations(faces: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return faces.reduce<readonly (readonly number[])[]>(
    (all, own) => all.flatMap((before) => own.map((face) => [...before, face])),
    [[]],
  );
}

/**
 * Counts through all faces: a substitute is fair if every result from 1 to `target` comes equally often (706.1b).
 * @param faces printed faces of each die
 * @returns why not: `uneven`, `out_of_range`, `too_many`
 */
export function checkFair(
  target: number,
  faces: readonly (readonly number[])[],
  read: (faces: readonly number[]) => number | null,
): Result<true, 'uneven' | 'out_of_range' | 'too_many'> {
  if (faces.reduce((product, own) => product * own.length, 1) > MAX_OUTCOMES) return err('too_many');
  const counts = new Map<number, number>();
  for (const combination of combinations(faces)) {
    const value = read(combination);
    if (value === null) continue;
    if (!Number.isInteger(value) || value < 1 || value > target) return err('out_of_range');
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const times = new Set(counts.values());
  return counts.size === target && times.size === 1 ? ok(true) : err('uneven');
}

/** How one die with more faces stands in for a d`target`; undefined if it has too few. */
export function oneFor(target: number, type: DieType): Substitute | undefined {
  if (type === 'planar' || type === 'fudge' || type === 'd00') return undefined;
  const sides = sidesOf(type);
  if (sides < target || target < 1) return undefined;
  const times = Math.floor(sides / target);
  const whole = times * target;
  const natural = (faces: readonly number[]): number => Number(naturalOf(type, faces[0] ?? 0));
  if (sides === target) return { target, from: [type], how: 'same', read: natural };
  if (target === 2 && whole === sides) {
    return { target, from: [type], how: 'parity', read: (faces) => 2 - (natural(faces) % 2) };
  }
  if (whole === sides && times === 2 && !(target === 10 && sides === 20)) {
    return { target, from: [type], how: 'halves', read: (faces) => Math.ceil(natural(faces) / 2) };
  }
  const modulo = (face: number): number => ((face - 1) % target) + 1;
  if (whole === sides) return { target, from: [type], how: 'modulo', read: (faces) => modulo(natural(faces)) };
  const read = (faces: readonly number[]): number | null => (natural(faces) > whole ? null : modulo(natural(faces)));
  return { target, from: [type], how: 'discard', read };
}

/**
 * What the dice at hand can stand in for a missing kind, the plainest first; a pair for a d100 is read as the table
 * fixed it before the throw. Digitally any die can be had, unbiased.
 */
export function substitutesFor(
  type: DieType,
  atHand: readonly DieType[],
  reading: PercentileReading,
): readonly Substitute[] {
  if (type === 'planar' || type === 'fudge' || type === 'd00') return [];
  const target = sidesOf(type);
  const kinds = [...new Set(atHand)];
  const single = kinds.flatMap((kind) => oneFor(target, kind) ?? []);
  const pair: Substitute = {
    target,
    from: ['d00', 'd10'],
    how: 'pair',
    read: ([tens = 0, ones = 0]) => percentile(tens, ones, reading),
  };
  const plain = ['same', 'pair', 'halves', 'parity', 'modulo', 'discard'];
  return [...single, ...(target === 100 && kinds.includes('d00') && kinds.includes('d10') ? [pair] : [])].sort(
    (one, other) =>
      plain.indexOf(one.how) - plain.indexOf(other.how) ||
      sidesOf(one.from[0] ?? 'd2') - sidesOf(other.from[0] ?? 'd2'),
  );
}

/** True if a substitute gives each result equally often, counted through. */
export const isFair = (substitute: Substitute): boolean =>
  checkFair(substitute.target, substitute.from.map(printed), substitute.read).ok;

/** A planar face for each face of a d6, as the table maps them (R9): one planeswalker, one chaos, four blank. */
export function planarMapping(faces: readonly Face[]): Result<(face: number) => Face, 'uneven'> {
  const times = (symbol: Face): number => faces.filter((face) => face === symbol).length;
  const fair = faces.length === 6 && times('planeswalker') === 1 && times('chaos') === 1 && times('blank') === 4;
  return fair ? ok((face) => faces[face - 1] ?? 'blank') : err('uneven');
}
