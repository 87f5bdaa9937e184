import { dadoteck } from './dadoteck/dadoteck.js';
import { dicebound } from './dicebound/dicebound.js';
import { external } from './external/external.js';
import { free } from './free/free.js';
import type { AnyGame } from './game.js';
import { magic } from './magic/magic.js';

const GAMES: ReadonlyMap<string, AnyGame> = new Map(
  ([free, external, dadoteck, dicebound, magic] as const satisfies readonly AnyGame[]).map(
    (game): [string, AnyGame] => [game.id, game],
  ),
);

/** Ids of the games a table can play. */
export const GAME_IDS: readonly string[] = [...GAMES.keys()];

/** The game of this id, or undefined. */
export const gameById = (id: string): AnyGame | undefined => GAMES.get(id);
