import { byRank, type Planned, planLinks } from './plan.js';
import type { Followed } from './ports.js';

/** Signals (dBm) that differ by less say nothing about which adapter is nearer. */
export const NEAR_DB = 10;

/** A die as the plan for several adapters sees it. */
export interface Spread extends Planned {
  /** The adapter to which it is linked, or is being linked. */
  readonly held?: string;
  /** Signal (dBm) at each adapter that heard it lately. */
  readonly reach: ReadonlyMap<string, number>;
}

/** An adapter with its limit. `works` false: it is away for a moment, and its links are kept for it. */
export interface Place {
  readonly name: string;
  readonly links: number;
  readonly works: boolean;
}

/**
 * Spreads the links over the adapters: who gets one is settled by `planLinks`, where by who hears the die. A die keeps its
 * adapter while it is linked; one that nobody hears yet waits, its link kept for it. A die that only full adapters hear is
 * followed without a link, and its link goes to the next one in turn.
 */
export function spreadLinks(dice: readonly Spread[], places: readonly Place[]): readonly Followed[] {
  const links = places.reduce((sum, place) => sum + place.links, 0);
  const beyond = new Set<string>();
  for (;;) {
    const followed = planLinks(dice, links, beyond);
    const linked = new Set(followed.filter(({ by }) => by === 'link').map(({ die }) => die));
    const { at, left } = settle(
      byRank(dice).filter(({ die }) => linked.has(die)),
      places,
    );
    if (left.length === 0) {
      return followed.map((one) => {
        const adapter = at.get(one.die);
        return adapter === undefined ? one : { ...one, adapter };
      });
    }
    for (const die of left) beyond.add(die);
  }
}

/** Where each of these dice is linked, the first ones first; `left` are those that only full adapters hear. */
function settle(dice: readonly Spread[], places: readonly Place[]) {
  const free = new Map(places.map(({ name, links }) => [name, links]));
  const at = new Map<string, string>();
  const left: string[] = [];
  const take = (die: string, place: string): void => {
    at.set(die, place);
    free.set(place, (free.get(place) ?? 0) - 1);
  };
  for (const { die, held } of dice) if (held !== undefined && free.has(held)) take(die, held);
  const away = places.some(({ works }) => !works);
  for (const { die, reach } of dice) {
    if (at.has(die)) continue;
    const place = placeFor(reach, places, free);
    if (place !== undefined) take(die, place);
    else if (reach.size > 0 && !away) left.push(die);
  }
  return { at, left };
}

/** Of the adapters that hear a die about equally well, and have a link left, the one with the most. */
function placeFor(
  reach: ReadonlyMap<string, number>,
  places: readonly Place[],
  free: ReadonlyMap<string, number>,
): string | undefined {
  const [only, second] = places;
  // Whether the only one hears a die shows when it is connected.
  if (only !== undefined && second === undefined) return only.name;
  const open = places.flatMap(({ name, works }) => {
    const rssi = reach.get(name);
    const links = free.get(name) ?? 0;
    return works && rssi !== undefined && links > 0 ? [{ name, rssi, links }] : [];
  });
  const best = Math.max(...open.map(({ rssi }) => rssi));
  return open.filter(({ rssi }) => rssi > best - NEAR_DB).sort((a, b) => b.links - a.links)[0]?.name;
}
