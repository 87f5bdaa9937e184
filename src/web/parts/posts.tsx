import { useSignal } from '@preact/signals';
import type { SeatView } from '../../wire/view.js';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { Field, Select, useDeed } from './deed.js';
import { NameForm } from './name-form.js';
import { Sign } from './sign.js';

/** An id for a new seat, made from its name: small letters, digits and dashes, unlike any there is. */
export function seatIdFor(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24);
  const base = plain === '' || plain === 'gm' || plain === 'table' ? `posto${plain === '' ? '' : `-${plain}`}` : plain;
  let id = base;
  for (let n = 2; taken.has(id); n += 1) id = `${base}-${n}`;
  return id;
}

/** The seats of the table: added, renamed, removed by the GM. */
export function Posts({ room }: { room: Room }) {
  const deed = useDeed(room);
  const seats = room.view.value?.seats ?? [];
  const add = async (name: string): Promise<boolean> => {
    const id = seatIdFor(name, new Set(seats.map((seat) => seat.id)));
    return (await deed.run('seat', { id, name })).kind === 'ack';
  };
  return (
    <>
      <ul class="posts">
        {seats.map((seat, i) => (
          <Post key={seat.id} room={room} seat={seat} index={i} />
        ))}
      </ul>
      <NameForm label={say('seat.name')} action={say('seat.add')} busy={deed.busy} onName={add} />
      {deed.note}
    </>
  );
}

function Post({ room, seat, index }: { room: Room; seat: SeatView; index: number }) {
  const deed = useDeed(room);
  const sure = useSignal(false);
  return (
    <li>
      <details class="more">
        <summary>
          <Sign index={index} name={seat.name} size={28} /> <span>{seat.name}</span>
        </summary>
        <NameForm
          label={say('seat.name')}
          action={say('seat.rename')}
          busy={deed.busy}
          first={seat.name}
          onName={async (name) => {
            await deed.run('seat', { id: seat.id, name });
            return false;
          }}
        >
          <button
            type="button"
            class="button"
            onClick={() => {
              sure.value = !sure.value;
            }}
          >
            {say('seat.remove')}
          </button>
        </NameForm>
        {sure.value ? (
          <div class="row sure">
            <p>{say('seat.removeSure', { name: seat.name })}</p>
            <button
              type="button"
              class="button button-danger"
              disabled={deed.busy}
              onClick={() => deed.run('seat', { id: seat.id, remove: true })}
            >
              {say('app.confirm')}
            </button>
          </div>
        ) : null}
        {deed.note}
      </details>
    </li>
  );
}

/** Asks a seat for a roll, as an outside program may. */
export function AskRoll({ room }: { room: Room }) {
  const deed = useDeed(room);
  const seats = room.view.value?.seats ?? [];
  const seat = useSignal('');
  const notation = useSignal('1d20');
  const purpose = useSignal('');
  const ask = (event: Event): void => {
    event.preventDefault();
    const what = purpose.value.trim() === '' ? {} : { purpose: purpose.value.trim() };
    void deed.run('call', { seat: seat.value === '' ? null : seat.value, notation: notation.value.trim(), ...what });
  };
  return (
    <form class="ask-roll" onSubmit={ask}>
      <Field label={say('call.seat')}>
        <Select
          value={seat.value}
          choices={[['', say('call.anyone')] as const, ...seats.map((one) => [one.id, one.name] as const)]}
          onChoose={(id) => {
            seat.value = id;
          }}
        />
      </Field>
      <Field label={say('call.notation')}>
        <input
          required
          maxLength={200}
          spellcheck={false}
          value={notation.value}
          onInput={(event) => {
            notation.value = event.currentTarget.value;
          }}
        />
      </Field>
      <Field label={say('call.purpose')}>
        <input
          maxLength={200}
          value={purpose.value}
          onInput={(event) => {
            purpose.value = event.currentTarget.value;
          }}
        />
      </Field>
      <button type="submit" class="button" disabled={deed.busy}>
        {say('call.send')}
      </button>
      {deed.note}
    </form>
  );
}
