import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Envelope } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { type DiceboundState, heroOf, playsDicebound, readDicebound } from './game.js';

/** What has just come to its end: the state alone no longer tells it. */
type Ending =
  | { readonly kind: 'passed' | 'failed'; readonly seat: string }
  | { readonly kind: 'room'; readonly xp: number }
  | { readonly kind: 'left' | 'fallen' | 'calm' };

/** A failed check with PA left goes on with Sforzo, so one that a throw ends with PA left is passed (E2). */
function checkEnding(before: DiceboundState, message: Envelope): Ending | null {
  const { check } = before;
  if (check === null) return null;
  const { seat, sum, difficulty } = check;
  const { roll } = message;
  if (roll === undefined) return { kind: 'failed', seat };
  const reached = sum + (roll.total ?? roll.result ?? 0) >= difficulty;
  const spent = (heroOf(before, seat)?.pa ?? 0) < 1;
  return { kind: reached || !spent ? 'passed' : 'failed', seat };
}

/** How a room ended: won, left, or with everybody down and back at the last rest (C13, C9, G9). */
function roomEnding(before: DiceboundState, after: DiceboundState): Ending {
  const xp = after.xp.have - before.xp.have;
  if (xp > 0) return { kind: 'room', xp };
  const healed = Object.entries(after.seats).some(([seat, { pv }]) => pv > (heroOf(before, seat)?.pv ?? pv));
  if (healed) return { kind: 'fallen' };
  return before.round > 0 ? { kind: 'left' } : { kind: 'room', xp };
}

/** What ended with this message; null for nothing, undefined where what was told is over. */
function endingIn(before: DiceboundState, after: DiceboundState, message: Envelope): Ending | null | undefined {
  if (message.kind === 'rewound' || after.phase === 'initiative' || after.over) return undefined;
  if (before.room !== null && after.room === null) return roomEnding(before, after);
  if (before.phase === 'ambush' && after.phase === 'camp' && after.room === null) return { kind: 'calm' };
  if (before.check !== null && after.check === null) return checkEnding(before, message);
  return before.check === null && after.check !== null ? undefined : null;
}

function endingText(view: TableView | null, ending: Ending): string {
  switch (ending.kind) {
    case 'passed':
    case 'failed':
      return say(`db.ending.${ending.kind}`, { name: nameOf(view, ending.seat) });
    case 'room':
      return ending.xp === 0 ? say('db.ending.roomEmpty') : say('db.ending.room', { xp: ending.xp });
    default:
      return say(`db.ending.${ending.kind}`);
  }
}

/** What has just ended, until the next thing begins: a check, a room, a rest. */
export function Happened({ room }: { room: Room }) {
  const ending = useSignal<Ending | null>(null);
  useEffect(
    () =>
      room.listen({
        envelope: (message) => {
          const before = room.view.value;
          const after = message.view as TableView | undefined;
          if (after === undefined || !playsDicebound(before) || !playsDicebound(after)) return;
          const now = endingIn(readDicebound(before), readDicebound(after), message);
          if (now !== null) ending.value = now ?? null;
        },
      }),
    [room, ending],
  );
  if (ending.value === null) return null;
  return (
    <p class={`db-ending db-ending-${ending.value.kind}`} role="status">
      {endingText(room.view.value, ending.value)}
    </p>
  );
}
