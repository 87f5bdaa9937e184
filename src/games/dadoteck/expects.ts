import { begin } from '../../rolls/resolution.js';
import { field } from '../awaited.js';
import type { CallId, Expectation, Seat } from '../game.js';
import { betweenRounds, diceOptions } from './speed.js';
import { type Dadoteck, type DadoteckState, living, rollers, squareOf } from './state.js';

/** Ids of calls: made from the state, so that a late die cannot fall into the next call (design, the game contract). */
const placementId = (state: DadoteckState, seat: Seat): CallId => numbered(`place.${seat}`, tryOf(state, seat));
const tryOf = (state: DadoteckState, seat: Seat): number => (field(state.tries, seat) ?? 0) + 1;
const numbered = (id: string, n: number): CallId => (n === 1 ? id : `${id}.${n}`);

/** True if only one player is left and has still to move (F2). */
export const isLast = (state: DadoteckState): boolean => living(state).length === 1;

function roll(id: CallId, seat: Seat, purpose: string, rule: Dadoteck, sides: number): Expectation {
  return { kind: 'roll', id, seat, rule, purpose, optional: false, resolution: begin([`d${sides}`]) };
}

function diceChoice(state: DadoteckState): readonly Expectation[] {
  const options = betweenRounds(state) ? diceOptions(state) : [];
  if (options.length === 0) return [];
  const id = `r${state.round}.dice`;
  return [{ kind: 'choice', id, seat: 'table', rule: 'dadoteck:V3', purpose: 'dice', optional: true, options }];
}

function movement(state: DadoteckState, seat: Seat): readonly Expectation[] {
  const id = `r${state.round}.move.${seat}`;
  if (!isLast(state)) return [roll(id, seat, 'move', 'dadoteck:M1', state.movementDie)];
  const renounce: Expectation = {
    kind: 'choice',
    id: `r${state.round}.renounce.${seat}`,
    seat,
    rule: 'dadoteck:F2',
    purpose: 'renounce',
    optional: true,
    options: ['renounce'],
  };
  return [roll(id, seat, 'move', 'dadoteck:F2', state.movementDie), renounce];
}

/** All that is awaited now. */
export function expectsOf(state: DadoteckState): readonly Expectation[] {
  const { phase, round, mover, special } = state;
  switch (phase) {
    case 'placement':
      return living(state)
        .filter((seat) => squareOf(state, seat) === undefined)
        .map((seat) => roll(placementId(state, seat), seat, 'placement', 'dadoteck:S2', 20));
    case 'initiative': {
      const id = (seat: Seat): CallId => numbered(`r${round}.init.${seat}`, state.pass);
      const rolls = rollers(state).map((seat) =>
        roll(id(seat), seat, 'initiative', 'dadoteck:I1', state.initiativeDie),
      );
      return [...rolls, ...diceChoice(state)];
    }
    case 'movement':
      return mover === null ? [] : movement(state, mover);
    case 'bastard':
    case 'assassin': {
      if (mover === null) return [];
      const victims = living(state).filter((seat) => seat !== mover);
      const bastard = phase === 'bastard';
      return [
        {
          kind: 'choice',
          id: `r${round}.${phase}.${mover}`,
          seat: mover,
          rule: bastard ? 'dadoteck:M6' : 'dadoteck:M5',
          purpose: phase,
          optional: false,
          options: bastard ? [special - 1, special, special + 1] : victims,
        },
      ];
    }
    case 'over':
      return [];
  }
}
