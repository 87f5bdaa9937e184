import { useSignal } from '@preact/signals';
import type { NoticeView } from '../../wire/view.js';
import { say } from '../language.js';
import { type Room, seqOf } from '../room.js';
import { dieWord, nameOf } from '../wording.js';
import { useDeed } from './deed.js';
import { NumberField } from './typed.js';

/** Throws whose end was never heard and after which their dice have not rolled again: the newest of each die. */
export function lostRolls(room: Room): readonly NoticeView[] {
  const own = room.door.seat;
  const lost = new Map<string, NoticeView>();
  for (const notice of room.view.value?.notices ?? []) {
    if (notice.code !== 'unresolved' || typeof notice.die !== 'string') continue;
    if (own === undefined || notice.seat === own) lost.set(notice.die, notice);
  }
  const rolledSince = (die: string, seq: number): boolean =>
    room.rolls.value.some((roll) => seqOf(roll) > seq && roll.dice.some((one) => one.die === die));
  return [...lost].flatMap(([die, notice]) => (rolledSince(die, notice.seq ?? 0) ? [] : [notice]));
}

/** A lost throw, with a field for the number that the player read off the die. */
export function LostRoll({ room, notice }: { room: Room; notice: NoticeView }) {
  const deed = useDeed(room);
  const number = useSignal('');
  const view = room.view.value;
  const die = view?.dice?.find(({ id }) => id === notice.die);
  const type = die?.type ?? 'd20';
  const send = (event: Event): void => {
    event.preventDefault();
    const seat = notice.seat === undefined ? {} : { seat: notice.seat };
    void deed.run('type', { ...seat, die: notice.die, type, natural: Number(number.value) });
  };
  return (
    <li>
      <p>
        {notice.seat === undefined ? null : <strong>{nameOf(view, notice.seat)}: </strong>}
        {say('notice.unresolved')}
      </p>
      <form class="row typed" onSubmit={send}>
        <NumberField
          label={`${say('typed.number')} (${dieWord(view?.game.id ?? '', type)})`}
          type={type}
          value={number.value}
          onInput={(value) => {
            number.value = value;
          }}
        />
        <button type="submit" class="button" disabled={deed.busy || number.value === ''}>
          {say('typed.send')}
        </button>
      </form>
      {deed.note}
    </li>
  );
}
