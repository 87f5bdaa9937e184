import { type DieType, sidesOf } from '../dice/die.js';
import { type Course, thrown } from './course.js';
import type { Comparison, Formula, Marks, Term } from './formula.js';
import { type Instruction, MAX_THROWS } from './instruction.js';
import { type Account, type Cast, type Outcome, rolledDice } from './outcome.js';
import { type Mark, Sheet } from './sheet.js';

type DiceTerm = Extract<Term, { kind: 'dice' }>;

/** One die of a notation with all that was thrown for it: its own cast, and those added to it. */
interface Tally {
  readonly casts: Mark[];
  readonly slot: number;
  /** How many throws led here; a penetrating one counts 1 less each. */
  readonly bonus: number;
  rerolled: boolean;
  burst: boolean;
  dropped: boolean;
}

/** The dice of one term, as they grow. */
interface Hand {
  readonly term: DiceTerm;
  readonly tallies: Tally[];
}

/** True if a face matches a comparison; the number itself always counts. */
const matches = ({ sign, value }: Comparison, face: number): boolean =>
  sign === '=' ? face === value : sign === '>' ? face >= value : face <= value;

const some = (when: readonly Comparison[], face: number): boolean => when.some((one) => matches(one, face));

const faceOf = (tally: Tally): number => Number(tally.casts.at(-1)?.natural ?? 0);

const worthOf = (tally: Tally): number =>
  tally.casts.reduce((sum, cast) => sum + (cast.status === 'rerolled' ? 0 : Number(cast.natural)), tally.bonus);

function diceTerms(formula: Formula): readonly DiceTerm[] {
  return formula.flatMap((term) => {
    if (term.kind === 'dice') return [term];
    return term.kind === 'group' ? term.parts.flatMap(diceTerms) : [];
  });
}

/** The course of a notation with marks: throw, re-rolls, extra dice, then what is kept and what is counted. */
export function* formulaCourse(asks: Instruction, formula: Formula): Course {
  const sheet = new Sheet(asks);
  const places = yield* thrown(asks.dice);
  const hands = diceTerms(formula).map((term): Hand => {
    const own = places.slice(term.from, term.from + term.count);
    return { term, tallies: own.map((place, at) => tally(sheet.lay(term.from + at, place), 0)) };
  });
  while ((yield* rethrow(sheet, hands)) || (yield* burst(sheet, hands)));
  const rolled = new Rolled(hands);
  return tell(asks, sheet, hands, rolled.sum(formula), formula);
}

const tally = (cast: Mark, bonus: number): Tally => ({
  casts: [cast],
  slot: cast.slot,
  bonus,
  rerolled: false,
  burst: false,
  dropped: false,
});

/** Throws again every die whose face asks for it; true if any did. */
function* rethrow(sheet: Sheet, hands: readonly Hand[]): Course<boolean> {
  const again = hands.flatMap(({ term, tallies }) => {
    const { reroll } = term.marks;
    if (reroll === undefined) return [];
    return tallies.filter((one) => !(reroll.once && one.rerolled) && !one.burst && some(reroll.when, faceOf(one)));
  });
  if (again.length === 0 || sheet.marks.length + again.length > MAX_THROWS) return false;
  const casts = yield* sheet.rethrow(again.map((one) => one.casts.at(-1)).filter((cast) => cast !== undefined));
  for (const [at, one] of again.entries()) {
    const cast = casts[at];
    if (cast !== undefined) one.casts.push(cast);
    one.rerolled = true;
  }
  return true;
}

/** Throws one more die for every face that asks for it; true if any did. */
function* burst(sheet: Sheet, hands: readonly Hand[]): Course<boolean> {
  const open = hands.flatMap((hand) => {
    const { explode } = hand.term.marks;
    if (explode === undefined) return [];
    return hand.tallies
      .filter((one) => !one.burst && matches(explode.when, faceOf(one)))
      .map((one) => ({ hand, one, how: explode.how }));
  });
  if (open.length === 0 || sheet.marks.length + open.length > MAX_THROWS) return false;
  const places = yield* thrown(open.map(({ hand }): DieType => hand.term.type));
  for (const [at, { hand, one, how }] of open.entries()) {
    const place = places[at];
    if (place === undefined) continue;
    const cast = sheet.lay(one.slot, place);
    if (how === 'compound') {
      one.casts.push(cast);
      continue;
    }
    one.burst = true;
    hand.tallies.push(tally(cast, how === 'penetrate' ? -1 : 0));
  }
  return true;
}

/** What can be kept or dropped, with its dice. */
interface Lot {
  readonly value: number;
  readonly tallies: readonly Tally[];
}

/** Sums a formula over the dice that lie, dropping what its marks drop. */
class Rolled {
  readonly #hands: readonly Hand[];

  constructor(hands: readonly Hand[]) {
    this.#hands = hands;
  }

  sum(formula: Formula): number {
    return formula.reduce((sum, term) => sum + term.sign * this.#value(term), 0);
  }

  #value(term: Term): number {
    if (term.kind === 'number') return term.value;
    if (term.kind === 'dice') {
      const hand = this.#hands.find((one) => one.term === term);
      const lots = (hand?.tallies ?? []).map((one): Lot => ({ value: worthOf(one), tallies: [one] }));
      return settled(lots, term.marks);
    }
    const [only] = term.parts;
    const alone = term.parts.length === 1 && only !== undefined && only.every((part) => part.kind === 'dice');
    return settled(alone ? this.#each(only) : term.parts.map((part) => this.#lot(part)), term.marks);
  }

  /** A part of a group by its total. */
  #lot(part: Formula): Lot {
    const value = this.sum(part);
    const own = diceTerms(part);
    return { value, tallies: this.#hands.filter((hand) => own.includes(hand.term)).flatMap((hand) => hand.tallies) };
  }

  /** A group of one part keeps and counts among all of its dice. */
  #each(part: Formula): readonly Lot[] {
    this.sum(part);
    return part.flatMap((term) => {
      const hand = this.#hands.find((one) => one.term === term);
      return (hand?.tallies ?? [])
        .filter((one) => !one.dropped)
        .map((one): Lot => ({ value: term.sign * worthOf(one), tallies: [one] }));
    });
  }
}

/** Drops what is to be dropped; then the sum of the rest, or the number of successes less the failures. */
function settled(lots: readonly Lot[], { keep, success }: Marks): number {
  const left = keep === undefined ? lots : kept(lots, keep);
  for (const lot of lots) if (!left.includes(lot)) for (const one of lot.tallies) one.dropped = true;
  if (success === undefined) return left.reduce((sum, lot) => sum + lot.value, 0);
  return left.reduce(
    (sum, { value }) => sum + (some(success.when, value) ? 1 : 0) - (some(success.failure, value) ? 1 : 0),
    0,
  );
}

/** Equal values are told apart by their place alone: the first of them goes first. */
function kept(lots: readonly Lot[], { which, count }: NonNullable<Marks['keep']>): readonly Lot[] {
  const rising = [...lots].sort((one, other) => one.value - other.value);
  const many = Math.min(count, lots.length);
  if (which === 'kh') return rising.slice(lots.length - many);
  if (which === 'dl') return rising.slice(many);
  return which === 'kl' ? rising.slice(0, many) : rising.slice(0, lots.length - many);
}

function tell(asks: Instruction, sheet: Sheet, hands: readonly Hand[], sum: number, formula: Formula): Outcome {
  const tallies = hands.flatMap((hand) => hand.tallies);
  for (const { dropped, casts } of tallies) {
    for (const cast of casts) if (dropped && cast.status === 'kept') cast.status = 'ignored';
  }
  for (const one of tallies) if (one.casts[0] !== undefined && one.bonus !== 0) one.casts[0].added = one.bonus;
  const printed = asks.modifiers.reduce((total, modifier) => total + modifier.amount, 0);
  const casts = sheet.marks.map((mark): Cast => {
    const result = mark.status === 'kept' ? Number(mark.natural) + mark.added : mark.natural;
    return { slot: mark.slot, sides: sidesOf(mark.place.type), natural: mark.natural, result, status: mark.status };
  });
  const kept = sheet.marks.filter((mark) => mark.status === 'kept').sort((one, other) => one.slot - other.slot);
  const counts = [...formula].some((term) => term.kind !== 'number' && term.marks.success !== undefined);
  const [first] = kept;
  const lone = kept.length === 1 && first !== undefined && !counts && sum === Number(first.natural) ? first : undefined;
  const total = sum + printed;
  return {
    dice: sheet.marks.flatMap((mark, at) => {
      const cast = casts[at];
      if (cast === undefined) return [];
      return rolledDice(mark.place, mark === lone ? { ...cast, result: total } : cast);
    }),
    modifiers: asks.modifiers,
    ...(lone === undefined ? {} : { natural: Number(lone.natural), result: total }),
    total,
    account: accountOf(casts, kept, sheet),
  };
}

function accountOf(casts: readonly Cast[], kept: readonly Mark[], sheet: Sheet): Account {
  const indices = (status: Cast['status']): number[] =>
    casts.flatMap((cast, index) => (cast.status === status ? [index] : []));
  return {
    casts,
    kept: kept.map((mark) => mark.index),
    naturals: kept.map((mark) => mark.natural),
    results: kept.map((mark) => Number(mark.natural) + mark.added),
    ignored: indices('ignored'),
    replaced: indices('rerolled'),
    tie: null,
    decisions: [],
    paid: [],
    offers: sheet.offers,
    order: indices('rerolled').length > 0 ? ['reroll'] : [],
    reading: {},
  };
}
