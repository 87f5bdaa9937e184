import type { JsonObject } from '../dice/json.js';
import type { AnyGame, Audience, Seat, SeatSetup } from '../games/game.js';
import type { Course } from './course.js';
import type { Binding, Notice, Offer, RollEntry, StoredStep, Tracker } from './record.js';

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
  /** What people entered for games that were played here before, by the game. */
  readonly boxes: ReadonlyMap<string, JsonObject>;
  readonly rolls: readonly RollEntry[];
  readonly offers: readonly Offer[];
  readonly trackers: ReadonlyMap<string, Tracker>;
  readonly notices: readonly ShownNotice[];
  readonly undone: readonly Undone[];
  /** Dice whose last face only these seats (beside the GM) may know. */
  readonly veiled: ReadonlyMap<string, readonly Seat[]>;
  /** The journal holds a kind that this version does not know: refereed play waits for the GM (F085). */
  readonly incomplete: boolean;
  readonly told: ToldTo;
}

/** A notice as it is shown; `to` are the only seats (beside the GM) that may know of it. */
export interface ShownNotice {
  readonly seq: number;
  readonly notice: Notice;
  readonly to?: readonly Seat[];
}

/** What an undo cut off, and how its rolls were told before. */
export interface Undone {
  readonly from: number;
  readonly steps: readonly StoredStep[];
  readonly rolls: readonly RollEntry[];
}

/** Number of the newest record told to each audience: the `prev` of the next envelope. */
export interface ToldTo {
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
    boxes: new Map(),
    rolls: [],
    offers: [],
    trackers: new Map(),
    notices: [],
    undone: [],
    veiled: new Map(),
    incomplete: false,
    told: { gm: 0, everyone: 0, seats: new Map() },
  };
}

/** What people entered for each game of this table, the one that is played now included. */
export function boxesOf({ boxes, course }: TableState): TableState['boxes'] {
  const run = course?.runs.game;
  const kept = run?.game.box?.kept?.(run.state);
  return run === undefined || kept === undefined ? boxes : new Map(boxes).set(run.game.id, kept);
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
