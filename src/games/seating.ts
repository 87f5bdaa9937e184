import { isSeatId } from '../dice/ids.js';
import type { JsonObject } from '../dice/json.js';
import { field } from './awaited.js';
import type { RuleId, Seat, SeatSetup, Verdict } from './game.js';
import { refused } from './refusal.js';

/** A table without a limit of its own takes this many seats. */
export const MAX_SEATS = 100;

/** Somebody sat down, or left for good. Names are the table's affair. */
export type SeatEvent =
  | { readonly kind: 'seated'; readonly ev: 1; readonly seat: Seat }
  | { readonly kind: 'seat_left'; readonly ev: 1; readonly seat: Seat };

/** The refusal of a setup whose seats are too few, too many, ill-named or named twice; undefined if they are fine. */
export function seatsFault(
  seats: readonly SeatSetup[],
  least: number,
  most: number,
  rule: RuleId,
): Verdict<never> | undefined {
  const expected = `${least} to ${most} seats`;
  if (seats.length < least || seats.length > most) {
    return refused('seats', rule, `the number of seats is ${seats.length}`, expected);
  }
  const ids = seats.map((seat) => seat.id);
  const odd = ids.find((id) => !isSeatId(id));
  if (odd !== undefined)
    return refused('seats', rule, `"${odd.slice(0, 40)}" is no seat`, 'a-z 0-9 _ -, not gm or table');
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return refused('seats', rule, `${twice} sits twice`, 'each seat once');
  return undefined;
}

/** Judges the ruling `seat {id, name}`: somebody sits down; a seat that is there already only gets its new name. */
export function joining(seats: readonly Seat[], args: JsonObject, rule: RuleId): Verdict<SeatEvent> {
  const id = field(args, 'id');
  if (typeof id !== 'string' || !isSeatId(id)) return refused('seats', rule, 'this is no seat', 'a-z 0-9 _ -');
  if (!seats.includes(id) && seats.length >= MAX_SEATS) {
    return refused('seats', rule, 'the table is full', `at most ${MAX_SEATS} seats`);
  }
  return { verdict: 'accepted', events: [{ kind: 'seated', ev: 1, seat: id }] };
}

/** Judges the ruling `seat_left {id}`. */
export function leaving(seats: readonly Seat[], args: JsonObject, rule: RuleId): Verdict<SeatEvent> {
  const id = field(args, 'id');
  if (typeof id !== 'string' || !seats.includes(id)) {
    return refused('unknown_seat', rule, 'nobody sits there', seats.join(', '));
  }
  return { verdict: 'accepted', events: [{ kind: 'seat_left', ev: 1, seat: id }] };
}
