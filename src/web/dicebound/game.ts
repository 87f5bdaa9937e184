import type { TableView } from '../../wire/view.js';

export const STATS = ['physical', 'magic', 'defence', 'agility'] as const;
export type Stat = (typeof STATS)[number];

export const SLOTS = ['physical', 'magic', 'armour', 'accessory'] as const;
export type Slot = (typeof SLOTS)[number];

export const RARITIES = ['common', 'rare', 'legendary'] as const;
export type Rarity = (typeof RARITIES)[number];

export interface Names {
  readonly it?: string;
  readonly en?: string;
}

/** A star of a tile as the file has it; `true` where only the tile itself says what it does. */
export interface Star {
  readonly damage?: number;
  readonly heal?: number;
  readonly pa?: number;
  readonly die?: number;
  readonly cost?: number;
  readonly limit?: number;
  readonly per?: 'turn' | 'fight' | 'rest';
  readonly text?: Names;
}

/** A tile as the file of a box has it. */
export interface Tile {
  readonly name?: Names;
  readonly slot: Slot;
  readonly class?: string;
  readonly rarity?: Rarity;
  readonly cost?: number;
  readonly flat?: number;
  readonly die?: number;
  readonly stat?: Stat;
  readonly consumable?: boolean;
  readonly heal?: number;
  readonly pa?: number;
  readonly star?: Star | true;
}

export interface Attack {
  readonly sides: number;
  readonly dice: number;
  readonly flat: number;
  readonly cost: number;
}

export type Attacks = { readonly [W in 'physical' | 'magic']?: Attack };

export interface MonsterKind {
  readonly name?: Names;
  readonly cost: number;
  readonly pv: number;
  readonly pa: number;
  readonly defence: number;
  readonly agility: number;
  readonly horde?: number;
  readonly pawn?: string;
  readonly attacks: Attacks;
}

export interface Trap {
  readonly name?: Names;
  readonly cost: number;
  readonly who?: 'one' | 'all';
  readonly pa?: number;
  readonly damage?: { readonly dice: number; readonly sides: number; readonly flat: number };
  readonly defence?: boolean;
}

export interface Environment {
  readonly name?: Names;
  readonly cost: number;
  readonly magicCost?: number;
  readonly physicalCost?: number;
  readonly dodgeCost?: number;
  readonly text?: Names;
}

export type StatDice = { readonly [S in Stat]: number };

export interface HeroClass {
  readonly name?: Names;
  readonly dice: StatDice;
}

/** A perk as the file of a box has it. */
export interface BoxPerk {
  readonly kind: 'advantage' | 'mastery' | 'economy';
  readonly stat?: Stat;
  readonly amount?: number;
  readonly checks?: boolean;
}

/** The perks of one class by the level that brings them (G8). */
export type PerkLevels = { readonly [level: string]: readonly BoxPerk[] };

/** The box of a table in the form of its file; a player is not told the GM's part. */
export interface Box {
  readonly classes: { readonly [id: string]: HeroClass };
  readonly tiles: { readonly [id: string]: Tile };
  readonly perks?: { readonly [id: string]: PerkLevels };
  readonly monsters?: { readonly [id: string]: MonsterKind };
  readonly traps?: { readonly [id: string]: Trap };
  readonly environments?: { readonly [id: string]: Environment };
}

/** A perk of a board, with the level that brought it. */
export interface Perk extends BoxPerk {
  readonly level: number;
}

/** PA of what a board can do now; null where it cannot. */
export interface Costs {
  readonly physical: number | null;
  readonly magic: number | null;
  readonly base: number | null;
  readonly dodge: number;
  readonly tiles: { readonly [id: string]: number };
}

export interface Hero {
  readonly pv: number;
  readonly pa: number;
  readonly level: number;
  readonly ko: boolean;
  readonly present: boolean;
  readonly attendance: 'present' | 'absent' | 'gone';
  readonly class: string;
  readonly dice: StatDice;
  readonly slots: { readonly [S in Slot]: string | null };
  readonly hand: readonly string[];
  readonly chests: number;
  readonly perks: readonly Perk[];
  readonly costs: Costs;
  /** The face each tracker should show; null where its counter has none. */
  readonly expected: { readonly [counter: string]: number | null };
}

export const BANDS = ['unhurt', 'hurt', 'badly_hurt', 'nearly_down'] as const;
export type Band = (typeof BANDS)[number];

/** A monster that stands; its values are the GM's alone. */
export interface Monster {
  readonly kind: string;
  readonly name?: Names;
  readonly band: Band;
  readonly pawn?: string;
  readonly pv?: number;
  readonly pa?: number;
  readonly attackDice?: number;
  readonly defence?: number;
  readonly agility?: number;
  readonly attacks?: Attacks;
}

export interface Room {
  readonly n: number;
  readonly level: number;
  readonly ambush: boolean;
  readonly environments: readonly string[];
  readonly traps: { readonly [id: string]: { readonly kind: string; readonly done: boolean } };
  readonly drawn?: readonly string[];
}

export interface OpenAttack {
  readonly by: string;
  readonly weapon: 'physical' | 'magic' | 'base';
  readonly target: string | null;
  readonly cost: number;
  readonly incoming: number;
  readonly left: number;
  readonly stage: string;
}

export interface Check {
  readonly seat: string;
  readonly stat: Stat;
  readonly difficulty: number;
  readonly sum: number;
  readonly tries: number;
}

/** What the box has of the things that lie on the table now; `edits` counts its changes. */
export interface InPlay {
  readonly edits: number;
  readonly tiles: { readonly [id: string]: Tile };
  readonly classes: { readonly [id: string]: Names };
  readonly traps: { readonly [id: string]: Trap };
  readonly environments: { readonly [id: string]: Environment };
}

/** What a room for the whole budget is likely to cost: share of fights won, PV each hero loses. The GM's alone. */
export interface Forecast {
  readonly winRate: number;
  readonly pvLost: number;
}

/** The public state of Dicebound (contracts I, docs/games/dicebound.md). */
export interface DiceboundState {
  readonly phase: string;
  readonly round: number;
  readonly turn: string | null;
  readonly order: readonly string[];
  readonly seats: { readonly [id: string]: Hero };
  readonly monsters: { readonly [id: string]: Monster };
  readonly room: Room | null;
  readonly budget: { readonly total: number; readonly spent?: number };
  readonly forecast?: Forecast | null;
  readonly xp: { readonly have: number; readonly next: number | null };
  readonly over: boolean;
  readonly winner: string | null;
  readonly mode: 'story' | 'arena';
  readonly level: number;
  readonly levelFace: number;
  readonly attack: OpenAttack | null;
  readonly check: Check | null;
  readonly held: ReadonlyArray<{ readonly seat: string; readonly at: string; readonly face: number | string }>;
  readonly initiative: { readonly [who: string]: readonly number[] };
  readonly box: InPlay;
}

const NOTHING: DiceboundState = {
  phase: 'camp',
  round: 0,
  turn: null,
  order: [],
  seats: {},
  monsters: {},
  room: null,
  budget: { total: 0 },
  xp: { have: 0, next: null },
  over: false,
  winner: null,
  mode: 'story',
  level: 1,
  levelFace: 10,
  attack: null,
  check: null,
  held: [],
  initiative: {},
  box: { edits: 0, tiles: {}, classes: {}, traps: {}, environments: {} },
};

/** True on a table that plays Dicebound. */
export const playsDicebound = (view: TableView | null): view is TableView => view?.game.id === 'dicebound';

/** Reads the game's public state; what an older daemon does not tell counts as not there. */
export const readDicebound = (view: TableView): DiceboundState => ({
  ...NOTHING,
  ...(view.game.state as unknown as Partial<DiceboundState>),
});

/** The value of a key that came from outside, read as an own property only (F154). */
export const own = <T>(
  table: { readonly [id: string]: T } | undefined,
  id: string | null | undefined,
): T | undefined => (table !== undefined && typeof id === 'string' && Object.hasOwn(table, id) ? table[id] : undefined);

export const heroOf = (state: DiceboundState, seat: string): Hero | undefined => own(state.seats, seat);

/** The values a field of an action may have. */
export function valuesOf(spec: { readonly [field: string]: unknown }, field: string): readonly string[] {
  const args = typeof spec.args === 'object' && spec.args !== null ? (spec.args as Record<string, unknown>) : {};
  const values = Object.hasOwn(args, field) ? args[field] : [];
  return Array.isArray(values) ? values.filter((one) => typeof one === 'string') : [];
}
