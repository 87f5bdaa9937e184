import type { DieType, Face, Quality, Source } from '../dice/die.js';
import type { Json, JsonObject } from '../dice/json.js';
import type { Result } from '../dice/result.js';
import type { Resolution } from '../rolls/resolution.js';
import type { BoxFault } from '../wire/dicebound-box.js';

/** A seat id; also `gm` (the Game Master) and `table` (what all players agree on). */
export type Seat = string;
export type CallId = string;
export type TimerId = string;
export type DrawId = string;
/** A dice counter of a seat: `pv`, `pa`, `level`. */
export type Counter = string;
/** Page and number of a rule, as `dadoteck:M2`; common rules are `Z2`. */
export type RuleId = string;

/** The die that lay: its identity within the call, its kind, and how far its reading can be trusted. */
export interface DieRef {
  readonly die: string;
  readonly type: DieType;
  readonly quality: Quality;
  readonly fake?: true;
  /** Set where it counts for its seat and was thrown for want of another of its kind. */
  readonly counter?: Counter;
}

/** A word of the Game Master that no player's deed can say; each game names the ones it knows. */
export interface Ruling {
  readonly ruling: string;
  readonly args: JsonObject;
}

/**
 * What is put before the rules. Time and chance come in as deeds too (`elapsed`, `drawn`), so a replay needs neither.
 * `call: null`: no open call takes this die; the game still says whether it is refused (by which rule) or loose.
 * `via: 'gm'`: the GM chose for an absent seat (README Z7).
 */
export type Deed =
  | {
      readonly kind: 'natural';
      readonly call: CallId | null;
      readonly seat: Seat | null;
      readonly die: DieRef;
      readonly face: Face;
      readonly source: Source;
    }
  | {
      readonly kind: 'choice';
      readonly by: Seat;
      readonly via?: 'gm';
      readonly call?: CallId;
      readonly option?: Json;
      readonly action?: string;
      readonly args?: JsonObject;
    }
  | {
      readonly kind: 'set';
      readonly seat: Seat;
      readonly counter: Counter;
      readonly face: number;
      /** Nobody turned it now: it lay on this face already. */
      readonly lying?: true;
    }
  | { readonly kind: 'elapsed'; readonly timer: TimerId }
  | { readonly kind: 'drawn'; readonly draw: DrawId; readonly values: readonly number[] }
  | { readonly kind: 'ruling'; readonly ruling: Ruling };

/** An action a seat may take, with the values each field may have (a list), or its kind. */
export interface ActionSpec {
  readonly action: string;
  readonly args?: { readonly [field: string]: readonly Json[] | 'text' | 'number' };
}

/** The roll that waits for a decision (rule 706): its call, whose it is, what it is for, and how far it has come. */
export interface Deciding {
  readonly call: CallId;
  readonly seat: Seat | null;
  readonly purpose: string;
  readonly rule: RuleId;
  readonly resolution: Resolution;
}

/**
 * What a game waits for. The id is made from the state, so a late die cannot fall into the next call.
 * `purpose` is the game's word (`move`, `initiative`), `to` names the only seats (beside the GM) that may know of it;
 * without `to` it is public. `for` says whom or what it concerns.
 */
export type Expectation = {
  readonly id: CallId;
  readonly seat: Seat | null;
  readonly rule: RuleId;
  readonly purpose: string;
  readonly optional: boolean;
  readonly for?: string;
  readonly to?: readonly Seat[];
} & (
  | {
      readonly kind: 'roll';
      readonly resolution: Resolution;
      /** The game lets other dice stand for missing ones (its action `substitute`). */
      readonly substitutes?: true;
    }
  | {
      readonly kind: 'choice';
      readonly options?: readonly Json[];
      readonly actions?: readonly ActionSpec[];
      /** Set where the choice is a decision of a roll, so that the table can tell the roll that it completes. */
      readonly deciding?: Deciding;
    }
  | { readonly kind: 'set'; readonly counter: Counter; readonly face: number }
  | { readonly kind: 'timer'; readonly ms: number }
  | { readonly kind: 'draw'; readonly sides: readonly number[]; readonly secret: boolean }
);

/**
 * Answer of the rules. `open`: taken, more dice or a decision wanted. `loose`: nobody awaited it, nothing changed.
 * `refused`: awaited but wrong, nothing changed. Never an exception, never silence.
 */
export type Verdict<E> =
  | { readonly verdict: 'accepted' | 'open'; readonly events: readonly E[] }
  | { readonly verdict: 'loose'; readonly code: string; readonly rule?: RuleId; readonly reason: string }
  | {
      readonly verdict: 'refused';
      readonly code: string;
      readonly rule?: RuleId;
      readonly expected?: string;
      readonly reason: string;
    };

/** An event of a game. `ev` is the version of its meaning; `to` names the only seats (beside the GM) that may see it. */
export interface GameEvent {
  readonly kind: string;
  readonly ev: number;
  readonly to?: readonly Seat[];
}

/** An event as it stands in the journal, perhaps of an older version. */
export type StoredEvent = { readonly kind: string; readonly ev: number } & JsonObject;

/** Who looks: the GM sees all, a seat its own secrets, spectators (overlay, MQTT) only what is public. */
export type Audience =
  | { readonly role: 'gm' }
  | { readonly role: 'seat'; readonly seat: Seat }
  | { readonly role: 'spectator' };

/** A player's place at the table. `name` is what people read; it never enters a topic or a path. */
export interface SeatSetup {
  readonly id: Seat;
  readonly name: string;
}

/** What an audience may know of a game. */
export interface GameView {
  readonly state: JsonObject;
  readonly awaited: readonly Expectation[];
}

/** What the dice of a set are for when a seat takes them: those that count, the rest roll. */
export interface Duties {
  readonly counts: ReadonlyMap<DieType, Counter>;
  /** Kinds that may roll or count as the players like: they are asked. */
  readonly asked: ReadonlySet<DieType>;
  /** The GM's dice mark who is where; they roll only where their kind is awaited. */
  readonly gmPawns?: true;
}

/**
 * A game: pure functions over plain data. State `S` is a fold of events `E`.
 * No clock, no timer, no randomness, no I/O; a game never throws on a deed.
 */
export interface Game<S, E extends GameEvent> {
  readonly id: string;
  readonly version: number;
  /** Absent where every die is thrown. */
  readonly duties?: Duties;
  /** Opens a game, or refuses its options naming the faulty one. */
  setup(options: JsonObject, seats: readonly SeatSetup[]): Verdict<E>;
  /** All that is awaited now, in the order in which equal dice fill it. */
  expects(state: S): readonly Expectation[];
  judge(state: S, deed: Deed): Verdict<E>;
  evolve(state: S | undefined, event: E): S;
  view(state: S, audience: Audience): GameView;
  /** Brings a stored event to today's meaning; undefined for a kind this version does not know. */
  upcast(event: StoredEvent): E | undefined;
  /** True where a die that counts or stands for something is never rolled, whatever is awaited (magic R14). */
  readonly countersRest?: true;
  /** True where a tens die counts by the face that is printed on it (10…90, 0), not by its tens. */
  readonly printedTens?: true;
  /** The GM's dice that stand on the table for who acts or is hit in an event: they blink. */
  pawns?(before: S, event: E): readonly DieType[];
  /** Where the game has data that people enter. */
  readonly box?: GameBox<S>;
}

/**
 * What a game is played with, where that is more than every view should carry. Where people make it themselves (`read`),
 * it is kept in the state, entered by the action `box`, shown and read as one documented file.
 */
export interface GameBox<S> {
  /** The whole of it as this audience may know it, in the form of its file. */
  contents(state: S, audience: Audience): JsonObject;
  /**
   * The whole of it, if people have changed it since the game was set up. It stays with the table: the next of these games
   * there is set up with it as its option `box`.
   */
  kept?(state: S): JsonObject | undefined;
  /** Reads a file into the fields of one or more actions `box`, or tells every fault with line, field and remedy. */
  read?(text: string, file: string): Result<readonly JsonObject[], readonly BoxFault[]>;
}

/** A game whose state and events only its own module knows; what the table and the journal handle. */
export type AnyGame = Game<unknown, GameEvent>;
