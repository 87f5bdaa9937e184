import { say } from '../language.js';
import type { Tile } from './game.js';
import { bonusOf, paWord, slotWord, starText, tileTitle } from './words.js';

/** A tile as it looks: its slot, number, rarity, cost in dots, and what it gives. */
export function TileCard({ id, tile, cost, owner }: { id: string; tile: Tile; cost: number; owner?: string }) {
  const rarity = tile.rarity ?? 'common';
  const foreign = owner !== undefined && tile.class !== undefined && tile.class !== owner;
  const star = starText(tile);
  return (
    <li class={`db-tile db-rarity-${rarity}`}>
      <span class="db-tile-slot">
        {slotWord(tile.slot)} · {say(`db.rarity.${rarity}`)}
      </span>
      <strong>{tileTitle(id, tile)}</strong>
      <span class="db-tile-bonus">{bonusOf(tile)}</span>
      {cost === 0 ? null : <span class="db-tile-cost">{paWord(cost)}</span>}
      {foreign ? <span class="quiet">{say('db.foreign')}</span> : null}
      {star === '' ? null : <span class="quiet">★ {star}</span>}
    </li>
  );
}
