import { say } from '../language.js';
import { AwaitedNow } from '../parts/awaited.js';
import { Why } from '../parts/roll.js';
import type { Room } from '../room.js';
import { isChoice, isRoll, verdictLine } from '../wording.js';
import { Borrowed } from './borrowed.js';
import { Chest } from './chest.js';
import { Happened } from './happened.js';
import { DiceboundToDo } from './todo.js';

/** What I may do now, on top and large; otherwise who is awaited. Dice to turn stand below and hold up nothing (D4). */
export function DiceboundNow({ room, seat }: { room: Room; seat: string }) {
  const calls = room.awaited.value.filter((call) => call.seat === seat);
  const chest = calls.find((call) => call.what === 'chest');
  const acting =
    chest !== undefined || calls.some((call) => isRoll(call) || (isChoice(call) && call.optional !== true));
  return (
    <section class={acting ? 'now now-mine' : 'now'} aria-label={say('board.now')} aria-live="polite">
      {acting ? <h2>{say('awaited.you')}</h2> : <AwaitedNow room={room} />}
      <Happened room={room} />
      <LastThrow room={room} seat={seat} />
      <Borrowed room={room} me={seat} />
      {chest === undefined ? null : <Chest room={room} call={chest} seat={seat} />}
      <DiceboundToDo room={room} calls={calls} />
    </section>
  );
}

/** A throw that did not count is news for as long as only so many others have come after it. */
const STILL_NEW = 3;

/** My newest throw where it did not count: said at once, at the top, to the one who threw. */
function LastThrow({ room, seat }: { room: Room; seat: string }) {
  const newest = room.rolls.value.slice(0, STILL_NEW).find((roll) => roll.seat === seat);
  if (newest === undefined || newest.verdict === 'accepted' || newest.standing === 'void') return null;
  return (
    <p class={newest.verdict === 'refused' ? 'refusal' : 'banner'} role="alert" data-refused={newest.id}>
      {verdictLine(newest)} <Why rule={newest.rule} />
    </p>
  );
}
