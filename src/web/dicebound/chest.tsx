import { useSignal } from '@preact/signals';
import type { Awaited } from '../../wire/envelope.js';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { useBox } from './box-source.js';
import { TileEntry } from './box-tile.js';
import { own } from './game.js';

/** The chest after a level up: the number on the tile, typed; one that the box does not know is entered first (T6, G7). */
export function Chest({ room, call, seat }: { room: Room; call: Awaited; seat: string }) {
  const deed = useDeed(room);
  const number = useSignal('');
  const box = useBox(room);
  const id = number.value.trim().padStart(3, '0');
  const strange = number.value.trim().length === 3 && box.value !== null && own(box.value.tiles, id) === undefined;
  const draw = (): void => {
    void deed.run('choose', { seat, call: call.id, action: 'draw', tile: id }).then((answer) => {
      if (answer.kind === 'ack') number.value = '';
    });
  };
  return (
    <section class="db-chest">
      <h3>{say('db.chest')}</h3>
      <p class="quiet">{say('db.chestHow')}</p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          draw();
        }}
      >
        <input
          class="number"
          inputMode="numeric"
          pattern="[0-9]{1,3}"
          maxLength={3}
          aria-label={say('db.tile.which')}
          value={number.value}
          onInput={(event) => {
            number.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="button button-main" disabled={deed.busy || number.value.trim() === '' || strange}>
          {say('db.draw')}
        </button>
        <button
          type="button"
          class="button"
          disabled={deed.busy}
          onClick={() => deed.run('choose', { seat, call: call.id, action: 'draw' })}
        >
          {say('db.drawDigital')}
        </button>
      </form>
      {deed.note}
      {strange ? <TileEntry room={room} by={seat} number={id} onEntered={draw} /> : null}
    </section>
  );
}
