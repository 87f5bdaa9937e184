import type { Json, JsonObject } from '../../dice/json.js';
import { field } from '../awaited.js';
import type { Seat, SeatSetup, Verdict } from '../game.js';
import { isList, isObject, isWhole, refused, unknownOption } from '../refusal.js';
import { seatsFault } from '../seating.js';
import { DICE } from './speed.js';
import type { DadoteckEvent, Pawns, Threshold } from './state.js';

/** S1: the board has this many squares, and as many players at most. */
export const SQUARES = 20;

/** The book's sample board, row by row. */
const SAMPLE: readonly (readonly number[])[] = [
  [1, 19, 3, 8],
  [14, 4, 10, 17],
  [7, 20, 5, 9],
  [16, 2, 12, 18],
  [13, 11, 6, 15],
];

const ROW = 4;

type Refusal = Verdict<never>;
type Checked<T> = { readonly value: T } | { readonly refusal: Refusal };

const bad = (rule: string, reason: string, expected: string): { readonly refusal: Refusal } => ({
  refusal: refused('bad_option', rule, reason, expected),
});

/** A board as rows of squares, or as 20 numbers that are laid in rows of four; each number once. */
function checkLayout(option: Json | undefined): Checked<readonly (readonly number[])[]> {
  const fault = bad('dadoteck:S1', 'layout is no board', `the numbers 1 to ${SQUARES}, each once`);
  if (option === undefined) return { value: SAMPLE };
  if (!isList(option) || option.length > SQUARES) return fault;
  const rows = option.every(isList)
    ? option
    : Array.from({ length: 5 }, (_, row) => option.slice(row * ROW, (row + 1) * ROW));
  const squares = option.flat();
  const numbers = squares.filter((square) => isWhole(square, 1, SQUARES));
  if (squares.length !== SQUARES || new Set(numbers).size !== SQUARES) return fault;
  return { value: rows.map((row) => row.filter((square) => isWhole(square, 1, SQUARES))) };
}

function checkMovement(option: Json | undefined): Checked<readonly Threshold[]> {
  const fault = bad('dadoteck:V2', 'movement is no list of thresholds', '[{"below": 6, "sides": 12}], d20 to d6');
  if (option === undefined) return { value: [] };
  if (!isList(option) || option.length > SQUARES) return fault;
  const thresholds: Threshold[] = [];
  for (const entry of option) {
    if (!isObject(entry) || Object.keys(entry).some((name) => name !== 'below' && name !== 'sides')) return fault;
    const [below, sides] = [field(entry, 'below'), field(entry, 'sides')];
    if (!isWhole(below, 2, SQUARES + 1) || !isWhole(sides, 6, SQUARES)) return fault;
    if (!DICE.some((die) => die === sides)) return fault;
    thresholds.push({ below, sides });
  }
  return { value: thresholds };
}

type Start = { readonly pawns: Pawns; readonly order: readonly Seat[] } | null;

/** A position to begin from: who has no pawn is out already; the order names everyone who has one. */
function checkStart(option: Json | undefined, seats: readonly Seat[]): Checked<Start> {
  const fault = (reason: string) =>
    bad('dadoteck:S1', reason, 'start {pawns: {seat: square}, order: [seats]}, one square each');
  if (option === undefined || option === null) return { value: null };
  const pawns = isObject(option) ? field(option, 'pawns') : undefined;
  const order = isObject(option) ? field(option, 'order') : undefined;
  if (!isObject(pawns) || !isList(order)) return fault('start lacks pawns or order');
  const squares: [Seat, number][] = [];
  for (const [seat, square] of Object.entries(pawns)) {
    if (!seats.includes(seat)) return fault(`start.pawns: nobody sits at ${seat.slice(0, 40)}`);
    if (!isWhole(square, 1, SQUARES)) return fault(`start.pawns.${seat} is no square`);
    if (squares.some(([, taken]) => taken === square)) return fault(`start.pawns: two pawns on ${square}`);
    squares.push([seat, square]);
  }
  const placed = squares.map(([seat]) => seat);
  const named = order.filter((seat) => typeof seat === 'string');
  const strict = named.length === order.length && new Set(named).size === named.length;
  if (placed.length === 0) return fault('start.pawns is empty');
  if (!strict || named.length !== placed.length || !placed.every((seat) => named.includes(seat))) {
    return fault('start.order must name every seat with a pawn once');
  }
  return { value: { pawns: Object.fromEntries(squares), order: named } };
}

/** Opens a game (S1, V1, V2, contracts I), or refuses its options naming the faulty one. */
export function openGame(options: JsonObject, seats: readonly SeatSetup[]): Verdict<DadoteckEvent> {
  const fault = seatsFault(seats, 2, SQUARES, 'dadoteck:S1');
  if (fault !== undefined) return fault;
  const strange = unknownOption(options, ['initiative', 'movement', 'start', 'layout']);
  if (strange !== undefined) {
    const known = 'initiative, movement, start, layout';
    return refused('unknown_option', 'dadoteck:S1', `there is no option "${strange.slice(0, 40)}"`, known);
  }
  const initiative = field(options, 'initiative') ?? 'd20';
  if (initiative !== 'd20' && initiative !== 'smallest') {
    return refused('bad_option', 'dadoteck:V1', 'initiative is chosen in one of two ways', 'd20 or smallest');
  }
  const ids = seats.map((seat) => seat.id);
  const movement = checkMovement(field(options, 'movement'));
  if ('refusal' in movement) return movement.refusal;
  const layout = checkLayout(field(options, 'layout'));
  if ('refusal' in layout) return layout.refusal;
  const start = checkStart(field(options, 'start'), ids);
  if ('refusal' in start) return start.refusal;
  const event: DadoteckEvent = {
    kind: 'opened',
    ev: 1,
    rule: 'dadoteck:S1',
    seats: ids,
    initiative,
    movement: movement.value,
    layout: layout.value,
    start: start.value,
  };
  return { verdict: 'accepted', events: [event] };
}
