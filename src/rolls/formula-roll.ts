import { type DieType, type Face, naturalOf, percentile, sidesOf } from '../dice/die.js';
import type { Formula } from './formula.js';
import { type DiceTerm, FormulaSum, type Hand, type Lot, matches, some } from './formula-sum.js';
import { type Instruction, type Landed, MAX_THROWS } from './instruction.js';
import { type Account, type Cast, type Outcome, type RolledDie, rolledDie } from './outcome.js';
import { naturalIn, type Place, partIn } from './places.js';

/** A die of the outcome while its roll goes on. */
type Draft = { -readonly [key in keyof RolledDie]: RolledDie[key] };

/** One die of a notation as it grows: the face that lies, and the sum of all that counts for it. */
interface Tally extends Lot {
  value: number;
  face: number;
  readonly slot: number;
  /** A penetrating die counts 1 less than its face. */
  readonly bonus: number;
  /** The die that lies for it; of a percentile pair its tens. */
  die: Draft | undefined;
  /** What else was thrown for it: the ones of a pair, what was thrown again, what was added to it. */
  more: Draft[] | undefined;
  rerolled: boolean;
  burst: boolean;
}

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
const NOBODY: readonly Tally[] = [];

const tallyOf = (slot: number, bonus: number): Tally => ({
  slot,
  bonus,
  value: bonus,
  face: 0,
  dropped: false,
  die: undefined,
  more: undefined,
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
  /** The dice the next wave is for. */
  #next: readonly Tally[] = NOBODY;

  constructor(asks: Instruction, formula: Formula) {
    this.#asks = asks;
    this.#formula = formula;
    this.wants = asks.dice;
    this.#plan = planOf(formula);
    for (const term of this.#plan.terms) {
      const tallies: Tally[] = [];
      for (let at = 0; at < term.count; at += 1) tallies.push(tallyOf(term.from + at, 0));
      this.#hands.push({ term, tallies });
      this.#next = this.#next.length === 0 ? tallies : [...this.#next, ...tallies];
    }
  }

  /** Lays the dice that were wanted, in their order, and works out what is thrown next. */
  fill(places: readonly Place[]): void {
    for (const [at, tally] of this.#next.entries()) {
      const place = places[at];
      if (place === undefined) continue;
      this.#note(tally, Number(naturalIn(place, this.#asks.percentile)));
      for (const die of place.dice) this.#lay(tally, die, partIn(place, die, this.#asks.percentile), sidesOf(die.type));
    }
    this.#goOn();
  }

  /** The same with a whole die for each place. */
  throw(supply: (type: DieType) => Landed): void {
    let at = 0;
    let [kind, sides] = ['', 0];
    for (const type of this.wants) {
      const tally = this.#next[at];
      if (tally === undefined) break;
      if (type !== kind) [kind, sides] = [type, sidesOf(type)];
      const die = supply(type);
      const natural = naturalOf(type, die.face);
      this.#note(tally, Number(natural));
      this.#lay(tally, die, natural, sides);
      at += 1;
    }
    this.#goOn();
  }

  #note(tally: Tally, face: number): void {
    tally.face = face;
    tally.value += face;
    if (tally.die === undefined) return;
    tally.more = [...(tally.more ?? []), tally.die];
    tally.die = undefined;
  }

  #lay(tally: Tally, die: Landed, natural: Face, sides: number): void {
    const draft = rolledDie(die, sides, natural, natural, 'kept');
    this.#dice.push(draft);
    if (tally.die === undefined) tally.die = draft;
    else tally.more = [...(tally.more ?? []), draft];
  }

  #goOn(): void {
    this.wants = NOTHING;
    this.#next = NOBODY;
    if (this.#plan.grows && !this.#rethrow()) this.#burst();
  }

  /** True for the halves of a percentile pair, which stand for themselves; `second`: for its ones alone. */
  #isHalf({ type }: Draft, { slot }: Tally, second = false): boolean {
    return (type === 'd10' || (!second && type === 'd00')) && this.#asks.dice[slot] === 'd100';
  }

  /** Wants these dice next, unless that were more throws than a roll may have. */
  #want(next: readonly Tally[], types: readonly DieType[]): boolean {
    if (next.length === 0 || this.#dice.length + next.length > MAX_THROWS) return false;
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
      const { die, more } = tally;
      if (die === undefined) continue;
      die.status = 'rerolled';
      const ones = this.#isHalf(die, tally) ? more?.at(-1) : undefined;
      if (ones !== undefined) ones.status = 'rerolled';
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
    const lone = this.#settle();
    // The only die that counts, where the sum is its face, has a natural result and a result (706.2).
    if (lone?.die === undefined || lone.face !== sum || this.#plan.counts) return { dice, modifiers, total };
    if (!this.#isHalf(lone.die, lone)) lone.die.result = total;
    return { dice, modifiers, natural: lone.face, result: total, total };
  }

  /** Marks what is ignored and adds what a penetrating die counts less; the only die that counts, if one alone does. */
  #settle(): Tally | undefined {
    let [kept, last]: [number, Tally | undefined] = [0, undefined];
    for (const { tallies } of this.#hands) {
      for (const tally of tallies) {
        const { die, more, bonus, dropped } = tally;
        if (die === undefined) continue;
        if (dropped) die.status = 'ignored';
        else {
          kept += 1;
          last = tally;
          if (bonus !== 0 && !this.#isHalf(die, tally)) die.result = Number(die.natural) + bonus;
        }
        if (more === undefined) continue;
        for (const one of more) {
          if (one.status === 'rerolled') continue;
          if (dropped) one.status = 'ignored';
          else if (!this.#isHalf(one, tally, true)) kept += 1;
        }
      }
    }
    return kept === 1 ? last : undefined;
  }

  /** The finished roll with its account, as a table tells it. */
  told(): Outcome {
    return { ...this.outcome(), account: this.#account() };
  }

  /** Whose each die is. */
  #owners(): ReadonlyMap<Draft, Tally> {
    const all = this.#hands.flatMap(({ tallies }) => tallies);
    return new Map(
      all.flatMap((tally) =>
        [tally.die, ...(tally.more ?? [])].flatMap((die): [Draft, Tally][] =>
          die === undefined ? [] : [[die, tally]],
        ),
      ),
    );
  }

  #account(): Account {
    const owners = this.#owners();
    const casts = this.#dice.flatMap((die, at): Cast | readonly Cast[] => {
      const tally = owners.get(die);
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
