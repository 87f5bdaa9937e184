import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';

/** One thing that the box keeps. */
export interface Kept {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface ListProps {
  readonly room: Room;
  /** Table of the box in which these things are. */
  readonly kind: 'classes' | 'monsters' | 'traps' | 'environments';
  readonly kept: readonly Kept[];
  readonly change: (id: string) => void;
}

/** What the box keeps of one kind: each may be changed or taken out. */
export function KeptList({ room, kind, kept, change }: ListProps) {
  const deed = useDeed(room);
  return (
    <details class="more">
      <summary>{say('db.kept', { n: kept.length })}</summary>
      {deed.note}
      <ul class="db-kept">
        {kept.map(({ id, title, text }) => (
          <KeptLine
            key={id}
            title={title}
            text={text}
            busy={deed.busy}
            change={() => change(id)}
            remove={() => deed.run('choose', { seat: 'gm', action: 'box', remove: { [kind]: [id] } })}
          />
        ))}
      </ul>
    </details>
  );
}

interface LineProps {
  readonly title: string;
  readonly text: string;
  readonly busy: boolean;
  readonly change: () => void;
  readonly remove: () => unknown;
}

/** One kept thing with its two buttons. */
export function KeptLine({ title, text, busy, change, remove }: LineProps) {
  return (
    <li class="db-kept-line">
      <span class="db-offer-words">
        <strong>{title}</strong>
        <span class="quiet">{text}</span>
      </span>
      <span class="db-kept-deeds">
        <button
          type="button"
          class="button button-small"
          aria-label={say('db.kept.changeOne', { name: title })}
          disabled={busy}
          onClick={change}
        >
          {say('db.kept.change')}
        </button>
        <button
          type="button"
          class="button button-small"
          aria-label={say('db.kept.removeOne', { name: title })}
          disabled={busy}
          onClick={remove}
        >
          {say('db.kept.remove')}
        </button>
      </span>
    </li>
  );
}
