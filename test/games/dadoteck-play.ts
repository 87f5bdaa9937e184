import type { DieType, Face } from '../../src/dice/die.js';
import type { Json } from '../../src/dice/json.js';
import { matchThrow } from '../../src/games/awaited.js';
import { dadoteck } from '../../src/games/dadoteck/dadoteck.js';
import type { DadoteckEvent, DadoteckState } from '../../src/games/dadoteck/state.js';
import type { CallId, Deed, Seat, Verdict } from '../../src/games/game.js';

/** A throw as a table puts it: to the call it fits, or to none. `call` names another one on purpose. */
export function roll(state: DadoteckState, seat: Seat | null, sides: number, natural: Face, call?: CallId): Deed {
  const type: DieType = `d${sides}`;
  const match = matchThrow(dadoteck.expects(state), { seat, type });
  const face = sides === 10 && natural === 10 ? 0 : natural;
  return {
    kind: 'natural',
    call: call ?? (match.kind === 'call' ? match.id : null),
    seat,
    die: { die: 'd', type, quality: 'ok' },
    face,
    source: 'physical',
  };
}

export const choice = (by: Seat, option: Json, more: { readonly via?: 'gm'; readonly call?: CallId } = {}): Deed => ({
  kind: 'choice',
  by,
  option,
  ...more,
});

/** State after the events of a verdict. */
export function folded(state: DadoteckState | undefined, verdict: Verdict<DadoteckEvent>): DadoteckState {
  const events = 'events' in verdict ? verdict.events : [];
  const next = events.reduce<DadoteckState | undefined>((now, event) => dadoteck.evolve(now, event), state);
  if (next === undefined) throw new Error(`no game: ${JSON.stringify(verdict)}`);
  return next;
}

/** A game opened for these seats. */
export function opened(seats: readonly Seat[], options: { readonly [name: string]: Json } = {}): DadoteckState {
  const setup = seats.map((id) => ({ id, name: id.toUpperCase() }));
  return folded(undefined, dadoteck.setup(options, setup));
}
