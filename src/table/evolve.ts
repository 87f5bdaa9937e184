import type { AnyGame, Deed, GameEvent, Seat, StoredEvent, Verdict } from '../games/game.js';
import { append, before, type Course, counted, eventsOf, startCourse } from './course.js';
import type { Binding, Offer, RecordBody, Rewound, RollEntry, StoredStep, TableEvent, Tracker } from './record.js';
import {
  boxesOf,
  type GameShelf,
  MAX_NOTICES,
  MAX_REDO,
  MAX_ROLLS,
  type TableState,
  type ToldTo,
  trackerKey,
  type Undone,
} from './state.js';
import { dieOf } from './throw.js';
import { expectedFace } from './tracker.js';

/** Folds one journal record. Never judges; what it does not know marks the table incomplete. */
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
  if ((body.steps ?? []).some(({ verdict }) => verdict.verdict === 'accepted' || verdict.verdict === 'open')) {
    next = { ...next, undone: [] };
  }
  if (body.roll !== undefined) next = addRoll(next, body.roll);
  if (body.gathering !== undefined) next = { ...next, veiled: veil(next.veiled, gatheredDie(body), body.secret) };
  if (body.rewound !== undefined) next = rewind(next, body.rewound);
  if (body.notice !== undefined) {
    const shown = { seq, notice: body.notice, ...(body.to === undefined ? {} : { to: body.to }) };
    next = { ...next, notices: [...next.notices, shown].slice(-MAX_NOTICES) };
  }
  return next;
}

function tell(told: ToldTo, seq: number, to: readonly Seat[] | undefined): ToldTo {
  if (to === undefined) return { gm: seq, everyone: seq, seats: told.seats };
  const seats = new Map(told.seats);
  for (const seat of to) seats.set(seat, seq);
  return { gm: seq, everyone: told.everyone, seats };
}

function addRoll(state: TableState, roll: RollEntry): TableState {
  const veiled = veil(
    state.veiled,
    roll.wire.dice.map((die) => die.die),
    roll.to,
  );
  return { ...state, rolls: [...state.rolls, roll].slice(-MAX_ROLLS), veiled };
}

function addOffer(state: TableState, offer: Offer): TableState {
  const veiled = offer.to === undefined ? state.veiled : veil(state.veiled, [offer.die], offer.to);
  return { ...state, offers: [...state.offers, offer].slice(-MAX_ROLLS), veiled };
}

/** A die that fell in secret keeps its face to itself until it falls in the open. */
function veil(
  veiled: TableState['veiled'],
  dice: readonly string[],
  to: readonly Seat[] | undefined,
): TableState['veiled'] {
  if (to === undefined && !dice.some((die) => veiled.has(die))) return veiled;
  const next = new Map(veiled);
  for (const die of dice) {
    if (to === undefined) next.delete(die);
    else next.set(die, to);
  }
  return next;
}

function gatheredDie(body: RecordBody): readonly string[] {
  const die = body.gathering?.die;
  return typeof die === 'string' ? [dieOf(die)] : [];
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
      return enrolDie(state, event.binding);
    case 'die_released': {
      const bindings = new Map(state.bindings);
      bindings.delete(event.die);
      return { ...state, bindings, trackers: withoutDie(state, event.die) };
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
      return addOffer(state, event.offer);
    case 'taken':
      return take(state, event.roll);
    default:
      return unknownKind(state, event);
  }
}

/** The journal may hold what a later version wrote: the type says it cannot happen, the disk says it can. */
function unknownKind(state: TableState, _event: never): TableState {
  return { ...state, incomplete: true };
}

/** Marks the roll or the offer that became this record's deed. */
function take(state: TableState, id: string): TableState {
  const by = state.seq;
  return {
    ...state,
    offers: state.offers.map((offer) => (offer.roll === id ? { ...offer, taken: { by, stands: true } } : offer)),
    rolls: state.rolls.map((roll) =>
      roll.wire.id === id ? { ...roll, wire: given(roll.wire), taken: { by, before: roll.wire } } : roll,
    ),
  };
}

const given = (wire: RollEntry['wire']): RollEntry['wire'] => ({ ...wire, standing: 'corrected', code: 'assigned' });

function shared(binding: Binding): Binding {
  const { counter: _counter, ...rest } = binding;
  return { ...rest, seat: null, duty: 'rolls' };
}

function enrolDie(state: TableState, binding: Binding): TableState {
  const known = state.bindings.get(binding.die);
  const same = known !== undefined && known.seat === binding.seat && known.counter === binding.counter;
  return {
    ...state,
    bindings: new Map(state.bindings).set(binding.die, binding),
    trackers: same ? state.trackers : withoutDie(state, binding.die),
  };
}

function withoutDie(state: TableState, die: string): ReadonlyMap<string, Tracker> {
  return new Map([...state.trackers].filter(([, tracker]) => tracker.die !== die));
}

/** From here a tracker changes nothing until it has shown the expected face once (dicebound D3). */
export function disarm(
  trackers: ReadonlyMap<string, Tracker>,
  which: (tracker: Tracker) => boolean = () => true,
): ReadonlyMap<string, Tracker> {
  return new Map(
    [...trackers].map(([key, tracker]) => [
      key,
      tracker.face !== null && which(tracker) ? { ...tracker, armed: false } : tracker,
    ]),
  );
}

/** A new game begins on a clean sheet: it also ends the wait of a table that could not be read (F085). */
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
    boxes: boxesOf(state),
    trackers: new Map(),
    undone: [],
    incomplete: opening.unknown || outsideOpening.unknown,
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
    incomplete: state.incomplete || read.unknown || !DEED_KINDS.has(step.deed.kind),
  };
}

const DEED_KINDS: ReadonlySet<string> = new Set<Deed['kind']>([
  'natural',
  'choice',
  'set',
  'elapsed',
  'drawn',
  'ruling',
]);

function withEvents(verdict: Verdict<GameEvent>, events: readonly GameEvent[]): Verdict<GameEvent> {
  return verdict.verdict === 'accepted' || verdict.verdict === 'open' ? { verdict: verdict.verdict, events } : verdict;
}

function rewind(state: TableState, rewound: Rewound): TableState {
  const { course } = state;
  if (course === undefined) return { ...state, incomplete: true };
  let next: TableState = { ...state, course: before(course, rewound.from) ?? course };
  for (const step of rewound.records) next = addStep(next, step);
  const changed = new Map(rewound.rolls.map((roll) => [roll.wire.id, roll]));
  const added = rewound.rolls.filter((roll) => !next.rolls.some(({ wire }) => wire.id === roll.wire.id));
  const rolls = next.rolls.map((roll) => changed.get(roll.wire.id) ?? roll);
  return {
    ...handBack(course, { ...next, rolls: [...rolls, ...added].sort((a, b) => a.seq - b.seq).slice(-MAX_ROLLS) }),
    trackers: unsettled(state, next, rewound),
    undone: undoneAfter(state, rewound),
  };
}

function undoneAfter(state: TableState, rewound: Rewound): readonly Undone[] {
  if (rewound.from >= state.seq) return state.undone;
  if (rewound.ruling === 'redo') return state.undone.slice(0, -1);
  if (rewound.ruling !== 'undo' || rewound.undone === undefined) return [];
  const ids = new Set(rewound.rolls.map((roll) => roll.wire.id));
  const rolls = state.rolls.filter((roll) => ids.has(roll.wire.id));
  return [...state.undone, { from: rewound.from, steps: rewound.undone, rolls }].slice(-MAX_REDO);
}

/** After an undo no tracker counts until it is set again (dicebound D3); another ruling unsettles those it concerns. */
function unsettled(was: TableState, now: TableState, { ruling, from }: Rewound): TableState['trackers'] {
  if (from >= was.seq) return was.trackers;
  if (ruling === 'undo' || ruling === 'redo') return disarm(was.trackers);
  return disarm(
    was.trackers,
    ({ seat, counter }) => expectedFace(was, seat, counter) !== expectedFace(now, seat, counter),
  );
}

/** A throw that was given to a seat is loose again when the deed it became is cut off, and given again when that returns. */
function handBack(was: Course, state: TableState): TableState {
  const standing = (course: Course): ReadonlySet<number> => new Set(course.steps.filter(counted).map(({ id }) => id));
  const [old, now] = [standing(was), standing(state.course ?? was)];
  const change = (by: number): boolean | undefined => (old.has(by) === now.has(by) ? undefined : now.has(by));
  return {
    ...state,
    offers: state.offers.map((offer) => {
      const stands = offer.taken === undefined ? undefined : change(offer.taken.by);
      return offer.taken === undefined || stands === undefined
        ? offer
        : { ...offer, taken: { ...offer.taken, stands } };
    }),
    rolls: state.rolls.map((roll) => {
      const stands = roll.taken === undefined ? undefined : change(roll.taken.by);
      if (roll.taken === undefined || stands === undefined) return roll;
      return { ...roll, wire: stands ? given(roll.taken.before) : roll.taken.before };
    }),
  };
}
