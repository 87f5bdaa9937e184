import { boardOf, snapshotOf } from './boards.js';
import type { DiceboundEvent, EventOf } from './events.js';
import { boxed } from './evolve-box.js';
import { evolveCamp } from './evolve-camp.js';
import { evolveFight } from './evolve-fight.js';
import { evolveParty } from './evolve-party.js';
import type { DiceboundState } from './state.js';
import { retracked } from './trackers.js';

function opened(event: EventOf<'opened'>): DiceboundState {
  const { mode, campaign, rules, data, teams, level, xp } = event;
  const heroes = Object.fromEntries(event.seats.map((seating) => [seating.id, boardOf(seating, level)]));
  return {
    mode,
    campaign,
    rules,
    data,
    edits: 0,
    seats: event.seats.map((seating) => seating.id),
    heroes,
    teams,
    level,
    xp,
    restore: snapshotOf({ level, xp, heroes }),
    rooms: 0,
    fights: 0,
    rests: 0,
    checks: 0,
    draws: 0,
    room: null,
    check: null,
    trap: null,
    resting: null,
    ambushDice: [],
    drawing: null,
    fight: null,
    over: false,
    winner: null,
  };
}

/** State after an event; the first event of a game is `opened`. No rule is checked here. */
export function evolve(state: DiceboundState | undefined, event: DiceboundEvent): DiceboundState {
  if (event.kind === 'opened') return opened(event);
  if (state === undefined) throw new Error(`a game of Dicebound begins with "opened", not with "${event.kind}"`);
  if (event.kind === 'boxed') return boxed(state, event);
  const next = evolveFight(state, event) ?? evolveParty(state, event) ?? evolveCamp(state, event);
  return next === undefined ? state : retracked(state, next);
}
