import type { JsonObject } from '../dice/json.js';
import type { AnyGame, Audience, GameEvent, Seat, SeatSetup, StoredEvent, Verdict } from '../games/game.js';
import { append, before, type Course, eventsOf, startCourse } from './course.js';
import type {
  Binding,
  Notice,
  Offer,
  RecordBody,
  Rewound,
  RollEntry,
  StoredStep,
  TableEvent,
  Tracker,
} from './record.js';

/** Rolls kept in memory for showing and for rulings. */
export const MAX_ROLLS = 200;
/** Notices kept for showing. */
export const MAX_NOTICES = 20;
/** Undos that can be taken back. */
export const MAX_REDO = 20;

/** Everything a table knows: a fold of its journal. Immutable, so that old states stay good for branches and late clients. */
export interface TableState {
  readonly id: string;
  readonly name: string;
  readonly seq: number;
  readonly at: number;
  readonly seats: readonly SeatSetup[];
  readonly evening: 'open' | 'paused' | 'closed';
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly blocked: ReadonlySet<string>;
  readonly options: JsonObject;
  readonly course: Course | undefined;
  readonly rolls: readonly RollEntry[];
  readonly offers: readonly Offer[];
  readonly trackers: ReadonlyMap<string, Tracker>;
  readonly notices: readonly (Notice & { readonly seq: number })[];
  readonly undone: readonly { readonly from: number; readonly steps: readonly StoredStep[] }[];
  /** The journal holds a kind that this version does not know: refereed play waits for the GM (F085). */
  readonly incomplete: boolean;
  readonly told: Told;
}

/** Number of the newest record told to each audience: the `prev` of the next envelope. */
interface Told {
  readonly gm: number;
  readonly everyone: number;
  readonly seats: ReadonlyMap<Seat, number>;
}

/** Finds a game by its id; the registry of the games is handed in. */
export type GameShelf = (id: string) => AnyGame | undefined;

export function emptyTable(id: string): TableState {
  return {
    id,
    name: id,
    seq: 0,
    at: 0,
    seats: [],
    evening: 'open',
    bindings: new Map(),
    blocked: new Set(),
    options: {},
    course: undefined,
    rolls: [],
    offers: [],
    trackers: new Map(),
    notices: [],
    undone: [],
    incomplete: false,
    told: { gm: 0, everyone: 0, seats: new Map() },
  };
}

export const trackerKey = (seat: Seat, counter: string): string => `${seat} ${counter}`;

/** `seq` of the newest record this audience was told. */
export function lastTold(state: TableState, audience: Audience): number {
  if (audience.role === 'gm') return state.told.gm;
  if (audience.role === 'spectator') return state.told.everyone;
  return Math.max(state.told.seats.get(audience.seat) ?? 0, state.told.everyone);
}

/** True if the audience may know of a record that is for these seats only (none named: for all). */
export function mayKnow(audience: Audience, to: readonly Seat[] | undefined): boolean {
  if (to === undefined || audience.role === 'gm') return true;
  return audience.role === 'seat' && to.includes(audience.seat);
}

/** Folds one journal record. Never judges, never throws on what it does not know: that marks the table incomplete. */
export function evolveTable(
  state: TableState,
  seq: number,
  at: number,
  body: RecordBody,
  shelf: GameShelf,
): TableState {
  let next: TableState = { ...state, seq, at, told: tell(state.told, seq, body.to) };
  for (const event of body.table ?? []) next = evolveEvent(next, event, shelf);
  for (const step of body.steps ?? []) next = addStep(next, step);
  if ((body.steps ?? []).some((step) => step.verdict.verdict === 'accepted' || step.verdict.verdict === 'open')) {
    next = { ...next, undone: [] };
  }
  if (body.roll !== undefined) next = { ...next, rolls: [...next.rolls, body.roll].slice(-MAX_ROLLS) };
  if (body.rewound !== undefined) next = rewind(next, body.rewound);
  if (body.notice !== undefined) {
    next = { ...next, notices: [...next.notices, { ...body.notice, seq }].slice(-MAX_NOTICES) };
  }
  return next;
}

function tell(told: Told, seq: number, to: readonly Seat[] | undefined): Told {
  if (to === undefined) return { gm: seq, everyone: seq, seats: told.seats };
  const seats = new Map(told.seats);
  for (const seat of to) seats.set(seat, seq);
  return { gm: seq, everyone: told.everyone, seats };
}

function evolveEvent(state: TableState, event: TableEvent, shelf: GameShelf): TableState {
  switch (event.kind) {
    case 'opened':
      return { ...state, name: event.name };
    case 'seat_taken': {
      const others = state.seats.filter((seat) => seat.id !== event.id);
      const seat = { id: event.id, name: event.name };
      const place = state.seats.findIndex((known) => known.id === event.id);
      return { ...state, seats: place < 0 ? [...others, seat] : state.seats.with(place, seat) };
    }
    case 'seat_left':
      return {
        ...state,
        seats: state.seats.filter((seat) => seat.id !== event.id),
        trackers: new Map([...state.trackers].filter(([, tracker]) => tracker.seat !== event.id)),
        bindings: new Map(
          [...state.bindings].map(([die, binding]) => [die, binding.seat === event.id ? shared(binding) : binding]),
        ),
      };
    case 'die_enrolled':
      return {
        ...state,
        bindings: new Map(state.bindings).set(event.binding.die, event.binding),
        trackers: withoutDie(state, event.binding),
      };
    case 'die_released': {
      const bindings = new Map(state.bindings);
      bindings.delete(event.die);
      return { ...state, bindings };
    }
    case 'die_blocked': {
      const blocked = new Set(state.blocked);
      if (event.blocked) blocked.add(event.die);
      else blocked.delete(event.die);
      return { ...state, blocked };
    }
    case 'evening':
      return { ...state, evening: event.state, trackers: disarm(state.trackers) };
    case 'game_begun':
      return beginGame(state, event, shelf);
    case 'tracker':
      return {
        ...state,
        trackers: new Map(state.trackers).set(trackerKey(event.tracker.seat, event.tracker.counter), event.tracker),
      };
    case 'offered':
      return { ...state, offers: [...state.offers, event.offer].slice(-MAX_ROLLS) };
    case 'taken':
      return {
        ...state,
        offers: state.offers.filter((offer) => offer.roll !== event.roll),
        rolls: markTaken(state.rolls, event.roll),
      };
    default:
      return unknownKind(state, event);
  }
}

/** The journal may hold what a later version wrote: the type says it cannot happen, the disk says it can. */
function unknownKind(state: TableState, _event: never): TableState {
  return { ...state, incomplete: true };
}

function markTaken(rolls: readonly RollEntry[], id: string): readonly RollEntry[] {
  return rolls.map((roll) =>
    roll.wire.id === id ? { ...roll, wire: { ...roll.wire, standing: 'corrected' as const, code: 'assigned' } } : roll,
  );
}

function shared(binding: Binding): Binding {
  const { counter: _counter, ...rest } = binding;
  return { ...rest, seat: null, duty: 'rolls' };
}

function withoutDie(state: TableState, binding: Binding): ReadonlyMap<string, Tracker> {
  return new Map([...state.trackers].filter(([, tracker]) => tracker.die !== binding.die));
}

/** From here a tracker changes nothing until it has shown the expected face once (dicebound D3). */
export function disarm(trackers: ReadonlyMap<string, Tracker>): ReadonlyMap<string, Tracker> {
  return new Map(
    [...trackers].map(([key, tracker]) => [key, tracker.face === null ? tracker : { ...tracker, armed: false }]),
  );
}

function beginGame(
  state: TableState,
  event: Extract<TableEvent, { kind: 'game_begun' }>,
  shelf: GameShelf,
): TableState {
  const game = shelf(event.game);
  const outside = shelf('external');
  if (game === undefined || outside === undefined) return { ...state, options: event.options, incomplete: true };
  const opening = readEvents(game, event.opening);
  const outsideOpening = readEvents(outside, event.outside);
  return {
    ...state,
    options: event.options,
    course: startCourse(game, opening.events, outside, outsideOpening.events),
    trackers: new Map(),
    undone: [],
    incomplete: state.incomplete || opening.unknown || outsideOpening.unknown,
  };
}

function readEvents(game: AnyGame, stored: readonly GameEvent[]): { events: readonly GameEvent[]; unknown: boolean } {
  const read = stored.map((event) => game.upcast(event as unknown as StoredEvent));
  const events = read.filter((event) => event !== undefined);
  return { events, unknown: events.length < read.length };
}

function addStep(state: TableState, step: StoredStep): TableState {
  if (state.course === undefined) return { ...state, incomplete: true };
  const { game } = state.course.runs[step.run];
  const read = readEvents(game, eventsOf(step.verdict));
  const verdict = withEvents(step.verdict, read.events);
  return {
    ...state,
    course: append(state.course, { id: step.id, run: step.run, deed: step.deed, verdict }),
    incomplete: state.incomplete || read.unknown,
  };
}

function withEvents(verdict: Verdict<GameEvent>, events: readonly GameEvent[]): Verdict<GameEvent> {
  return verdict.verdict === 'accepted' || verdict.verdict === 'open' ? { verdict: verdict.verdict, events } : verdict;
}

function rewind(state: TableState, rewound: Rewound): TableState {
  const start = state.course === undefined ? undefined : (before(state.course, rewound.from) ?? state.course);
  if (start === undefined) return { ...state, incomplete: true };
  const touched = rewound.from < state.seq;
  let next: TableState = { ...state, course: start, trackers: touched ? disarm(state.trackers) : state.trackers };
  for (const step of rewound.records) next = addStep(next, step);
  const changed = new Map(rewound.rolls.map((roll) => [roll.wire.id, roll]));
  const undone = rewound.undone === undefined ? [] : [{ from: rewound.from, steps: rewound.undone }];
  const kept = rewound.ruling === 'redo' ? next.undone.slice(0, -1) : rewound.ruling === 'undo' ? next.undone : [];
  return {
    ...next,
    rolls: next.rolls.map((roll) => changed.get(roll.wire.id) ?? roll),
    undone: [...kept, ...undone].slice(-MAX_REDO),
  };
}
