import type { Comparison, Formula, Marks, Term } from './formula.js';

/** A term that is dice. */
export type DiceTerm = Extract<Term, { kind: 'dice' }>;

/** What can be kept or dropped by its value: a die with all that was thrown for it, or a part of a group. */
export interface Lot {
  readonly value: number;
  dropped: boolean;
}

/** The dice of one term. */
export interface Hand<T extends Lot> {
  readonly term: DiceTerm;
  readonly tallies: T[];
}

/** A part of a group, which is the dice of these hands. */
interface Part extends Lot {
  readonly from: number;
  readonly to: number;
}

/** True if a face matches a comparison; the number itself always counts. */
export const matches = ({ sign, value }: Comparison, face: number): boolean =>
  sign === '=' ? face === value : sign === '>' ? face >= value : face <= value;

export function some(when: readonly Comparison[], face: number): boolean {
  for (const one of when) if (matches(one, face)) return true;
  return false;
}

/** A formula over the dice that lie: what its marks drop, and what it comes to. */
export class FormulaSum {
  readonly #hands: readonly Hand<Lot>[];
  /** Place of the next hand: they stand in the order of the formula. */
  #at = 0;

  constructor(hands: readonly Hand<Lot>[]) {
    this.#hands = hands;
  }

  /** The sum of a formula; marks its dice as dropped on the way. */
  of(formula: Formula): number {
    let sum = 0;
    for (const term of formula) sum += term.sign * this.#value(term);
    return sum;
  }

  #value(term: Term): number {
    if (term.kind === 'number') return term.value;
    if (term.kind === 'dice') {
      const hand = this.#hands[this.#at];
      this.#at += 1;
      return settled(hand?.tallies ?? [], term.marks);
    }
    const [only] = term.parts;
    const each = term.parts.length === 1 && only?.every(({ kind }) => kind === 'dice') === true;
    return each ? this.#each(only, term.marks) : this.#parts(term.parts, term.marks);
  }

  /** Parts of a group by their totals; one is dropped with all of its dice. */
  #parts(formulas: readonly Formula[], marks: Marks): number {
    const parts: Part[] = [];
    for (const formula of formulas) {
      const from = this.#at;
      const value = this.of(formula);
      parts.push({ value, dropped: false, from, to: this.#at });
    }
    const sum = settled(parts, marks);
    for (const { dropped, from, to } of parts) {
      if (!dropped) continue;
      for (let at = from; at < to; at += 1) for (const lot of this.#hands[at]?.tallies ?? []) lot.dropped = true;
    }
    return sum;
  }

  /** A group of one part keeps and counts among all of its dice. */
  #each(part: Formula, marks: Marks): number {
    const from = this.#at;
    this.of(part);
    const dice = part.flatMap(({ sign }, at) =>
      (this.#hands[from + at]?.tallies ?? [])
        .filter((lot) => !lot.dropped)
        .map((lot) => ({ value: sign * lot.value, dropped: false, lot })),
    );
    const sum = settled(dice, marks);
    for (const { dropped, lot } of dice) if (dropped) lot.dropped = true;
    return sum;
  }
}

/** Drops what is to be dropped; then the sum of the rest, or the number of successes less the failures. */
function settled(lots: readonly Lot[], { keep, success }: Marks): number {
  if (keep !== undefined) drop(lots, keep);
  let value = 0;
  for (const lot of lots) {
    if (lot.dropped) continue;
    if (success === undefined) value += lot.value;
    else value += (some(success.when, lot.value) ? 1 : 0) - (some(success.failure, lot.value) ? 1 : 0);
  }
  return value;
}

/** Drops the lowest or the highest. Equal values are told apart by their place alone: the first of them is the lower. */
function drop(lots: readonly Lot[], { which, count }: NonNullable<Marks['keep']>): void {
  const named = Math.min(count, lots.length);
  const lowest = which === 'kh' || which === 'dl';
  for (let left = which === 'dl' || which === 'dh' ? named : lots.length - named; left > 0; left -= 1) {
    let worst: Lot | undefined;
    for (const lot of lots) {
      if (lot.dropped) continue;
      if (worst === undefined || (lowest ? lot.value < worst.value : lot.value >= worst.value)) worst = lot;
    }
    if (worst !== undefined) worst.dropped = true;
  }
}
