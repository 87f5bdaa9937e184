import { type Signal, useSignal } from '@preact/signals';
import type { SeatView } from '../../wire/view.js';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { useBox } from './box-source.js';
import { TileEntry } from './box-tile.js';
import { type Box, own } from './game.js';
import { bonusOf, slotWord, tileTitle } from './words.js';

const DIGITS = 3;

/** Tiles that lie on the boards when the game begins, by seat (T7). */
export type StartingTiles = { readonly [seat: string]: readonly string[] };

interface StartProps {
  readonly room: Room;
  readonly tiles: StartingTiles;
  readonly put: (tiles: StartingTiles) => void;
}

/** Who begins with which tiles, by their numbers; one that the box does not know is entered here. By the book nobody has any. */
export function StartTiles({ room, tiles, put }: StartProps) {
  const box = useBox(room);
  const seats = room.view.value?.seats ?? [];
  const count = Object.values(tiles).flat().length;
  return (
    <details class="more">
      <summary>
        {say('db.start.tiles')}
        {count === 0 ? '' : ` (${count})`}
      </summary>
      <p class="quiet">{say(box.value === null ? 'db.start.samples' : 'db.start.hint')}</p>
      <ul class="db-party">
        {seats.map((seat) => (
          <SeatTiles
            key={seat.id}
            room={room}
            box={box.value}
            seat={seat}
            tiles={own(tiles, seat.id) ?? []}
            put={(list) => put({ ...tiles, [seat.id]: list })}
          />
        ))}
      </ul>
    </details>
  );
}

/** The list with one more; a board has one tile a slot, so the newer one takes the other's place (T2). */
function withTile(tiles: readonly string[], id: string, box: Box | null): readonly string[] {
  const slot = own(box?.tiles, id)?.slot;
  const others = tiles.filter((one) => one !== id && (slot === undefined || own(box?.tiles, one)?.slot !== slot));
  return [...others, id];
}

interface SeatProps {
  readonly room: Room;
  readonly box: Box | null;
  readonly seat: SeatView;
  readonly tiles: readonly string[];
  readonly put: (tiles: readonly string[]) => void;
}

function SeatTiles({ room, box, seat, tiles, put }: SeatProps) {
  const number = useSignal('');
  const id = number.value.trim().padStart(DIGITS, '0');
  const add = (): void => {
    put(withTile(tiles, id, box));
    number.value = '';
  };
  const strange = number.value.trim().length === DIGITS && box !== null && own(box.tiles, id) === undefined;
  return (
    <li class="db-start" data-start={seat.id}>
      <strong>{seat.name}</strong>
      {tiles.map((tile) => (
        <StartTile key={tile} id={tile} box={box} remove={() => put(tiles.filter((one) => one !== tile))} />
      ))}
      <NumberRow seat={seat} number={number} strange={strange} add={add} />
      {strange ? <TileEntry room={room} by="gm" number={id} onEntered={add} /> : null}
    </li>
  );
}

function StartTile({ id, box, remove }: { id: string; box: Box | null; remove: () => void }) {
  const tile = own(box?.tiles, id);
  const title = tileTitle(id, tile);
  return (
    <p class="db-kept-line">
      <span class="db-offer-words">
        <strong>{title}</strong>
        {tile === undefined ? null : (
          <span class="quiet">
            {slotWord(tile.slot)} · {bonusOf(tile)}
          </span>
        )}
      </span>
      <button
        type="button"
        class="button button-small"
        aria-label={say('db.kept.removeOne', { name: title })}
        onClick={remove}
      >
        {say('db.kept.remove')}
      </button>
    </p>
  );
}

interface RowProps {
  readonly seat: SeatView;
  readonly number: Signal<string>;
  readonly strange: boolean;
  readonly add: () => void;
}

/** A number and its button. It stands within the form that begins the game, so the enter key must not begin it. */
function NumberRow({ seat, number, strange, add }: RowProps) {
  const ready = /^\d{1,3}$/.test(number.value.trim()) && !strange;
  return (
    <div class="row">
      <input
        class="number"
        inputMode="numeric"
        maxLength={DIGITS}
        aria-label={say('db.start.number', { name: seat.name })}
        value={number.value}
        onInput={(event) => {
          number.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (ready) add();
        }}
      />
      <button type="button" class="button" disabled={!ready} onClick={add}>
        {say('db.start.add')}
      </button>
    </div>
  );
}
