import { type DieType, MAX_SIDES } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { parseCondition } from '../../rolls/condition.js';
import { type Instruction, MAX_DICE, type Use } from '../../rolls/instruction.js';
import { parseNotation } from '../../rolls/notation.js';
import { isSameRow, overlaps, parseRow } from '../../rolls/rows.js';
import { touches } from '../../rolls/sheet.js';
import { field } from '../awaited.js';
import type { Seat, Verdict } from '../game.js';
import { isList, isWhole, refused } from '../refusal.js';
import { type Card, findCard, searchCards } from './catalogue.js';
import { effectsFor } from './effects.js';
import type { MagicState, Order } from './state.js';
import { notationOf } from './wording.js';

/** Numbers that players tell lie between -MAX_NUMBER and MAX_NUMBER. */
export const MAX_NUMBER = 1000;

/** A name that players give may be this long, in characters. */
export const MAX_NAME = 80;

/** A table may have this many rows. */
export const MAX_ROWS = 30;

/** An order to roll, or the refusal of what was said. */
export type Ordered =
  | { readonly ok: true; readonly value: readonly Order[] }
  | { readonly ok: false; readonly error: Verdict<never> };
const no = (code: string, rule: string, reason: string, expected?: string): Ordered => ({
  ok: false,
  error: refused(code, rule, reason, expected),
});

const isRefusal = (value: number | Ordered): value is Ordered => typeof value !== 'number';

/** A number only the players know, told under its own name. */
function told(args: JsonObject, name: string, low: number, high: number): number | Ordered {
  const value = field(args, name);
  return isWhole(value, low, high)
    ? value
    : no('missing_number', '706.1', `the card needs the number "${name}"`, `${name}: ${low} to ${high}`);
}

const KNOWN = 'a card that rolls dice, or that changes or watches rolls';

/** The card named, or the refusal that says which names come near. */
export function cardOf(args: JsonObject): Card | Verdict<never> {
  const name = field(args, 'card');
  if (typeof name !== 'string' || name.length > MAX_NAME) {
    return refused('unknown_card', 'magic:card', 'a card is named by its name', 'card: a name');
  }
  const card = findCard(name);
  if (card !== undefined) return card;
  const near = searchCards(name).map((one) => one.name);
  return refused(
    'unknown_card',
    'magic:card',
    `no card "${name}" rolls dice here`,
    near.slice(0, 5).join('; ') || KNOWN,
  );
}

/** True if this is a card and not a refusal. */
export const isCard = (value: Card | Verdict<never>): value is Card => 'name' in value;

/** Rolls that a card asks for; a contest asks every player. */
export function orderOfCard(state: MagicState, seat: Seat, args: JsonObject): Ordered {
  const card = cardOf(args);
  if (!isCard(card)) return { ok: false, error: card };
  if (card.sides === undefined)
    return no('no_roll', 'magic:card', `${card.name} asks for no roll`, 'a card that rolls dice');
  const planar = card.sides === 'planar';
  const { count = 1 } = card;
  const asked = typeof count === 'number' ? count : told(args, count.asks, 0, MAX_DICE);
  if (isRefusal(asked)) return asked;
  const many = asked + (typeof count === 'number' ? 0 : (count.plus ?? 0));
  if (many > MAX_DICE)
    return no('too_many_dice', '706.1', 'the card asks for too many dice', `at most ${MAX_DICE} dice`);
  const amount = card.modifier === undefined ? 0 : told(args, card.modifier.asks, -MAX_NUMBER, MAX_NUMBER);
  if (isRefusal(amount)) return amount;
  const limit = card.condition === undefined ? 0 : told(args, card.condition, -MAX_NUMBER, MAX_NUMBER);
  if (isRefusal(limit)) return limit;
  const on = field(args, 'on') ?? card.name;
  if (card.stores === true && (typeof on !== 'string' || on === '' || on.length > MAX_NAME)) {
    return no('bad_name', '706.8a', 'a permanent has a name', `on: 1 to ${MAX_NAME} characters`);
  }
  const type: DieType = planar ? 'planar' : `d${Number(card.sides)}`;
  const modifiers = amount === 0 ? [] : [{ source: card.name, amount: amount * (card.modifier?.times ?? 1) }];
  const asks: Instruction = {
    dice: Array.from({ length: many }, () => type),
    modifiers,
    percentile: state.percentile,
    use: useOf(card, limit),
    ...(card.lowest === undefined ? {} : { lowest: card.lowest }),
  };
  const order = {
    name: card.name,
    card: card.name,
    asks,
    ...(planar ? { planar: { cost: null } } : {}),
    ...(card.stores === true ? { store: { on: String(on), entries: null } } : {}),
  };
  const { contest } = card;
  if (contest === undefined) return { ok: true, value: [{ ...order, seat }] };
  return {
    ok: true,
    value: state.seats.map((one) => ({ ...order, seat: one, contest: { which: contest, round: 1 } })),
  };
}

function useOf(card: Card, limit: number): Use {
  const use = card.use ?? { kind: 'none' };
  return use.kind === 'condition' ? { ...use, condition: use.condition.replace(/\bn\b/g, String(limit)) } : use;
}

/** A roll by notation, or in the words of a card (706.1a). */
export function orderOfNotation(state: MagicState, seat: Seat, args: JsonObject): Ordered {
  const text = field(args, 'notation');
  if (typeof text !== 'string') return no('bad_notation', '706.1', 'a roll needs a notation', '2d6+1');
  const parsed = parseNotation(notationOf(text), state.percentile);
  if (!parsed.ok) return no('bad_notation', '706.1', parsed.error.reason, '2d6+1');
  const asks = instructed(state, seat, parsed.value);
  return 'dice' in asks ? { ok: true, value: [{ seat, name: text, card: null, asks }] } : { ok: false, error: asks };
}

/**
 * A notation as an instruction of the rules. Marks are the notation's own; where cards in play change this roll, only
 * those that rule 706 knows too can be told to them: the lowest are ignored.
 */
function instructed(state: MagicState, seat: Seat, asks: Instruction): Instruction | Verdict<never> {
  const { formula, ...plain } = asks;
  if (formula === undefined) return { ...plain, use: { kind: 'none' } };
  const { effects } = effectsFor(state, seat);
  const touching = effects.filter((effect) => asks.dice.some((type) => touches(effect, type)));
  if (touching.length === 0) return asks;
  const [term, more] = formula;
  if (term?.kind === 'dice' && more === undefined && term.sign > 0) {
    const { keep, ...others } = term.marks;
    const lowest = keep?.which === 'kh' ? Math.max(0, term.count - keep.count) : keep?.count;
    const known = keep?.which === 'kh' || keep?.which === 'dl';
    if (known && lowest !== undefined && Object.keys(others).length === 0) {
      return { ...plain, use: { kind: 'none' }, lowest: Math.min(lowest, term.count) };
    }
  }
  const cards = [...new Set(touching.map(({ source }) => source))].slice(0, 5).join(', ');
  return refused(
    'marked_notation',
    '706.2',
    `${cards} would change this roll`,
    'no marks, or kh or dl behind the only dice',
  );
}

const WAYS = ['number', 'total', 'choose', 'difference', 'parity', 'distinct', 'doubles', 'ordered', 'none'] as const;

/** What a form says the results are for: by rows, by a condition, or in one of the ways; never by two of them. */
function formUse(args: JsonObject): Use | Ordered {
  const given = ['rows', 'condition', 'use'].filter((name) => field(args, name) !== undefined);
  if (given.length > 1) {
    return no('contradictory_uses', '706.4', `${given.join(' and ')} contradict each other`, 'rows, condition or use');
  }
  const [rows, again] = [field(args, 'rows'), field(args, 'again')];
  if (rows !== undefined) return tableOf(rows, again);
  if (again !== undefined) return no('bad_row', '706.3c', 'there is no row to roll again', 'rows, with again');
  const condition = field(args, 'condition');
  if (condition !== undefined) {
    if (typeof condition === 'string' && parseCondition(condition).ok) return { kind: 'condition', condition };
    return no('bad_condition', '706.4', 'a condition reads the result x', '<=3, x>20 or x==12');
  }
  const way = field(args, 'use') ?? 'number';
  const kind = WAYS.find((one) => one === way);
  return kind === undefined
    ? no('unknown_use', '706.4', 'results are used in one of these ways', WAYS.join(', '))
    : { kind };
}

/** A results table of a form (706.3a), and which of its rows says "roll again" (706.3c). */
function tableOf(rows: Json, again: Json | undefined): Use | Ordered {
  const labels = isList(rows) && rows.length <= MAX_ROWS ? rows.filter((row) => typeof row === 'string') : [];
  if (!isList(rows) || labels.length === 0 || labels.length < rows.length || labels.some((row) => !parseRow(row).ok)) {
    return no('bad_row', '706.3a', 'a row is a number, N1-N2 or N+', `rows: 1 to ${MAX_ROWS} of them`);
  }
  const [pair] = overlaps(labels);
  if (pair !== undefined) {
    return no('overlapping_rows', '706.3a', `rows ${pair[0]} and ${pair[1]} overlap`, 'each result in one row');
  }
  if (again === undefined) return { kind: 'table', rows: labels };
  const repeats = typeof again === 'string' ? labels.filter((row) => isSameRow(row, again)) : [];
  return repeats.length === 0
    ? no('bad_row', '706.3c', 'no such row can say "roll again"', `again: ${labels.join(', ')}`)
    : { kind: 'table', rows: labels, again: repeats };
}

const isUse = (value: Use | Ordered): value is Use => 'kind' in value;

/** A roll by form: count, sides, modifier, what is ignored, and what the result is for. */
export function orderOfForm(state: MagicState, seat: Seat, args: JsonObject): Ordered {
  const [count, sides] = [field(args, 'count') ?? 1, field(args, 'sides')];
  const [modifier, lowest] = [field(args, 'modifier') ?? 0, field(args, 'lowest') ?? 0];
  if (!isWhole(count, 0, MAX_DICE)) return no('bad_count', '706.1', 'how many dice?', `count: 0 to ${MAX_DICE}`);
  if (!isWhole(sides, 2, MAX_SIDES)) return no('no_such_die', '706.1a', 'how many sides?', `sides: 2 to ${MAX_SIDES}`);
  if (!isWhole(modifier, -MAX_NUMBER, MAX_NUMBER)) {
    return no('bad_number', '706.2', 'a modifier is a whole number', `modifier: -${MAX_NUMBER} to ${MAX_NUMBER}`);
  }
  if (!isWhole(lowest, 0, count)) {
    return no('bad_count', '706.6', 'no more dice are ignored than are rolled', `lowest: 0 to ${count}`);
  }
  const use = formUse(args);
  if (!isUse(use)) return use;
  const asks: Instruction = {
    dice: Array.from({ length: count }, (): DieType => `d${sides}`),
    modifiers: modifier === 0 ? [] : [{ source: 'printed', amount: modifier }],
    percentile: state.percentile,
    use,
    ...(lowest === 0 ? {} : { lowest }),
  };
  return { ok: true, value: [{ seat, name: `${count}d${sides}`, card: null, asks }] };
}
