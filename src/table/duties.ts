import type { Signal } from '../devices/device.js';
import type { DieType } from '../dice/die.js';
import type { Seat } from '../games/game.js';
import { accepts } from '../rolls/resolution.js';
import { expectations } from './course.js';
import type { Binding, Tracker } from './record.js';
import type { TableState } from './state.js';
import type { Throw } from './throw.js';
import { isAwaited, thrownTracker } from './tracker.js';

type Rest = Pick<Extract<Signal, { kind: 'rested' }>, 'how' | 'face'>;

/**
 * True if this rest of a tracker is a throw of it. It is rolled only where its kind is awaited from its seat, which has no
 * other die of that kind to throw (dicebound D5), or where every clean throw is noted (free). Where the roll need not be
 * made and the face is the one to be set, it is a flip by a fast hand, which a die reports as a throw (D3). One that lies
 * askew was thrown where a roll must be made; elsewhere it was set down carelessly. Some games never roll it (magic R14).
 * @param others dice of this kind that the seat could throw instead
 */
export function isTrackerThrown(
  state: TableState,
  binding: Binding,
  { how, face }: Rest,
  type: DieType,
  others: number,
): boolean {
  if ((how !== 'thrown' && how !== 'leaning') || restsAt(state)) return false;
  if (state.course?.runs.game.game.id === 'free') return how === 'thrown';
  if (others > 0) return false;
  if (awaitsKind(state, binding, type, 'must')) return true;
  if (how === 'leaning') return false;
  const { seat, counter } = binding;
  const flip =
    seat !== null &&
    counter !== undefined &&
    typeof face === 'number' &&
    isAwaited(state, seat, counter, counted(state, type, face));
  return !flip && awaitsKind(state, binding, type);
}

/** True at a game where a counter or a token is never rolled (magic R14). */
const restsAt = ({ course }: TableState): boolean => course?.runs.game.game.countersRest === true;

/** True if this rest of a pawn may be a throw: a roll of its kind is awaited from its seat (dicebound D6). */
export const isPawnThrown = (state: TableState, binding: Binding, type: DieType): boolean =>
  !restsAt(state) && awaitsKind(state, binding, type);

/** True if a roll of this kind is awaited from the die's seat. */
function awaitsKind({ course }: TableState, { seat }: Binding, type: DieType, how?: 'must'): boolean {
  if (course === undefined) return false;
  return expectations(course).some(
    ({ expects }) =>
      expects.kind === 'roll' &&
      expects.seat === seat &&
      !(how === 'must' && expects.optional) &&
      accepts(expects.resolution, type),
  );
}

/** What a tracker's face counts: a tens die its tens (README Z1), unless the game goes by what is printed on it. */
export function counted({ course }: TableState, type: DieType | undefined, face: number): number {
  return type === 'd00' && course?.runs.game.game.printedTens !== true ? face / 10 : face;
}

/** The tracker of this seat that was thrown, from where it lies (dicebound D5); undefined for any other die. */
export function trackerThrown(
  state: TableState,
  { die, type, face }: Pick<Throw, 'die' | 'type' | 'face'>,
  seat: Seat | null,
): Tracker | undefined {
  const binding = state.bindings.get(die);
  const { duty, counter } = binding ?? {};
  if (duty !== 'counts' || counter === undefined || seat === null || binding?.seat !== seat) return undefined;
  if (typeof face !== 'number') return undefined;
  return thrownTracker(state, { seat, counter, die, face: counted(state, type, face) });
}
