import { type DieType, MAX_SIDES, type PercentileReading, parseDieType } from '../dice/die.js';
import { err, ok, type Result } from '../dice/result.js';
import { type Instruction, MAX_DICE, type Modifier } from './resolution.js';

/** A notation may be this long, in characters. */
export const MAX_NOTATION = 200;

/** A constant in a notation may be this large. */
export const MAX_CONSTANT = 10_000;

/** Why a notation is not understood: `at` is the position of the first character in question, from 1. */
export interface NotationFault {
  readonly code: 'too_long' | 'empty' | 'syntax' | 'too_many_dice' | 'no_such_die' | 'too_large' | 'no_dice';
  readonly at: number;
  readonly reason: string;
}

const UNDERSTOOD = 'understood: 2d6, d20, d%, d100, d00, with + for more dice and + or - for numbers';

interface Term {
  readonly at: number;
  readonly sign: 1 | -1;
  readonly text: string;
}

/** Cuts a notation into signed terms; an error points at the sign that has no term. */
function terms(text: string): Result<readonly Term[], NotationFault> {
  const found: Term[] = [];
  const cut = /\s*([+\-−]?)\s*([^+\-−\s]*)\s*/y;
  while (cut.lastIndex < text.length) {
    const start = cut.lastIndex;
    const [whole, sign, word] = cut.exec(text) ?? [];
    const at = start + (whole?.indexOf(word ?? '') ?? 0) + 1;
    if (whole === undefined || word === undefined || word === '')
      return err(fault('syntax', start + 1, 'a term is missing'));
    if (found.length > 0 && sign === '') return err(fault('syntax', at, `"${word}" follows without + or -`));
    found.push({ at, sign: sign === '' || sign === '+' ? 1 : -1, text: word });
  }
  return ok(found);
}

const fault = (code: NotationFault['code'], at: number, what: string): NotationFault => ({
  code,
  at,
  reason: `position ${at}: ${what}; ${UNDERSTOOD}`,
});

function diceOf(term: Term, count: string, kind: string): Result<readonly DieType[], NotationFault> {
  if (term.sign < 0) return err(fault('syntax', term.at, `"${term.text}" cannot be subtracted, only numbers can`));
  const number = count === '' ? 1 : Number(count);
  if (number < 1) return err(fault('no_dice', term.at, 'no dice means no roll'));
  if (number > MAX_DICE) return err(fault('too_many_dice', term.at, `at most ${MAX_DICE} dice`));
  const type = parseDieType(kind);
  if (!type.ok) return err(fault('no_such_die', term.at + count.length, `dice have 2 to ${MAX_SIDES} sides`));
  return ok(Array.from({ length: number }, () => type.value));
}

/**
 * Reads a plain dice notation: groups (`2d6`, `d20`, `d%`, `d100`, `d00`) and numbers, joined by + and -.
 * Rerolls, keeps and other marks (`kh`, `dl`, `r`, `!`) are refused by their position.
 * @param percentile how a d00 + d10 pair will be read, fixed before the throw
 */
export function parseNotation(text: string, percentile: PercentileReading): Result<Instruction, NotationFault> {
  if (text.length > MAX_NOTATION) {
    return err(fault('too_long', MAX_NOTATION + 1, `longer than ${MAX_NOTATION} characters`));
  }
  if (text.trim() === '') return err(fault('empty', 1, 'nothing is asked'));
  const parts = terms(text);
  if (!parts.ok) return parts;
  const dice: DieType[] = [];
  const modifiers: Modifier[] = [];
  for (const term of parts.value) {
    const [whole, count, kind, number] = /^(\d{0,6})(d(?:%|\d{1,6}))|^(\d{1,9})/i.exec(term.text) ?? [];
    const rest = term.at + (whole?.length ?? 0);
    if (whole === undefined || whole.length < term.text.length) {
      return err(fault('syntax', rest, `"${term.text.slice(whole?.length ?? 0).slice(0, 20)}" is not understood`));
    }
    if (kind === undefined) {
      const amount = Number(number) * term.sign;
      if (Math.abs(amount) > MAX_CONSTANT) return err(fault('too_large', term.at, `numbers up to ${MAX_CONSTANT}`));
      modifiers.push({ source: 'notation', amount });
      continue;
    }
    const group = diceOf(term, count ?? '', kind);
    if (!group.ok) return group;
    dice.push(...group.value);
    if (dice.length > MAX_DICE) return err(fault('too_many_dice', term.at, `at most ${MAX_DICE} dice`));
  }
  return dice.length === 0 ? err(fault('no_dice', 1, 'no die is asked for')) : ok({ dice, modifiers, percentile });
}
