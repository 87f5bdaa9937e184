import type { Origin } from '../devices/device.js';
import type { PercentileReading } from '../dice/die.js';
import type { Deed, Expectation, GameEvent, Verdict } from '../games/game.js';
import type { Preview } from '../wire/command.js';
import type { RecordKind, RollWire } from '../wire/envelope.js';
import type { Course, RunId } from './course.js';
import type { RecordBody, RollEntry, TableEvent } from './record.js';
import type { GameShelf, TableState } from './state.js';

/** Outcome of a command inside the table, before it is on disk. */
export type Done =
  | { readonly ok: true; readonly seq: number | null; readonly preview?: Preview; readonly roll?: string }
  | {
      readonly ok: false;
      readonly code: string;
      readonly reason: string;
      readonly rule?: string;
      readonly expected?: string;
      /** The throw that did not count: it is written down all the same. */
      readonly roll?: string;
    };

/** What the parts of the table work on: its state and the one door to the journal. */
export interface Room {
  readonly id: string;
  readonly shelf: GameShelf;
  readonly percentile: PercentileReading;
  state(): TableState;
  /** The course of the game on the table. Absent only where the journal could not be read (incomplete). */
  course(): Course | undefined;
  /** Numbers and folds a record, queues it for the disk and returns its number. */
  commit(kind: RecordKind, body: RecordBody, origin?: Origin): number;
  /** An unbiased number 1…sides. */
  draw(sides: number): number;
}

/** One deed judged and written down. */
export interface Judged {
  readonly seq: number;
  readonly verdict: Verdict<GameEvent>;
  readonly roll?: RollWire;
}

/** What is written beside a deed. */
export interface DeedContext {
  readonly run: RunId;
  readonly deed: Deed;
  readonly expects?: Expectation;
  readonly origin?: Origin;
  readonly ageMs?: number;
  readonly caller?: string;
  /** Written in the same record if the deed counts. */
  readonly also?: readonly TableEvent[];
  /** Written in the same record whatever the rules say. */
  readonly beside?: readonly TableEvent[];
}

export const refused = (
  code: string,
  reason: string,
  more: { rule?: string; expected?: string; roll?: string } = {},
): Extract<Done, { ok: false }> => ({
  ok: false,
  code,
  reason,
  ...more,
});

export const done = (seq: number | null, more: { preview?: Preview; roll?: string } = {}): Done => ({
  ok: true,
  seq,
  ...more,
});

/** A roll of this table by its id; the newest are kept. */
export const findRoll = (room: Room, id: string): RollEntry | undefined =>
  room.state().rolls.find((roll) => roll.wire.id === id);

export const noSuchRoll = (id: string): Done =>
  refused('no_such_roll', `No roll ${id.slice(0, 64)} is known (the last 200 are).`);
