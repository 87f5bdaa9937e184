import { landed } from '../../src/games/awaited.js';
import type { Expectation, Seat } from '../../src/games/game.js';
import { begin } from '../../src/rolls/resolution.js';
import { naturalOf, refused, tiny } from './driver.js';

/** Everybody rolls a d20 at once, in any order; the highest wins, the tied roll again. */
interface Contest {
  readonly pass: number;
  readonly rolls: { readonly [seat: Seat]: number | null };
  readonly winner: Seat | null;
}
type Event =
  | { readonly kind: 'opened' | 'tied'; readonly ev: 1; readonly seats: readonly Seat[] }
  | { readonly kind: 'rolled'; readonly ev: 1; readonly seat: Seat; readonly natural: number }
  | { readonly kind: 'won'; readonly ev: 1; readonly seat: Seat };

const waiting = ({ rolls }: Contest): readonly Seat[] => Object.keys(rolls).filter((seat) => rolls[seat] === null);

const expects = (state: Contest): readonly Expectation[] =>
  waiting(state).map((seat) => ({
    kind: 'roll',
    id: `pass${state.pass}.${seat}`,
    seat,
    rule: 'contest:1',
    purpose: 'contest',
    optional: false,
    resolution: begin(['d20']),
  }));

function outcome(state: Contest): readonly Event[] {
  if (waiting(state).length > 0) return [];
  const best = Math.max(...Object.values(state.rolls).map(Number));
  const seats = Object.keys(state.rolls).filter((seat) => state.rolls[seat] === best);
  const [seat = ''] = seats;
  return seats.length === 1 ? [{ kind: 'won', ev: 1, seat }] : [{ kind: 'tied', ev: 1, seats }];
}

function evolve(state: Contest | undefined, event: Event): Contest {
  const now = state ?? { pass: 0, rolls: {}, winner: null };
  if (event.kind === 'rolled') return { ...now, rolls: { ...now.rolls, [event.seat]: event.natural } };
  if (event.kind === 'won') return { ...now, winner: event.seat };
  return { ...now, pass: now.pass + 1, rolls: Object.fromEntries(event.seats.map((seat) => [seat, null])) };
}

export const contest = tiny<Contest, Event>({
  id: 'contest',
  opening: (seats) => [{ kind: 'opened', ev: 1, seats }],
  expects,
  judge(state, deed) {
    if (deed.kind !== 'natural') return refused('not_awaited', 'contest:1', 'only rolls are awaited');
    const put = landed(expects(state), deed);
    if (!put.ok) return put.error;
    const { call, resolution } = put.value;
    const rolled: Event = { kind: 'rolled', ev: 1, seat: call.seat ?? '', natural: naturalOf(resolution) };
    return { verdict: 'accepted', events: [rolled, ...outcome(evolve(state, rolled))] };
  },
  evolve,
});
