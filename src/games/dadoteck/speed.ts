import type { Json } from '../../dice/json.js';
import { field } from '../awaited.js';
import type { Verdict } from '../game.js';
import { isObject, isWhole, refused } from '../refusal.js';
import type { DadoteckEvent, DadoteckState } from './state.js';
import { living } from './state.js';

/** The dice of the book, largest first. The d4 is a pawn and never rolled. */
export const DICE = [20, 16, 12, 10, 8, 6] as const;

/** V1: the smallest die of the book with at least as many faces as living players. */
export function smallestDie(players: number): number {
  return DICE.filter((sides) => sides >= players).at(-1) ?? 20;
}

/** V2: the movement die by the thresholds of the setup; never larger than the one in use (V3). */
export function agreedMovementDie(state: DadoteckState, players: number): number {
  const reached = state.movement.filter(({ below }) => players < below).map(({ sides }) => sides);
  return Math.min(state.movementDie, ...reached);
}

/** True from the start of a round to its first initiative roll: the only time at which dice may change (V3). */
export function betweenRounds(state: DadoteckState): boolean {
  return state.phase === 'initiative' && Object.keys(state.rolls).length === 0;
}

/** What the setup has agreed for the round that begins (V1, V2). */
export function agreedDice(state: DadoteckState): DadoteckEvent | undefined {
  const players = living(state).length;
  const smallest = state.initiative === 'smallest' ? smallestDie(players) : state.initiativeDie;
  if (smallest < state.initiativeDie) {
    return { kind: 'initiative_die', ev: 1, rule: 'dadoteck:V1', sides: smallest };
  }
  const sides = agreedMovementDie(state, players);
  return sides < state.movementDie ? { kind: 'movement_die', ev: 1, rule: 'dadoteck:V2', sides } : undefined;
}

/** V1–V3: every pair of dice of the book the table may change to now. */
export function diceOptions(state: DadoteckState): readonly { initiativeDie: number; movementDie: number }[] {
  const players = living(state).length;
  const lower = DICE.filter((sides) => sides >= players && sides < state.initiativeDie);
  const moves = [state.movementDie, ...DICE.filter((sides) => sides < state.movementDie)];
  const pairs = [state.initiativeDie, ...lower].flatMap((initiativeDie) =>
    moves.map((movementDie) => ({ initiativeDie, movementDie })),
  );
  return pairs.slice(1);
}

/**
 * Judges the table's choice of dice. `initiativeDie` may also be a die that is not in the book (V1: any die with enough
 * faces); a die that is left out stays as it is.
 */
export function chooseDice(state: DadoteckState, option: Json | undefined, by: 'table' | 'gm'): Verdict<DadoteckEvent> {
  const known = ['initiativeDie', 'movementDie'];
  const expected = 'initiativeDie and movementDie, smaller than now';
  if (!isObject(option) || Object.keys(option).some((name) => !known.includes(name))) {
    return refused('unknown_option', 'dadoteck:V3', 'dice are chosen by their faces', expected);
  }
  const initiative = field(option, 'initiativeDie') ?? state.initiativeDie;
  const movement = field(option, 'movementDie') ?? state.movementDie;
  const players = living(state).length;
  if (!isWhole(initiative, 2, 1000) || initiative === 4) {
    return refused('no_such_die', 'dadoteck:V1', 'initiative is rolled with a die that is no pawn', expected);
  }
  if (initiative < players) {
    const reason = `a d${initiative} has fewer faces than there are living players`;
    return refused('too_few_faces', 'dadoteck:V1', reason, `at least ${players} faces`);
  }
  if (!isWhole(movement, 2, 1000) || (movement !== state.movementDie && !DICE.some((sides) => sides === movement))) {
    return refused('no_such_die', 'dadoteck:V2', 'no movement die has so many faces', 'd20, d16, d12, d10, d8 or d6');
  }
  if (initiative > state.initiativeDie || movement > state.movementDie) {
    const now = `at most d${state.initiativeDie} and d${state.movementDie}`;
    return refused('upwards', 'dadoteck:V3', 'dice change downwards only', now);
  }
  const events: DadoteckEvent[] = [{ kind: 'agreed', ev: 1, rule: 'dadoteck:V3', by }];
  if (initiative < state.initiativeDie) {
    events.push({ kind: 'initiative_die', ev: 1, rule: 'dadoteck:V1', sides: initiative });
  }
  if (movement < state.movementDie) {
    events.push({ kind: 'movement_die', ev: 1, rule: 'dadoteck:V2', sides: movement });
  }
  if (events.length === 1) return refused('no_change', 'dadoteck:V3', 'these dice are in use already', expected);
  return { verdict: 'accepted', events };
}
