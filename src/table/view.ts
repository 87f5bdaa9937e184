import type { JsonObject } from '../dice/json.js';
import { wireAwaited } from '../games/awaited.js';
import type { Audience, GameView, Seat } from '../games/game.js';
import type { Preview } from '../wire/command.js';
import type { Awaited, Envelope, RecordKind, RollWire, Snapshot } from '../wire/envelope.js';
import type { ClaimView, DieView, OverlayView, RadioView, SeatView, TableView, TrackerView } from '../wire/view.js';
import type { Notice, RecordBody, RollEntry, Tracker } from './record.js';
import { hidesFace } from './secrecy.js';
import { lastTold, mayKnow, type TableState, trackerKey } from './state.js';
import { substitutesOf } from './substitutes.js';
import { countersIn, expectedFace } from './tracker.js';

/** Rolls in a snapshot and in a `rewound` envelope. */
export const SHOWN_ROLLS = 20;
/** Loose rolls and notices in a view. */
export const SHOWN_LOOSE = 20;

/** What the table knows beside its journal, and what only the GM is shown. */
export interface Surroundings {
  readonly dice: readonly DieView[];
  readonly previews: readonly Preview[];
  readonly degraded: boolean;
  readonly timersPaused: boolean;
  /** What the GM has told the overlays; absent while they show everything. */
  readonly overlay?: OverlayView;
  /** What the Bluetooth radio does, for the GM. */
  readonly radio?: RadioView | undefined;
  /** The window in which dice are claimed, as far as an audience may know of it. */
  collecting?(audience: Audience): ClaimView | undefined;
  /** The table as it is now: an old record is shown with today's dice, so today's secrets count. */
  readonly newest?: TableState;
}

/** One journalled record with the states on both sides of it: from these every audience's envelope is made. */
export interface Told {
  readonly seq: number;
  readonly at: number;
  readonly clock: 'trusted' | 'untrusted';
  readonly kind: RecordKind;
  readonly body: RecordBody;
  readonly before: TableState;
  readonly after: TableState;
  /** Where it came from, as the journal has it. */
  readonly origin?: string;
}

/** The game as this audience may see it, the calls from outside beside it. */
export function gameViews(
  state: TableState,
  audience: Audience,
  dice: readonly DieView[] = [],
): { game: GameView; awaited: Awaited[] } {
  const course = state.course;
  if (course === undefined) return { game: { state: {}, awaited: [] }, awaited: [] };
  const { game, outside } = course.runs;
  const seen = game.game.view(game.state, audience);
  const calls = game.game.id === outside.game.id ? [] : outside.game.view(outside.state, audience).awaited;
  const awaited = [...seen.awaited, ...calls].map((one) => ({ ...wireAwaited(one), ...substitutesOf(one, dice) }));
  return { game: seen, awaited };
}

/** A table's whole state for one audience, its game as `gameViews` shows it. */
function tableView(state: TableState, audience: Audience, around: Surroundings, game: GameView): TableView {
  const hidden = hidesFace(around.newest ?? state, audience);
  const collecting = around.collecting?.(audience);
  return {
    name: state.name,
    seats: state.seats.map((seat) => seatView(state, seat.id, seat.name, game.state, audience)),
    game: {
      id: state.course?.runs.game.game.id ?? 'unknown',
      state: { ...game.state },
      // How a game was set up may hold what the GM prepared (monsters, traps).
      ...(audience.role === 'gm' ? { options: { ...state.options } } : {}),
    },
    evening: state.evening,
    dice: diceFor(around.dice, audience).map((die) => (hidden(die.id, die.seat) ? { ...die, face: null } : die)),
    loose: state.rolls
      .filter((roll) => isLoose(roll) && mayKnow(audience, roll.to))
      .slice(-SHOWN_LOOSE)
      .map((roll) => roll.wire),
    notices: state.notices
      .filter((shown) => mayKnow(audience, shown.to) && !isAnswered(state, shown.notice))
      .map(({ seq, notice }) => ({ ...notice, seq })),
    ...(audience.role === 'gm' ? { previews: [...around.previews], redo: state.undone.length > 0 } : {}),
    ...(state.incomplete ? { incomplete: true as const } : {}),
    ...(around.degraded ? { degraded: true as const } : {}),
    ...(around.timersPaused ? { timers_paused: true } : {}),
    ...(around.overlay === undefined ? {} : { overlay: around.overlay }),
    ...(collecting === undefined ? {} : { collecting }),
    ...(audience.role === 'gm' && around.radio !== undefined ? { radio: around.radio } : {}),
  };
}

/** The GM is shown every die heard, those of other tables without their faces; the rest of the table its own dice. */
function diceFor(dice: readonly DieView[], audience: Audience): readonly DieView[] {
  if (audience.role !== 'gm') return dice.filter((die) => die.state === 'bound' || die.state === 'shared');
  return dice.map((die) =>
    die.state === 'elsewhere' ? { ...die, face: null, seat: null, duty: null, counter: null, name: null } : die,
  );
}

/** The wire's own type is open to further fields; what stands in a view is plain data. */
const plain = (view: TableView): JsonObject => view as unknown as JsonObject;

/** An offer that somebody has taken is nothing to ask about any more. */
function isAnswered(state: TableState, notice: Notice): boolean {
  return state.offers.some((offer) => offer.roll === notice.roll && offer.taken?.stands === true);
}

const isLoose = ({ wire }: RollEntry): boolean =>
  wire.verdict !== 'accepted' && wire.standing !== 'void' && wire.code !== 'assigned';

/** A seat; how its trackers lie is its own and the GM's affair (dicebound D3). */
function seatView(state: TableState, id: Seat, name: string, game: JsonObject, audience: Audience): SeatView {
  const counters = { ...countersIn(game, id) };
  if (!mayKnow(audience, [id])) return { id, name, counters };
  const trackers = [...state.trackers.values()].filter((tracker) => tracker.seat === id);
  return { id, name, counters, trackers: [...trackers, ...unheard(state, id)].map((one) => trackerView(state, one)) };
}

/** Dice that count for a seat, should show something, and have not said yet how they lie: they are to be set (D3). */
function unheard(state: TableState, seat: Seat): readonly Tracker[] {
  return [...state.bindings.values()].flatMap(({ die, seat: owner, duty, counter }) => {
    if (owner !== seat || duty !== 'counts' || counter === undefined) return [];
    const known = state.trackers.get(trackerKey(seat, counter))?.die === die;
    const wanted = expectedFace(state, seat, counter) !== undefined;
    return known || !wanted ? [] : [{ seat, counter, die, face: null, armed: false }];
  });
}

function trackerView(state: TableState, { seat, counter, die, armed, asked, ...last }: Tracker): TrackerView {
  const expected = expectedFace(state, seat, counter);
  const face = asked?.face ?? last.face;
  return {
    counter,
    die,
    face,
    ...(expected === undefined ? {} : { expected, mismatch: expected !== face }),
    armed,
    ...(asked === undefined ? {} : { asked: asked.why }),
  };
}

/** The rolls an audience is shown, oldest first. */
export function shownRolls(state: TableState, audience: Audience): RollWire[] {
  return state.rolls
    .filter((roll) => mayKnow(audience, roll.to))
    .slice(-SHOWN_ROLLS)
    .map((roll) => roll.wire);
}

export function snapshot(state: TableState, audience: Audience, around: Surroundings): Snapshot {
  const { game, awaited } = gameViews(state, audience, around.dice);
  return {
    kind: 'snapshot',
    v: 1,
    table: state.id,
    seq: lastTold(state, audience),
    view: plain(tableView(state, audience, around, game)),
    awaited,
    rolls: shownRolls(state, audience),
    ...(around.degraded ? { durable: false as const } : {}),
  };
}

/** The envelope of a record for one audience, or null where it may not know of it. */
export function envelope(told: Told, audience: Audience, around: Surroundings): Envelope | null {
  if (!mayKnow(audience, told.body.to)) return null;
  const open = mayKnow(audience, told.body.secret);
  const { roll, rewound } = told.body;
  const { game, awaited } = gameViews(told.after, audience, around.dice);
  return {
    v: 1,
    table: told.after.id,
    seq: told.seq,
    prev: lastTold(told.before, audience),
    at: new Date(told.at).toISOString(),
    clock: told.clock,
    kind: open ? told.kind : 'game',
    ...(open && roll !== undefined && mayKnow(audience, roll.to) ? { roll: roll.wire } : {}),
    ...(open ? details(told.body) : {}),
    ...(rewound === undefined ? {} : { rewound: rewoundView(rewound, told, audience) }),
    awaited,
    view: plain(tableView(told.after, audience, around, game)),
    ...(around.degraded ? { durable: false as const } : {}),
  };
}

function details(body: RecordBody): JsonObject {
  const { gathering, counter, choice, call, notice } = body;
  return {
    ...(gathering === undefined ? {} : { gathering }),
    ...(counter === undefined ? {} : { counter }),
    ...(choice === undefined ? {} : { choice }),
    ...(call === undefined ? {} : { call }),
    ...(notice === undefined ? {} : { notice }),
  };
}

/** What a client needs to mend its screen after a ruling; it animates nothing. */
function rewoundView(rewound: NonNullable<RecordBody['rewound']>, told: Told, audience: Audience): JsonObject {
  const seats = audience.role === 'seat' ? [audience.seat] : told.after.seats.map((seat) => seat.id);
  return {
    from: rewound.from,
    ruling: rewound.ruling,
    loose: [...rewound.loose],
    rolls: shownRolls(told.after, audience) as unknown as JsonObject[],
    trackers: [...told.after.trackers.values()].flatMap((tracker) => {
      const face = expectedFace(told.after, tracker.seat, tracker.counter);
      const wrong = face !== undefined && face !== tracker.face && seats.includes(tracker.seat);
      return wrong ? [{ seat: tracker.seat, counter: tracker.counter, face }] : [];
    }),
  };
}
