import { isSeatId } from '../../dice/ids.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { field } from '../awaited.js';
import type { Seat } from '../game.js';
import { isWhole, refused } from '../refusal.js';
import { heroOf, living, monsterOf } from './combatants.js';
import { SLOTS } from './data.js';
import type { DiceboundEvent } from './events.js';
import { type Action, accepted, type Judged, notGm, quoted } from './play.js';
import { faultText, Reader } from './reader.js';
import { readSeating } from './seatings.js';
import { MAX_PLAYERS } from './setup.js';
import { type Attendance, COUNTERS, type DiceboundState, MAX_PA, MAX_PV } from './state.js';
import { MAX_LEVEL } from './thresholds.js';

const RULE = 'dicebound:G14';

const seatNamed = (state: DiceboundState, value: Json | undefined): Seat | undefined =>
  state.seats.find((seat) => seat === value);

const unknownSeat = (state: DiceboundState, value: Json | undefined): Judged =>
  refused('unknown_seat', RULE, `${quoted(value)} is no player of this table`, state.seats.join(', '));

function attends(state: DiceboundState, seat: Seat, is: Attendance): Judged {
  if (heroOf(state, seat)?.attendance === is) return refused('no_change', RULE, `${seat} is ${is} already`);
  return accepted(state, [{ kind: 'attendance', ev: 1, rule: RULE, seat, is }]);
}

const presence: Action = (state, { by }, args) => {
  const missing = notGm(state, by, RULE, true);
  if (missing !== undefined) return missing;
  const [who, yes] = [seatNamed(state, field(args, 'who')), field(args, 'yes') ?? true];
  if (who === undefined) return unknownSeat(state, field(args, 'who'));
  if (typeof yes !== 'boolean') return refused('yes_or_no', RULE, `${quoted(yes)} is no answer`, 'yes: true or false');
  if (heroOf(state, who)?.attendance === 'gone') return refused('seat_gone', RULE, `${who} left the game`, 'join');
  return attends(state, who, yes ? 'present' : 'absent');
};

const leave: Action = (state, { by }, args) => {
  const missing = notGm(state, by, RULE, true);
  if (missing !== undefined) return missing;
  const who = seatNamed(state, field(args, 'who'));
  return who === undefined ? unknownSeat(state, field(args, 'who')) : attends(state, who, 'gone');
};

/** A seat that sits down now, or comes back (G14). `from` says its class, dice and tiles as in the setup. */
export function joining(state: DiceboundState, id: Json | undefined, from: JsonObject): Judged {
  if (state.mode === 'arena') return refused('no_arena', 'dicebound:C10', 'an arena is closed once it has begun');
  if (typeof id !== 'string' || !isSeatId(id)) {
    return refused('seats', RULE, `${quoted(id)} is no seat`, 'a-z 0-9 _ -, at most 32 characters');
  }
  if (heroOf(state, id) !== undefined) return attends(state, id, 'present');
  if (state.seats.length >= MAX_PLAYERS) return refused('seats', RULE, 'the table is full', `at most ${MAX_PLAYERS}`);
  if (monsterOf(state, id) !== undefined) return refused('seats', RULE, `${id} is a monster of this room`);
  const reader = new Reader();
  const seating = readSeating(reader, state.data, id, from, id);
  const fault = reader.faults[0];
  if (fault !== undefined) return refused('bad_option', RULE, faultText(fault), fault.remedy.en);
  return accepted(state, [{ kind: 'joined', ev: 1, rule: RULE, seating }]);
}

const join: Action = (state, { by }, args) => {
  const missing = notGm(state, by, RULE);
  return missing ?? joining(state, field(args, 'who') ?? field(args, 'id'), args);
};

/** The most a counter of this combatant may show: a die's last face; a monster has no tracker (G3). */
function most(state: DiceboundState, who: string, counter: (typeof COUNTERS)[number]): number {
  if (counter === 'level') return MAX_LEVEL;
  if (heroOf(state, who) === undefined) return 10_000;
  return counter === 'pv' ? MAX_PV : MAX_PA;
}

const adjust: Action = (state, { by }, args) => {
  const rule = 'dicebound:D3';
  const missing = notGm(state, by, rule, true);
  if (missing !== undefined) return missing;
  const named = field(args, 'who') ?? state.seats[0];
  const who = [...state.seats, ...living(state)].find((one) => one === named);
  if (who === undefined)
    return refused('unknown_seat', rule, `${quoted(named)} has no counters`, state.seats.join(', '));
  const counter = field(args, 'counter');
  const events: DiceboundEvent[] = [];
  for (const name of COUNTERS) {
    const value = counter === name ? field(args, 'value') : field(args, name);
    if (value === undefined) continue;
    const [low, high] = [name === 'level' ? 1 : 0, most(state, who, name)];
    if (!isWhole(value, low, high)) {
      return refused('bad_value', 'dicebound:D2', `${name} cannot be ${quoted(value)}`, `${low} to ${high}`);
    }
    events.push({ kind: 'adjusted', ev: 1, rule, who, counter: name, value });
  }
  if (events.length > 0) return accepted(state, events);
  return refused('nothing_to_adjust', rule, 'no counter is named', 'pv, pa or level');
};

const destroy: Action = (state, { by }, args) => {
  const rule = 'dicebound:T7';
  const missing = notGm(state, by, rule, true);
  if (missing !== undefined) return missing;
  const who = seatNamed(state, field(args, 'who'));
  if (who === undefined) return unknownSeat(state, field(args, 'who'));
  const [hero, tile] = [heroOf(state, who), field(args, 'tile')];
  const from = SLOTS.find((slot) => hero?.slots[slot] === tile) ?? null;
  if (hero === undefined || typeof tile !== 'string' || (from === null && !hero.hand.includes(tile))) {
    return refused('no_such_tile', rule, `${who} has no tile ${quoted(tile)}`);
  }
  return accepted(state, [{ kind: 'bagged', ev: 1, rule, seat: who, tile, from }]);
};

/** Actions of the GM about who is there, and its corrections. */
export const PARTY_ACTIONS: readonly (readonly [string, Action])[] = [
  ['join', join],
  ['leave', leave],
  ['present', presence],
  ['adjust', adjust],
  ['destroy', destroy],
];
