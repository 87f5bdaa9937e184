import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { keyOf, language, say } from '../language.js';
import {
  type BoxPerk,
  type Environment,
  type Monster,
  type MonsterKind,
  type Names,
  own,
  playsDicebound,
  readDicebound,
  type Slot,
  type Stat,
  type Tile,
  type Trap,
} from './game.js';

export const statWord = (stat: Stat): string => say(`db.stat.${stat}`);
export const slotWord = (slot: Slot): string => say(`db.slot.${slot}`);
export const weaponWord = (weapon: 'physical' | 'magic' | 'base'): string => say(`db.weapon.${weapon}`);

/** A name in the reader's language; without one, what it is called by. */
export const named = (names: Names | undefined, otherwise: string): string =>
  names?.[language.value] ?? names?.it ?? names?.en ?? otherwise;

/** The same without the word that marks a sample: at the table it only makes names long. */
export const shortName = (names: Names | undefined, otherwise: string): string =>
  named(names, otherwise).replace(/ \((esempio|sample)\)$/, '');

/** The tracker of a counter by its die (D1). */
export const trackerDie = (counter: string): string => ({ pv: 'D20', pa: 'D6', level: 'D%' })[counter] ?? counter;

/** A tracker's face as it is printed: the d% of level 10 shows 00. */
export const faceText = (counter: string, face: number): string =>
  counter === 'level' && face === 0 ? '00' : String(face);

/** "D12" as this book writes it. */
export const dieName = (sides: number): string => `D${sides}`;

/** A die of the GM's set that stands on the table as a pawn (D6). */
export const pawnName = (type: string): string => (type === 'd00' ? 'D%' : type.toUpperCase());

export const paWord = (n: number): string => say('db.pa', { n });

/** A tile by its number, and its name where it has one. */
export const tileTitle = (id: string, tile: Tile | undefined): string =>
  tile?.name === undefined ? say('db.tile.number', { id }) : `${id} · ${shortName(tile.name, id)}`;

/** What a tile gives, as it is printed: +n, dN, a star, what is drunk. */
export function bonusOf(tile: Tile): string {
  const parts = [
    ...(tile.flat === undefined || tile.flat === 0 ? [] : [tile.flat > 0 ? `+${tile.flat}` : String(tile.flat)]),
    ...(tile.die === undefined ? [] : [`+${dieName(tile.die)}`]),
    ...(tile.heal === undefined || tile.heal === 0 ? [] : [say('db.tile.heals', { n: tile.heal })]),
    ...(tile.pa === undefined || tile.pa === 0 ? [] : [say('db.tile.givesPa', { n: tile.pa })]),
    ...(tile.star === undefined ? [] : ['★']),
  ];
  const raises = tile.slot === 'accessory' && tile.stat !== undefined ? ` ${statWord(tile.stat)}` : '';
  return `${parts.join(' ')}${raises}`;
}

/** What a star does: its own words, else its numbers. */
export function starText(tile: Tile): string {
  const { star } = tile;
  if (star === undefined || star === true) return star === undefined ? '' : say('db.tile.starPlain');
  if (star.text !== undefined) return named(star.text, '');
  const parts = [
    ...(star.damage ? [say('db.star.damage', { n: star.damage })] : []),
    ...(star.heal ? [say('db.tile.heals', { n: star.heal })] : []),
    ...(star.pa ? [say('db.tile.givesPa', { n: star.pa })] : []),
    ...(star.die ? [say('db.star.die', { die: dieName(star.die) })] : []),
    ...(star.cost ? [say('db.star.cost', { n: star.cost })] : []),
  ];
  return parts.length === 0 ? say('db.tile.starPlain') : parts.join(', ');
}

export function perkText(perk: BoxPerk): string {
  const stat = perk.stat === undefined ? '' : statWord(perk.stat);
  if (perk.kind === 'economy') return say('db.perk.economy');
  if (perk.kind === 'mastery') return say('db.perk.mastery', { n: perk.amount ?? 0, stat });
  return perk.checks === true ? say('db.perk.advantageChecks', { stat }) : say('db.perk.advantage', { stat });
}

/** A monster's name; where several of a kind stand, with its number. */
export function monsterName(id: string, monster: Monster, all: { readonly [id: string]: Monster }): string {
  const kin = Object.values(all).filter((one) => one.kind === monster.kind).length;
  const name = shortName(monster.name, monster.kind);
  const number = /-(\d+)$/.exec(id)?.[1] ?? '';
  return kin > 1 || (number !== '' && number !== '1') ? `${name} ${number}` : name;
}

/** The name of a monster of this table, or undefined for any other id. */
export function fighterName(view: TableView | null, id: string): string | undefined {
  if (!playsDicebound(view)) return undefined;
  const { monsters } = readDicebound(view);
  const monster = own(monsters, id);
  return monster === undefined ? undefined : monsterName(id, monster, monsters);
}

/** What a roll is for, more exactly than the game's one word: which attack, which statistic. */
export function purposeIn(view: TableView | null, call: Awaited): string | undefined {
  if (!playsDicebound(view)) return undefined;
  if (call.what === 'initiative') {
    const rolls = own(readDicebound(view).initiative, call.for ?? call.seat);
    return rolls === undefined || rolls.length === 0 ? undefined : say('db.tie');
  }
  if (call.what === 'attack') return statWord(call.id.endsWith('.magic') ? 'magic' : 'physical');
  if (call.what === 'defence') return statWord('defence');
  if (call.what === 'check' || call.what === 'effort') {
    const stat = readDicebound(view).check?.stat;
    return stat === undefined ? undefined : `${say(`purpose.${call.what}`)}: ${statWord(stat)}`;
  }
  return undefined;
}

/** The dice of an attack: "2D6 +3". */
export const attackText = (attack: { readonly sides: number; readonly dice: number; readonly flat: number }): string =>
  `${attack.dice > 1 ? attack.dice : ''}${dieName(attack.sides)}${attack.flat === 0 ? '' : ` +${attack.flat}`}`;

/** What a kind of monster can do, in one line for the GM. */
export function kindText(kind: MonsterKind): string {
  const attacks = (['physical', 'magic'] as const).flatMap((weapon) => {
    const attack = kind.attacks[weapon];
    if (attack === undefined) return [];
    const dice = kind.horde === undefined ? attack : { ...attack, dice: kind.horde };
    return [`${weaponWord(weapon)} ${attackText(dice)} (${paWord(attack.cost)})`];
  });
  const body = say('db.monster.body', { pv: kind.pv, pa: kind.pa, defence: dieName(kind.defence) });
  return [body, ...attacks].join(' · ');
}

export function trapText(trap: Trap): string {
  const { damage, pa = 0 } = trap;
  const dice = damage === undefined || damage.dice === 0 ? '' : `${damage.dice}${dieName(damage.sides)}`;
  const flat = damage === undefined || damage.flat === 0 ? '' : String(damage.flat);
  const hurt = [dice, flat].filter((part) => part !== '').join(' + ');
  const whom = say(trap.who === 'all' ? 'db.trap.all' : 'db.trap.one');
  const pay = say('db.trap.pay', { pa: paWord(pa), damage: hurt === '' ? '0' : hurt });
  return `${whom}: ${pay}${trap.defence === true ? `, ${say('db.trap.defence')}` : ''}`;
}

export function environmentText(environment: Environment): string {
  if (environment.text !== undefined) return named(environment.text, '');
  const signed = (n: number): string => (n > 0 ? `+${n}` : String(n));
  const parts = [
    ...(environment.physicalCost ? [`${weaponWord('physical')} ${signed(environment.physicalCost)}`] : []),
    ...(environment.magicCost ? [`${weaponWord('magic')} ${signed(environment.magicCost)}`] : []),
    ...(environment.dodgeCost ? [`${say('purpose.dodge')} ${signed(environment.dodgeCost)}`] : []),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')} ${say('counter.short.pa')}`;
}

/** What the game does now, as a heading. */
export function phaseWord(phase: string): string {
  const key = keyOf(`phase.${phase}`);
  return key === undefined ? phase : say(key);
}
