import { type DieType, naturalOf, percentile, sidesOf } from '../dice/die.js';
import type { Formula } from './formula.js';
import { type DiceTerm, FormulaSum, type Hand, type Lot, matches, some } from './formula-sum.js';
import { type Instruction, type Landed, MAX_THROWS } from './instruction.js';
import { type Account, type Cast, type Outcome, type RolledDie, rolledDie } from './outcome.js';
import { naturalIn, type Place } from './places.js';

/** One die of a notation as it grows: the face that lies, and the sum of all that counts for it. */
interface Tally extends Lot {
  value: number;
  face: number;
  readonly slot: number;
  /** A penetrating die counts 1 less than its face. */
  readonly bonus: number;
  /** Where its last throw stands in the list of dice. */
  at: number;
  rerolled: boolean;
  burst: boolean;
}

/** A die of the outcome while its roll goes on. */
type Draft = { -readonly [key in keyof RolledDie]: RolledDie[key] };

/** What of a formula is the same in every roll. */
interface Plan {
  /** Dice terms in the order in which their dice are asked for. */
  readonly terms: readonly DiceTerm[];
  /** True if a face may call for another throw. */
  readonly grows: boolean;
  /** True if dice are counted instead of added. */
  readonly counts: boolean;
}

const PLANS = new WeakMap<Formula, Plan>();

function planOf(formula: Formula): Plan {
  const known = PLANS.get(formula);
  if (known !== undefined) return known;
  const terms = termsOf(formula);
  const grows = terms.some(({ marks }) => marks.reroll !== undefined || marks.explode !== undefined);
  const counts = formula.some((term) => term.kind !== 'number' && term.marks.success !== undefined);
  const plan = { terms, grows, counts };
  PLANS.set(formula, plan);
  return plan;
}

const termsOf = (formula: Formula): readonly DiceTerm[] =>
  formula.flatMap((term): readonly DiceTerm[] => {
    if (term.kind === 'number') return [];
    return term.kind === 'dice' ? [term] : term.parts.flatMap(termsOf);
  });

const NOTHING: readonly DieType[] = [];

const tallyOf = (slot: number, bonus: number): Tally => ({
  slot,
  bonus,
  value: bonus,
  face: 0,
  dropped: false,
  at: 0,
  rerolled: false,
  burst: false,
});

/**
 * A notation with marks as it is rolled, wave by wave: throw, re-rolls, extra dice, then what is kept and what is
 * counted. It lives as long as the roll; every digital roll goes through here, so it walks its dice without copies.
 */
export class FormulaRoll {
  /** The kinds of dice to be thrown next; none once all lie. */
  wants: readonly DieType[];
  readonly #asks: Instruction;
  readonly #formula: Formula;
  readonly #plan: Plan;
  readonly #hands: Hand<Tally>[] = [];
  readonly #dice: Draft[] = [];
  /** Whose each die of the list is. */
  readonly #owners: Tally[] = [];
  /** The dice the next wave is for. */
  #next: Tally[] = [];

  constructor(asks: Instruction, formula: Formula) {
    this.#asks = asks;
    this.#formula = formula;
    this.wants = asks.dice;
    this.#plan = planOf(formula);
    for (const term of this.#plan.terms) {
      const tallies: Tally[] = [];
      for (let at = 0; at < term.count; at += 1) {
        const tally = tallyOf(term.from + at, 0);
        tallies.push(tally);
        this.#next.push(tally);
      }
      this.#hands.push({ term, tallies });
    }
  }

  /** Lays the dice that were wanted, in their order, and works out what is thrown next. */
  fill(places: readonly Place[]): void {
    for (const [at, tally] of this.#next.entries()) {
      const place = places[at];
      if (place === undefined) continue;
      this.#note(tally, Number(naturalIn(place, this.#asks.percentile)));
      for (const die of place.dice) this.#lay(tally, die);
    }
    this.#goOn();
  }

  /** The same with a whole die for each place. */
  throw(supply: (type: DieType) => Landed): void {
    for (let at = 0; at < this.#next.length; at += 1) {
      const tally = this.#next[at];
      const type = this.wants[at];
      if (tally === undefined || type === undefined) continue;
      const die = supply(type);
      this.#note(tally, Number(naturalOf(type, die.face)));
      this.#lay(tally, die);
    }
    this.#goOn();
  }

  #note(tally: Tally, face: number): void {
    tally.at = this.#dice.length;
    tally.face = face;
    tally.value += face;
  }

  #lay(tally: Tally, die: Landed): void {
    const natural = naturalOf(die.type, die.face);
    this.#dice.push(rolledDie(die, sidesOf(die.type), natural, natural, 'kept'));
    this.#owners.push(tally);
  }

  #goOn(): void {
    this.wants = NOTHING;
    this.#next = [];
    if (this.#plan.grows && !this.#rethrow()) this.#burst();
  }

  /** True for the halves of a percentile pair, which stand for themselves; `second`: for its ones alone. */
  #isHalf({ type }: Draft, { slot }: Tally, second = false): boolean {
    return (type === 'd10' || (!second && type === 'd00')) && this.#asks.dice[slot] === 'd100';
  }

  /** Wants these dice next, unless that were more throws than a roll may have. */
  #want(next: Tally[], types: readonly DieType[]): boolean {
    if (next.length === 0 || this.#owners.length + next.length > MAX_THROWS) return false;
    this.#next = next;
    this.wants = types;
    return true;
  }

  /** Throws again every die whose face asks for it; true if any does. */
  #rethrow(): boolean {
    const next: Tally[] = [];
    const types: DieType[] = [];
    for (const { term, tallies } of this.#hands) {
      const { reroll } = term.marks;
      if (reroll === undefined) continue;
      for (const tally of tallies) {
        if ((reroll.once && tally.rerolled) || tally.burst || !some(reroll.when, tally.face)) continue;
        next.push(tally);
        types.push(term.type);
      }
    }
    if (!this.#want(next, types)) return false;
    for (const tally of next) {
      tally.rerolled = true;
      tally.value -= tally.face;
      for (let at = tally.at; this.#owners[at] === tally; at += 1) {
        const die = this.#dice[at];
        if (die !== undefined) die.status = 'rerolled';
      }
    }
    return true;
  }

  /** Throws one more die for every face that asks for it: beside it, or added to it. */
  #burst(): void {
    const open: Tally[] = [];
    const next: Tally[] = [];
    const types: DieType[] = [];
    const further: { readonly hand: Hand<Tally>; readonly tally: Tally }[] = [];
    for (const hand of this.#hands) {
      const { explode } = hand.term.marks;
      if (explode === undefined) continue;
      for (const tally of hand.tallies) {
        if (tally.burst || !matches(explode.when, tally.face)) continue;
        types.push(hand.term.type);
        if (explode.how === 'compound') {
          next.push(tally);
          continue;
        }
        const more = tallyOf(tally.slot, explode.how === 'penetrate' ? -1 : 0);
        open.push(tally);
        next.push(more);
        further.push({ hand, tally: more });
      }
    }
    if (!this.#want(next, types)) return;
    for (const tally of open) tally.burst = true;
    for (const { hand, tally } of further) hand.tallies.push(tally);
  }

  /** The finished roll, without its account. */
  outcome(): Outcome {
    const { modifiers } = this.#asks;
    const dice = this.#dice;
    const sum = new FormulaSum(this.#hands).of(this.#formula);
    let total = sum;
    for (const { amount } of modifiers) total += amount;
    let kept = 0;
    let last = 0;
    for (let at = 0; at < dice.length; at += 1) {
      const die = dice[at];
      const tally = this.#owners[at];
      if (die === undefined || tally === undefined || die.status === 'rerolled') continue;
      if (tally.dropped) die.status = 'ignored';
      else if (!this.#isHalf(die, tally, true)) {
        kept += 1;
        last = at;
        if (tally.bonus !== 0) die.result = Number(die.natural) + tally.bonus;
      }
    }
    const die = dice[last];
    const tally = this.#owners[last];
    // The only die that counts, where the sum is its face, has a natural result and a result (706.2).
    if (kept !== 1 || die === undefined || tally?.face !== sum || this.#plan.counts) {
      return { dice, modifiers, total };
    }
    if (!this.#isHalf(die, tally)) die.result = total;
    return { dice, modifiers, natural: tally.face, result: total, total };
  }

  /** The finished roll with its account, as a table tells it. */
  told(): Outcome {
    return { ...this.outcome(), account: this.#account() };
  }

  #account(): Account {
    const casts = this.#dice.flatMap((die, at): Cast | readonly Cast[] => {
      const tally = this.#owners[at];
      if (tally === undefined || this.#isHalf(die, tally, true)) return [];
      const { sides, status } = die;
      const { slot, bonus } = tally;
      const ones = this.#isHalf(die, tally) ? this.#dice[at + 1]?.face : undefined;
      const natural =
        ones === undefined ? Number(die.natural) : percentile(Number(die.face), Number(ones), this.#asks.percentile);
      const result = status === 'kept' ? natural + bonus : natural;
      return { slot, sides: ones === undefined ? sides : 100, natural, result, status };
    });
    const of = (status: Cast['status']): number[] =>
      casts.flatMap((cast, index) => (cast.status === status ? [index] : []));
    const kept = of('kept').sort((one, other) => (casts[one]?.slot ?? 0) - (casts[other]?.slot ?? 0));
    const replaced = of('rerolled');
    return {
      casts,
      kept,
      naturals: kept.flatMap((index) => casts[index]?.natural ?? []),
      results: kept.map((index) => Number(casts[index]?.result ?? 0)),
      ignored: of('ignored'),
      replaced,
      tie: null,
      decisions: [],
      paid: [],
      offers: { reroll: 0, adjust: 0, exchange: 0 },
      order: replaced.length > 0 ? ['reroll'] : [],
      reading: {},
    };
  }
}
