import type { Awaited } from '../../wire/envelope.js';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';

const FACES = ['planeswalker', 'chaos', 'blank'] as const;

/** The face of a planar die that lies on the table: it has no number to be typed. */
export function PlanarFaces({ room, call }: { room: Room; call: Awaited }) {
  const deed = useDeed(room);
  const seat = call.seat === null ? {} : { seat: call.seat };
  return (
    <fieldset class="mg-ways" aria-label={say('mg.planarDie')}>
      {FACES.map((natural) => (
        <button
          key={natural}
          type="button"
          class="button"
          disabled={deed.busy}
          onClick={() => deed.run('type', { ...seat, call: call.id, type: 'planar', natural })}
        >
          {say(`mg.face.${natural}`)}
        </button>
      ))}
      {deed.note}
    </fieldset>
  );
}
