import { type DieType, type Face, faceOf } from '../../src/dice/die.js';
import type { Instruction, Landed, Option } from '../../src/rolls/instruction.js';
import { parseNotation } from '../../src/rolls/notation.js';
import { beginWith, decide, type Outcome, type Resolution, take, waitsFor } from '../../src/rolls/resolution.js';

/** What is written down and read again: a roll must survive it at any point. */
export const rewritten = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function die(name: string, type: DieType, natural: Face): Landed {
  const face = faceOf(type, natural);
  if (!face.ok) throw new Error(face.error);
  return { die: name, type, face: face.value, source: 'physical', quality: 'ok' };
}

/** Takes a die that must fit. */
export function taken(roll: Resolution, landed: Landed): Resolution {
  const next = take(roll, landed);
  if (!next.ok) throw new Error(`${landed.die}: ${next.error.code}`);
  return next.value;
}

/** Takes a decision that must be offered. */
export function chosen(roll: Resolution, who: string, option: unknown): Resolution {
  const next = decide(roll, who, option);
  if (!next.ok) throw new Error(`${who}: ${next.error.code} ${JSON.stringify(next.error.expected)}`);
  return next.value;
}

export function asks(notation: string): Instruction {
  const parsed = parseNotation(notation, 'zero');
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value;
}

export function outcomeOf(roll: Resolution): Outcome {
  const wait = waitsFor(roll);
  if (wait.kind !== 'done') throw new Error(`still waits: ${JSON.stringify(wait)}`);
  return wait.outcome;
}

/** Rolls a notation with these naturals, in the order in which dice are asked for. */
export function rolled(notation: string, naturals: readonly Face[]): Outcome {
  const roll = naturals.reduce<Resolution>(
    (now, natural, at) => {
      const wait = waitsFor(now);
      const type = wait.kind === 'dice' ? wait.missing[0] : undefined;
      if (type === undefined) throw new Error(`${notation} wants no die ${at + 1}`);
      return taken(now, die(`d${at + 1}`, type, natural));
    },
    beginWith(asks(notation)),
  );
  return outcomeOf(roll);
}

/** A roll played by a plan: dice from a stream of naturals, decisions by a number each. */
export function played(
  instruction: Instruction,
  natural: (type: DieType, nth: number) => Face,
  pick: (options: readonly Option[], nth: number) => Option,
  each: (roll: Resolution) => Resolution = (roll) => roll,
): Resolution {
  let roll = beginWith(instruction);
  for (let nth = 0; nth < 500; nth += 1) {
    roll = each(roll);
    const wait = waitsFor(roll);
    if (wait.kind === 'done') return roll;
    if (wait.kind === 'dice') {
      const type = wait.missing[0] ?? 'd6';
      roll = taken(roll, die(`die-${nth}`, type, natural(type, nth)));
    } else roll = chosen(roll, wait.decision.who, pick(wait.decision.options, nth));
  }
  throw new Error('a roll without end');
}
