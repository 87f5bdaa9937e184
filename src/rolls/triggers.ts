import { err, ok, type Result } from '../dice/result.js';
import type { Outcome } from './outcome.js';

type Compare = (value: number) => boolean;

const WATCH = /^(any_)?(res|nat)(==|=|>=|<=|>|<)(-?\d{1,6}|max)$/;

function comparison(sign: string, against: number): Compare {
  switch (sign) {
    case '>=':
      return (value) => value >= against;
    case '<=':
      return (value) => value <= against;
    case '>':
      return (value) => value > against;
    case '<':
      return (value) => value < against;
    default:
      return (value) => value === against;
  }
}

/**
 * How often a watcher of dice triggers by one finished roll, or the number it adds (706.6, 706.7, README order 11).
 * Ignored and re-rolled dice never happened; a planar die is a die without a number.
 * @param listener `one_or_more`, `each_die`, `sum`, `res>=N`, `nat==N`, `nat==max`, `any_res>=N` and their like
 * @returns the count, or why the word is no watcher
 */
export function triggered(listener: string, outcome: Outcome): Result<number, string> {
  const account = outcome.account;
  const kept = (account?.kept ?? []).flatMap((index) => account?.casts[index] ?? []);
  if (listener === 'one_or_more') return ok(Math.min(1, kept.length));
  if (listener === 'each_die') return ok(kept.length);
  if (listener === 'sum') return ok(outcome.total ?? 0);
  const [whole, any, what, sign, against] = WATCH.exec(listener) ?? [];
  if (whole === undefined || sign === undefined || against === undefined || (against === 'max' && what === 'res')) {
    return err(`"${listener.slice(0, 40)}" is no watcher`);
  }
  const count =
    what === 'res'
      ? (account?.results ?? []).filter(comparison(sign, Number(against))).length
      : kept.filter(
          ({ natural, sides }) =>
            typeof natural === 'number' && comparison(sign, against === 'max' ? sides : Number(against))(natural),
        ).length;
  return ok(any === undefined ? count : Math.min(1, count));
}
