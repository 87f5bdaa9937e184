import { type Course, thrown } from './course.js';
import type { Formula } from './formula.js';
import { FormulaRoll } from './formula-roll.js';
import type { Instruction } from './instruction.js';

/** The course of a notation with marks: waves of dice until none is called for any more. */
export function* formulaCourse(asks: Instruction, formula: Formula): Course {
  const roll = new FormulaRoll(asks, formula);
  while (roll.wants.length > 0) roll.fill(yield* thrown(roll.wants));
  return roll.told();
}
