import type { DieType } from '../../dice/die.js';
import type { Landed } from '../../rolls/resolution.js';
import type { Seat } from '../game.js';
import type { GameData, Slot, Stat, StatDice } from './data.js';
import type { Campaign } from './thresholds.js';

export type Rule = `dicebound:${string}` | `Z${number}`;

/** A seat or a monster. */
export type Combatant = string;

/** D2: no tracker shows more. */
export const MAX_PV = 20;
export const MAX_PA = 6;

/** The three trackers of a board (D1). */
export const COUNTERS = ['pv', 'pa', 'level'] as const;
export type TrackerName = (typeof COUNTERS)[number];

/** The named options of the page, each with its default (last line of the page). */
export interface HouseRules {
  readonly trackerAuthority: 'rules' | 'dice';
  readonly declare: 'after' | 'before';
  readonly earlyAnswers: 'hold' | 'refuse';
  readonly ambushRoll: 'app' | 'dice';
  readonly bag: 'physical' | 'digital';
  readonly backpack: number;
  readonly gmInitiative: 'each' | 'once';
  readonly ambushPercent: number;
}

/**
 * One tracker die (D3, D4): the face it is known to show; `ahead`: it was set down by a cost before that cost was paid;
 * `told`: everybody has heard that it is wrong; `dues` counts the faces it was asked for.
 */
export interface Tracker {
  readonly shown: number | null;
  readonly ahead: boolean;
  readonly told: boolean;
  readonly dues: number;
}

export type Attendance = 'present' | 'absent' | 'gone';
export type Slots = { readonly [S in Slot]: string | null };

/** A player's board. */
export interface Hero {
  readonly class: string;
  readonly dice: StatDice;
  readonly pv: number;
  readonly pa: number;
  readonly ko: boolean;
  readonly attendance: Attendance;
  readonly slots: Slots;
  /** Tiles without a slot: just drawn or displaced (T6). */
  readonly hand: readonly string[];
  /** Tiles this seat may still draw (G7). */
  readonly chests: number;
  /** How often each star was used within its limit (T5). */
  readonly used: { readonly [tile: string]: number };
  readonly trackers: { readonly [C in TrackerName]: Tracker };
}

/** A monster or a horde on the table (G3, G4). One that fell keeps its place here until the room closes. */
export interface Monster {
  readonly kind: string;
  readonly pv: number;
  readonly pa: number;
  readonly fallen: boolean;
  readonly pawn: DieType | null;
}

/** A trap of this room; `done` once it was sprung or disarmed. */
export interface Trap {
  readonly kind: string;
  readonly done: boolean;
}

/** G10: a room from its opening to its end. */
export interface Room {
  readonly n: number;
  readonly stage: 'open' | 'won' | 'left';
  readonly level: number;
  readonly heads: number;
  readonly budget: number;
  readonly spent: number;
  readonly ambush: boolean;
  readonly bought: readonly string[];
  readonly environments: readonly string[];
  readonly traps: { readonly [id: string]: Trap };
  readonly monsters: { readonly [id: Combatant]: Monster };
  /** Monsters whose dice the table draws; `all` for every one (G14). */
  readonly drawn: readonly Combatant[];
  readonly paid: boolean;
}

/** E1, E2: a check with the sum so far. `paid`: the roll that is awaited is an effort. */
export interface Check {
  readonly n: number;
  readonly seat: Seat;
  readonly stat: Stat;
  readonly difficulty: number;
  readonly trap: string | null;
  readonly stage: 'roll' | 'effort' | 'passed' | 'failed';
  readonly tries: number;
  readonly sum: number;
  readonly landed: readonly Landed[];
}

/** G11: a trap that was sprung and is not done. */
export interface SprungTrap {
  readonly id: string;
  readonly hit: readonly Seat[];
  readonly pays: { readonly [seat: Seat]: 'pa' | 'pv' };
  readonly landed: readonly Landed[];
  readonly amount: number | null;
  readonly defences: { readonly [seat: Seat]: readonly Landed[] };
  readonly hurt: readonly Seat[];
}

export const WEAPONS = ['physical', 'magic', 'base'] as const;
export type Weapon = (typeof WEAPONS)[number];

/** T5: what stars add to the next attack of this turn. */
export interface Boost {
  readonly dice: readonly number[];
  readonly cost: number;
}

/** What an attack changed when it was opened, to be given back if it is withdrawn (C3). */
export interface Undone {
  readonly bases: number;
  readonly left: number;
  readonly boost: Boost;
  readonly last: Combatant | null;
}

/** C3–C6: the attack that is open. */
export interface Attack {
  readonly n: number;
  readonly by: Combatant;
  readonly weapon: Weapon;
  readonly target: Combatant | null;
  readonly cost: number;
  /** Until the next roll of the fight it may be changed or withdrawn. */
  readonly changeable: boolean;
  readonly stage: 'damage' | 'defence' | 'dodge' | 'agility' | 'done';
  readonly landed: readonly Landed[];
  readonly defence: readonly Landed[];
  readonly agility: readonly Landed[];
  readonly boost: Boost;
  /** Incoming damage, and what is left of it. */
  readonly incoming: number;
  readonly left: number;
  readonly was: Undone;
}

/** C4: an answer thrown before it was asked for. `seat` is `gm` for a monster's dice. */
export interface Held {
  readonly id: string;
  readonly seat: Seat;
  readonly at: 'defence' | 'agility';
  readonly die: Landed;
}

/** C1: who rolls initiative; `gm` where the GM rolls once for all monsters. */
export interface Fight {
  readonly n: number;
  readonly stage: 'initiative' | 'rounds';
  readonly round: number;
  readonly rollers: readonly Combatant[];
  readonly landed: { readonly [who: Combatant]: readonly Landed[] };
  /** Results of each pass; who has the same in all of them is tied. */
  readonly rolls: { readonly [who: Combatant]: readonly number[] };
  readonly pass: number;
  readonly order: readonly Combatant[];
  readonly at: number;
  readonly turn: Combatant | null;
  /** Who has had a turn in this fight (E3). */
  readonly acted: readonly Combatant[];
  /** Base attacks of this turn (C7). */
  readonly bases: number;
  /** Attacks a horde has left in this turn (G4). */
  readonly left: number;
  /** Seats whose free dodge is spent until their next turn (G8). */
  readonly dodged: readonly Seat[];
  readonly last: { readonly [who: Combatant]: Combatant };
  readonly attacks: number;
  readonly attack: Attack | null;
  /** Bonus dice thrown before the statistic die that opens the attack. */
  readonly opening: readonly Landed[];
  readonly boost: Boost;
  readonly held: readonly Held[];
}

/** G9: what comes back after a total party kill. */
export interface Snapshot {
  readonly level: number;
  readonly xp: number;
  readonly heroes: { readonly [seat: Seat]: Pick<Hero, 'pv' | 'pa' | 'ko' | 'slots' | 'hand' | 'chests' | 'used'> };
}

/** A game of Dicebound as plain data. */
export interface DiceboundState {
  readonly mode: 'story' | 'arena';
  readonly campaign: Campaign;
  readonly rules: HouseRules;
  readonly data: GameData;
  /** How often the data of the box were changed: who keeps a copy of them asks again. */
  readonly edits: number;
  /** Seats in the order in which they sat down. */
  readonly seats: readonly Seat[];
  readonly heroes: { readonly [seat: Seat]: Hero };
  /** C10: the team of each seat; one's own id where there are none. */
  readonly teams: { readonly [seat: Seat]: string };
  readonly level: number;
  /** Experience a head (G14). */
  readonly xp: number;
  readonly restore: Snapshot;
  readonly rooms: number;
  readonly fights: number;
  readonly rests: number;
  readonly checks: number;
  readonly draws: number;
  readonly room: Room | null;
  readonly check: Check | null;
  readonly trap: SprungTrap | null;
  /** E4: the ambush roll is awaited, or the ambush's room. */
  readonly resting: 'roll' | 'room' | null;
  readonly ambushDice: readonly Landed[];
  /** T6: whose tile the table draws now. */
  readonly drawing: Seat | null;
  readonly fight: Fight | null;
  readonly over: boolean;
  readonly winner: string | null;
}

export const NO_BOOST: Boost = { dice: [], cost: 0 };
