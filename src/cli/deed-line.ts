import { type DieType, type Face, PLANAR_FACES, parseDieType } from '../dice/die.js';
import { isId } from '../dice/ids.js';
import type { Json, JsonObject } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import type { Audience, Deed, Seat } from '../games/game.js';
import type { NamedDie, Ruled } from '../table/entry.js';
import { MAX_WAIT_MS, type Referee } from '../table/referee.js';

/** A line that could not be taken as a deed, in words. */
export type Fault = string;

/** A plain JSON object, or undefined. */
export const object = (value: Json | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

/** An own field of an object from outside (F154). */
export const get = (from: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(from, key) ? from[key] : undefined;

const whole = (value: Json | undefined, low: number, high: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;

/** A game that is being refereed on standard input. */
export interface Session {
  readonly game: string;
  readonly referee: Referee;
  readonly seats: ReadonlySet<Seat>;
}

const VERBS = [
  'roll',
  'choose',
  'set',
  'call',
  'cancel',
  'expect',
  'wait',
  'undo',
  'correct',
  'void',
  'assign',
  'view',
] as const;
type Verb = (typeof VERBS)[number];

/** Puts one line before the referee; an error says in words why it is no deed. */
export function answerTo(session: Session, n: number, line: JsonObject): Result<object, Fault> {
  const keys = Object.keys(line);
  const verb = VERBS.find((word) => word === keys[0]);
  if (keys.length !== 1 || verb === undefined) return err(`one of ${VERBS.join(', ')} a line, as {"roll":{…}}`);
  if (verb === 'view') return view(session, n, get(line, verb));
  const ruled = judge(session, n, verb, get(line, verb));
  return ruled.ok ? ok(told(session, n, ruled.value)) : ruled;
}

function told(session: Session, n: number, verdict: Ruled): object {
  const counted = verdict.verdict === 'accepted' || verdict.verdict === 'open';
  const { verdict: word, ...rest } = verdict;
  return {
    kind: 'verdict',
    n,
    verdict: word,
    ...(counted ? {} : rest),
    events: counted ? verdict.events : [],
    awaited: session.referee.awaited(),
  };
}

function judge(
  session: Session,
  n: number,
  verb: Exclude<Verb, 'view'>,
  value: Json | undefined,
): Result<Ruled, Fault> {
  const { referee } = session;
  if (verb === 'undo')
    return whole(value, 1, 1_000_000) ? ok(referee.undo(value)) : err('undo: how many deeds, 1 or more');
  const body = object(value);
  if (body === undefined) return err(`${verb}: an object`);
  switch (verb) {
    case 'roll':
      return roll(session, n, body);
    case 'choose':
      return choose(session, n, body);
    case 'set':
      return set(session, n, body);
    case 'call':
    case 'cancel':
    case 'expect':
      return fromOutside(session, n, verb, body);
    case 'wait': {
      const ms = get(body, 'ms');
      return whole(ms, 0, MAX_WAIT_MS) ? ok(referee.wait(n, ms)) : err(`wait.ms: 0 to ${MAX_WAIT_MS}`);
    }
    case 'correct':
    case 'void':
    case 'assign':
      return ruling(session, n, verb, body);
  }
}

/** The seat a deed names; `gm` and `table` are seats too. Unknown ones are refused by the rules, not by the reader. */
function seatIn(body: JsonObject, key: string): Result<Seat | null, Fault> {
  const seat = get(body, key);
  if (seat === undefined || seat === null) return ok(null);
  return typeof seat === 'string' && seat.length <= 64 ? ok(seat) : err(`${key}: a seat id`);
}

function roll(session: Session, n: number, body: JsonObject): Result<Ruled, Fault> {
  const seat = seatIn(body, 'seat');
  if (!seat.ok) return seat;
  const list = get(body, 'dice');
  const named = list === undefined ? [body] : Array.isArray(list) ? (list as readonly Json[]) : [];
  if (named.length === 0 || named.length > 100) return err('roll.dice: 1 to 100 dice');
  const dice: NamedDie[] = [];
  for (const entry of named) {
    const die = readDie(object(entry));
    if (!die.ok) return err(`roll: ${die.error}`);
    dice.push(die.value);
  }
  if (seat.value !== null && !isSeated(session, seat.value)) return ok(unknownSeat(seat.value));
  return ok(session.referee.roll(n, seat.value, dice));
}

function readDie(entry: JsonObject | undefined): Result<NamedDie, Fault> {
  if (entry === undefined) return err('a die is {"type","natural"} or {"sides","natural"}');
  const word = get(entry, 'type');
  const sides = get(entry, 'sides');
  const natural = get(entry, 'natural');
  const type: Result<DieType, string> =
    typeof word === 'string'
      ? parseDieType(word)
      : whole(sides, 2, 1000)
        ? parseDieType(`d${sides}`)
        : err('sides: 2 to 1000, or type');
  if (!type.ok) return type;
  return isFace(natural) ? ok({ type: type.value, natural }) : err('natural: a whole number, or a planar face');
}

const isFace = (value: Json | undefined): value is Face =>
  whole(value, -1_000_000, 1_000_000) || PLANAR_FACES.some((face) => face === value);

/** True for a seat of the setup, for one that joined since, and for the reserved ones. */
const isSeated = (session: Session, seat: Seat): boolean => {
  if (session.seats.has(seat) || seat === 'gm' || seat === 'table') return true;
  const seats = object(get(session.referee.state({ role: 'gm' }), 'seats'));
  return seats !== undefined && get(seats, seat) !== undefined;
};

function unknownSeat(seat: Seat): Ruled {
  return { verdict: 'refused', code: 'unknown_seat', rule: 'Z2', reason: `There is no seat "${seat.slice(0, 32)}".` };
}

function choose(session: Session, n: number, body: JsonObject): Result<Ruled, Fault> {
  const seat = seatIn(body, 'seat');
  if (!seat.ok || seat.value === null) return seat.ok ? err('choose.seat: whose choice it is') : seat;
  const { seat: _seat, option, action, call, ...fields } = body;
  if (option === undefined && action === undefined) return err('choose: an option or an action');
  if (action !== undefined && typeof action !== 'string') return err('choose.action: a word');
  if (call !== undefined && typeof call !== 'string') return err('choose.call: an id of awaited');
  if (!isSeated(session, seat.value)) return ok(unknownSeat(seat.value));
  const deed: Deed = {
    kind: 'choice',
    by: seat.value,
    ...(call === undefined ? {} : { call }),
    ...(option === undefined ? {} : { option }),
    ...(action === undefined ? {} : { action, args: fields }),
  };
  return ok(session.referee.deed(n, 'choice', deed));
}

function set(session: Session, n: number, body: JsonObject): Result<Ruled, Fault> {
  const seat = seatIn(body, 'seat');
  const counter = get(body, 'counter');
  const face = get(body, 'face');
  if (!seat.ok || seat.value === null) return err('set.seat: whose counter it is');
  if (typeof counter !== 'string' || !isId(counter))
    return err('set.counter: a small letter or digit, then at most 31 of a-z 0-9 _ -');
  if (!whole(face, -1000, 1000)) return err('set.face: a whole number');
  if (!isSeated(session, seat.value)) return ok(unknownSeat(seat.value));
  return ok(session.referee.deed(n, 'set', { kind: 'set', seat: seat.value, counter, face }));
}

function fromOutside(
  session: Session,
  n: number,
  verb: 'call' | 'cancel' | 'expect',
  body: JsonObject,
): Result<Ruled, Fault> {
  if (session.game !== 'external') {
    return ok({
      verdict: 'refused',
      code: 'external_only',
      rule: 'external',
      reason: `"${verb}" belongs to the game external.`,
    });
  }
  return ok(session.referee.deed(n, 'call', { kind: 'choice', by: 'gm', action: verb, args: body }));
}

function ruling(
  session: Session,
  n: number,
  verb: 'correct' | 'void' | 'assign',
  body: JsonObject,
): Result<Ruled, Fault> {
  const of = get(body, 'n');
  if (!whole(of, 1, 10_000_000)) return err(`${verb}.n: the number of a deed`);
  if (verb === 'void') return ok(session.referee.void(of));
  if (verb === 'assign') {
    const seat = seatIn(body, 'seat');
    if (!seat.ok || seat.value === null) return err('assign.seat: whose throw it was');
    return ok(isSeated(session, seat.value) ? session.referee.assign(n, of, seat.value) : unknownSeat(seat.value));
  }
  const natural = get(body, 'natural');
  const list = get(body, 'dice');
  const naturals = Array.isArray(list) ? (list as readonly Json[]).map(naturalOf) : [natural];
  if (!naturals.every(isFace)) return err('correct.natural: a whole number, or dice: a list of them');
  return ok(session.referee.correct(of, naturals));
}

function naturalOf(entry: Json): Json | undefined {
  const die = object(entry);
  return die === undefined ? entry : get(die, 'natural');
}

function view(session: Session, n: number, value: Json | undefined): Result<object, Fault> {
  const body = object(value);
  const as = body === undefined ? undefined : get(body, 'as');
  if (typeof as !== 'string' || as === 'table' || !(as === 'spectator' || isSeated(session, as)))
    return err('view.as: gm, spectator or a seat');
  const audience: Audience = as === 'gm' || as === 'spectator' ? { role: as } : { role: 'seat', seat: as };
  return ok({ kind: 'view', n, as, ...session.referee.view(audience) });
}
