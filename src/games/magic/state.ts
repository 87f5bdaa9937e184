import type { Face, PercentileReading, PlanarFace } from '../../dice/die.js';
import type { JsonObject } from '../../dice/json.js';
import type { Decided, Instruction, Landed, StandIn } from '../../rolls/instruction.js';
import type { RolledDie } from '../../rolls/outcome.js';
import type { Resolution } from '../../rolls/resolution.js';
import type { Stored } from '../../rolls/stored.js';
import type { Seat } from '../game.js';
import type { SeatEvent } from '../seating.js';

/** A card in play: under whose control, and what is left of it this turn. */
export interface InPlay {
  readonly id: number;
  readonly card: string;
  readonly seat: Seat;
  readonly used: number;
  readonly counters?: number;
  /** The player it was set on. */
  readonly target?: Seat;
  /** A number of it that only the players know (the power it exchanges). */
  readonly value?: number;
}

/** A permanent with its own stored results (706.8c). */
export interface Permanent {
  readonly name: string;
  readonly seat: Seat;
  readonly stored: readonly Stored[];
}

/** What a player said to be rolled; enough to roll it again. */
export interface Order {
  readonly seat: Seat;
  /** Card or notation, as people read it. */
  readonly name: string;
  readonly card: string | null;
  /** Without the effects in play, which are added when it is rolled. */
  readonly asks: Instruction;
  /** Cost of the planar special action, or null for a roll by an effect. */
  readonly planar?: { readonly cost: number | null };
  readonly store?: { readonly on: string; readonly entries: readonly number[] | null };
  readonly contest?: { readonly which: 'highest' | 'lowest'; readonly round: number };
}

/** A roll that is not finished; `effects[i]` is the id in play of the instruction's effect i. */
export interface OpenRoll {
  readonly n: number;
  readonly order: Order;
  readonly effects: readonly number[];
  readonly resolution: Resolution;
}

/** Something that triggers, for the players to carry out once the roll and its table are done (706.3b). */
export interface Trigger {
  readonly seat: Seat;
  readonly card: string;
  readonly when: string;
  readonly times: number;
}

/** A finished roll as the table shows it. */
export interface Report {
  readonly n: number;
  readonly seat: Seat;
  readonly name: string;
  readonly dice: readonly RolledDie[];
  readonly modifiers: readonly { readonly source: string; readonly amount: number }[];
  readonly naturals: readonly Face[];
  readonly results: readonly number[];
  readonly total: number | null;
  readonly ignored: readonly number[];
  readonly replaced: readonly number[];
  readonly paid: readonly { readonly by: string; readonly source: string; readonly cost: string }[];
  readonly exchanged: { readonly from: number; readonly to: number } | null;
  /** The rows of the results table, in printed order; absent where there is none. */
  readonly table?: readonly string[];
  /** Rows, conditions, doubles and what else the instruction makes of the results. */
  readonly reading: JsonObject;
  readonly planar: { readonly face: PlanarFace; readonly outcome: string; readonly cost: number | null } | null;
  readonly triggers: readonly Trigger[];
}

/** A contest of several players, as far as it has gone. */
export interface Contest {
  readonly which: 'highest' | 'lowest';
  readonly name: string;
  readonly results: readonly { readonly seat: Seat; readonly result: number }[];
  /** Who has it, once all have rolled. */
  readonly selected?: readonly Seat[];
}

/** A Magic table: no rules of Magic but those of rolling dice (706) and the planar die (901). */
export interface MagicState {
  readonly seats: readonly Seat[];
  readonly teams: readonly (readonly Seat[])[];
  readonly percentile: PercentileReading;
  /** Planar faces of a d6 in the place of the planar die, from its 1; null: a planar die is rolled. */
  readonly planarDie: readonly PlanarFace[] | null;
  readonly turn: number;
  readonly active: Seat;
  readonly inPlay: readonly InPlay[];
  readonly permanents: readonly Permanent[];
  /** Totals of this turn by cards that remember them. */
  readonly totals: readonly { readonly card: string; readonly seat: Seat; readonly total: number }[];
  /** Special actions of this turn, one entry each. */
  readonly specials: readonly Seat[];
  readonly open: readonly OpenRoll[];
  readonly again: Order | null;
  readonly contest: Contest | null;
  readonly last: Report | null;
  /** Finished rolls, and the number the next one or the next card gets. */
  readonly rolls: number;
  readonly next: number;
}

export type MagicEvent =
  | {
      readonly kind: 'opened';
      readonly ev: 1;
      readonly seats: readonly Seat[];
      readonly teams: readonly (readonly Seat[])[];
      readonly percentile: PercentileReading;
      readonly planarDie: readonly PlanarFace[] | null;
    }
  | { readonly kind: 'turn'; readonly ev: 1; readonly active: Seat }
  | { readonly kind: 'entered'; readonly ev: 1; readonly card: InPlay }
  | { readonly kind: 'went'; readonly ev: 1; readonly id: number }
  | { readonly kind: 'asked'; readonly ev: 1; readonly roll: OpenRoll }
  | { readonly kind: 'landed'; readonly ev: 1; readonly n: number; readonly die: Landed }
  | ({ readonly kind: 'decided'; readonly ev: 1; readonly n: number } & Decided)
  | { readonly kind: 'stood_in'; readonly ev: 1; readonly n: number; readonly standIn: StandIn }
  | { readonly kind: 'used'; readonly ev: 1; readonly id: number; readonly times: number }
  | { readonly kind: 'rolled'; readonly ev: 1; readonly report: Report }
  | { readonly kind: 'stored'; readonly ev: 1; readonly permanent: Permanent }
  | { readonly kind: 'forgotten'; readonly ev: 1; readonly name: string; readonly seat: Seat }
  | { readonly kind: 'again_due'; readonly ev: 1; readonly order: Order }
  | { readonly kind: 'again_declined'; readonly ev: 1 }
  | { readonly kind: 'compared'; readonly ev: 1; readonly contest: Contest; readonly selected: readonly Seat[] }
  | { readonly kind: 'cancelled'; readonly ev: 1; readonly n: number }
  | SeatEvent;

export const EVENT_KINDS: ReadonlySet<string> = new Set<MagicEvent['kind']>([
  'opened',
  'turn',
  'entered',
  'went',
  'asked',
  'landed',
  'decided',
  'stood_in',
  'used',
  'rolled',
  'stored',
  'forgotten',
  'again_due',
  'again_declined',
  'compared',
  'cancelled',
  'seated',
  'seat_left',
]);

/** The seats whose turn it is: the active player, or the whole team (901.12d). */
export const activeSeats = (state: MagicState): readonly Seat[] =>
  state.teams.find((team) => team.includes(state.active)) ?? [state.active];

/** The seat's permanent of this name, or undefined: equal names of two seats are two permanents (706.8c). */
export const permanentOf = (state: MagicState, seat: Seat, name: string): Permanent | undefined =>
  state.permanents.find((one) => one.name === name && one.seat === seat);
