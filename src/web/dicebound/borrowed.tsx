import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { Roll } from '../parts/roll.js';
import type { Room } from '../room.js';
import { isRoll, nameOf, typesOf } from '../wording.js';

/** So long a throw with another's die is offered to the one it may be for, to the one whose die it is, and to the GM. */
const OFFERED_MS = 20_000;

/**
 * A die that was refused because it is another's, while its kind is awaited: one touch has it count for who is awaited.
 * @param me the seat of this page, or `gm`
 */
export function Borrowed({ room, me }: { room: Room; me: string }) {
  const deed = useDeed(room);
  const over = useSignal<string | null>(null);
  const view = room.view.value;
  const [newest] = room.rolls.value;
  const id = newest?.id;
  useEffect(() => {
    if (id === undefined) return;
    const timer = setTimeout(() => {
      over.value = id;
    }, OFFERED_MS);
    return () => clearTimeout(timer);
  }, [id, over]);
  const [die, ...more] = newest?.dice ?? [];
  if (newest?.code !== 'wrong_seat' || newest.standing === 'void' || over.value === newest.id) return null;
  if (die === undefined || more.length > 0) return null;
  const seats = room.awaited.value
    .filter((call) => isRoll(call) && call.seat !== newest.seat && typesOf(call).includes(die.type))
    .flatMap(({ seat }) => (seat === null ? [] : [seat]));
  const offered = [...new Set(seats)].filter((seat) => me === 'gm' || me === newest.seat || me === seat);
  if (offered.length === 0) return null;
  return (
    <ul class="rolls" data-borrowed={newest.id}>
      <Roll view={view} roll={newest} size={40}>
        {offered.map((seat) => (
          <button
            key={seat}
            type="button"
            class="button button-main"
            disabled={deed.busy}
            onClick={() => deed.run('lend', { roll: newest.id, seat })}
          >
            {say('loose.doAssign', { name: nameOf(view, seat) })}
          </button>
        ))}
        {deed.note}
      </Roll>
    </ul>
  );
}
