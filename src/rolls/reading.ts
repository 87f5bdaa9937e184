import { meets } from './condition.js';
import type { Use } from './instruction.js';
import { isSameRow, rowsHit } from './rows.js';

/** What the results came to (706.3, 706.4, 706.5); only what the instruction's use makes of them. */
export interface Reading {
  /** Rows that were hit, in printed order. */
  readonly rows?: readonly string[];
  /** The same for each result of a list that is read die by die. */
  readonly rowsEach?: readonly (readonly string[])[];
  readonly conditions?: readonly string[];
  /** A row says "roll again" (706.3c). */
  readonly again?: boolean;
  readonly met?: boolean;
  /** The result as an amount: less than 0 counts as 0 (107.1b); 0 where a condition is not met. */
  readonly amount?: number;
  readonly chosen?: number;
  readonly other?: number;
  readonly difference?: number;
  readonly even?: number;
  readonly odd?: number;
  readonly distinct?: number;
  readonly count?: number;
  readonly wins?: boolean;
  readonly repeat?: boolean;
  readonly ordered?: readonly number[];
  readonly doubles?: boolean;
}

/** True if there are two results and they are equal (706.5). */
export const areDoubles = (results: readonly number[]): boolean => results.length === 2 && results[0] === results[1];

const isEven = (value: number): boolean => value % 2 === 0;

/**
 * Reads results as the instruction uses them.
 * @param results of the kept dice, after modifiers
 * @param total their sum with the printed modifier, or null where nothing was rolled
 * @param chosen place of the chosen result, where one is chosen
 */
export function read(use: Use, results: readonly number[], total: number | null, chosen?: number): Reading {
  const one = results.length === 1 ? (results[0] ?? 0) : (total ?? 0);
  switch (use.kind) {
    case 'table':
      return readTable(use, results);
    case 'list':
      return { rowsEach: results.map((result) => rowsHit(use.rows, result)), doubles: areDoubles(results) };
    case 'condition': {
      const met = results.length > 0 && meets(use.condition, one);
      return { met, amount: met ? Math.max(0, one) : 0 };
    }
    case 'number':
      return results.length === 0 ? {} : { amount: Math.max(0, one + (use.plus ?? 0)) };
    case 'choose': {
      const value = chosen === undefined ? undefined : results[chosen];
      const other = results.find((_, index) => index !== chosen);
      return { ...(value === undefined ? {} : { chosen: value }), ...(other === undefined ? {} : { other }) };
    }
    case 'difference':
      return { difference: results.length < 2 ? 0 : Math.max(...results) - Math.min(...results) };
    case 'parity':
      return {
        even: results.filter(isEven).length,
        odd: results.filter((result) => !isEven(result)).length,
      };
    case 'distinct':
      return { distinct: new Set(results).size };
    case 'count': {
      const count = results.filter((result) => result === use.value).length;
      const even = results.filter(isEven).length;
      return { count, even, ...(use.wins === undefined ? {} : { wins: count === use.wins }) };
    }
    case 'repeat':
      return { repeat: results.includes(use.value) };
    case 'ordered':
      return { ordered: results };
    case 'doubles':
      return { doubles: areDoubles(results) };
    case 'total':
    case 'none':
      return {};
  }
}

function readTable(use: Extract<Use, { kind: 'table' }>, results: readonly number[]): Reading {
  const rows = results.flatMap((result) => rowsHit(use.rows, result));
  return {
    rows,
    ...(use.conditions === undefined
      ? {}
      : { conditions: use.conditions.filter((condition) => results.some((result) => meets(condition, result))) }),
    ...(use.again === undefined
      ? {}
      : { again: rows.some((row) => use.again?.some((again) => isSameRow(again, row))) }),
  };
}
