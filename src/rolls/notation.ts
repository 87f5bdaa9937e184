import { type DieType, MAX_SIDES, type PercentileReading, parseDieType } from '../dice/die.js';
import { err, ok, type Result } from '../dice/result.js';
import type { Formula, Marks, Term } from './formula.js';
import { type Instruction, MAX_DICE, type Modifier } from './instruction.js';
import { readMarks } from './notation-marks.js';
import { fault, type NotationFault, Scan } from './notation-scan.js';

export type { NotationFault } from './notation-scan.js';

/** A notation may be this long, in characters. */
export const MAX_NOTATION = 200;

/** A constant in a notation may be this large. */
export const MAX_CONSTANT = 10_000;

/** Braces may be nested this deep. */
export const MAX_DEPTH = 4;

const SIGN = /[+\-−]/y;
const DICE = /(\d{0,6})d(%|f|\d{1,6})/iy;
const NUMBER = /\d{1,9}/y;

const isPlain = (marks: Marks): boolean => Object.keys(marks).length === 0;

/** A reader of one notation; it gathers the dice in their order. */
class Reader {
  readonly scan: Scan;
  readonly dice: DieType[] = [];

  constructor(text: string) {
    this.scan = new Scan(text);
  }

  /** A sum of terms up to the end, a comma or a closing brace. */
  sum(depth: number): Result<Formula, NotationFault> {
    const terms: Term[] = [];
    for (;;) {
      this.scan.skip();
      if (terms.length > 0 && (this.scan.over || /^[,}]/.test(this.scan.ahead))) return ok(terms);
      const at = this.scan.at + 1;
      const sign = this.scan.match(SIGN)?.[0];
      this.scan.skip();
      if (terms.length > 0 && sign === undefined) return err(this.#strange());
      if (this.scan.over || (sign !== undefined && /^[+\-−,}]/.test(this.scan.ahead))) {
        return err(fault('syntax', at, 'a term is missing'));
      }
      const term = this.#term(sign === undefined || sign === '+' ? 1 : -1, depth);
      if (!term.ok) return term;
      terms.push(term.value);
    }
  }

  #strange(): NotationFault {
    return fault('syntax', this.scan.at + 1, `"${this.scan.ahead}" is not understood`);
  }

  #term(sign: 1 | -1, depth: number): Result<Term, NotationFault> {
    const at = this.scan.at + 1;
    const [dice, count, kind] = this.scan.match(DICE) ?? [];
    if (dice !== undefined) return this.#dice(sign, at, count ?? '', kind ?? '');
    const number = this.scan.match(NUMBER)?.[0];
    if (number !== undefined) {
      const value = Number(number);
      if (value > MAX_CONSTANT) return err(fault('too_large', at, `numbers up to ${MAX_CONSTANT}`));
      return ok({ sign, kind: 'number', value });
    }
    return this.scan.match(/\{/y) === undefined ? err(this.#strange()) : this.#group(sign, at, depth + 1);
  }

  #dice(sign: 1 | -1, at: number, count: string, kind: string): Result<Term, NotationFault> {
    const number = count === '' ? 1 : Number(count);
    if (number < 1) return err(fault('no_dice', at, 'no dice means no roll'));
    if (number > MAX_DICE || this.dice.length + number > MAX_DICE) {
      return err(fault('too_many_dice', at, `at most ${MAX_DICE} dice`));
    }
    const type = parseDieType(/^f$/i.test(kind) ? 'fudge' : `d${kind}`);
    if (!type.ok) return err(fault('no_such_die', at + count.length, `dice have 2 to ${MAX_SIDES} sides`));
    const from = this.dice.length;
    for (let die = 0; die < number; die += 1) this.dice.push(type.value);
    const marks = readMarks(this.scan, type.value);
    return marks.ok ? ok({ sign, kind: 'dice', from, count: number, type: type.value, marks: marks.value }) : marks;
  }

  #group(sign: 1 | -1, at: number, depth: number): Result<Term, NotationFault> {
    if (depth > MAX_DEPTH) return err(fault('too_deep', at, `braces at most ${MAX_DEPTH} deep`));
    const parts: Formula[] = [];
    do {
      const part = this.sum(depth);
      if (!part.ok) return part;
      parts.push(part.value);
    } while (this.scan.match(/,/y) !== undefined);
    if (this.scan.match(/\}/y) === undefined) return err(fault('syntax', at, 'this brace is not closed'));
    const marks = readMarks(this.scan, null);
    return marks.ok ? ok({ sign, kind: 'group', parts, marks: marks.value }) : marks;
  }
}

/** Notations that were read lately: a table asks for the same few again and again. Never more than this many. */
const MAX_KEPT = 500;
type Kept = Map<string, Result<Instruction, NotationFault>>;
const KEPT: { readonly [reading in PercentileReading]: Kept } = { zero: new Map(), ten: new Map() };

/**
 * Reads a dice notation: dice (`2d6`, `d20`, `d%`, `d100`, `d00`, `dF`) and numbers, joined by + and -; behind dice what
 * is kept or dropped (`kh kl dh dl`), thrown once more (`! !! !p`), thrown again (`r ro`), counted (`> < = f`); groups in
 * braces; comments. `>5` counts the 5 too, as the notation's home (Roll20) has it.
 * @param percentile how a d00 + d10 pair will be read, fixed before the throw
 */
export function parseNotation(text: string, percentile: PercentileReading): Result<Instruction, NotationFault> {
  const kept = KEPT[percentile];
  const known = kept.get(text);
  if (known !== undefined) return known;
  const read = readNotation(text, percentile);
  if (text.length <= MAX_NOTATION) {
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(text, read);
  }
  return read;
}

function readNotation(text: string, percentile: PercentileReading): Result<Instruction, NotationFault> {
  if (text.length > MAX_NOTATION) {
    return err(fault('too_long', MAX_NOTATION + 1, `longer than ${MAX_NOTATION} characters`));
  }
  if (text.trim() === '') return err(fault('empty', 1, 'nothing is asked'));
  const reader = new Reader(text);
  const sum = reader.sum(0);
  if (!sum.ok) return sum;
  if (!reader.scan.over) {
    return err(fault('syntax', reader.scan.at + 1, `"${reader.scan.ahead}" is not understood`));
  }
  const { dice } = reader;
  if (dice.length === 0) return err(fault('no_dice', 1, 'no die is asked for'));
  const modifiers = sum.value.flatMap((term): Modifier[] =>
    term.kind === 'number' ? [{ source: 'notation', amount: term.sign * term.value }] : [],
  );
  const formula = sum.value.filter((term) => term.kind !== 'number');
  const plain = formula.every((term) => term.kind === 'dice' && term.sign > 0 && isPlain(term.marks));
  return ok({ dice, modifiers, percentile, ...(plain ? {} : { formula }) });
}
