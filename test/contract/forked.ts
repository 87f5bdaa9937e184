import { landed } from '../../src/games/awaited.js';
import type { Expectation, Seat } from '../../src/games/game.js';
import { begin } from '../../src/rolls/resolution.js';
import { chosen, naturalOf, refused, tiny } from './driver.js';

/** In turn each rolls a d6: on 4 and more it takes a prize of its choice, below that the turn passes at once. */
interface Fair {
  readonly seats: readonly Seat[];
  readonly turn: number;
  readonly choosing: boolean;
  readonly prizes: { readonly [seat: Seat]: readonly string[] };
}
type Event =
  | { readonly kind: 'opened'; readonly ev: 1; readonly seats: readonly Seat[] }
  | { readonly kind: 'rolled'; readonly ev: 1; readonly natural: number }
  | { readonly kind: 'took'; readonly ev: 1; readonly seat: Seat; readonly prize: string };

const seatOf = ({ seats, turn }: Fair): Seat => seats[turn % seats.length] ?? '';

function expects(state: Fair): readonly Expectation[] {
  const base = { rule: 'fair:1', seat: seatOf(state), optional: false };
  return state.choosing
    ? [{ ...base, kind: 'choice', id: `prize.${state.turn}`, purpose: 'prize', options: ['orso', 'palla'] }]
    : [{ ...base, kind: 'roll', id: `roll.${state.turn}`, purpose: 'roll', resolution: begin(['d6']) }];
}

function evolve(state: Fair | undefined, event: Event): Fair {
  const now = state ?? { seats: [], turn: 0, choosing: false, prizes: {} };
  if (event.kind === 'opened') return { ...now, seats: event.seats };
  if (event.kind === 'rolled') return event.natural >= 4 ? { ...now, choosing: true } : { ...now, turn: now.turn + 1 };
  const prizes = { ...now.prizes, [event.seat]: [...(now.prizes[event.seat] ?? []), event.prize] };
  return { ...now, turn: now.turn + 1, choosing: false, prizes };
}

export const forked = tiny<Fair, Event>({
  id: 'forked',
  opening: (seats) => [{ kind: 'opened', ev: 1, seats }],
  expects,
  judge(state, deed) {
    if (deed.kind === 'natural') {
      const put = landed(expects(state), deed);
      if (!put.ok) return put.error;
      return { verdict: 'accepted', events: [{ kind: 'rolled', ev: 1, natural: naturalOf(put.value.resolution) }] };
    }
    if (deed.kind !== 'choice') return refused('not_awaited', 'fair:1', 'not awaited');
    const choice = chosen(expects(state), deed);
    if ('no' in choice) return choice.no;
    return { verdict: 'accepted', events: [{ kind: 'took', ev: 1, seat: deed.by, prize: String(choice.option) }] };
  },
  evolve,
});
