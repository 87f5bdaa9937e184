import { field } from '../awaited.js';
import { heroOf, hordeDice } from './combatants.js';
import type { EnvironmentKind } from './data.js';
import type { Boost, Combatant, DiceboundState, Rule, Weapon } from './state.js';
import { monsterAttack, perksOf, tileIn, tileOf } from './statistics.js';

/** C7: the third base attack of a turn is the last. */
export const MAX_BASE_ATTACKS = 3;

/** What an attack costs, or why it cannot be made. */
export type Cost =
  | { readonly ok: true; readonly pa: number }
  | { readonly ok: false; readonly code: string; readonly rule: Rule; readonly reason: string };

/** G12: what the environments in force add to a cost. */
function added(state: DiceboundState, key: 'magicCost' | 'physicalCost' | 'dodgeCost'): number {
  const kinds = (state.room?.environments ?? []).map((id) => field(state.data.environments, id));
  return kinds.reduce((sum: number, kind: EnvironmentKind | undefined) => sum + (kind?.[key] ?? 0), 0);
}

const weather = (state: DiceboundState, weapon: 'physical' | 'magic'): number =>
  added(state, weapon === 'magic' ? 'magicCost' : 'physicalCost');

/** T3: a weapon whose class is not the user's costs one PA more. */
function foreign(state: DiceboundState, who: Combatant, tile: string | null): number {
  const found = tileOf(state, tile);
  const weapon = found?.slot === 'physical' || found?.slot === 'magic';
  return weapon && found.class !== null && found.class !== heroOf(state, who)?.class ? 1 : 0;
}

/** PA of a star or a potion: its own, and T3 for weapons. */
export const tileCost = (state: DiceboundState, who: Combatant, tile: string): number =>
  (tileOf(state, tile)?.cost ?? 0) + foreign(state, who, tile);

/** What this attack costs its owner now (C3, C7, T3, G4, G12), or why there is no such attack. */
export function attackCost(state: DiceboundState, who: Combatant, weapon: Weapon, boost: Boost): Cost {
  const hero = heroOf(state, who);
  if (hero === undefined) return monsterCost(state, who, weapon);
  if (weapon === 'base') {
    const bases = state.fight?.bases ?? 0;
    if (bases < MAX_BASE_ATTACKS) return { ok: true, pa: bases + 1 };
    return { ok: false, code: 'too_many', rule: 'dicebound:C7', reason: 'there is no fourth base attack in a turn' };
  }
  const tile = tileIn(state, hero, weapon);
  if (tile === undefined) {
    return { ok: false, code: 'no_weapon', rule: 'dicebound:C3', reason: `the ${weapon} weapon slot is empty` };
  }
  const cost = tile.cost + foreign(state, who, hero.slots[weapon]) + weather(state, weapon) + boost.cost;
  return { ok: true, pa: Math.max(1, cost) };
}

function monsterCost(state: DiceboundState, who: Combatant, weapon: Weapon): Cost {
  if (weapon === 'base') {
    return { ok: false, code: 'no_weapon', rule: 'dicebound:C7', reason: 'a monster attacks by its data' };
  }
  const attack = monsterAttack(state, who, weapon);
  if (attack === undefined) {
    return { ok: false, code: 'no_weapon', rule: 'dicebound:G3', reason: `${who} has no ${weapon} attack` };
  }
  if (hordeDice(state, who) === undefined) {
    return { ok: true, pa: Math.max(1, attack.cost + weather(state, weapon)) };
  }
  if ((state.fight?.left ?? 0) > 0) return { ok: true, pa: 0 };
  return { ok: false, code: 'too_many', rule: 'dicebound:G4', reason: 'every die of the horde has attacked' };
}

/** True if the next dodge of this combatant is free (G8 economy). */
export function dodgesFree(state: DiceboundState, who: Combatant): boolean {
  const hero = heroOf(state, who);
  if (hero === undefined || state.fight?.dodged.includes(who) === true) return false;
  return perksOf(state, hero).some((perk) => perk.kind === 'economy');
}

/** C5: PA of the next dodge of this combatant. */
export const dodgeCost = (state: DiceboundState, who: Combatant): number =>
  dodgesFree(state, who) ? 0 : Math.max(0, 1 + added(state, 'dodgeCost'));
