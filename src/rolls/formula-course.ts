import { type DieType, sidesOf } from '../dice/die.js';
import { type Course, thrown } from './course.js';
import type { Comparison, Formula, Marks, Term } from './formula.js';
import { type Instruction, MAX_THROWS } from './instruction.js';
import { type Account, type Cast, type Outcome, type RolledDie, rolledDice } from './outcome.js';
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

function diceTerms(formula: Formula, found: DiceTerm[] = []): readonly DiceTerm[] {
  for (const term of formula) {
    if (term.kind === 'dice') found.push(term);
    else if (term.kind === 'group') for (const part of term.parts) diceTerms(part, found);
  }
  return found;
}

/** The course of a notation with marks: throw, re-rolls, extra dice, then what is kept and what is counted. */
export function* formulaCourse(asks: Instruction, formula: Formula): Course {
  const sheet = new Sheet(asks);
  const places = yield* thrown(asks.dice);
  const hands: Hand[] = [];
  let grows = false;
  for (const term of diceTerms(formula)) {
    const tallies: Tally[] = [];
    for (let at = term.from; at < term.from + term.count; at += 1) {
      const place = places[at];
      if (place !== undefined) tallies.push(tally(sheet.lay(at, place), 0));
    }
    hands.push({ term, tallies });
    grows ||= term.marks.reroll !== undefined || term.marks.explode !== undefined;
  }
  while (grows) grows = (yield* rethrow(sheet, hands)) || (yield* burst(sheet, hands));
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
  for (const { tallies } of hands) {
    for (const { dropped, casts, bonus } of tallies) {
      if (dropped) for (const cast of casts) if (cast.status === 'kept') cast.status = 'ignored';
      const [first] = casts;
      if (first !== undefined && bonus !== 0) first.added = bonus;
    }
  }
  let total = sum;
  for (const { amount } of asks.modifiers) total += amount;
  const { marks } = sheet;
  const kept = marks.filter((mark) => mark.status === 'kept');
  if (marks.length > asks.dice.length) kept.sort((one, other) => one.slot - other.slot);
  const [first] = kept;
  const lone = kept.length === 1 && sum === Number(first?.natural) && !formula.some(counts) ? first : undefined;
  const casts: Cast[] = [];
  const dice: RolledDie[] = [];
  for (const mark of marks) {
    const result = mark.status === 'kept' ? Number(mark.natural) + mark.added : mark.natural;
    const { slot, place, natural, status } = mark;
    const cast = { slot, sides: sidesOf(place.type), natural, result, status };
    casts.push(cast);
    rolledDice(place, mark === lone ? { ...cast, result: total } : cast, dice);
  }
  const account = accountOf(casts, kept, sheet);
  if (lone === undefined) return { dice, modifiers: asks.modifiers, total, account };
  return { dice, modifiers: asks.modifiers, natural: Number(lone.natural), result: total, total, account };
}

const counts = (term: Term): boolean => term.kind !== 'number' && term.marks.success !== undefined;

function accountOf(casts: readonly Cast[], kept: readonly Mark[], sheet: Sheet): Account {
  const ignored: number[] = [];
  const replaced: number[] = [];
  for (const [index, { status }] of casts.entries()) {
    if (status === 'ignored') ignored.push(index);
    else if (status === 'rerolled') replaced.push(index);
  }
  return {
    casts,
    kept: kept.map((mark) => mark.index),
    naturals: kept.map((mark) => mark.natural),
    results: kept.map((mark) => Number(mark.natural) + mark.added),
    ignored,
    replaced,
    tie: null,
    decisions: [],
    paid: [],
    offers: sheet.offers,
    order: replaced.length > 0 ? ['reroll'] : [],
    reading: {},
  };
}
