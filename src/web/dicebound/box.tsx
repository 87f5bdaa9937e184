import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { BoxFile } from './box-file.js';
import { MonsterEntry } from './box-monster.js';
import { useBox } from './box-source.js';
import { TileEntry } from './box-tile.js';
import { ClassEntry } from './classes.js';

const PARTS = ['tile', 'monster', 'class', 'file'] as const;

/** The real box on the GM's screen: its tiles, monsters and classes, and all of it as a file. */
export function BoxEditor({ room }: { room: Room }) {
  const part = useSignal<(typeof PARTS)[number]>('tile');
  const box = useBox(room);
  const { tiles = {}, monsters = {}, classes = {} } = box.value ?? {};
  const count = (table: object): number => Object.keys(table).length;
  return (
    <div class="db-entry">
      <p class="quiet">
        {say('db.box.holds', { tiles: count(tiles), monsters: count(monsters), classes: count(classes) })}
      </p>
      <fieldset class="db-tabs" aria-label={say('db.box')}>
        {PARTS.map((one) => (
          <button
            key={one}
            type="button"
            class="button"
            aria-pressed={part.value === one}
            onClick={() => {
              part.value = one;
            }}
          >
            {say(`db.box.${one}`)}
          </button>
        ))}
      </fieldset>
      {part.value === 'tile' ? <TileEntry room={room} by="gm" /> : null}
      {part.value === 'monster' ? <MonsterEntry room={room} /> : null}
      {part.value === 'class' ? <ClassEntry room={room} by="gm" /> : null}
      {part.value === 'file' ? <BoxFile room={room} /> : null}
    </div>
  );
}
