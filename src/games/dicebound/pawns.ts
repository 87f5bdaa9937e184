import type { DieType } from '../../dice/die.js';
import { monsterOf } from './combatants.js';
import type { DiceboundEvent } from './events.js';
import type { Combatant, DiceboundState } from './state.js';

/** D6: whose pawn blinks in this event: the monster that acts, or the one that is hit. */
function shownIn(event: DiceboundEvent): Combatant | undefined {
  switch (event.kind) {
    case 'turn':
      return event.who;
    case 'attacked':
      return event.by;
    case 'hurt':
      return event.target;
    default:
      return undefined;
  }
}

/** The kind of the GM's die that stands for whoever acts or is hit; none for heroes, and for monsters without a die. */
export function pawnsOf(state: DiceboundState, event: DiceboundEvent): readonly DieType[] {
  const who = shownIn(event);
  const pawn = who === undefined ? null : (monsterOf(state, who)?.pawn ?? null);
  return pawn === null ? [] : [pawn];
}
