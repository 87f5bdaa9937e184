import { type DieType, type Face, naturalOf, type PercentileReading, percentile } from '../dice/die.js';
import type { Landed } from './instruction.js';

/** One asked die and what lies for it: nothing yet, one die, or one or both halves of a percentile pair. */
export interface Place {
  readonly type: DieType;
  readonly dice: readonly Landed[];
}

/** Texts compared by their words and numbers, so that `d-10` stands behind `d-9`. */
function byWords(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < left.length; index += 1) {
    const [word = '', against] = [left[index], right[index]];
    if (against === undefined) return 1;
    if (word === against) continue;
    const difference = Number(word) - Number(against);
    return Number.isNaN(difference) || difference === 0 ? (word < against ? -1 : 1) : difference;
  }
  return left.length - right.length;
}

/** Dice in the order of their names, each name taken apart once. */
const byName = (landed: readonly Landed[]): readonly Landed[] =>
  landed
    .map((die) => ({ die, words: die.die.match(/\d+|\D+/g) ?? [] }))
    .sort((one, other) => byWords(one.words, other.words))
    .map(({ die }) => die);

/**
 * Puts landed dice into the places of their kind, by identity and never by arrival (F032): single dice before the halves
 * of pairs, d10s into their own places before they serve a pair.
 * @returns undefined if a die has no place
 */
export function placed(types: readonly DieType[], landed: readonly Landed[]): readonly Place[] | undefined {
  const sorted = landed.length < 2 ? landed : byName(landed);
  const filled: { type: DieType; dice: Landed[] }[] = types.map((type) => ({ type, dice: [] }));
  const pairs: Landed[] = [];
  for (const die of sorted) {
    const place = filled.find((one) => one.type === die.type && one.dice.length === 0);
    if (place !== undefined) place.dice.push(die);
    else if (die.type === 'd00' || die.type === 'd10') pairs.push(die);
    else return undefined;
  }
  const free = filled.filter((place) => place.type === 'd100' && place.dice.length === 0);
  const tens = pairs.filter((die) => die.type === 'd00');
  const ones = pairs.filter((die) => die.type === 'd10');
  if (Math.max(tens.length, ones.length) > free.length) return undefined;
  for (const [index, place] of free.entries()) {
    const halves = [tens[index], ones[index]];
    for (const half of halves) if (half !== undefined) place.dice.push(half);
  }
  return filled;
}

/** The kinds a place still wants; a half percentile pair only its other half. */
export function wanted({ type, dice }: Place): readonly DieType[] {
  const [first, second] = dice;
  if (type !== 'd100') return first === undefined ? [type] : [];
  if (first === undefined) return ['d100', 'd00', 'd10'];
  if (second !== undefined || first.type === 'd100') return [];
  return [first.type === 'd00' ? 'd10' : 'd00'];
}

/** The kinds of dice still missing, one entry a place. */
export const missingIn = (places: readonly Place[]): readonly DieType[] =>
  places.flatMap((place) => wanted(place).slice(0, 1));

/** The natural result that lies in a full place: a face, or the 1…100 of a pair. */
export function naturalIn(place: Place, reading: PercentileReading): Face {
  const [first, second] = place.dice;
  if (first === undefined) return 0;
  if (second === undefined) return naturalOf(first.type, first.face);
  return percentile(Number(first.face), Number(second.face), reading);
}

/** What one die of a full place counts by itself: the ones of a pair 0…9 where it is read so (`zero`), a lone 0 ten. */
export const partIn = ({ dice }: Place, { type, face }: Landed, reading: PercentileReading): Face =>
  dice.length > 1 && reading === 'zero' ? face : naturalOf(type, face);
