import { type DieType, parseDieType } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { field } from '../awaited.js';
import { boxSays, verbatim } from '../box-words.js';
import { isList, isObject } from '../refusal.js';
import {
  type EnvironmentKind,
  type GameData,
  type HeroClass,
  type MonsterAttack,
  type MonsterKind,
  type Names,
  type Perk,
  RARITIES,
  SLOTS,
  STATS,
  type Star,
  type Stat,
  type StatDice,
  type Tile,
  type TrapKind,
} from './data.js';
import { type Reader, told } from './reader.js';
import { MAX_LEVEL } from './thresholds.js';

/** Ids of monsters get a number behind them, so they are shorter than other ids. */
const KIND_LENGTH = 26;
const ID_LENGTH = 32;
const NAME_LENGTH = 200;

function names(reader: Reader, from: JsonObject, place: string, key: string): Names | null {
  const value = field(from, key) ?? null;
  if (value === null) return null;
  const both = typeof value === 'string' ? { it: value, en: value } : value;
  const it = isObject(both) ? field(both, 'it') : undefined;
  const en = isObject(both) ? (field(both, 'en') ?? it) : undefined;
  if (typeof it === 'string' && typeof en === 'string' && it.length <= NAME_LENGTH && en.length <= NAME_LENGTH) {
    return { it, en };
  }
  reader.fault(`${place}.${key}`, told(value), boxSays('names', { most: NAME_LENGTH }));
  return null;
}

/** The dice of a class: 4, 8, 10 and 12, one each (D1). */
export function readDice(reader: Reader, value: Json | undefined, place: string): StatDice {
  const from = isObject(value) ? value : {};
  const dice = STATS.map((stat) => reader.die(from, place, stat));
  const [physical, magic, defence, agility] = dice.map((sides) => sides ?? 0);
  if (dice.map(String).sort().join() !== '10,12,4,8') {
    reader.fault(place, told(value), boxSays('statDice'));
  }
  return { physical: physical ?? 0, magic: magic ?? 0, defence: defence ?? 0, agility: agility ?? 0 };
}

function readClass(reader: Reader, from: JsonObject, place: string, id: string): HeroClass {
  const name = names(reader, from, place, 'name') ?? { it: id, en: id };
  return {
    name,
    dice: readDice(reader, field(from, 'dice') ?? from, field(from, 'dice') === undefined ? place : `${place}.dice`),
  };
}

function readStar(reader: Reader, value: Json | undefined, place: string): Star | null {
  if (value === undefined || value === null || value === false) return null;
  const from = isObject(value) ? value : {};
  if (!isObject(value) && value !== true) reader.fault(place, told(value), boxSays('star'));
  const limit = reader.whole(from, place, 'limit', 0, 100, 0);
  return {
    damage: reader.whole(from, place, 'damage', 0, 100, 0),
    heal: reader.whole(from, place, 'heal', 0, 100, 0),
    pa: reader.whole(from, place, 'pa', 0, 100, 0),
    die: reader.die(from, place, 'die'),
    cost: reader.whole(from, place, 'cost', -20, 20, 0),
    limit: limit === 0 ? null : limit,
    per: reader.word(from, place, 'per', ['turn', 'fight', 'rest'], 'turn'),
    text: names(reader, from, place, 'text'),
  };
}

function raised(reader: Reader, from: JsonObject, place: string): Stat | null {
  const key = field(from, 'stat') === undefined ? 'raises' : 'stat';
  return (field(from, key) ?? null) === null ? null : reader.word(from, place, key, STATS, 'defence');
}

const HOME: { readonly [slot: string]: Stat } = { physical: 'physical', magic: 'magic', armour: 'defence' };

/** Reads one tile (T1, T2, T4, T5). */
export function readTile(reader: Reader, from: JsonObject, place: string): Tile {
  const slot = SLOTS.find((one) => one === field(from, 'slot'));
  if (slot === undefined) reader.fault(`${place}.slot`, told(field(from, 'slot')), verbatim(SLOTS.join(', ')));
  const own = field(from, 'class') ?? null;
  if (own !== null && typeof own !== 'string') reader.fault(`${place}.class`, told(own), boxSays('ofClass'));
  const tile = {
    name: names(reader, from, place, 'name'),
    slot: slot ?? 'accessory',
    class: typeof own === 'string' ? own : null,
    rarity: reader.word(from, place, 'rarity', RARITIES, 'common'),
    cost: reader.whole(from, place, 'cost', 0, 20, 0),
    flat: reader.whole(from, place, 'flat', -20, 20, 0),
    die: reader.die(from, place, 'die'),
    heal: reader.whole(from, place, 'heal', 0, 100, 0),
    pa: reader.whole(from, place, 'pa', 0, 100, 0),
    star: readStar(reader, field(from, 'star'), `${place}.star`),
    stat: HOME[slot ?? ''] ?? raised(reader, from, place),
  };
  const drunk = tile.heal > 0 || tile.pa > 0 || field(from, 'consumable') === true;
  if (drunk && slot !== 'accessory') reader.fault(`${place}.slot`, told(slot), boxSays('drunk'));
  const raises = tile.flat !== 0 || tile.die !== null;
  if (slot === 'accessory' && raises && tile.stat === null) {
    reader.fault(`${place}.stat`, boxSays('missing'), boxSays('raised', { words: STATS.join(', ') }));
  }
  return { ...tile, consumable: drunk };
}

function readPerk(reader: Reader, value: Json, place: string): Perk {
  const from = isObject(value) ? value : {};
  if (!isObject(value)) reader.fault(place, told(value), boxSays('perk'));
  const kind = reader.word(from, place, 'kind', ['advantage', 'mastery', 'economy'], 'economy');
  if (field(from, 'kind') === undefined) reader.fault(`${place}.kind`, boxSays('missing'), boxSays('perkKinds'));
  if (kind === 'economy') return { kind };
  const stat = STATS.find((one) => one === field(from, 'stat'));
  if (stat === undefined) reader.fault(`${place}.stat`, told(field(from, 'stat')), verbatim(STATS.join(', ')));
  if (kind === 'mastery') {
    return { kind, stat: stat ?? 'defence', amount: reader.whole(from, place, 'amount', -20, 20) };
  }
  const checks = reader.flag(from, place, 'checks');
  return { kind, stat: stat ?? 'defence', ...(checks ? { checks } : {}) };
}

/** Perks of one class by level; a level may bring one or several (G8). */
export function readPerks(reader: Reader, from: JsonObject, place: string): { [level: string]: readonly Perk[] } {
  const perks: { [level: string]: readonly Perk[] } = {};
  for (const [level, value] of Object.entries(from)) {
    const at = `${place}.${level.slice(0, 20)}`;
    if (!/^([1-9]|10)$/.test(level)) reader.fault(at, boxSays('noLevel'), boxSays('levels', { most: MAX_LEVEL }));
    else perks[level] = (isList(value) ? value : [value]).map((perk) => readPerk(reader, perk, at));
  }
  return perks;
}

function readAttack(reader: Reader, value: Json | undefined, place: string): MonsterAttack | undefined {
  if (value === undefined || value === null) return undefined;
  const from = isObject(value) ? value : {};
  if (!isObject(value)) reader.fault(place, told(value), verbatim('{"sides", "dice", "flat", "cost"}'));
  const sides = reader.die(from, place, 'sides');
  if (sides === null) reader.fault(`${place}.sides`, told(field(from, 'sides')), boxSays('attackDie'));
  return {
    sides: sides ?? 4,
    dice: reader.whole(from, place, 'dice', 1, 50, 1),
    flat: reader.whole(from, place, 'flat', -20, 50, 0),
    cost: reader.whole(from, place, 'cost', 0, 50, 1),
  };
}

function pawnOf(reader: Reader, from: JsonObject, place: string): DieType | null {
  const value = field(from, 'pawn') ?? null;
  if (value === null) return null;
  const die = typeof value === 'string' ? parseDieType(value) : undefined;
  if (die?.ok === true) return die.value;
  reader.fault(`${place}.pawn`, told(value), boxSays('pawn'));
  return null;
}

/** Reads a kind of monster or horde (G3, G4). */
export function readMonster(reader: Reader, from: JsonObject, place: string): MonsterKind {
  const given = field(from, 'attacks');
  const attacks = isObject(given) ? given : {};
  const physical = readAttack(reader, field(attacks, 'physical'), `${place}.attacks.physical`);
  const magic = readAttack(reader, field(attacks, 'magic'), `${place}.attacks.magic`);
  if (physical === undefined && magic === undefined) {
    reader.fault(`${place}.attacks`, told(given), boxSays('attacks'));
  }
  const [defence, agility] = [reader.die(from, place, 'defence'), reader.die(from, place, 'agility')];
  if (defence === null) reader.fault(`${place}.defence`, told(field(from, 'defence')), boxSays('defenceDie'));
  if (agility === null) reader.fault(`${place}.agility`, told(field(from, 'agility')), boxSays('agilityDie'));
  const horde = field(from, 'horde') ?? false;
  const all = physical?.dice ?? magic?.dice ?? 1;
  return {
    name: names(reader, from, place, 'name'),
    cost: reader.whole(from, place, 'cost', 0, 1000),
    pv: reader.whole(from, place, 'pv', 1, 10_000),
    pa: reader.whole(from, place, 'pa', 0, 100),
    defence: defence ?? 4,
    agility: agility ?? 4,
    horde: horde === false ? null : horde === true ? all : reader.whole(from, place, 'horde', 1, 50),
    pawn: pawnOf(reader, from, place),
    attacks: { ...(physical === undefined ? {} : { physical }), ...(magic === undefined ? {} : { magic }) },
  };
}

/** Reads a trap (G11): `damage` is a number, or `{dice, sides, flat}`. */
export function readTrap(reader: Reader, from: JsonObject, place: string): TrapKind {
  const damage = field(from, 'damage') ?? 0;
  const dice = isObject(damage) ? damage : {};
  const at = `${place}.damage`;
  const sides = isObject(damage) ? reader.die(dice, at, 'sides') : null;
  const count = sides === null ? 0 : reader.whole(dice, at, 'dice', 0, 20, 1);
  const flat = isObject(damage)
    ? reader.whole(dice, at, 'flat', 0, 100, 0)
    : reader.whole(from, place, 'damage', 0, 100, 0);
  return {
    name: names(reader, from, place, 'name'),
    cost: reader.whole(from, place, 'cost', 0, 1000),
    who: reader.word(from, place, 'who', ['one', 'all'], 'one'),
    pa: reader.whole(from, place, 'pa', 0, 20, 0),
    damage: { dice: count, sides: sides ?? 4, flat },
    defence: reader.flag(from, place, 'defence'),
  };
}

/** Reads an environment event (G12). */
export function readEnvironment(reader: Reader, from: JsonObject, place: string): EnvironmentKind {
  return {
    name: names(reader, from, place, 'name'),
    cost: reader.whole(from, place, 'cost', 0, 1000),
    magicCost: reader.whole(from, place, 'magicCost', -5, 20, 0),
    physicalCost: reader.whole(from, place, 'physicalCost', -5, 20, 0),
    dodgeCost: reader.whole(from, place, 'dodgeCost', -5, 20, 0),
    text: names(reader, from, place, 'text'),
  };
}

type Entry<T> = (reader: Reader, from: JsonObject, place: string, id: string) => T;

function table<T>(
  reader: Reader,
  value: Json | undefined,
  place: string,
  samples: { readonly [id: string]: T },
  read: Entry<T>,
  length = ID_LENGTH,
): { readonly [id: string]: T } {
  if (value === undefined) return samples;
  return Object.fromEntries(
    reader.entries(value, place, length).map(([id, from]) => [id, read(reader, from, `${place}.${id}`, id)]),
  );
}

/** The six tables of a box, as the setup and the file name them. */
export const BOX_KINDS = ['classes', 'tiles', 'perks', 'monsters', 'traps', 'environments'] as const;
export type BoxKind = (typeof BOX_KINDS)[number];

/** Entries of a box, perhaps not of every kind. */
export type BoxEntries = { readonly [K in BoxKind]?: GameData[K] };

/** The entries that are given, kind by kind; `otherwise` stands for what is left out. Faults go to the reader. */
function entriesOf(reader: Reader, options: JsonObject, otherwise: GameData): GameData {
  const { tiles, perks, monsters, traps, environments } = otherwise;
  return {
    classes: table(reader, field(options, 'classes'), 'classes', otherwise.classes, readClass),
    tiles: table(reader, field(options, 'tiles'), 'tiles', tiles, readTile),
    perks: table(reader, field(options, 'perks'), 'perks', perks, readPerks),
    monsters: table(reader, field(options, 'monsters'), 'monsters', monsters, readMonster, KIND_LENGTH),
    traps: table(reader, field(options, 'traps'), 'traps', traps, readTrap, KIND_LENGTH),
    environments: table(reader, field(options, 'environments'), 'environments', environments, readEnvironment),
  };
}

const EMPTY_BOX: GameData = { classes: {}, tiles: {}, perks: {}, monsters: {}, traps: {}, environments: {} };

/** Only the entries that are given; those of monsters, traps and environments must have names of their own (G2). */
export function readEntries(reader: Reader, options: JsonObject): BoxEntries {
  const data = apart(reader, entriesOf(reader, options, EMPTY_BOX), options, EMPTY_BOX);
  return Object.fromEntries(
    BOX_KINDS.filter((kind) => isObject(field(options, kind))).map((kind) => [kind, data[kind]]),
  );
}

/**
 * The data of the box as the setup gives them, kind by kind; what it leaves out comes from `samples`. Classes are added
 * to the samples, everything else takes their place.
 */
export function readBox(reader: Reader, options: JsonObject, samples: GameData): GameData {
  const data = entriesOf(reader, options, samples);
  return apart(reader, { ...data, classes: { ...samples.classes, ...data.classes } }, options, samples);
}

/** What is bought is named once: a trap or an environment may not have a monster's name (G2). */
function apart(reader: Reader, data: GameData, options: JsonObject, samples: GameData): GameData {
  const given = (kind: 'monsters' | 'traps' | 'environments'): boolean => field(options, kind) !== undefined;
  const kinds = ['monsters', 'traps', 'environments'] as const;
  let kept: GameData = data;
  for (const [index, kind] of kinds.entries()) {
    for (const other of kinds.slice(index + 1)) {
      for (const id of Object.keys(data[kind]).filter((one) => Object.hasOwn(data[other], one))) {
        if (given(kind) && given(other))
          reader.fault(`${other}.${id}`, boxSays('namesake', { table: kind }), boxSays('anotherName'));
        const sample = given(kind) ? other : kind;
        if (Object.hasOwn(samples[sample], id)) {
          kept = { ...kept, [sample]: Object.fromEntries(Object.entries(kept[sample]).filter(([one]) => one !== id)) };
        }
      }
    }
  }
  return kept;
}
