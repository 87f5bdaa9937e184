import { eventsOf } from './course.js';
import type { RecordBody } from './record.js';
import type { TableState } from './state.js';

/** Dice with the duty *pawn* that stand for who acts or is hit in this record (dicebound D6): they blink. */
export function blinking({ course, bindings }: TableState, { steps }: RecordBody): readonly string[] {
  if (course === undefined) return [];
  const kinds = (steps ?? []).flatMap(({ run, verdict }) => {
    const { game, state } = course.runs[run];
    return game.pawns === undefined ? [] : eventsOf(verdict).flatMap((event) => game.pawns?.(state, event) ?? []);
  });
  if (kinds.length === 0) return [];
  return [...bindings.values()].flatMap(({ die, duty, type }) =>
    duty === 'pawn' && type !== undefined && kinds.includes(type) ? [die] : [],
  );
}
