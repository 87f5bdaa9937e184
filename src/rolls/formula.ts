import type { DieType } from '../dice/die.js';

/** A comparison of a face with a number; `>` and `<` count the number itself, as in the notation's home (Roll20). */
export interface Comparison {
  readonly sign: '>' | '<' | '=';
  readonly value: number;
}

/** Marks of dice or of a group in braces, in the order in which they are applied. */
export interface Marks {
  /** Rethrown while (`once`: if) a face matches one of these. */
  readonly reroll?: { readonly once: boolean; readonly when: readonly Comparison[] };
  /** One more die for each that matches: beside it (`open`), added to it (`compound`), or less 1 (`penetrate`). */
  readonly explode?: { readonly how: 'open' | 'compound' | 'penetrate'; readonly when: Comparison };
  readonly keep?: { readonly which: 'kh' | 'kl' | 'dh' | 'dl'; readonly count: number };
  /** Counted instead of added: one for each that matches, less one for each failure. */
  readonly success?: { readonly when: readonly Comparison[]; readonly failure: readonly Comparison[] };
}

/** A term of a sum. `from` is the place of its first die in the instruction. */
export type Term = { readonly sign: 1 | -1 } & (
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'dice';
      readonly from: number;
      readonly count: number;
      readonly type: DieType;
      readonly marks: Marks;
    }
  | { readonly kind: 'group'; readonly parts: readonly Formula[]; readonly marks: Marks }
);

/** A sum of terms, as a notation with marks says it. */
export type Formula = readonly Term[];
