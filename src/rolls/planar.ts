import type { PlanarFace } from '../dice/die.js';
import { err, ok, type Result } from '../dice/result.js';

/** How often each symbol is printed on the planar die (901.3a). */
export const PLANAR_DIE: { readonly [face in PlanarFace]: number } = { planeswalker: 1, chaos: 1, blank: 4 };

/** Times each player has taken the special action this turn. Rolls made by effects are not in it (901.9). */
export type PlanarTurn = ReadonlyMap<string, number>;

/** The circumstances of a special action; what is left out is not checked. */
export interface PlanarAttempt {
  readonly player: string;
  readonly active?: boolean;
  readonly phase?: string;
  readonly stack?: number;
  /** Mana the player can spend. */
  readonly mana?: number;
}

const MAIN = new Set(['main', 'main1', 'main2', 'precombat_main', 'postcombat_main']);

/** What the special action costs this player now: 0, 1, 2, … within one turn. */
export const planarCost = (turn: PlanarTurn, player: string): number => turn.get(player) ?? 0;

/**
 * Takes the special action (901.9, 116.2i): the active player, in a main phase, with an empty stack. A refused one does
 * not count.
 * @returns its cost and the turn after it; or `not_active`, `wrong_phase`, `stack_not_empty`, `cost_not_payable`
 */
export function specialAction(
  turn: PlanarTurn,
  attempt: PlanarAttempt,
): Result<
  { readonly cost: number; readonly turn: PlanarTurn },
  'not_active' | 'wrong_phase' | 'stack_not_empty' | 'cost_not_payable'
> {
  const cost = planarCost(turn, attempt.player);
  if (attempt.active === false) return err('not_active');
  if (attempt.phase !== undefined && !MAIN.has(attempt.phase)) return err('wrong_phase');
  if ((attempt.stack ?? 0) > 0) return err('stack_not_empty');
  if (attempt.mana !== undefined && attempt.mana < cost) return err('cost_not_payable');
  return ok({ cost, turn: new Map([...turn, [attempt.player, cost + 1]]) });
}

/** What a face brings (901.9a–c), and how many abilities it puts on the stack. */
export function planarOutcome(
  face: PlanarFace,
  blankIsChaos = false,
): { readonly outcome: 'nothing' | 'chaos_ensues' | 'planeswalking_ability'; readonly stack?: number } {
  if (face === 'planeswalker') return { outcome: 'planeswalking_ability', stack: 1 };
  if (face === 'chaos' || blankIsChaos) return { outcome: 'chaos_ensues' };
  return { outcome: 'nothing', stack: 0 };
}
