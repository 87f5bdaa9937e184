import { createHash } from 'node:crypto';
import type { Board, Cause, Option, Threshold } from './model.js';
import { canonical, chosen, isLast, nextRound, opening, renounced, rolled } from './model.js';

export interface Position {
  readonly name: string;
  readonly start: { readonly pawns: Readonly<Record<string, number>>; readonly order: readonly string[] };
  readonly movement?: readonly Threshold[];
  /** Movement rolls made before the census begins, by the seats in their order; none of them opens a choice. */
  readonly before?: readonly number[];
  /** The deepest census worth its time. */
  readonly depth: number;
}

/** A deed as `tiro play dadoteck` reads it, one a line. */
export type Deed =
  | { readonly roll: { readonly seat: string; readonly sides: number; readonly natural: number } }
  | { readonly choose: { readonly seat: string; readonly option: Option } };

export interface Leaf {
  readonly deeds: readonly Deed[];
  readonly board: Board;
}

export interface Census {
  /** Ends of the tree, with every choice of the last roll made. */
  readonly leaves: number;
  readonly distinct: number;
  /** Living seats in a leaf -> leaves. */
  readonly survivors: Readonly<Record<string, number>>;
  /** Cause -> eliminations, summed over the leaves' whole paths. */
  readonly eliminations: Readonly<Partial<Record<Cause, number>>>;
  readonly winners: Readonly<Record<string, number>>;
  readonly overWithoutWinner: number;
  /** sha256 of the sorted lines `count<space>canonical<newline>` of the leaves. */
  readonly hash: string;
  /** The same of the boards right after the last roll, its choice not made yet. */
  readonly open: { readonly leaves: number; readonly distinct: number; readonly hash: string };
}

const letters = 'abcdefghijklmnopqrst';

function seated(squares: readonly number[], order?: string): Position['start'] {
  const seats = squares.map((_, index) => letters.charAt(index));
  const pawns = Object.fromEntries(squares.map((square, index) => [letters.charAt(index), square]));
  return { pawns, order: order === undefined ? seats : [...order] };
}

/** The fixed positions. Seats are `a`, `b`, `c` …; what each is for stands in README.md. */
export const POSITIONS: readonly Position[] = [
  { name: 'duel', start: seated([5, 9]), depth: 3 },
  { name: 'duel-specials', start: seated([20, 1]), depth: 3 },
  { name: 'duel-occupied', start: seated([19, 20], 'ab'), depth: 3 },
  { name: 'duel-bastards', start: seated([13, 17], 'ba'), depth: 3 },
  { name: 'last', start: seated([5, 9]), before: [1], depth: 1 },
  { name: 'last-on-one', start: seated([8, 1]), before: [1], depth: 1 },
  { name: 'last-d8', start: seated([5, 20]), before: [1], movement: [{ below: 3, sides: 8 }], depth: 1 },
  { name: 'three-specials', start: seated([13, 17, 20]), depth: 3 },
  { name: 'three-next', start: seated([12, 14, 16], 'cab'), depth: 3 },
  { name: 'three-drop', start: seated([2, 6, 19]), movement: [{ below: 3, sides: 8 }], depth: 3 },
  { name: 'three-d16', start: seated([13, 14, 17], 'bca'), movement: [{ below: 4, sides: 16 }], depth: 3 },
  { name: 'four-specials', start: seated([1, 13, 17, 20], 'dcba'), depth: 3 },
  { name: 'four-next', start: seated([2, 12, 18, 19]), depth: 3 },
  { name: 'four-d6', start: seated([1, 3, 6, 7], 'bdac'), movement: [{ below: 5, sides: 6 }], depth: 3 },
  { name: 'six', start: seated([3, 7, 12, 14, 16, 18]), depth: 3 },
  { name: 'six-specials', start: seated([1, 13, 17, 20, 2, 19], 'fbdaec'), depth: 3 },
  { name: 'six-d12', start: seated([1, 12, 13, 20, 5, 6]), movement: [{ below: 7, sides: 12 }], depth: 3 },
  { name: 'twenty', start: seated(Array.from({ length: 20 }, (_, index) => index + 1)), depth: 2 },
];

/** The first line for `tiro play dadoteck` of a position; the rolls of `before` follow as deeds in every leaf. */
export function setup(position: Position): object {
  const { start, movement } = position;
  const seats = Object.keys(start.pawns);
  return { setup: { seats, start, ...(movement === undefined ? {} : { movement }) } };
}

function rollOf(board: Board, natural: number): Deed {
  return { roll: { seat: board.queue[0] ?? '', sides: board.sides, natural } };
}

function begin(position: Position): Leaf {
  let leaf: Leaf = {
    deeds: [],
    board: opening(position.start.pawns, position.start.order, position.movement ?? []),
  };
  for (const natural of position.before ?? []) {
    leaf = { deeds: [...leaf.deeds, rollOf(leaf.board, natural)], board: rolled(leaf.board, natural) };
  }
  return leaf;
}

function permutations(seats: readonly string[]): string[][] {
  if (seats.length < 2) return [[...seats]];
  return seats.flatMap((first) =>
    permutations(seats.filter((other) => other !== first)).map((rest) => [first, ...rest]),
  );
}

// F1: every strict order a new round may have, each by one initiative without ties (20 for the first, 19 for the next …).
function rounds(leaf: Leaf): Leaf[] {
  if (leaf.board.over || leaf.board.queue.length > 0) return [leaf];
  return permutations([...leaf.board.pawns.keys()].sort()).map((order) => ({
    deeds: [...leaf.deeds, ...order.map((seat, place): Deed => ({ roll: { seat, sides: 20, natural: 20 - place } }))],
    board: nextRound(leaf.board, order),
  }));
}

function rolls(leaf: Leaf): Leaf[] {
  const { board, deeds } = leaf;
  const ends: Leaf[] = [];
  for (let natural = 1; natural <= board.sides; natural += 1) {
    ends.push({ deeds: [...deeds, rollOf(board, natural)], board: rolled(board, natural) });
  }
  if (isLast(board)) {
    const deed: Deed = { choose: { seat: board.queue[0] ?? '', option: 'renounce' } };
    ends.push({ deeds: [...deeds, deed], board: renounced(board) });
  }
  return ends;
}

function choices(leaf: Leaf): Leaf[] {
  const { choice } = leaf.board;
  if (choice === null) return [leaf];
  return choice.options.map((option) => ({
    deeds: [...leaf.deeds, { choose: { seat: choice.seat, option } }],
    board: chosen(leaf.board, option),
  }));
}

function openLeaves(leaf: Leaf, depth: number): Leaf[] {
  if (leaf.board.over || depth === 0) return [leaf];
  const next = rounds(leaf).flatMap(rolls);
  return depth === 1 ? next : next.flatMap(choices).flatMap((each) => openLeaves(each, depth - 1));
}

/**
 * Every way `depth` movement rolls can go from a position. A game that ends earlier is one leaf; a renouncement stands in
 * the place of a roll; a round that ends on the way goes on by every strict order of the living.
 * `open` leaves the choice of the last roll unmade.
 */
export function leaves(position: Position, depth: number, open = false): Leaf[] {
  const ends = openLeaves(begin(position), depth);
  return open ? ends : ends.flatMap(choices);
}

/** The multiset of canonical boards, sorted by code unit: canonical -> count. */
export function multiset(forms: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
  return new Map([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** sha256, in hexadecimal, of the lines `count canonical\n` of a multiset in its order. */
export function digest(counts: ReadonlyMap<string, number>): string {
  const hash = createHash('sha256');
  for (const [form, count] of counts) hash.update(`${count} ${form}\n`);
  return hash.digest('hex');
}

function tally(keys: Iterable<string>): Record<string, number> {
  return Object.fromEntries(multiset(keys));
}

/** The numbers of one position at one depth. */
export function census(position: Position, depth: number): Census {
  const ends = leaves(position, depth);
  const forms = multiset(ends.map((leaf) => canonical(leaf.board)));
  const before = leaves(position, depth, true);
  const openForms = multiset(before.map((leaf) => canonical(leaf.board)));
  return {
    leaves: ends.length,
    distinct: forms.size,
    survivors: tally(ends.map((leaf) => String(leaf.board.pawns.size))),
    eliminations: tally(ends.flatMap((leaf) => leaf.board.fallen.map((each) => each.cause))),
    winners: tally(ends.flatMap((leaf) => leaf.board.winner ?? [])),
    overWithoutWinner: ends.filter((leaf) => leaf.board.over && leaf.board.winner === null).length,
    hash: digest(forms),
    open: { leaves: before.length, distinct: openForms.size, hash: digest(openForms) },
  };
}

export interface Difference {
  readonly deeds: readonly Deed[];
  readonly expected: string;
  readonly found: string;
}

/**
 * Plays every leaf through another implementation and gives back those that end otherwise (at most `limit`).
 * @param play takes the setup line and the deeds and returns the canonical form of the final state
 */
export function differences(
  position: Position,
  depth: number,
  play: (first: object, deeds: readonly Deed[]) => string,
  limit = 20,
): Difference[] {
  const found: Difference[] = [];
  const first = setup(position);
  for (const leaf of [...leaves(position, depth, true), ...leaves(position, depth)]) {
    const expected = canonical(leaf.board);
    const form = play(first, leaf.deeds);
    if (form !== expected) found.push({ deeds: leaf.deeds, expected, found: form });
    if (found.length >= limit) break;
  }
  return found;
}
