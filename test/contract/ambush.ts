import type { Expectation } from '../../src/games/game.js';
import { chosen, refused, tiny } from './driver.js';

/** The GM presses *rest*; the table draws d100 in secret; at most 25 and the camp is ambushed for all to see. */
interface Camp {
  readonly rests: number;
  readonly drawing: boolean;
  /** Known to the GM alone. */
  readonly secret: readonly number[];
  readonly ambushed: boolean;
}
type Event =
  | { readonly kind: 'opened' | 'rested' | 'calm' | 'ambushed'; readonly ev: 1 }
  | { readonly kind: 'drawn'; readonly ev: 1; readonly to: readonly string[]; readonly number: number };

function expects(state: Camp): readonly Expectation[] {
  if (state.ambushed) return [];
  const base = { rule: 'camp:1', seat: 'gm', optional: true };
  const rest: Expectation = { ...base, kind: 'choice', id: 'rest', purpose: 'rest', options: ['rest'] };
  const id = `ambush.${state.rests}`;
  return state.drawing
    ? [{ ...base, kind: 'draw', id, purpose: 'ambush', sides: [100], secret: true, optional: false, to: [] }]
    : [rest];
}

function evolve(state: Camp | undefined, event: Event): Camp {
  const now = state ?? { rests: 0, drawing: false, secret: [], ambushed: false };
  if (event.kind === 'rested') return { ...now, rests: now.rests + 1, drawing: true };
  if (event.kind === 'drawn') return { ...now, drawing: false, secret: [...now.secret, event.number] };
  return event.kind === 'ambushed' ? { ...now, ambushed: true } : now;
}

export const ambush = tiny<Camp, Event>({
  id: 'ambush',
  opening: () => [{ kind: 'opened', ev: 1 }],
  expects,
  judge(state, deed) {
    if (deed.kind === 'drawn') {
      const due = expects(state).find((one) => one.id === deed.draw);
      const [number] = deed.values;
      if (due?.kind !== 'draw' || number === undefined) return refused('not_awaited', 'camp:1', 'no such draw');
      const drawn: Event = { kind: 'drawn', ev: 1, to: [], number };
      return { verdict: 'accepted', events: [drawn, { kind: number <= 25 ? 'ambushed' : 'calm', ev: 1 }] };
    }
    if (deed.kind !== 'choice') return refused('not_awaited', 'camp:1', 'only the GM rests');
    const choice = chosen(expects(state), deed);
    return 'no' in choice ? choice.no : { verdict: 'open', events: [{ kind: 'rested', ev: 1 }] };
  },
  evolve,
  show: (state, audience) => ({
    rests: state.rests,
    ambushed: state.ambushed,
    ...(audience.role === 'gm' ? { secret: state.secret } : {}),
  }),
});
