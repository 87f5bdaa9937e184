import type { DieType } from '../../dice/die.js';
import type { Landed } from '../../rolls/resolution.js';
import type { Seat } from '../game.js';
import type { BoxEntries, BoxKind } from './box.js';
import type { GameData, Slot, Stat, StatDice } from './data.js';
import type { Attendance, Combatant, HouseRules, Rule, Slots, TrackerName, Weapon } from './state.js';
import type { Campaign } from './thresholds.js';

/** Where a die at rest belongs. */
export type Place =
  | { readonly at: 'initiative'; readonly who: Combatant }
  | { readonly at: 'trap_defence'; readonly who: Seat }
  | { readonly at: PlainPlace };

type PlainPlace = 'check' | 'effort' | 'ambush' | 'trap' | 'opening' | 'damage' | 'defence' | 'agility';

interface Told<K extends string> {
  readonly kind: K;
  readonly ev: 1;
  /** The rule that made it happen. */
  readonly rule: Rule;
  /** Only these seats (and the GM) may see it. */
  readonly to?: readonly Seat[];
}
type Of<K extends string> = Told<K> & { readonly seat: Seat };

/** What a board begins with. */
export interface Seating {
  readonly id: Seat;
  readonly class: string;
  readonly dice: StatDice;
  readonly slots: Slots;
  readonly attendance: Attendance;
}

type CampEvent =
  | (Told<'opened'> & {
      readonly mode: 'story' | 'arena';
      readonly campaign: Campaign;
      readonly rules: HouseRules;
      readonly data: GameData;
      readonly seats: readonly Seating[];
      readonly teams: { readonly [seat: Seat]: string };
      readonly level: number;
      readonly xp: number;
    })
  | (Told<'room_opened'> & {
      readonly level: number;
      readonly heads: number;
      readonly budget: number;
      readonly ambush: boolean;
      readonly environments: readonly string[];
      readonly monsters: readonly { readonly id: Combatant; readonly kind: string; readonly pawn: DieType | null }[];
    })
  | (Told<'purchases'> & {
      readonly bought: readonly string[];
      readonly spent: number;
      readonly traps: readonly { readonly id: string; readonly kind: string }[];
    })
  | Told<'room_won' | 'room_left' | 'room_closed'>
  | Of<'woke'>
  | (Told<'xp'> & { readonly head: number; readonly total: number })
  | (Told<'level_up'> & { readonly level: number; readonly chests: readonly Seat[] })
  | (Of<'check_called'> & { readonly stat: Stat; readonly difficulty: number; readonly trap: string | null })
  | (Of<'effort'> & { readonly cost: number })
  | (Of<'check_rolled'> & { readonly natural: number; readonly result: number; readonly sum: number })
  | (Of<'check_ended'> & { readonly passed: boolean })
  | Told<'rested' | 'ambushed' | 'calm'>
  | (Told<'ambush_number'> & { readonly number: number; readonly percent: number })
  | (Of<'drank'> & {
      readonly tile: string;
      readonly on: Seat;
      readonly cost: number;
      readonly heal: number;
      readonly pa: number;
    })
  | (Of<'starred'> & {
      readonly tile: string;
      readonly target: Combatant | null;
      readonly cost: number;
      readonly heal: number;
      readonly pa: number;
      readonly die: number | null;
      readonly saves: number;
    })
  | (Of<'equipped' | 'drew'> & { readonly tile: string; readonly slot: Slot; readonly source?: 'digital' })
  | (Of<'gave'> & { readonly tile: string; readonly from: Slot | null; readonly on: Seat; readonly slot: Slot })
  | (Of<'bagged'> & { readonly tile: string; readonly from: Slot | null })
  | Of<'drawing'>
  | (Of<'attendance'> & { readonly is: Attendance })
  | (Told<'joined'> & { readonly seating: Seating })
  | (Of<'classed'> & { readonly class: string; readonly dice: StatDice })
  | (Told<'boxed'> & { readonly add: BoxEntries; readonly remove: { readonly [K in BoxKind]?: readonly string[] } })
  | (Told<'adjusted'> & { readonly who: Combatant; readonly counter: TrackerName; readonly value: number })
  | (Of<'tracker_set'> & { readonly counter: TrackerName; readonly face: number; readonly ahead: boolean })
  | (Of<'tracker_late'> & { readonly counter: TrackerName; readonly face: number })
  | (Told<'trap_sprung'> & { readonly id: string; readonly trap: string; readonly hit: readonly Seat[] })
  | (Of<'trap_paid'> & { readonly pay: 'pa' | 'pv'; readonly cost: number })
  | (Told<'trap_damage'> & { readonly amount: number })
  | (Of<'trap_hurt'> & { readonly absorbed: number; readonly damage: number })
  | (Told<'trap_done'> & { readonly id: string; readonly disarmed: boolean })
  | Told<'party_killed' | 'restored'>
  | (Told<'ended'> & { readonly winner: string | null });

type FightEvent =
  | (Told<'fight_started'> & { readonly rollers: readonly Combatant[] })
  | (Told<'landed'> & { readonly place: Place; readonly seat: Seat; readonly die: Landed })
  | (Told<'initiative'> & { readonly who: Combatant; readonly natural: number; readonly result: number })
  | (Told<'tied'> & { readonly groups: readonly (readonly Combatant[])[] })
  | (Told<'ordered'> & { readonly order: readonly Combatant[] })
  | (Told<'turn'> & {
      readonly who: Combatant;
      readonly round: number;
      /** PA after the refill (C2); null on a first turn, which refills nothing (E3). */
      readonly pa: number | null;
      readonly dice: number | null;
    })
  | (Told<'attacked'> & {
      readonly by: Combatant;
      readonly weapon: Weapon;
      readonly target: Combatant | null;
      readonly cost: number;
      /** Dice that already lie for it. */
      readonly dice: readonly Landed[];
    })
  | (Told<'changed'> & {
      readonly weapon: Weapon;
      readonly target: Combatant | null;
      readonly cost: number;
      readonly dice: readonly Landed[];
    })
  | (Told<'targeted'> & { readonly target: Combatant })
  | Told<'withdrawn'>
  | (Told<'incoming'> & { readonly amount: number; readonly target: Combatant })
  | (Of<'held'> & { readonly id: string; readonly at: 'defence' | 'agility'; readonly die: Landed })
  | (Of<'answered' | 'released'> & { readonly id: string })
  | (Told<'defended' | 'dodged'> & { readonly who: Combatant; readonly amount: number; readonly left: number })
  | (Told<'dodging'> & { readonly who: Combatant; readonly cost: number; readonly free: boolean })
  | (Told<'no_dodge'> & { readonly who: Combatant })
  | (Told<'hurt'> & { readonly target: Combatant; readonly damage: number; readonly by: Combatant })
  | (Told<'attack_ended'> & { readonly cancelled: boolean })
  | (Told<'ko' | 'fallen' | 'eliminated'> & { readonly who: Combatant })
  | (Told<'turn_ended'> & { readonly who: Combatant })
  | (Told<'dice_drawn'> & { readonly who: Combatant | 'all'; readonly yes: boolean });

export type DiceboundEvent = CampEvent | FightEvent;

/** An event of one kind. */
export type EventOf<K extends DiceboundEvent['kind']> = Extract<DiceboundEvent, { readonly kind: K }>;

type AllKinds = { readonly [K in DiceboundEvent['kind']]: true };

const KINDS: AllKinds = {
  opened: true,
  room_opened: true,
  purchases: true,
  room_won: true,
  room_left: true,
  room_closed: true,
  woke: true,
  xp: true,
  level_up: true,
  check_called: true,
  effort: true,
  check_rolled: true,
  check_ended: true,
  rested: true,
  ambushed: true,
  calm: true,
  ambush_number: true,
  drank: true,
  starred: true,
  equipped: true,
  drew: true,
  gave: true,
  bagged: true,
  drawing: true,
  attendance: true,
  joined: true,
  classed: true,
  boxed: true,
  adjusted: true,
  tracker_set: true,
  tracker_late: true,
  trap_sprung: true,
  trap_paid: true,
  trap_damage: true,
  trap_hurt: true,
  trap_done: true,
  party_killed: true,
  restored: true,
  ended: true,
  fight_started: true,
  landed: true,
  initiative: true,
  tied: true,
  ordered: true,
  turn: true,
  attacked: true,
  changed: true,
  targeted: true,
  withdrawn: true,
  incoming: true,
  held: true,
  answered: true,
  released: true,
  defended: true,
  dodged: true,
  dodging: true,
  no_dodge: true,
  hurt: true,
  attack_ended: true,
  ko: true,
  fallen: true,
  eliminated: true,
  turn_ended: true,
  dice_drawn: true,
};

export const EVENT_KINDS: ReadonlySet<string> = new Set(Object.keys(KINDS));
