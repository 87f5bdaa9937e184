import { landed } from '../../src/games/awaited.js';
import type { Expectation, Seat, Verdict } from '../../src/games/game.js';
import { begin } from '../../src/rolls/resolution.js';
import { chosen, naturalOf, refused, tiny } from './driver.js';

/**
 * An attack of 10 is pending. Each may pass or answer with a shield of d6 until all have passed since the last answer,
 * or 30 s are over; the timer stands still while a shield is rolled.
 */
interface Attack {
  readonly seats: readonly Seat[];
  readonly shield: number;
  readonly answers: number;
  readonly passed: readonly Seat[];
  readonly roller: Seat | null;
  readonly damage: number | null;
}
type Event =
  | { readonly kind: 'opened'; readonly ev: 1; readonly seats: readonly Seat[] }
  | { readonly kind: 'passed'; readonly ev: 1; readonly seat: Seat }
  | { readonly kind: 'answered'; readonly ev: 1; readonly seat: Seat }
  | { readonly kind: 'shielded'; readonly ev: 1; readonly by: number }
  | { readonly kind: 'hit'; readonly ev: 1; readonly damage: number };

const base = { rule: 'attack:1', purpose: 'answer' };
function expects(state: Attack): readonly Expectation[] {
  if (state.damage !== null) return [];
  const id = `shield.${state.answers}`;
  if (state.roller !== null) {
    return [{ ...base, kind: 'roll', id, seat: state.roller, optional: false, resolution: begin(['d6']) }];
  }
  const open = state.seats.filter((seat) => !state.passed.includes(seat));
  const options = ['pass', 'shield'];
  const choices = open.map((seat): Expectation => {
    const answer = `answer.${state.answers}.${seat}`;
    return { ...base, kind: 'choice', id: answer, seat, optional: true, options };
  });
  return [...choices, { ...base, kind: 'timer', id: 'window', seat: null, optional: true, ms: 30_000 }];
}

const hit = (state: Attack): Event => ({ kind: 'hit', ev: 1, damage: Math.max(0, 10 - state.shield) });
function told(state: Attack, event: Event): Verdict<Event> {
  const now = evolve(state, event);
  const over = now.roller === null && now.passed.length === now.seats.length;
  return over ? { verdict: 'accepted', events: [event, hit(now)] } : { verdict: 'open', events: [event] };
}

function evolve(state: Attack | undefined, event: Event): Attack {
  const now = state ?? { seats: [], shield: 0, answers: 0, passed: [], roller: null, damage: null };
  if (event.kind === 'opened') return { ...now, seats: event.seats };
  if (event.kind === 'passed') return { ...now, passed: [...now.passed, event.seat] };
  if (event.kind === 'answered') return { ...now, answers: now.answers + 1, passed: [], roller: event.seat };
  if (event.kind === 'hit') return { ...now, damage: event.damage };
  return { ...now, shield: now.shield + event.by, roller: null };
}

export const attack = tiny<Attack, Event>({
  id: 'attack',
  opening: (seats) => [{ kind: 'opened', ev: 1, seats }],
  expects,
  judge(state, deed) {
    if (deed.kind === 'elapsed') {
      const due = state.roller === null && state.damage === null && deed.timer === 'window';
      return due ? { verdict: 'accepted', events: [hit(state)] } : refused('not_awaited', 'attack:1', 'no such timer');
    }
    if (deed.kind === 'natural') {
      const put = landed(expects(state), deed);
      return put.ok ? told(state, { kind: 'shielded', ev: 1, by: naturalOf(put.value.resolution) }) : put.error;
    }
    if (deed.kind !== 'choice') return refused('not_awaited', 'attack:1', 'not awaited');
    const choice = chosen(expects(state), deed);
    if ('no' in choice) return choice.no;
    return told(state, { kind: choice.option === 'pass' ? 'passed' : 'answered', ev: 1, seat: deed.by });
  },
  evolve,
});
