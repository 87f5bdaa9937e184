import { selected } from '../../rolls/contest.js';
import type { Contest, MagicEvent, MagicState, Order } from './state.js';

/**
 * A result of a contest: the comparison once all have rolled; who ties for the lowest rolls again.
 * @returns the events, and the orders of the next round
 */
export function contestEvents(
  state: MagicState,
  order: Order,
  result: number,
): { readonly events: readonly MagicEvent[]; readonly again: readonly Order[] } {
  const { contest: asked } = order;
  if (asked === undefined) return { events: [], again: [] };
  const before = state.contest?.name === order.name ? state.contest.results : [];
  const results = [...before.filter(({ seat }) => seat !== order.seat), { seat: order.seat, result }];
  const contest: Contest = { which: asked.which, name: order.name, results };
  const waiting = state.open.some(({ order: other }) => other.contest !== undefined);
  if (waiting) return { events: [{ kind: 'compared', ev: 1, contest, selected: [] }], again: [] };
  const best = selected(new Map(results.map(({ seat, result: value }) => [seat, value])), asked.which);
  if (asked.which === 'highest' || best.length < 2) {
    return { events: [{ kind: 'compared', ev: 1, contest, selected: best }], again: [] };
  }
  const next: Contest = { ...contest, results: [] };
  const again = best.map(
    (seat): Order => ({ ...order, seat, contest: { which: asked.which, round: asked.round + 1 } }),
  );
  return { events: [{ kind: 'compared', ev: 1, contest: next, selected: best }], again };
}
