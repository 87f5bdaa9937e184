import type { DieType } from '../../dice/die.js';

/** The four statistics of a board: Attacco Fisico, Attacco Magico, Difesa, Agilità (D1). */
export const STATS = ['physical', 'magic', 'defence', 'agility'] as const;
export type Stat = (typeof STATS)[number];

/** The four slots of a board (T2). */
export const SLOTS = ['physical', 'magic', 'armour', 'accessory'] as const;
export type Slot = (typeof SLOTS)[number];

/** Grey common, white rare, red legendary (T1). */
export const RARITIES = ['common', 'rare', 'legendary'] as const;
export type Rarity = (typeof RARITIES)[number];

/** What people read, in both languages. */
export interface Names {
  readonly it: string;
  readonly en: string;
}

/** Sides of the die that stands for each statistic: 4, 8, 10 and 12, one each (D1). */
export type StatDice = { readonly [S in Stat]: number };

export interface HeroClass {
  readonly name: Names;
  readonly dice: StatDice;
}

/** G8: three kinds of perks, cumulative. `checks`: an advantage that counts in checks too (E5). */
export type Perk =
  | { readonly kind: 'advantage'; readonly stat: Stat; readonly checks?: boolean }
  | { readonly kind: 'mastery'; readonly stat: Stat; readonly amount: number }
  | { readonly kind: 'economy' };

/**
 * T5: a star's known effects. `die` and `cost` change the owner's next attack of this turn (sides of one more die, PA
 * more or less); without any of them the effect is told by `text` and the GM applies it.
 */
export interface Star {
  readonly damage: number;
  readonly heal: number;
  readonly pa: number;
  readonly die: number | null;
  readonly cost: number;
  /** At most so many times; null: as often as PA last. */
  readonly limit: number | null;
  readonly per: 'turn' | 'fight' | 'rest';
  readonly text: Names | null;
}

/** T1: a kind of object. `stat` is the roll it raises (T2); a consumable is drunk once for `heal` and `pa` (T4). */
export interface Tile {
  readonly name: Names | null;
  readonly slot: Slot;
  readonly class: string | null;
  readonly rarity: Rarity;
  readonly cost: number;
  readonly flat: number;
  /** Sides of the bonus die, or null. */
  readonly die: number | null;
  readonly stat: Stat | null;
  readonly consumable: boolean;
  readonly heal: number;
  readonly pa: number;
  readonly star: Star | null;
}

/** One attack of a monster: so many dice of so many sides, a flat bonus, a cost in PA (G3). */
export interface MonsterAttack {
  readonly sides: number;
  readonly dice: number;
  readonly flat: number;
  readonly cost: number;
}

/** G3, G4: a kind of monster. `horde` is the number of all its attack dice, null for a single monster. */
export interface MonsterKind {
  readonly name: Names | null;
  readonly cost: number;
  readonly pv: number;
  readonly pa: number;
  readonly defence: number;
  readonly agility: number;
  readonly horde: number | null;
  readonly pawn: DieType | null;
  readonly attacks: { readonly physical?: MonsterAttack; readonly magic?: MonsterAttack };
}

/** G11: a trap. It hits one named player or all; who cannot or will not pay `pa` suffers the damage. */
export interface TrapKind {
  readonly name: Names | null;
  readonly cost: number;
  readonly who: 'one' | 'all';
  readonly pa: number;
  readonly damage: { readonly dice: number; readonly sides: number; readonly flat: number };
  /** True if Difesa is rolled against it. */
  readonly defence: boolean;
}

/** G12: an environment event changes costs for everybody until the room is over. */
export interface EnvironmentKind {
  readonly name: Names | null;
  readonly cost: number;
  readonly magicCost: number;
  readonly physicalCost: number;
  readonly dodgeCost: number;
  readonly text: Names | null;
}

type By<T> = { readonly [id: string]: T };

/** Perks of each class by the level that brings them, 2 to 10. */
export type PerkTable = By<By<readonly Perk[]>>;

/** Everything the box says: what the real tiles, classes and monsters are. */
export interface GameData {
  readonly classes: By<HeroClass>;
  readonly tiles: By<Tile>;
  readonly perks: PerkTable;
  readonly monsters: By<MonsterKind>;
  readonly traps: By<TrapKind>;
  readonly environments: By<EnvironmentKind>;
}
