import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { EventEntry } from './box-event.js';
import { BoxFile } from './box-file.js';
import { MonsterEntry } from './box-monster.js';
import { PerkEntry } from './box-perks.js';
import { useBox } from './box-source.js';
import { TileEntry } from './box-tile.js';
import { TrapEntry } from './box-trap.js';
import { BoxClasses } from './classes.js';

const PARTS = ['tile', 'class', 'perk', 'monster', 'trap', 'event', 'file'] as const;

/** The real box on the GM's screen: its tiles, classes and their perks, monsters, traps and events, and all of it as a file. */
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
      {part.value === 'class' ? <BoxClasses room={room} /> : null}
      {part.value === 'perk' ? <PerkEntry room={room} /> : null}
      {part.value === 'trap' ? <TrapEntry room={room} /> : null}
      {part.value === 'event' ? <EventEntry room={room} /> : null}
      {part.value === 'file' ? <BoxFile room={room} /> : null}
    </div>
  );
}
