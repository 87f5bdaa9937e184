import type { DieType } from '../../dice/die.js';
import type { Formula, Term } from '../../rolls/formula.js';
import {
  begin,
  beginWith,
  type Landed,
  type Modifier,
  type Outcome,
  type Resolution,
  take,
  waitsFor,
} from '../../rolls/resolution.js';
import { field } from '../awaited.js';
import { heroOf, kindOf } from './combatants.js';
import type { MonsterAttack, Perk, Slot, Stat, Tile } from './data.js';
import type { Attack, Boost, Combatant, DiceboundState, Hero, Weapon } from './state.js';

/**
 * Dice that one roll asks for. `main` are the statistic's; with advantages all of them are thrown and the highest is
 * kept (G8). Bonus dice and flat bonuses are added.
 */
export interface DiceAsk {
  readonly main: readonly DieType[];
  readonly keepHighest: boolean;
  readonly bonus: readonly DieType[];
  readonly flat: readonly Modifier[];
}

const die = (sides: number): DieType => `d${sides}`;

const times = (type: DieType, count: number): readonly DieType[] => Array.from({ length: count }, () => type);

/** A tile of the box, or undefined. */
export const tileOf = (state: DiceboundState, id: string | null): Tile | undefined =>
  id === null ? undefined : field(state.data.tiles, id);

/** The tile in a slot of a hero, or undefined. */
export const tileIn = (state: DiceboundState, hero: Hero, slot: Slot): Tile | undefined =>
  tileOf(state, hero.slots[slot]);

/** Perks a hero has at the party's level (G7, G8, G14). */
export function perksOf(state: DiceboundState, hero: Hero): readonly Perk[] {
  const table = field(state.data.perks, hero.class) ?? {};
  return Object.entries(table).flatMap(([level, perks]) => (Number(level) <= state.level ? perks : []));
}

type Use = 'weapon' | 'base' | 'defence' | 'dodge' | 'initiative' | 'check';

/** Tiles that raise a roll (T2): the weapon, the armour, and an accessory whose data name it. */
function raising(state: DiceboundState, hero: Hero, stat: Stat, use: Use): readonly Tile[] {
  if (use === 'base' || use === 'check' || use === 'initiative') return [];
  const own = use === 'weapon' ? [stat === 'magic' ? 'magic' : 'physical'] : use === 'defence' ? ['armour'] : [];
  return (['physical', 'magic', 'armour', 'accessory'] as const).flatMap((slot) => {
    const tile = tileIn(state, hero, slot);
    if (tile === undefined) return [];
    return own.includes(slot) || (slot === 'accessory' && tile.stat === stat) ? [tile] : [];
  });
}

/** The dice a hero throws with a statistic, and what is added (T2, G8, E5, C1, C7). */
export function heroAsk(state: DiceboundState, hero: Hero, stat: Stat, use: Use): DiceAsk {
  const perks = perksOf(state, hero);
  const advantages = perks.filter(
    (perk) => perk.kind === 'advantage' && perk.stat === stat && (use !== 'check' || perk.checks === true),
  );
  const mastery = perks.flatMap((perk) =>
    perk.kind === 'mastery' && perk.stat === stat ? [{ source: 'mastery', amount: perk.amount }] : [],
  );
  const tiles = raising(state, hero, stat, use);
  return {
    main: times(die(hero.dice[stat]), 1 + advantages.length),
    keepHighest: advantages.length > 0,
    bonus: tiles.flatMap((tile) => (tile.die === null ? [] : [die(tile.die)])),
    flat: [...mastery, ...tiles.flatMap((tile) => (tile.flat === 0 ? [] : [{ source: 'tile', amount: tile.flat }]))],
  };
}

const plain = (main: readonly DieType[], flat: number = 0): DiceAsk => ({
  main,
  keepHighest: false,
  bonus: [],
  flat: flat === 0 ? [] : [{ source: 'monster', amount: flat }],
});

/** What a monster's data say of an attack; undefined where it has none of this kind. */
export function monsterAttack(state: DiceboundState, who: Combatant, weapon: Weapon): MonsterAttack | undefined {
  return weapon === 'base' ? undefined : kindOf(state, who)?.attacks[weapon];
}

/** The statistic a weapon is used with. */
export const statOf = (weapon: Weapon): 'physical' | 'magic' => (weapon === 'magic' ? 'magic' : 'physical');

/** The dice of an attack (C3, C7, G3, G4); undefined where this combatant has no such attack. */
export function attackAsk(state: DiceboundState, who: Combatant, weapon: Weapon, boost: Boost): DiceAsk | undefined {
  const hero = heroOf(state, who);
  if (hero === undefined) {
    const attack = monsterAttack(state, who, weapon);
    if (attack === undefined) return undefined;
    return plain(times(die(attack.sides), kindOf(state, who)?.horde === null ? attack.dice : 1), attack.flat);
  }
  const ask = heroAsk(state, hero, statOf(weapon), weapon === 'base' ? 'base' : 'weapon');
  return weapon === 'base' ? ask : { ...ask, bonus: [...ask.bonus, ...boost.dice.map(die)] };
}

/** The dice of an open attack. */
export const openAsk = (state: DiceboundState, attack: Attack): DiceAsk =>
  attackAsk(state, attack.by, attack.weapon, attack.boost) ?? plain([]);

/** The dice a target answers with: Difesa, or Agilità for a dodge (C4, C5). */
export function answerAsk(state: DiceboundState, who: Combatant, at: 'defence' | 'agility'): DiceAsk {
  const hero = heroOf(state, who);
  if (hero !== undefined) return heroAsk(state, hero, at, at === 'defence' ? 'defence' : 'dodge');
  const kind = kindOf(state, who);
  return plain(kind === undefined ? [] : [die(kind[at])]);
}

/** The dice of initiative (C1); `gm` rolls once for all, with the Agilità of its first monster. */
export function initiativeAsk(state: DiceboundState, who: Combatant): DiceAsk {
  const hero = heroOf(state, who);
  if (hero !== undefined) return heroAsk(state, hero, 'agility', 'initiative');
  const first = who === 'gm' ? Object.keys(state.room?.monsters ?? {})[0] : who;
  const kind = first === undefined ? undefined : kindOf(state, first);
  return plain(kind === undefined ? [] : [die(kind.agility)]);
}

/** The dice a trap's damage is rolled with (G11). */
export function trapAsk(state: DiceboundState, trap: string): DiceAsk {
  const kind = field(state.data.traps, field(state.room?.traps, trap)?.kind ?? '');
  return kind === undefined ? plain([]) : plain(times(die(kind.damage.sides), kind.damage.dice), kind.damage.flat);
}

/** All dice of an ask. */
export const diceOf = (ask: DiceAsk): readonly DieType[] => [...ask.main, ...ask.bonus];

/** The highest of the statistic's dice, and every bonus die beside it (706.6, G8: no bonus die is doubled). */
function highest({ main, bonus }: DiceAsk): Formula {
  const [type = 'd4'] = main;
  const kept: Term = {
    sign: 1,
    kind: 'dice',
    from: 0,
    count: main.length,
    type,
    marks: { keep: { which: 'kh', count: 1 } },
  };
  return [
    kept,
    ...bonus.map((one, at): Term => {
      return { sign: 1, kind: 'dice', from: main.length + at, count: 1, type: one, marks: {} };
    }),
  ];
}

/** The roll with the dice that lie for it already. */
export function resolutionOf(ask: DiceAsk, landed: readonly Landed[]): Resolution {
  const plain = begin(diceOf(ask), ask.flat);
  const asked = ask.keepHighest ? beginWith({ ...plain.asks, formula: highest(ask) }) : plain;
  return landed.reduce((roll, one) => {
    const taken = take(roll, one);
    return taken.ok ? taken.value : roll;
  }, asked);
}

/** Those of `landed` that have a place among the dice of an ask, in the order in which they fell. */
export function fitting(ask: DiceAsk, landed: readonly Landed[]): readonly Landed[] {
  const free = [...diceOf(ask)];
  return landed.filter((one) => {
    const place = free.indexOf(one.type);
    if (place >= 0) free.splice(place, 1);
    return place >= 0;
  });
}

/** True if every die of an ask lies. */
export const isFull = (ask: DiceAsk, landed: readonly Landed[]): boolean => landed.length >= diceOf(ask).length;

/** What the dice of a full ask come to. */
function outcomeOf(ask: DiceAsk, landed: readonly Landed[]): Outcome | undefined {
  const wait = waitsFor(resolutionOf(ask, landed));
  return wait.kind === 'done' ? wait.outcome : undefined;
}

/** The natural result of the statistic: the highest with advantage (706.6), else the sum. */
export function naturalIn(ask: DiceAsk, landed: readonly Landed[]): number {
  const own = outcomeOf(ask, landed)?.dice.slice(0, ask.main.length) ?? [];
  return own.reduce((sum, { natural, status }) => sum + (status === 'kept' ? Number(natural) : 0), 0);
}

/** The result of a roll: statistic, bonus dice and flat bonuses. Without any dice it is the flat bonuses. */
export const totalIn = (ask: DiceAsk, landed: readonly Landed[]): number =>
  outcomeOf(ask, landed)?.total ?? ask.flat.reduce((sum, one) => sum + one.amount, 0);
