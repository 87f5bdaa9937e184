import type { DieType } from '../dice/die.js';
import { parseDieType } from '../dice/die.js';
import { missingDice } from '../games/awaited.js';
import type { Expectation, Seat } from '../games/game.js';
import { isFair, substitutesFor } from '../rolls/substitute.js';
import type { Awaited } from '../wire/envelope.js';
import type { DieView } from '../wire/view.js';

/** For one missing kind at most this many dice are offered, the plainest first. */
const MAX_OFFERED = 3;

/** Kinds of dice that this seat could throw: its own that roll, and those that are anybody's. */
function atHand(dice: readonly DieView[], seat: Seat | null): readonly DieType[] {
  return dice.flatMap(({ state, seat: owner, duty, type }) => {
    const own = state === 'bound' && duty === 'rolls' && owner === seat;
    const parsed = (own || state === 'shared') && type !== null ? parseDieType(type) : undefined;
    return parsed?.ok === true ? [parsed.value] : [];
  });
}

/**
 * What the dice at hand can stand in for where a roll asks for a kind that nobody has here (706.1b). A d100 by its pair
 * needs no word, and uneven ones are never offered.
 */
export function substitutesOf(expects: Expectation, dice: readonly DieView[]): Pick<Awaited, 'substitutes'> {
  if (expects.kind !== 'roll' || expects.substitutes !== true) return {};
  const kinds = atHand(dice, expects.seat);
  const { percentile } = expects.resolution.asks;
  const missing = [...new Set(missingDice(expects.resolution))].filter((type) => !kinds.includes(type));
  const offered = missing.flatMap((type) => {
    const fair = substitutesFor(type, kinds, percentile).filter((one) => one.from.length === 1 && isFair(one));
    const pair = type === 'd100' && kinds.includes('d00') && kinds.includes('d10');
    return pair ? [] : fair.slice(0, MAX_OFFERED).map(({ from, how }) => ({ for: type, by: String(from[0]), how }));
  });
  return offered.length === 0 ? {} : { substitutes: offered };
}
