import type { DeviceStatus } from '../../device.js';

/** Why a link is not up: a word for pages, and what the radio said. */
export interface DieWord {
  readonly code: 'link_refused' | 'link_lost' | 'stale';
  readonly text: string;
}

/** A die that has not been heard for so long may be held by a phone: it is invisible then (F113). */
export const HINT_MS = 600_000;

/** What people are told of a die without a link. `silentMs` is null for a die that has never been heard. */
export function wordFor(
  by: 'link' | 'adverts' | 'none',
  why: DieWord | null,
  silentMs: number | null,
): Pick<DeviceStatus, 'code' | 'reason'> {
  if (by === 'none') {
    return {
      code: 'no_link_left',
      reason: 'no link is left on an adapter that hears it: raise ble.links, or free another die',
    };
  }
  if (why !== null) return { code: why.code, reason: `${why.text}; trying again by itself` };
  if (silentMs === null) return { code: 'not_heard', reason: 'not heard yet: move it, or end its link to a phone' };
  if (silentMs > HINT_MS) {
    return {
      code: 'in_use',
      reason: 'not heard for ten minutes: connected to a phone? End that link, then move the die',
    };
  }
  return { code: 'asleep', reason: 'asleep: move it' };
}
