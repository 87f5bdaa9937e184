import { SET_COUNTERS } from '../duties.js';
import type { Game } from '../game.js';
import { asWritten } from '../refusal.js';
import { readBoxFile } from './box-file.js';
import { boxContents, keptBox } from './box-view.js';
import { type DiceboundEvent, EVENT_KINDS } from './events.js';
import { evolve } from './evolve.js';
import { expectsOf } from './expects.js';
import { judge } from './judge.js';
import { pawnsOf } from './pawns.js';
import { accepted } from './play.js';
import { openGame } from './setup.js';
import type { DiceboundState } from './state.js';
import { viewOf } from './view.js';

/** The game `dicebound` (rules page dicebound, contracts I): story mode and arena. */
export const dicebound: Game<DiceboundState, DiceboundEvent> = {
  id: 'dicebound',
  version: 1,
  // D1: the trackers of a seven-dice set; its other dice are the four statistics. D6: the GM's set.
  duties: { counts: SET_COUNTERS, asked: new Set(), gmPawns: true },
  setup(options, seats) {
    const opening = openGame(options, seats);
    return opening.verdict === 'accepted' ? accepted(undefined, opening.events) : opening;
  },
  expects: expectsOf,
  judge,
  evolve,
  view: viewOf,
  upcast: (event) => asWritten<DiceboundEvent>(event, EVENT_KINDS),
  printedTens: true,
  pawns: pawnsOf,
  box: { contents: boxContents, kept: keptBox, read: readBoxFile },
};
