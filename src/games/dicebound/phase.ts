import type { DiceboundState } from './state.js';

export const PHASES = [
  'camp',
  'check',
  'effort',
  'ambush',
  'initiative',
  'turn',
  'target',
  'damage',
  'defence',
  'dodge',
  'agility',
  'trap',
  'over',
] as const;
export type Phase = (typeof PHASES)[number];

/** The word of contracts I for what the game is doing. */
export function phaseOf({ over, resting, check, trap, fight }: DiceboundState): Phase {
  if (over) return 'over';
  if (resting !== null) return 'ambush';
  if (check !== null) return check.stage === 'effort' ? 'effort' : 'check';
  if (trap !== null) return 'trap';
  if (fight === null) return 'camp';
  if (fight.stage === 'initiative') return 'initiative';
  const { attack } = fight;
  if (attack === null) return 'turn';
  if (attack.target === null) return 'target';
  return attack.stage === 'done' ? 'turn' : attack.stage;
}
