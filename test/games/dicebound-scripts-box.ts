import type { JsonObject } from '../../src/dice/json.js';
import { accepted, gm, type Line, roll, type Script, taken } from './dicebound-script.js';

export const ADA: JsonObject = {
  id: 'ada',
  class: 'guerriero',
  dice: { physical: 12, magic: 4, defence: 10, agility: 8 },
};
export const BEA: JsonObject = { id: 'bea', class: 'mago', dice: { physical: 4, magic: 12, defence: 8, agility: 10 } };
export const CAI: JsonObject = { id: 'cai', class: 'ladro', dice: { physical: 8, magic: 10, defence: 4, agility: 12 } };

export const tiles: JsonObject = {
  '101': { slot: 'physical', class: 'guerriero', cost: 2, flat: 2 },
  '102': { slot: 'physical', class: 'ladro', cost: 2, die: 6 },
  '103': { slot: 'physical', cost: 3, die: 'd8' },
  '104': { slot: 'physical', class: 'guerriero', cost: 1 },
  '201': { slot: 'magic', class: 'mago', cost: 3, flat: 1 },
  '202': { slot: 'magic', class: 'guerriero', cost: 2, die: 4 },
  '301': { slot: 'armour', class: 'guerriero', cost: 0, flat: 1 },
  '302': { slot: 'armour', class: 'mago', cost: 0, die: 4 },
  '401': { slot: 'accessory', cost: 2, heal: 5 },
  '402': { slot: 'accessory', cost: 0, flat: 3, stat: 'agility' },
  '403': { slot: 'accessory', class: 'mago', cost: 1, heal: 8 },
};

const strikes = (sides: number, count: number, flat: number, cost: number): JsonObject => ({
  physical: { sides, dice: count, flat, cost },
});

export const monsters: JsonObject = {
  goblin: { cost: 2, pv: 6, pa: 3, defence: 4, agility: 6, attacks: strikes(6, 1, 0, 1) },
  orc: { cost: 5, pv: 15, pa: 4, defence: 6, agility: 8, attacks: strikes(10, 1, 2, 2) },
  strega: {
    cost: 5,
    pv: 10,
    pa: 5,
    defence: 4,
    agility: 10,
    attacks: { magic: { sides: 8, dice: 2, flat: 0, cost: 2 } },
  },
  troll: { cost: 5, pv: 60, pa: 4, defence: 4, agility: 4, attacks: strikes(20, 2, 10, 2) },
  sacco: { cost: 1, pv: 100, pa: 2, defence: 4, agility: 4, attacks: strikes(4, 1, 0, 1) },
  orda: { cost: 5, pv: 20, pa: 2, defence: 4, agility: 6, horde: true, attacks: strikes(6, 5, 0, 1) },
};

const traps: JsonObject = {
  botola: { cost: 3, who: 'one', pa: 2, damage: 4 },
  dardi: { cost: 3, who: 'all', pa: 3, damage: { dice: 2, sides: 6 } },
};

/** A setup with a small box and no perks. */
export const base = (seats: readonly JsonObject[], options: JsonObject = {}): JsonObject => ({
  seats,
  tiles,
  monsters,
  traps,
  environments: { nebbia: { cost: 4, magicCost: 1 } },
  perks: {},
  ...options,
});

export const arena = (options: JsonObject = {}): JsonObject => base([ADA, BEA], { mode: 'arena', ...options });

export const wear = (seat: JsonObject, slots: JsonObject): JsonObject => ({ ...seat, slots });
export const ARMED = wear(ADA, { physical: '101' });
export const MAGE = wear(BEA, { magic: '201' });

/** A room with these monsters is opened and its fight begun. */
export const fight = (buy: readonly string[]): readonly Line[] => [
  accepted(gm('openRoom', { buy })),
  taken(gm('startFight')),
];

/** Ada's turn against a punchbag of 100 PV. */
export const sack = (lines: readonly Line[]): readonly Line[] => [
  ...fight(['sacco']),
  taken(roll('ada', 8, 8)),
  taken(roll('gm', 4, 1)),
  ...lines,
];

export const script = (
  rule: string,
  title: string,
  setup: JsonObject,
  lines: readonly Line[],
  end: object = {},
): Script => ({ rule, title, setup, lines, end });
