import type { DieType } from '../dice/die.js';
import type { Counter, Duties } from './game.js';

/** What the dice of a seven-dice set count where they count (dicebound D1). */
export const SET_COUNTERS: ReadonlyMap<DieType, Counter> = new Map<DieType, Counter>([
  ['d20', 'pv'],
  ['d6', 'pa'],
  ['d00', 'level'],
]);

/** A table without rules of its own: a die that could count may as well be thrown. */
export const EITHER: Duties = { counts: new Map(), asked: new Set(SET_COUNTERS.keys()) };
