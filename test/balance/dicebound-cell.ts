import { Chance } from '../games/dicebound-games.js';
import { playRoom } from './dicebound-party.js';

/** Rooms played for each level and size of a party. */
const ROOMS = 24;

/** What the rooms of one level and party size came to: share won, and PV lost a head. */
export interface Cell {
  readonly winRate: number;
  readonly pvLost: number;
}

/** Plays the rooms of one cell. The same numbers every time: each cell has a seed of its own. */
export function measured(level: number, heads: number, rooms: number = ROOMS): Cell {
  const chance = new Chance(level * 100 + heads);
  const played = Array.from({ length: rooms }, () => playRoom(level, heads, chance));
  const won = played.filter((room) => room.won).length;
  const lost = played.reduce((sum, room) => sum + room.lost, 0);
  return { winRate: Math.round((100 * won) / rooms) / 100, pvLost: Math.round((10 * lost) / rooms) / 10 };
}
