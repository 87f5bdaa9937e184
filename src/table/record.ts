import type { DieType, Face } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';
import type { Counter, Deed, GameEvent, Seat, Verdict } from '../games/game.js';
import type { RollWire } from '../wire/envelope.js';
import type { RunId } from './course.js';

/** Whose a die is and what it is for. `seat: null` is a shared die: anybody's (README Z9). */
export interface Binding {
  readonly die: string;
  readonly device: string;
  readonly model: string;
  readonly type?: DieType;
  readonly seat: Seat | null;
  readonly duty: 'rolls' | 'counts' | 'pawn';
  readonly counter?: Counter;
  readonly name?: string;
  readonly fake?: true;
  /** What a GoDice wears, which it does not know itself; absent: it is bare. */
  readonly shell?: string;
  /** The owner's word on what a die is, against what the die says of itself. */
  readonly kind?: DieType;
  /** Faces of its own: the device's index of a face, and what is printed there. */
  readonly faces?: readonly (readonly [index: number, face: Face])[];
  /** What a face bears in the place of its number, which it counts all the same: a set's symbol for the 20 (magic R14). */
  readonly names?: readonly (readonly [face: Face, name: string])[];
}

/** Why a tracker's face was not believed by itself (dicebound D3): the board and the GM are asked. */
export type Doubt = 'knock' | 'tumble' | 'mismatch' | 'unarmed';

/**
 * A die that counts for a seat. `face` is the last face believed, `armed` false from a pause, an undo or a restart of the
 * evening until it has shown the expected face once; `asked` is a face that waits for a person's word.
 */
export interface Tracker {
  readonly seat: Seat;
  readonly counter: Counter;
  readonly die: string;
  readonly face: number | null;
  readonly armed: boolean;
  readonly asked?: { readonly face: number; readonly why: Doubt };
}

/** One throw that was told: the roll as the wire shows it, with what a ruling needs to find its deeds. */
export interface RollEntry {
  readonly seq: number;
  readonly wire: RollWire;
  /** Steps of the course that brought its dice, in the order of `wire.dice`. */
  readonly parts: readonly number[];
  readonly run: RunId;
  readonly call: string | null;
  /** The only seats (beside the GM) that may see it; absent: public. */
  readonly to?: readonly Seat[];
  /** The record in which it counts after all, and how it was told before; kept by the fold. */
  readonly taken?: { readonly by: number; readonly before: RollWire };
}

/** What the table itself changes, beside its games. */
export type TableEvent =
  | { readonly kind: 'opened'; readonly ev: 1; readonly name: string }
  | { readonly kind: 'seat_taken'; readonly ev: 1; readonly id: Seat; readonly name: string }
  | { readonly kind: 'seat_left'; readonly ev: 1; readonly id: Seat }
  | { readonly kind: 'die_enrolled'; readonly ev: 1; readonly binding: Binding }
  | { readonly kind: 'die_released'; readonly ev: 1; readonly die: string }
  | { readonly kind: 'die_blocked'; readonly ev: 1; readonly die: string; readonly blocked: boolean }
  | { readonly kind: 'evening'; readonly ev: 1; readonly state: 'open' | 'paused' | 'closed' }
  | {
      readonly kind: 'game_begun';
      readonly ev: 1;
      readonly game: string;
      readonly version: number;
      readonly options: JsonObject;
      readonly opening: readonly GameEvent[];
      readonly outside: readonly GameEvent[];
    }
  | { readonly kind: 'tracker'; readonly ev: 1; readonly tracker: Tracker }
  | { readonly kind: 'offered'; readonly ev: 1; readonly offer: Offer }
  | { readonly kind: 'taken'; readonly ev: 1; readonly roll: string };

/**
 * A rest that is no throw by itself (in bilico, "L'hai tirato?", re-read after a link loss) and counts only if its
 * roller says so.
 */
export interface Offer {
  readonly roll: string;
  readonly seat: Seat | null;
  readonly die: string;
  readonly type: DieType;
  readonly face: number | string;
  readonly why: 'leaning' | 'unsure' | 'resync';
  readonly fake?: true;
  /** The only seats (beside the GM) that may see it; absent: public. */
  readonly to?: readonly Seat[];
  /** The record that took it, and whether that still stands; kept by the fold, never written. */
  readonly taken?: { readonly by: number; readonly stands: boolean };
}

/** A deed as it stands in the journal: with its verdict, so that `judge` never runs on it again. */
export interface StoredStep {
  readonly id: number;
  readonly run: RunId;
  readonly gv: number;
  readonly deed: Deed;
  readonly verdict: Verdict<GameEvent>;
}

/** A ruling about the past: the state before `from`, then `records` (design, Corrections). */
export interface Rewound {
  readonly from: number;
  readonly records: readonly StoredStep[];
  readonly ruling: 'correct' | 'void' | 'undo' | 'redo' | 'assign';
  /** Deeds that no longer fit: loose, shown, assignable. */
  readonly loose: readonly number[];
  /** Rolls whose faces, verdict or standing changed. */
  readonly rolls: readonly RollEntry[];
  /** What an undo cut off, for a redo. */
  readonly undone?: readonly StoredStep[];
}

/** Something people should know that is no roll. */
export interface Notice extends JsonObject {
  readonly code: string;
}

/** Body of a journal record. Unknown fields are ignored, an unknown kind of event marks the table incomplete (F085). */
export interface RecordBody {
  readonly v: 1;
  readonly caller?: string;
  readonly steps?: readonly StoredStep[];
  readonly table?: readonly TableEvent[];
  readonly roll?: RollEntry;
  readonly gathering?: JsonObject;
  readonly counter?: JsonObject;
  readonly choice?: JsonObject;
  readonly call?: JsonObject;
  readonly notice?: Notice;
  readonly rewound?: Rewound;
  /** The only seats (beside the GM) that see the details: the roll, the choice, the events. */
  readonly secret?: readonly Seat[];
  /** The only seats (beside the GM) that get an envelope of this record. */
  readonly to?: readonly Seat[];
}
