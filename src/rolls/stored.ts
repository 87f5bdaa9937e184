import type { DieType } from '../dice/die.js';

/** A stored result (706.8a): the kind of die and the result after modifiers. Equal ones are separate entries. */
export interface Stored {
  readonly sides: number;
  readonly value: number;
}

/** A permanent may keep this many stored results. */
export const MAX_STORED = 200;

/** Stores further results of dice of one kind; what was stored stays. */
export const store = (stored: readonly Stored[], sides: number, results: readonly number[]): readonly Stored[] => [
  ...stored,
  ...results.map((value) => ({ sides, value })),
];

/** The rolls that re-roll these entries (706.8b): one for each kind of die, with as many dice; none for no entry. */
export function rerollsOf(
  stored: readonly Stored[],
  chosen: readonly number[],
): readonly { readonly type: DieType; readonly sides: number; readonly entries: readonly number[] }[] {
  const kinds = [...new Set(chosen.flatMap((entry) => stored[entry]?.sides ?? []))];
  return kinds.map((sides) => ({
    type: `d${sides}`,
    sides,
    entries: chosen.filter((entry) => stored[entry]?.sides === sides),
  }));
}

/** Puts new results in the place of re-rolled entries, each of its own (never by value). */
export function restore(
  stored: readonly Stored[],
  entries: readonly number[],
  results: readonly number[],
): readonly Stored[] {
  return stored.map((one, index) => {
    const at = entries.indexOf(index);
    const value = at < 0 ? undefined : results[at];
    return value === undefined ? one : { sides: one.sides, value };
  });
}

/** Size of the largest group of equal values; 0 where nothing is stored. */
export function largestGroup(stored: readonly Stored[]): number {
  const sizes = new Map<number, number>();
  for (const { value } of stored) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  return Math.max(0, ...sizes.values());
}
