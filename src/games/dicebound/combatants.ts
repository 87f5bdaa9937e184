import { field } from '../awaited.js';
import type { Seat } from '../game.js';
import type { MonsterKind } from './data.js';
import type { Combatant, DiceboundState, Hero, Monster } from './state.js';

/** A seat's board, or undefined. */
export const heroOf = (state: DiceboundState, seat: string): Hero | undefined => field(state.heroes, seat);

/** A monster of the room, fallen or not, or undefined. */
export const monsterOf = (state: DiceboundState, id: string): Monster | undefined => field(state.room?.monsters, id);

/** What the data say of a monster of the room, or undefined. */
export function kindOf(state: DiceboundState, id: Combatant): MonsterKind | undefined {
  const monster = monsterOf(state, id);
  return monster === undefined ? undefined : field(state.data.monsters, monster.kind);
}

/** Seats present tonight. */
export const present = (state: DiceboundState): readonly Seat[] =>
  state.seats.filter((seat) => heroOf(state, seat)?.attendance === 'present');

/** Seats present and not K.O. */
export const standing = (state: DiceboundState): readonly Seat[] =>
  present(state).filter((seat) => heroOf(state, seat)?.ko === false);

/** Monsters that have not fallen, in the order in which they were bought. */
export const living = (state: DiceboundState): readonly Combatant[] =>
  Object.keys(state.room?.monsters ?? {}).filter((id) => monsterOf(state, id)?.fallen === false);

/** True if a combatant neither acts nor can be chosen (C8, C12, G3, G14). */
export function isOut(state: DiceboundState, who: Combatant): boolean {
  const hero = heroOf(state, who);
  if (hero !== undefined) return hero.ko || hero.attendance !== 'present';
  return monsterOf(state, who)?.fallen !== false;
}

/** The PA a combatant has. */
export const paOf = (state: DiceboundState, who: Combatant): number =>
  (heroOf(state, who) ?? monsterOf(state, who))?.pa ?? 0;

/** The seat that rolls and decides for a combatant. */
export const rollerOf = (state: DiceboundState, who: Combatant): Seat =>
  heroOf(state, who) === undefined ? 'gm' : who;

/** C3: whom a combatant may attack now. */
export function targetsOf(state: DiceboundState, who: Combatant): readonly Combatant[] {
  const { fight, mode, teams } = state;
  if (fight === null) return [];
  if (mode === 'arena') {
    return standing(state).filter((seat) => fight.order.includes(seat) && field(teams, seat) !== field(teams, who));
  }
  if (heroOf(state, who) !== undefined) return living(state);
  return standing(state).filter((seat) => fight.order.includes(seat));
}

/** G4: attack dice a horde uses with the PV it has left; undefined for a single monster. */
export function hordeDice(state: DiceboundState, id: Combatant): number | undefined {
  const kind = kindOf(state, id);
  const pv = monsterOf(state, id)?.pv ?? 0;
  if (kind === undefined || kind.horde === null) return undefined;
  return pv === 0 ? 0 : Math.max(1, Math.ceil((kind.horde * pv) / kind.pv));
}
