import { type Awaits, expectations } from './course.js';
import { judgeDeed } from './deeds.js';
import type { Room } from './room.js';
import { trackerKey } from './state.js';

/** Deeds that may follow one deed by themselves; more is a fault of the game. */
const MAX_FOLLOWING = 100;

/**
 * What a game asks for that needs nobody: numbers are drawn, and a tracker that lies on the face it should show already
 * is no longer asked for, however it got there (dicebound D3). Each is put before the rules like any deed.
 */
export function settleAll(room: Room): void {
  for (let deeds = 0; deeds < MAX_FOLLOWING && (drawNext(room) || confirmNext(room)); deeds += 1);
}

function awaitedBy(room: Room): readonly Awaits[] {
  const { course, incomplete } = room.state();
  return course === undefined || incomplete ? [] : expectations(course);
}

/** Draws what a game asks for next; false if it asks for nothing. */
function drawNext(room: Room): boolean {
  const next = awaitedBy(room).find(({ expects }) => expects.kind === 'draw');
  if (next?.expects.kind !== 'draw') return false;
  const { run, expects } = next;
  const values = next.expects.sides.map((sides) => room.draw(sides));
  judgeDeed(room, { run, deed: { kind: 'drawn', draw: expects.id, values }, expects });
  return true;
}

/** Confirms the next tracker that lies as it should; false if there is none, or the rules do not take it. */
function confirmNext(room: Room): boolean {
  const { trackers, evening } = room.state();
  if (evening !== 'open' || trackers.size === 0) return false;
  const next = awaitedBy(room).find(({ expects }) => {
    if (expects.kind !== 'set' || expects.seat === null) return false;
    const tracker = trackers.get(trackerKey(expects.seat, expects.counter));
    return tracker?.armed === true && tracker.asked === undefined && tracker.face === expects.face;
  });
  if (next?.expects.kind !== 'set' || next.expects.seat === null) return false;
  const { seat, counter, face } = next.expects;
  const deed = { kind: 'set', seat, counter, face, lying: true } as const;
  const judged = judgeDeed(room, { run: next.run, deed, expects: next.expects });
  return judged?.verdict.verdict === 'accepted';
}
