import type { NoticeView } from '../../wire/view.js';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { useDeed } from './deed.js';
import { Card } from './frame.js';
import { LostRoll, lostRolls } from './lost.js';

const KINDS = { cocked: 'offer.cocked', unsure: 'offer.unsure', resync: 'offer.resync' } as const;
const SHOWN = 3;

const kindOf = (notice: NoticeView): keyof typeof KINDS | undefined =>
  notice.code === 'cocked' || notice.code === 'unsure' || notice.code === 'resync' ? notice.code : undefined;

/** Throws the table is not sure of: lost, cocked, or perhaps placed. The roller says whether they count, and what fell. */
export function Offers({ room }: { room: Room }) {
  const own = room.door.seat;
  const settled = new Set(room.rolls.value.map((roll) => roll.id));
  const open = (room.view.value?.notices ?? []).filter(
    (notice) =>
      kindOf(notice) !== undefined &&
      typeof notice.roll === 'string' &&
      !settled.has(notice.roll) &&
      (own === undefined || notice.seat === undefined || notice.seat === own),
  );
  const lost = lostRolls(room);
  if (open.length + lost.length === 0) return null;
  return (
    <Card title={say('notice.unsure')} kind="card-loose">
      <ul class="plain-list">
        {lost.slice(-SHOWN).map((notice) => (
          <LostRoll key={String(notice.die)} room={room} notice={notice} />
        ))}
        {open
          .slice(-SHOWN)
          .reverse()
          .map((notice) => (
            <Offer key={String(notice.roll)} room={room} notice={notice} />
          ))}
      </ul>
    </Card>
  );
}

function Offer({ room, notice }: { room: Room; notice: NoticeView }) {
  const deed = useDeed(room);
  const kind = kindOf(notice);
  const face = String(notice.face ?? '');
  const seat = room.door.seat ?? notice.seat;
  if (kind === undefined) return null;
  return (
    <li>
      <p>
        {notice.seat === undefined ? null : <strong>{nameOf(room.view.value, notice.seat)}: </strong>}
        {say(KINDS[kind], { face })}
      </p>
      {seat === undefined ? null : (
        <button
          type="button"
          class="button"
          disabled={deed.busy}
          onClick={() => deed.run('claim', { roll: notice.roll, seat })}
        >
          {say('offer.counts', { face })}
        </button>
      )}
      {deed.note}
    </li>
  );
}
