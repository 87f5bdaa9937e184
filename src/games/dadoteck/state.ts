import { field } from '../awaited.js';
import type { Seat } from '../game.js';

export const PHASES = ['placement', 'initiative', 'movement', 'bastard', 'assassin', 'over'] as const;
export type Phase = (typeof PHASES)[number];

export type Dadoteck = `dadoteck:${string}`;

/** V2: with fewer than `below` living players at the start of a round, movement is rolled with this die. */
export interface Threshold {
  readonly below: number;
  readonly sides: number;
}

export type Pawns = { readonly [seat: Seat]: number };

/** A game of Dadoteck as plain data. */
export interface DadoteckState {
  readonly seats: readonly Seat[];
  readonly initiative: 'd20' | 'smallest';
  readonly movement: readonly Threshold[];
  readonly layout: readonly (readonly number[])[];
  readonly phase: Phase;
  /** 0 in placement, the first initiative is 1. */
  readonly round: number;
  /** Squares of the living and placed. */
  readonly pawns: Pawns;
  readonly eliminated: readonly Seat[];
  readonly initiativeDie: number;
  readonly movementDie: number;
  /** S2: throws that met a taken square. */
  readonly tries: { readonly [seat: Seat]: number };
  /** I1: this round's naturals of each seat, one a pass; equal lists are tied. */
  readonly rolls: { readonly [seat: Seat]: readonly number[] };
  /** 1 while all roll, then one more for each time the tied roll again. */
  readonly pass: number;
  /** Strict order of this round, those who fell in it included; empty before. */
  readonly order: readonly Seat[];
  /** Place in `order` of the seat that moves or has moved last; -1 before the first. */
  readonly turn: number;
  /** Whose turn it is, or null between turns. */
  readonly mover: Seat | null;
  /** The special square whose choice is open (13 or 17), or 0. */
  readonly special: number;
  /** The last finished turn, and the rule that ended it. */
  readonly last: { readonly seat: Seat; readonly rule: Dadoteck } | null;
  readonly winner: Seat | null;
}

interface Told<K extends string> {
  readonly kind: K;
  readonly ev: 1;
  /** The rule that made it happen. */
  readonly rule: Dadoteck;
}
type Of<K extends string> = Told<K> & { readonly seat: Seat };

export type DadoteckEvent =
  | (Told<'opened'> & {
      readonly seats: readonly Seat[];
      readonly initiative: 'd20' | 'smallest';
      readonly movement: readonly Threshold[];
      readonly layout: readonly (readonly number[])[];
      readonly start: { readonly pawns: Pawns; readonly order: readonly Seat[] } | null;
    })
  | (Of<'placed'> & { readonly square: number })
  | (Of<'taken'> & { readonly square: number })
  | (Told<'round'> & { readonly round: number })
  | (Told<'agreed'> & { readonly by: 'table' | 'gm' })
  | (Told<'initiative_die'> & { readonly sides: number })
  | (Told<'movement_die'> & { readonly sides: number })
  | (Of<'rolled'> & { readonly natural: number })
  | (Told<'tied'> & { readonly groups: readonly (readonly Seat[])[] })
  | (Told<'ordered'> & { readonly order: readonly Seat[] })
  | Of<'turn'>
  | (Of<'moved'> & { readonly from: number; readonly square: number })
  | (Of<'stayed'> & { readonly square: number })
  | (Of<'eliminated'> & { readonly by: Seat })
  | (Of<'choice_due'> & { readonly natural: number })
  | Of<'turn_ended'>
  | Of<'renounced'>
  | Of<'left'>
  | Of<'won'>
  | (Told<'ended'> & { readonly winner: Seat | null });

export const EVENT_KINDS: ReadonlySet<string> = new Set<DadoteckEvent['kind']>([
  'opened',
  'placed',
  'taken',
  'round',
  'agreed',
  'initiative_die',
  'movement_die',
  'rolled',
  'tied',
  'ordered',
  'turn',
  'moved',
  'stayed',
  'eliminated',
  'choice_due',
  'turn_ended',
  'renounced',
  'left',
  'won',
  'ended',
]);

/** Seats that are not out, in the order of the setup. */
export function living(state: DadoteckState): readonly Seat[] {
  return state.seats.filter((seat) => !state.eliminated.includes(seat));
}

/** The square a seat stands on, or undefined. */
export const squareOf = (state: DadoteckState, seat: Seat): number | undefined => field(state.pawns, seat);

/** Who stands on a square, or undefined. */
export function occupantOf(state: DadoteckState, square: number): Seat | undefined {
  return Object.keys(state.pawns).find((seat) => state.pawns[seat] === square);
}

/** A seat's initiative naturals of this round. */
export const rollsOf = (state: DadoteckState, seat: Seat): readonly number[] => field(state.rolls, seat) ?? [];

/** True if two seats are equal in the first `length` passes of this round's initiative. */
function equalIn(state: DadoteckState, one: Seat, other: Seat, length: number): boolean {
  const [left, right] = [rollsOf(state, one), rollsOf(state, other)];
  if (left.length < length || right.length < length) return false;
  return left.slice(0, length).every((natural, index) => natural === right[index]);
}

/** Seats whose initiative roll is awaited in this pass: all, later only the tied (I1, Z4). */
export function rollers(state: DadoteckState): readonly Seat[] {
  const alive = living(state);
  const before = state.pass - 1;
  return alive.filter(
    (seat) =>
      rollsOf(state, seat).length === before &&
      (before === 0 || alive.some((other) => other !== seat && equalIn(state, seat, other, before))),
  );
}

/** Groups of living seats that rolled the same in every pass so far. */
export function tiedGroups(state: DadoteckState): readonly (readonly Seat[])[] {
  const groups = new Map<string, Seat[]>();
  for (const seat of living(state)) {
    const key = rollsOf(state, seat).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), seat]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** I1: highest first; a tied group keeps its place, its later passes order it within. */
export function orderOf(state: DadoteckState): readonly Seat[] {
  return [...living(state)].sort((one, other) => {
    const [left, right] = [rollsOf(state, one), rollsOf(state, other)];
    const at = left.findIndex((natural, index) => natural !== right[index]);
    return at < 0 ? 0 : (right[at] ?? 0) - (left[at] ?? 0);
  });
}
