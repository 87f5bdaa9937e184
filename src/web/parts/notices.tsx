import type { NoticeView } from '../../wire/view.js';
import { keyOf, say } from '../language.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { Card } from './frame.js';

const SHOWN = 5;

/** What people should know that is no roll; nothing where there is none. */
export function Notices({ room }: { room: Room }) {
  const view = room.view.value;
  const notices = [...(view?.notices ?? [])].slice(-SHOWN).reverse();
  if (notices.length === 0) return null;
  return (
    <Card title={say('notice.title')} kind="card-notices">
      <ul class="plain-list">
        {notices.map((notice, i) => (
          <li key={notice.seq ?? i}>
            {notice.seat === undefined ? null : <strong>{nameOf(view, notice.seat)}: </strong>}
            {noticeText(notice)}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function noticeText(notice: NoticeView): string {
  const key = keyOf(`notice.${notice.code}`);
  return key === undefined ? say('notice.other', { code: notice.code }) : say(key);
}
