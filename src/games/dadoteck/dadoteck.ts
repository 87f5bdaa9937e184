import { wireAwaited } from '../awaited.js';
import type { Game } from '../game.js';
import { asWritten } from '../refusal.js';
import { evolve } from './evolve.js';
import { expectsOf } from './expects.js';
import { judge } from './judge.js';
import { accepted } from './play.js';
import { openGame } from './setup.js';
import { type DadoteckEvent, type DadoteckState, EVENT_KINDS } from './state.js';

/** The game `dadoteck` (rules page dadoteck, contracts I). Nothing in it is secret. */
export const dadoteck: Game<DadoteckState, DadoteckEvent> = {
  id: 'dadoteck',
  version: 1,
  setup(options, seats) {
    const opening = openGame(options, seats);
    return opening.verdict === 'accepted' ? accepted(undefined, opening.events) : opening;
  },
  expects: expectsOf,
  judge,
  evolve,
  view(state) {
    const awaited = expectsOf(state);
    const { phase, round, order, pawns, eliminated, initiativeDie, movementDie, winner, seats, layout } = state;
    return {
      state: {
        phase,
        round,
        order,
        pawns,
        eliminated,
        initiativeDie,
        movementDie,
        awaited: awaited.map(wireAwaited),
        winner,
        over: phase === 'over',
        turn: state.mover,
        initiative: state.rolls,
        seats,
        layout,
      },
      awaited,
    };
  },
  upcast: (event) => asWritten<DadoteckEvent>(event, EVENT_KINDS),
};
