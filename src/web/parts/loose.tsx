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
        label={say('virtual.seat')}
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

/** A player says that a roll nobody awaited is theirs. */
export function Claim({ room, roll }: { room: Room; roll: RollWire }) {
  const deed = useDeed(room);
  const own = room.door.seat ?? '';
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
      {deed.note}
    </div>
  );
}

/** A player says that their throw counts for another: two sat at one die, or lent one. */
export function Lend({ room, roll }: { room: Room; roll: RollWire }) {
  const deed = useDeed(room);
  const others = (room.view.value?.seats ?? []).filter((seat) => seat.id !== room.door.seat);
  if (others.length === 0 || roll.standing === 'void' || roll.code === 'assigned') return null;
  return (
    <div class="row">
      <Select
        value=""
        label={say('loose.lend')}
        choices={[['', say('loose.lend')] as const, ...others.map((seat) => [seat.id, seat.name] as const)]}
        onChoose={(seat) => {
          if (seat !== '') void deed.run('lend', { roll: roll.id, seat });
        }}
      />
      {deed.note}
    </div>
  );
}
