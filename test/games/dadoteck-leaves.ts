import { dadoteck } from '../../src/games/dadoteck/dadoteck.js';
import { type DadoteckState, living } from '../../src/games/dadoteck/state.js';
import type { Expectation } from '../../src/games/game.js';
import type { Deed } from '../census/enumerate.js';
import { choice, folded, opened, roll } from './dadoteck-play.js';

type Setup = { readonly setup: Parameters<typeof dadoteck.setup>[0] & { readonly seats: readonly string[] } };

/** What is awaited in the census's own words (test/census/README.md). */
function awaited(state: DadoteckState): string {
  const calls = dadoteck.expects(state).filter((one) => one.seat !== 'table');
  const seats = calls.map((one) => String(one.seat)).sort();
  const options = (one: Expectation) => (one.kind === 'choice' ? (one.options ?? []).map(String) : []);
  const [first] = calls;
  if (first === undefined) return '-';
  if (first.kind === 'choice') return `${first.purpose}@${first.seat}[${options(first).join(',')}]`;
  if (first.purpose === 'initiative') return `initiative@${seats.join(',')}`;
  return `${calls.length === 1 ? 'move' : 'last'}@${first.seat}/${state.movementDie}`;
}

function canonical(state: DadoteckState): string {
  const choosing = state.phase === 'bastard' || state.phase === 'assassin';
  const pawns = [...living(state)]
    .sort()
    .map((seat) => `${seat}:${choosing && state.mover === seat ? '*' : state.pawns[seat]}`);
  return [state.phase, pawns.join(','), state.eliminated.join(','), state.winner ?? '-', awaited(state)].join('|');
}

function after(state: DadoteckState, deed: Deed): DadoteckState {
  const put =
    'roll' in deed
      ? roll(state, deed.roll.seat, deed.roll.sides, deed.roll.natural)
      : choice(deed.choose.seat, deed.choose.option);
  return folded(state, dadoteck.judge(state, put));
}

/** Plays leaves one after another; neighbours share their first deeds, which are played once. */
export function player(): (first: object, deeds: readonly Deed[]) => string {
  let path: { readonly deed: Deed; readonly state: DadoteckState }[] = [];
  let start: DadoteckState | undefined;
  return (first, deeds) => {
    const { seats, ...options } = (first as Setup).setup;
    start ??= opened(seats, options);
    const common = deeds.findIndex((deed, index) => JSON.stringify(path[index]?.deed) !== JSON.stringify(deed));
    path = path.slice(0, common < 0 ? deeds.length : common);
    for (const deed of deeds.slice(path.length)) {
      path.push({ deed, state: after(path.at(-1)?.state ?? start, deed) });
    }
    return canonical(path.at(-1)?.state ?? start);
  };
}
