import { err, ok, type Result } from '../dice/result.js';

/** Possible results a row names (706.3a): one number, from–to, or from upward (`to: null`). */
export interface Range {
  readonly from: number;
  readonly to: number | null;
}

/** A row's label may be this long, in characters. */
export const MAX_ROW = 40;

const DASH = '[-\\u2010-\\u2015\\u2212]';
const LABEL = new RegExp(`^\\s*(\\d{1,6})(?:\\s*${DASH}\\s*(\\d{1,6})|\\s*(\\+))?\\s*$`);

/** Reads `20`, `1-9` (any dash) or `15+`. Numbers of a row are never negative; a reversed range is malformed. */
export function parseRow(label: string): Result<Range, string> {
  const [whole, low, high, open] = (label.length > MAX_ROW ? null : LABEL.exec(label)) ?? [];
  if (whole === undefined || low === undefined) {
    return err(`"${label.slice(0, MAX_ROW)}" is no row: a number, N1-N2 or N+`);
  }
  const from = Number(low);
  const to = open === undefined ? Number(high ?? low) : null;
  return to !== null && to < from ? err(`"${label}" runs backwards`) : ok({ from, to });
}

/** True if a result lies in this range. */
export const within = ({ from, to }: Range, result: number): boolean => result >= from && (to === null || result <= to);

/** Labels of the rows a result hits, in printed order: each row is its own "if" (706.3a). A malformed row is never hit. */
export function rowsHit(rows: readonly string[], result: number): readonly string[] {
  return rows.filter((label) => {
    const range = parseRow(label);
    return range.ok && within(range.value, result);
  });
}

/** True if two labels name the same row, whatever their dash: `15-20` and `15–20`. */
export function isSameRow(one: string, other: string): boolean {
  const [first, second] = [parseRow(one), parseRow(other)];
  if (!first.ok || !second.ok) return one === other;
  return first.value.from === second.value.from && first.value.to === second.value.to;
}

/** Pairs of rows that share a result. No printed card has any: worth a warning where a table is read (F151). */
export function overlaps(rows: readonly string[]): readonly (readonly [string, string])[] {
  const ranges = rows.flatMap((label) => {
    const range = parseRow(label);
    return range.ok ? [{ label, ...range.value }] : [];
  });
  return ranges.flatMap((one, index) =>
    ranges
      .slice(index + 1)
      .filter((other) => one.from <= (other.to ?? Infinity) && other.from <= (one.to ?? Infinity))
      .map((other): readonly [string, string] => [one.label, other.label]),
  );
}
