import { Chance } from '../games/dicebound-games.js';
import { playRoom } from './dicebound-party.js';

/** Rooms of a cell: at least so many, and on until its share is known well enough, or so many were played. */
const LEAST_ROOMS = 24;
const MOST_ROOMS = 100;
/** A share won is known well enough with this standard error. */
const CLOSE = 0.05;

/** What the rooms of one level and party size came to: share won with its standard error, and PV lost a head. */
export interface Cell {
  readonly winRate: number;
  readonly pvLost: number;
  readonly rooms: number;
  readonly error: number;
}

/** Standard error of a share, after Agresti and Coull: two rooms won and two lost are added, so that it is never 0. */
function errorOf(won: number, rooms: number): number {
  const share = (won + 2) / (rooms + 4);
  return Math.sqrt((share * (1 - share)) / (rooms + 4));
}

/** Plays the rooms of one cell. The same numbers every time: each cell has a seed of its own. */
export function measured(level: number, heads: number, most: number = MOST_ROOMS): Cell {
  const chance = new Chance(level * 100 + heads);
  let [rooms, won, lost] = [0, 0, 0];
  while (rooms < most && (rooms < LEAST_ROOMS || errorOf(won, rooms) > CLOSE)) {
    const room = playRoom(level, heads, chance);
    rooms += 1;
    won += room.won ? 1 : 0;
    lost += room.lost;
  }
  const pvLost = Math.round((10 * lost) / rooms) / 10;
  return { winRate: Math.round((100 * won) / rooms) / 100, pvLost, rooms, error: errorOf(won, rooms) };
}
