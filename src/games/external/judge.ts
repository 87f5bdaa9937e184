import { isId, isOpaqueId } from '../../dice/ids.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { parseNotation } from '../../rolls/notation.js';
import { waitsFor } from '../../rolls/resolution.js';
import { type ChoiceDeed, field, landed, type NaturalDeed } from '../awaited.js';
import type { Deed, Seat, Verdict } from '../game.js';
import { isWhole, refused } from '../refusal.js';
import { joining, leaving } from '../seating.js';
import { type ExternalEvent, type ExternalState, expectsOf, faceIn, rollIdOf, timerIdOf } from './state.js';

/** So many calls may be open at once; the next is refused until one is answered, cancelled or expired. */
export const MAX_OPEN_CALLS = 100;

/** A call may wait this long, in milliseconds: a day. */
export const MAX_TTL_MS = 86_400_000;

/** A purpose may be this long, in characters. */
export const MAX_PURPOSE = 200;

/** So many trackers of one seat may be followed. */
export const MAX_COUNTERS = 32;

/** Faces of trackers lie between -MAX_FACE and MAX_FACE. */
export const MAX_FACE = 1000;

type Judged = Verdict<ExternalEvent>;
const CALL = 'external:call';
const EXPECT = 'external:expect';

const accepted = (...events: readonly ExternalEvent[]): Judged => ({ verdict: 'accepted', events });

const isSeat = (state: ExternalState, seat: Json | undefined): seat is Seat =>
  typeof seat === 'string' && (seat === 'gm' || state.seats.includes(seat));

const unknownSeat = (state: ExternalState, rule: string): Judged =>
  refused('unknown_seat', rule, 'nobody sits there', state.seats.join(', '));

function call(state: ExternalState, args: JsonObject): Judged {
  const [id, notation] = [field(args, 'id'), field(args, 'notation')];
  const seat = field(args, 'seat') ?? null;
  const named = field(args, 'purpose') ?? '';
  const purpose = named === '' ? 'roll' : named;
  const ttl = field(args, 'ttl') ?? null;
  if (typeof id !== 'string' || !isOpaqueId(id)) {
    return refused('bad_id', CALL, 'a call needs an id of its own', '1 to 64 printable characters');
  }
  if (state.calls.some((open) => open.id === id)) {
    return refused('duplicate_call', CALL, `the call ${id} is open already`);
  }
  if (seat !== null && !isSeat(state, seat)) return unknownSeat(state, CALL);
  if (typeof purpose !== 'string' || purpose.length > MAX_PURPOSE) {
    return refused('bad_purpose', CALL, 'a purpose is a text', `at most ${MAX_PURPOSE} characters`);
  }
  if (ttl !== null && !isWhole(ttl, 1, MAX_TTL_MS)) {
    return refused('bad_ttl', CALL, 'a ttl is a whole number of milliseconds', `1 to ${MAX_TTL_MS}`);
  }
  if (typeof notation !== 'string') return refused('bad_notation', CALL, 'a call needs a notation', '2d6+1');
  const asks = parseNotation(notation, state.percentile);
  if (!asks.ok) return refused('bad_notation', CALL, asks.error.reason, '2d6+1');
  if (state.calls.length >= MAX_OPEN_CALLS) {
    return refused('too_many_calls', CALL, 'too many calls are open', `at most ${MAX_OPEN_CALLS}`);
  }
  const resolution = { asks: asks.value, landed: [] };
  return accepted({ kind: 'called', ev: 1, id, seat, notation, purpose, ttl, resolution });
}

function cancel(state: ExternalState, args: JsonObject): Judged {
  const id = field(args, 'id');
  const open = state.calls.find((one) => one.id === id);
  if (open === undefined) return refused('no_such_call', CALL, 'no such call is open', openCalls(state));
  return accepted({ kind: 'cancelled', ev: 1, call: open.id });
}

/** Names at most a handful of the open calls. */
function openCalls(state: ExternalState): string {
  const ids = state.calls.slice(0, 5).map((open) => open.id);
  return ids.length === 0 ? 'none is open' : ids.join(', ');
}

function trackerFault(state: ExternalState, seat: Json | undefined, counter: Json | undefined): Judged | undefined {
  if (!isSeat(state, seat)) return unknownSeat(state, EXPECT);
  if (typeof counter !== 'string' || !isId(counter)) {
    return refused('no_such_counter', EXPECT, 'a counter is named by small letters and digits', 'pv, pa, level');
  }
  const known = new Set([
    ...Object.keys(field(state.expected, seat) ?? {}),
    ...Object.keys(field(state.shown, seat) ?? {}),
  ]);
  if (!known.has(counter) && known.size >= MAX_COUNTERS) {
    return refused('too_many_counters', EXPECT, `at most ${MAX_COUNTERS} counters a seat`);
  }
  return undefined;
}

function expect(state: ExternalState, args: JsonObject): Judged {
  const [seat, counter, face] = [field(args, 'seat'), field(args, 'counter'), field(args, 'face')];
  const fault = trackerFault(state, seat, counter);
  if (fault !== undefined) return fault;
  if (face !== null && !isWhole(face, -MAX_FACE, MAX_FACE)) {
    return refused('no_such_face', EXPECT, 'a face is a whole number or null', `-${MAX_FACE} to ${MAX_FACE}`);
  }
  return accepted({ kind: 'expected', ev: 1, seat: String(seat), counter: String(counter), face });
}

function judgeChoice(state: ExternalState, deed: ChoiceDeed): Judged {
  const args = deed.args ?? {};
  const known = deed.action === 'call' || deed.action === 'cancel' || deed.action === 'expect';
  if (!known) return refused('unknown_action', CALL, 'there is nothing to choose here', 'call, cancel, expect');
  if (deed.by !== 'gm') return refused('not_allowed', CALL, `${deed.by} may not ask for rolls`, 'gm');
  if (deed.action === 'call') return call(state, args);
  return deed.action === 'cancel' ? cancel(state, args) : expect(state, args);
}

function judgeThrow(state: ExternalState, deed: NaturalDeed): Judged {
  if (deed.seat !== null && !isSeat(state, deed.seat)) return unknownSeat(state, CALL);
  const put = landed(expectsOf(state), deed);
  if (!put.ok) return put.error;
  const { call, resolution } = put.value;
  const open = state.calls.find((one) => rollIdOf(one.id) === call.id);
  const die = resolution.landed.at(-1);
  if (open === undefined || die === undefined) return refused('call_closed', CALL, 'this call is closed');
  const event: ExternalEvent = { kind: 'landed', ev: 1, call: open.id, die };
  return waitsFor(resolution).kind === 'done'
    ? accepted(event, { kind: 'answered', ev: 1, call: open.id })
    : { verdict: 'open', events: [event] };
}

/**
 * A tracker turned by hand. What nobody prescribes is mirrored. A wrong face on a tracker that is still expected to
 * move is refused; one that had shown the right face and was turned away is taken, and expected back.
 */
function judgeSet(state: ExternalState, seat: Seat, counter: string, face: number): Judged {
  const fault = trackerFault(state, seat, counter);
  if (fault !== undefined) return fault;
  if (!isWhole(face, -MAX_FACE, MAX_FACE)) return refused('no_such_face', EXPECT, 'a face is a whole number');
  const shown: ExternalEvent = { kind: 'shown', ev: 1, seat, counter, face };
  const wanted = faceIn(state.expected, seat, counter);
  if (wanted === undefined || wanted === face) return accepted(shown);
  if (faceIn(state.shown, seat, counter) === wanted) return { verdict: 'open', events: [shown] };
  return refused('mismatch', EXPECT, `${counter} shows ${face}`, `${counter} ${wanted} by ${seat}`);
}

function judgeRuling(state: ExternalState, ruling: string, args: JsonObject): Judged {
  if (ruling === 'seat') return joining(state.seats, args, CALL);
  if (ruling === 'seat_left') return leaving(state.seats, args, CALL);
  if (ruling !== 'counter') {
    return refused('unknown_ruling', CALL, 'this table knows no such ruling', 'counter, seat, seat_left');
  }
  const [seat, counter, face] = [field(args, 'seat'), field(args, 'counter'), field(args, 'face')];
  const fault = trackerFault(state, seat, counter);
  if (fault !== undefined) return fault;
  if (!isWhole(face, -MAX_FACE, MAX_FACE)) return refused('no_such_face', EXPECT, 'a face is a whole number');
  const which = { ev: 1, seat: String(seat), counter: String(counter), face } as const;
  const wanted = faceIn(state.expected, which.seat, which.counter) !== undefined;
  return accepted({ kind: 'shown', ...which }, ...(wanted ? [{ kind: 'expected' as const, ...which }] : []));
}

/** The rules of a table refereed elsewhere: calls are filled, cancelled or expire; trackers show what they should. */
export function judge(state: ExternalState, deed: Deed): Judged {
  switch (deed.kind) {
    case 'natural':
      return judgeThrow(state, deed);
    case 'choice':
      return judgeChoice(state, deed);
    case 'set':
      return judgeSet(state, deed.seat, deed.counter, deed.face);
    case 'elapsed': {
      const late = state.calls.find((one) => one.ttl !== null && timerIdOf(one) === deed.timer);
      if (late === undefined) return refused('no_such_timer', 'external:ttl', 'no call waits for this timer');
      return accepted({ kind: 'expired', ev: 1, call: late.id });
    }
    case 'drawn':
      return refused('not_awaited', CALL, 'no draw is awaited');
    case 'ruling':
      return judgeRuling(state, deed.ruling.ruling, deed.ruling.args);
  }
}
