import type { GameData, Stat, Tile } from '../data.js';
import { SAMPLE_ENVIRONMENTS, SAMPLE_MONSTERS, SAMPLE_TRAPS } from './adversities.js';
import { SAMPLE_CLASSES, SAMPLE_PERKS } from './classes.js';
import { SAMPLE_TILES, type SampleBonus, type SampleTile } from './tiles.js';

type Bonus = Pick<Tile, 'flat' | 'die' | 'heal' | 'pa' | 'star' | 'stat'>;

const NOTHING: Bonus = { flat: 0, die: null, heal: 0, pa: 0, star: null, stat: null };

function bonusOf(bonus: SampleBonus): Bonus {
  if (typeof bonus === 'number') return { ...NOTHING, flat: bonus };
  if (typeof bonus === 'string') return { ...NOTHING, die: Number(bonus.slice(1)) };
  if (!('star' in bonus)) return { ...NOTHING, ...bonus };
  const { it, en, damage = 0, heal = 0, pa = 0, die = null, cost = 0, limit = null, per = 'turn' } = bonus.star;
  return { ...NOTHING, star: { damage, heal, pa, die, cost, limit, per, text: { it, en } } };
}

function tileOf([, slot, owner, rarity, cost, given, it, en]: SampleTile): Tile {
  const bonus = bonusOf(given);
  const home: Stat | null = slot === 'armour' ? 'defence' : slot === 'accessory' ? bonus.stat : slot;
  return {
    ...bonus,
    name: { it: `${it} (esempio)`, en: `${en} (sample)` },
    slot,
    class: owner,
    rarity,
    cost,
    stat: home,
    consumable: bonus.heal > 0 || bonus.pa > 0,
  };
}

/** The sample box that ships with the program: every name in it says that it is a sample. */
export const SAMPLES: GameData = {
  classes: SAMPLE_CLASSES,
  tiles: Object.fromEntries(SAMPLE_TILES.map((tile) => [tile[0], tileOf(tile)])),
  perks: SAMPLE_PERKS,
  monsters: SAMPLE_MONSTERS,
  traps: SAMPLE_TRAPS,
  environments: SAMPLE_ENVIRONMENTS,
};
