import { landed } from '../../src/games/awaited.js';
import type { Expectation, Seat } from '../../src/games/game.js';
import { begin } from '../../src/rolls/resolution.js';
import { naturalOf, refused, tiny } from './driver.js';

/** Every d20 costs 1 PA. The d6 that counts PA must be turned to follow, and never holds up play (dicebound D3, D4). */
interface Paid {
  readonly seat: Seat;
  readonly pa: number;
  readonly shown: number;
  readonly rolls: number;
}
type Event =
  | { readonly kind: 'opened'; readonly ev: 1; readonly seat: Seat }
  | { readonly kind: 'rolled'; readonly ev: 1; readonly natural: number; readonly pa: number }
  | { readonly kind: 'shown'; readonly ev: 1; readonly face: number };

function expects(state: Paid): readonly Expectation[] {
  const { seat, pa, rolls } = state;
  const base = { rule: 'paid:1', seat };
  const resolution = begin(['d20']);
  const roll: Expectation = { ...base, kind: 'roll', id: `roll.${rolls}`, purpose: 'roll', optional: true, resolution };
  const set: Expectation = {
    ...base,
    kind: 'set',
    id: 'set.pa',
    purpose: 'pa',
    optional: true,
    counter: 'pa',
    face: pa,
  };
  return [...(pa > 0 ? [roll] : []), ...(state.shown === pa || pa === 0 ? [] : [set])];
}

function evolve(state: Paid | undefined, event: Event): Paid {
  const now = state ?? { seat: '', pa: 6, shown: 6, rolls: 0 };
  if (event.kind === 'opened') return { ...now, seat: event.seat };
  if (event.kind === 'shown') return { ...now, shown: event.face };
  return { ...now, pa: event.pa, rolls: now.rolls + 1 };
}

export const tracker = tiny<Paid, Event>({
  id: 'tracker',
  opening: ([seat = '']) => [{ kind: 'opened', ev: 1, seat }],
  expects,
  judge(state, deed) {
    if (deed.kind === 'natural') {
      const put = landed(expects(state), deed);
      if (!put.ok) return put.error;
      const natural = naturalOf(put.value.resolution);
      return { verdict: 'accepted', events: [{ kind: 'rolled', ev: 1, natural, pa: state.pa - 1 }] };
    }
    if (deed.kind !== 'set' || deed.counter !== 'pa' || deed.seat !== state.seat) {
      return refused('not_awaited', 'paid:1', 'not awaited');
    }
    const { face } = deed;
    if (face === state.pa) return { verdict: 'accepted', events: [{ kind: 'shown', ev: 1, face }] };
    return {
      verdict: 'refused',
      code: 'mismatch',
      rule: 'paid:1',
      expected: `pa ${state.pa}`,
      reason: `pa shows ${face}`,
    };
  },
  evolve,
});
