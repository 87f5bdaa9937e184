import type { Deed, Seat } from '../games/game.js';
import type { Command } from '../wire/command.js';
import { type Course, expectations, type RunId } from './course.js';
import { judgeDeed } from './deeds.js';
import { seatFor } from './permit.js';
import { answered, commandOrigin, isSeat, unknownSeat } from './playing.js';
import type { Caller } from './port.js';
import type { Tracker } from './record.js';
import { type Done, done, type Room, refused } from './room.js';
import { trackerKey } from './state.js';
import { expectedFace, followers } from './tracker.js';

type Of<K extends Command['do']> = Extract<Command, { do: K }>;

/** `set`: a counter set by a tap, or a tracker turned by hand and said so. */
export function setCounter(room: Room, caller: Caller, command: Of<'set'>): Done {
  const { counter, face } = command.args;
  const seat = seatFor(caller, command.args.seat);
  if (seat === undefined)
    return refused('which_seat', 'Name the seat whose counter it is.', { expected: 'seat, as "ada"' });
  if (!isSeat(room, seat)) return unknownSeat(seat);
  const { evening, course } = room.state();
  if (evening !== 'open') return refused(evening, 'The evening is not open: counters stay as they are.');
  const [first, ...more] = course === undefined ? (['game'] as const) : followers(course, seat, counter);
  const deed: Deed = { kind: 'set', seat, counter, face };
  const origin = commandOrigin(room, caller, command.id);
  const judged = judgeDeed(room, { run: first ?? 'game', deed, origin, caller: caller.id });
  for (const run of more) judgeDeed(room, { run, deed, caller: caller.id });
  return answered(judged);
}

/**
 * `accept`: a tracker's face as it lies is believed, by its board or the GM. Where the rules want another face, the GM's
 * word corrects the value; a board's does not (dicebound D3).
 */
export function acceptTracker(room: Room, caller: Caller, command: Of<'accept'>): Done {
  const seat = seatFor(caller, command.args.seat);
  const { trackers, evening, course } = room.state();
  const tracker = seat === undefined ? undefined : trackers.get(trackerKey(seat, command.args.counter));
  const face = tracker?.asked?.face ?? tracker?.face;
  if (tracker === undefined || face === null || face === undefined)
    return refused('nothing_to_accept', 'No die of this counter lies on the table.');
  if (evening !== 'open') return refused(evening, 'The evening is not open: counters stay as they are.');
  return believe(room, caller, command.id, course, { ...tracker, face });
}

function believe(
  room: Room,
  caller: Caller,
  command: string,
  course: Course | undefined,
  lies: Tracker & { readonly face: number },
): Done {
  const { seat, counter, die, face } = lies;
  const event = { kind: 'tracker', ev: 1, tracker: { seat, counter, die, face, armed: true } } as const;
  const origin = commandOrigin(room, caller, command);
  const [first, ...more] = course === undefined ? [] : followers(course, seat, counter);
  const kept = expectedFace(room.state(), seat, counter) !== undefined || course?.runs.game.game.id === 'free';
  if (course === undefined || first === undefined || !kept)
    return done(room.commit('binding', { v: 1, caller: caller.id, table: [event], to: [seat] }, origin));
  const word = (run: RunId): Deed => (caller.role === 'gm' ? gmWord(course, run, lies) : handWord(lies));
  const judged = judgeDeed(room, { run: first, deed: word(first), origin, caller: caller.id, beside: [event] });
  for (const run of more) judgeDeed(room, { run, deed: word(run), caller: caller.id });
  return answered(judged);
}

const handWord = ({ seat, counter, face }: { seat: Seat; counter: string; face: number }): Deed => ({
  kind: 'set',
  seat,
  counter,
  face,
});

/** What the hand did if the rules take it; else the GM's correction of the value. */
function gmWord(course: Course, run: RunId, lies: { seat: Seat; counter: string; face: number }): Deed {
  const { game, state } = course.runs[run];
  const { verdict } = game.judge(state, handWord(lies));
  const { seat, counter, face } = lies;
  const wanted = expectations(course).some(
    ({ expects }) => expects.kind === 'set' && expects.seat === seat && expects.counter === counter,
  );
  if (verdict === 'accepted' || (verdict === 'open' && !wanted)) return handWord(lies);
  return { kind: 'ruling', ruling: { ruling: 'counter', args: { seat, counter, face } } };
}
