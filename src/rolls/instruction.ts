import type { DieType, Face, PercentileReading, Quality, Source } from '../dice/die.js';
import type { Formula } from './formula.js';

/** What is added to a natural result, and what it comes from (rule 706.2: natural result and modifiers are told apart). */
export interface Modifier {
  readonly source: string;
  readonly amount: number;
}

/** A die as it lay. */
export interface Lying {
  readonly type: DieType;
  readonly face: Face;
}

/**
 * One die at rest for a call. `die` is the identity within this call: the same die never lands twice in one throw.
 * `thrown` is what lay where another kind stood for the one that was asked (706.1b).
 */
export interface Landed {
  readonly die: string;
  readonly type: DieType;
  readonly face: Face;
  readonly source: Source;
  readonly quality: Quality;
  readonly fake?: true;
  readonly thrown?: Lying;
}

/**
 * A die that stands for another, as the players agreed before the throw (706.1b): the face that each of its natural
 * results, from 1, counts as; null: it is thrown again, which is neither a roll nor a re-roll.
 */
export interface StandIn {
  readonly for: DieType;
  readonly by: DieType;
  readonly reads: readonly (Face | null)[];
}

/** The seat of whoever rolls, where an instruction does not name one. */
export const ROLLER = 'roller';

/**
 * An effect in play that changes rolls (706.2, 706.2a, 706.6, 706.7). `by` is the seat that controls it, decides and
 * pays; without `scope: 'any'` it touches its controller's rolls only. `dice` restricts it to dice with so many sides,
 * or to the planar die. `uses`: how many times it can be applied and paid for now; absent: without limit.
 */
export type Effect = {
  readonly source: string;
  readonly by: string;
  readonly scope?: 'any';
  readonly dice?: number | 'planar';
  readonly uses?: number;
  readonly cost?: string;
} & (
  | { readonly kind: 'advantage' | 'doubleEachDie' | 'rollTwoUseTotal' }
  | { readonly kind: 'plusOneIgnoreOne'; readonly chooser: string }
  | { readonly kind: 'adjustEach'; readonly amount: number }
  | { readonly kind: 'adjust'; readonly amounts: readonly number[] }
  | { readonly kind: 'reroll'; readonly natural?: number; readonly many?: true; readonly mandatory?: true }
  | { readonly kind: 'exchange'; readonly value: number }
);

/** What the instruction does with the results (706.3, 706.4, 706.5). Conditions are words of `condition.ts`, as `<=0`. */
export type Use =
  | {
      readonly kind: 'table';
      readonly rows: readonly string[];
      readonly conditions?: readonly string[];
      /** Rows that say "roll again" (706.3c). */
      readonly again?: readonly string[];
    }
  | { readonly kind: 'list'; readonly rows: readonly string[] }
  | { readonly kind: 'condition'; readonly condition: string }
  | { readonly kind: 'count'; readonly value: number; readonly wins?: number }
  | { readonly kind: 'repeat'; readonly value: number }
  | { readonly kind: 'number'; readonly plus?: number }
  | {
      readonly kind: 'choose' | 'total' | 'difference' | 'parity' | 'distinct' | 'doubles' | 'ordered' | 'none';
    };

/**
 * What a rule or a program asks to be rolled: the kinds of dice from the top and what is added.
 * A `d100` may be filled by one 100-sided die or by a d00 + d10 pair. The rest is rule 706 whole: `lowest` dice are
 * ignored (`allButHighest`: all but one), `effects` change the roll, `use` says what the results are for; `formula`
 * is a notation with marks, which excludes these. `standIns` let dice of other kinds serve.
 */
export interface Instruction {
  readonly dice: readonly DieType[];
  readonly modifiers: readonly Modifier[];
  readonly percentile: PercentileReading;
  readonly roller?: string;
  readonly lowest?: number | 'allButHighest';
  readonly effects?: readonly Effect[];
  readonly use?: Use;
  readonly formula?: Formula;
  readonly standIns?: readonly StandIn[];
}

/** A call may ask for at most this many dice. */
export const MAX_DICE = 100;

/** At most this many dice are thrown for one roll, re-rolls and extra dice included. */
export const MAX_THROWS = 1_000;

/** At most this many effects may be in play for one roll. */
export const MAX_EFFECTS = 50;

/** One answer a decision may have; `pass` declines what is optional. `die` is a place in the list of throws, from 0. */
export type Option =
  | 'pass'
  | { readonly die: number; readonly natural: Face }
  | { readonly first: string }
  | {
      readonly effect: number;
      readonly source: string;
      readonly die: number;
      readonly natural: Face;
      readonly cost?: string;
      readonly by?: number;
      readonly with?: number;
    };

/** What a decision is about, in the order of work (rule706, section 2). */
export const DECISIONS = [
  'keep',
  'ignore',
  'ignore_one',
  'order',
  'reroll',
  'reroll_more',
  'adjust',
  'exchange',
  'choose',
] as const;

/** A decision a roll waits for: whose, by which rule, among which options. */
export interface Decision {
  readonly about: (typeof DECISIONS)[number];
  readonly who: string;
  readonly rule: string;
  readonly options: readonly Option[];
}

/** A decision that was taken. */
export interface Decided {
  readonly about: Decision['about'];
  readonly who: string;
  readonly option: Option;
}
