import { field, without } from '../awaited.js';
import type { Seat } from '../game.js';
import { agreedMovementDie, smallestDie } from './speed.js';
import { type DadoteckEvent, type DadoteckState, rollsOf } from './state.js';

type Opened = Extract<DadoteckEvent, { kind: 'opened' }>;

function opened({ seats, initiative, movement, layout, start }: Opened): DadoteckState {
  const alive = start === null ? [] : seats.filter((seat) => Object.hasOwn(start.pawns, seat));
  const state: DadoteckState = {
    seats,
    initiative,
    movement,
    layout,
    phase: start === null ? 'placement' : 'movement',
    round: start === null ? 0 : 1,
    pawns: start?.pawns ?? {},
    eliminated: start === null ? [] : seats.filter((seat) => !alive.includes(seat)),
    initiativeDie: 20,
    movementDie: 20,
    tries: {},
    rolls: {},
    pass: 1,
    order: start?.order ?? [],
    turn: -1,
    mover: null,
    special: 0,
    last: null,
    winner: null,
  };
  if (start === null) return state;
  const initiativeDie = initiative === 'smallest' ? smallestDie(alive.length) : 20;
  return { ...state, initiativeDie, movementDie: agreedMovementDie(state, alive.length) };
}

function out(state: DadoteckState, seat: Seat): DadoteckState {
  return {
    ...state,
    pawns: without(state.pawns, seat),
    rolls: without(state.rolls, seat),
    eliminated: [...state.eliminated, seat],
  };
}

/** State after an event; the first event of a game is `opened`. */
export function evolve(state: DadoteckState | undefined, event: DadoteckEvent): DadoteckState {
  if (event.kind === 'opened') return opened(event);
  if (state === undefined) throw new Error(`a game of Dadoteck begins with "opened", not with "${event.kind}"`);
  switch (event.kind) {
    case 'placed':
    case 'moved':
      return { ...state, pawns: { ...state.pawns, [event.seat]: event.square } };
    case 'taken':
      return { ...state, tries: { ...state.tries, [event.seat]: (field(state.tries, event.seat) ?? 0) + 1 } };
    case 'round':
      return {
        ...state,
        phase: 'initiative',
        round: event.round,
        rolls: {},
        pass: 1,
        order: [],
        turn: -1,
        mover: null,
      };
    case 'initiative_die':
      return { ...state, initiativeDie: event.sides };
    case 'movement_die':
      return { ...state, movementDie: event.sides };
    case 'rolled':
      return { ...state, rolls: { ...state.rolls, [event.seat]: [...rollsOf(state, event.seat), event.natural] } };
    case 'tied':
      return { ...state, pass: state.pass + 1 };
    case 'ordered':
      return { ...state, phase: 'movement', order: event.order, turn: -1, mover: null };
    case 'turn':
      return { ...state, mover: event.seat, turn: state.order.indexOf(event.seat) };
    case 'eliminated':
    case 'left':
      return out(state, event.seat);
    case 'choice_due':
      return event.natural === 20
        ? { ...state, phase: 'assassin' }
        : { ...state, phase: 'bastard', special: event.natural };
    case 'turn_ended':
      return { ...state, phase: 'movement', mover: null, special: 0, last: { seat: event.seat, rule: event.rule } };
    case 'won':
      return { ...state, winner: event.seat };
    case 'ended':
      return { ...state, phase: 'over', mover: null, special: 0 };
    case 'agreed':
    case 'stayed':
    case 'renounced':
      return state;
  }
}
