import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import type { Deed } from '../parts/deed.js';
import { WholeField } from '../parts/whole-field.js';
import { Keys, NameField } from './fields.js';
import { RARITIES, type Tile } from './game.js';
import { TileCard } from './tile.js';
import { named } from './words.js';

interface SavedProps {
  readonly id: string;
  readonly tile: Tile;
  readonly deed: Deed;
  /** Who changes it: a seat, or `gm`. */
  readonly by: string;
}

/** The tile as it is kept, with what need not be said: background, name, and what its star does. */
export function SavedTile({ id, tile, deed, by }: SavedProps) {
  const name = useSignal(named(tile.name, ''));
  const save = (part: Partial<Tile>): void => {
    void deed.run('choose', { seat: by, action: 'box', tiles: { [id]: { ...tile, ...part } } });
  };
  return (
    <>
      <p class="db-saved">✓ {say('db.tile.kept')}</p>
      <ul class="db-slots">
        <TileCard id={id} tile={tile} cost={tile.cost ?? 0} />
      </ul>
      <Keys
        title={say('db.rarity')}
        values={RARITIES}
        text={(rarity) => say(`db.rarity.${rarity}`)}
        chosen={(rarity) => (tile.rarity ?? 'common') === rarity}
        choose={(rarity) => save({ rarity })}
        square={false}
      />
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const given = name.value.trim();
          if (given !== '') save({ name: { it: given, en: given } });
        }}
      >
        <NameField label={say('db.tile.name')} text={name} />
        <button type="submit" class="button" disabled={deed.busy}>
          {say('app.save')}
        </button>
      </form>
      {tile.star === undefined ? null : <StarForm tile={tile} busy={deed.busy} save={save} />}
      {by === 'gm' ? (
        <div class="row">
          <button
            type="button"
            class="button"
            disabled={deed.busy}
            onClick={() => deed.run('choose', { seat: by, action: 'box', remove: { tiles: [id] } })}
          >
            {say('db.tile.remove')}
          </button>
        </div>
      ) : null}
    </>
  );
}

const STAR_NUMBERS = ['damage', 'heal', 'pa', 'limit'] as const;
const MOST = 100;

/** A star whose effect is known is counted by the rules; any other the GM applies by a correction (T5). */
function StarForm({ tile, busy, save }: { tile: Tile; busy: boolean; save: (part: Partial<Tile>) => void }) {
  const was = tile.star === undefined || tile.star === true ? {} : tile.star;
  const numbers = useSignal<{ readonly [field: string]: string }>(
    Object.fromEntries(STAR_NUMBERS.map((field) => [field, String(was[field] ?? '')])),
  );
  return (
    <details class="more">
      <summary>{say('db.star.what')}</summary>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const told = Object.entries(numbers.value).filter(([, text]) => text !== '');
          save({ star: { ...was, ...Object.fromEntries(told.map(([field, text]) => [field, Number(text)])) } });
        }}
      >
        {STAR_NUMBERS.map((field) => (
          <WholeField
            key={field}
            label={say(`db.star.field.${field}`)}
            value={numbers.value[field] ?? ''}
            min={0}
            max={MOST}
            onInput={(text) => {
              numbers.value = { ...numbers.value, [field]: text };
            }}
          />
        ))}
        <button type="submit" class="button" disabled={busy}>
          {say('app.save')}
        </button>
      </form>
    </details>
  );
}
