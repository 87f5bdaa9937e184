import { useSignal } from '@preact/signals';
import type { RollWire } from '../../wire/envelope.js';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { Select, useDeed } from './deed.js';
import { Roll } from './roll.js';

/** Rolls nobody awaited, newest first: shown, never lost. `act` adds what this page may do with one. */
export function LooseRolls({ room, act }: { room: Room; act: 'assign' | 'claim' | 'look' }) {
  const view = room.view.value;
  const loose = [...(view?.loose ?? [])].reverse().slice(0, 10);
  if (loose.length === 0) return <p class="quiet">{say('loose.none')}</p>;
  return (
    <ul class="rolls">
      {loose.map((roll) => (
        <Roll key={roll.id} view={view} roll={roll} size={40}>
          {act === 'assign' ? <Assign room={room} roll={roll} /> : null}
          {act === 'claim' ? <Claim room={room} roll={roll} /> : null}
        </Roll>
      ))}
    </ul>
  );
}

/** The GM gives a roll to a seat. */
function Assign({ room, roll }: { room: Room; roll: RollWire }) {
  const view = room.view.value;
  const deed = useDeed(room);
  const seats = view?.seats ?? [];
  const awaited = room.awaited.value.find((call) => call.seat !== null && seats.some((seat) => seat.id === call.seat));
  const seat = useSignal(roll.seat ?? awaited?.seat ?? seats[0]?.id ?? '');
  return (
    <div class="row">
      <Select
        value={seat.value}
        choices={seats.map((one) => [one.id, one.name] as const)}
        onChoose={(chosen) => {
          seat.value = chosen;
        }}
      />
      <button
        type="button"
        class="button"
        disabled={deed.busy || seat.value === ''}
        onClick={() => deed.run('assign', { roll: roll.id, seat: seat.value })}
      >
        {say('loose.doAssign', { name: nameOf(view, seat.value) })}
      </button>
      {deed.note}
    </div>
  );
}

/** A player says that a roll is theirs, or that it counts for another. */
export function Claim({ room, roll }: { room: Room; roll: RollWire }) {
  const deed = useDeed(room);
  const view = room.view.value;
  const own = room.door.seat ?? '';
  const others = (view?.seats ?? []).filter((seat) => seat.id !== own);
  return (
    <div class="row">
      <button
        type="button"
        class="button button-main"
        disabled={deed.busy}
        onClick={() => deed.run('claim', { roll: roll.id, seat: own })}
      >
        {say('loose.mine')}
      </button>
      {roll.seat !== own || others.length === 0 ? null : (
        <Select
          value=""
          choices={[['', say('loose.lend')] as const, ...others.map((seat) => [seat.id, seat.name] as const)]}
          onChoose={(seat) => {
            if (seat !== '') void deed.run('lend', { roll: roll.id, seat });
          }}
        />
      )}
      {deed.note}
    </div>
  );
}
