import { landed } from '../../src/games/awaited.js';
import type { Expectation, Seat } from '../../src/games/game.js';
import { begin, type Resolution, waitsFor } from '../../src/rolls/resolution.js';
import { chosen, refused, tiny } from './driver.js';

/**
 * Rule 706: the first seat rolls 3d6 and ignores one lowest, its own choice among tied ones (706.6); then the second may
 * pay 1 life for +1 on a die that is left (706.2a).
 */
interface Roll {
  readonly seats: readonly Seat[];
  readonly life: number;
  readonly dice: Resolution;
  readonly chosen: string | null;
  readonly raised: string | null;
}
type Event =
  | { readonly kind: 'opened'; readonly ev: 1; readonly seats: readonly Seat[]; readonly life: number }
  | { readonly kind: 'landed'; readonly ev: 1; readonly dice: Resolution }
  | { readonly kind: 'ignored' | 'raised'; readonly ev: 1; readonly die: string };

function lowest({ dice }: Roll): readonly string[] {
  const least = Math.min(...dice.landed.map((die) => Number(die.face)));
  return dice.landed.filter((die) => die.face === least).map((die) => die.die);
}
/** The die that never counted: the only lowest one, or the one chosen among equals. */
const ignoredDie = (state: Roll) => state.chosen ?? (lowest(state).length === 1 ? lowest(state)[0] : undefined);
const left = (state: Roll) => state.dice.landed.filter((die) => die.die !== ignoredDie(state));

function expects(state: Roll): readonly Expectation[] {
  const [roller = '', payer = ''] = state.seats;
  const base = { rule: '706', purpose: 'roll', optional: false };
  if (waitsFor(state.dice).kind === 'dice') {
    return [{ ...base, kind: 'roll', id: 'dice', seat: roller, resolution: state.dice }];
  }
  if (ignoredDie(state) === undefined) {
    return [{ ...base, kind: 'choice', id: 'ignore', seat: roller, options: lowest(state) }];
  }
  if (state.raised !== null || state.life === 0) return [];
  const options = ['pass', ...left(state).map((die) => die.die)];
  return [{ ...base, kind: 'choice', id: 'raise', seat: payer, optional: true, options }];
}

/** The total once nothing is awaited any more. */
function total(state: Roll): number | null {
  if (expects(state).length > 0) return null;
  const bonus = left(state).some((die) => die.die === state.raised) ? 1 : 0;
  return left(state).reduce((sum, die) => sum + Number(die.face), bonus);
}

function evolve(state: Roll | undefined, event: Event): Roll {
  const now = state ?? { seats: [], life: 0, dice: begin(['d6', 'd6', 'd6']), chosen: null, raised: null };
  if (event.kind === 'opened') return { ...now, seats: event.seats, life: event.life };
  if (event.kind === 'landed') return { ...now, dice: event.dice };
  if (event.kind === 'ignored') return { ...now, chosen: event.die };
  return { ...now, raised: event.die, life: now.life - (event.die === 'pass' ? 0 : 1) };
}

const told = (state: Roll, event: Event) =>
  ({ verdict: total(evolve(state, event)) === null ? 'open' : 'accepted', events: [event] }) as const;

export const ignored = tiny<Roll, Event>({
  id: 'ignored',
  opening: (seats, { life }) => [{ kind: 'opened', ev: 1, seats, life: Number(life) }],
  expects,
  judge(state, deed) {
    if (deed.kind === 'natural') {
      const put = landed(expects(state), deed);
      return put.ok ? told(state, { kind: 'landed', ev: 1, dice: put.value.resolution }) : put.error;
    }
    if (deed.kind !== 'choice') return refused('not_awaited', '706', 'not awaited');
    const choice = chosen(expects(state), deed);
    if ('no' in choice) return choice.no;
    const kind = choice.due.id === 'ignore' ? 'ignored' : 'raised';
    return told(state, { kind, ev: 1, die: String(choice.option) });
  },
  evolve,
  show: (state) => ({ total: total(state), life: state.life }),
});
