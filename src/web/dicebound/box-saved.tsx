import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import type { Deed } from '../parts/deed.js';
import { StarForm } from './box-star.js';
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
