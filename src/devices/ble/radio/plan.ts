import type { Followed, Listening, Make, RadioDuty } from './ports.js';

/** One enrolled die as the plan sees it. */
export interface Planned {
  readonly die: string;
  readonly make: Make;
  readonly duty: RadioDuty;
  /** Its advertisements were heard too badly to follow it by them. */
  readonly poorly: boolean;
  readonly listening?: Listening;
}

/**
 * Whom a link goes to first. A GoDice says nothing without one; a Pixels that rolls tells its throws for certain only on
 * one; the face of a Pixels that counts stands in every advertisement.
 */
function rank({ make, duty, poorly }: Planned): number | null {
  if (make === 'GoDice') return duty === 'claim' ? 2 : 0;
  if (duty === 'rolls') return 1;
  return poorly && duty !== 'claim' ? 3 : null;
}

/** Dice that may get a link, whoever comes first at the front; the place at the table decides within a rank. */
export function byRank<D extends Planned>(dice: readonly D[]): readonly D[] {
  return dice
    .map((die, place) => ({ die, rank: rank(die), place }))
    .filter((entry): entry is { die: D; rank: number; place: number } => entry.rank !== null)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ die }) => die);
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Gives the links to the dice that need them, in their order within a rank; all others are followed by their
 * advertisements, as far as they have any.
 * @param links how many there are, over all adapters
 * @param beyond dice that get none although one is left: the adapters that hear them are full
 */
export function planLinks(
  dice: readonly Planned[],
  links: number,
  beyond: ReadonlySet<string> = NOBODY,
): readonly Followed[] {
  const wanting = byRank(dice.filter(({ die }) => !beyond.has(die)));
  const linked = new Set(wanting.slice(0, Math.max(0, links)).map(({ die }) => die));
  return dice.map(({ die, make, duty, listening }): Followed => {
    if (linked.has(die)) return { die, duty, by: 'link' };
    if (make === 'GoDice') return { die, duty, by: 'none', why: 'no_link_left' };
    return { die, duty, by: 'adverts', ...(listening === undefined ? {} : { listening }) };
  });
}
