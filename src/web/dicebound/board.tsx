import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Awaited } from '../../wire/envelope.js';
import type { SeatView, TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { DieFace } from '../parts/die.js';
import { Card } from '../parts/frame.js';
import type { Room } from '../room.js';
import { counterWord, nameOf } from '../wording.js';
import { TileEntry } from './box-tile.js';
import { Big, Options } from './buttons.js';
import { ClassChoice } from './classes.js';
import {
  type DiceboundState,
  type Hero,
  heroOf,
  own,
  readDicebound,
  SLOTS,
  type Slot,
  STATS,
  valuesOf,
} from './game.js';
import { PaPips, PvBar } from './table.js';
import { TileCard } from './tile.js';
import { potionTitle } from './todo.js';
import { dieName, paWord, perkText, shortName, slotWord, statWord, tileTitle } from './words.js';

/** My board as it lies on the table: counters, statistic dice, tiles, what my level brought. */
export function DiceboundBoard({ room, seat, children }: { room: Room; seat: SeatView; children?: ComponentChildren }) {
  const view = room.view.value;
  if (view === null) return null;
  const state = readDicebound(view);
  const hero = heroOf(state, seat.id);
  if (hero === undefined) return null;
  const title = shortName(own(state.box.classes, hero.class), hero.class);
  return (
    <Card title={title} kind="card-mine db-board">
      <Vitals hero={hero} state={state} />
      {children}
      <StatDice hero={hero} />
      <ul class="db-slots">
        {SLOTS.map((slot) => (
          <SlotTile key={slot} slot={slot} state={state} hero={hero} />
        ))}
      </ul>
      <Perks hero={hero} />
      <TileDeeds room={room} view={view} seat={seat.id} />
      <details class="more">
        <summary>{say('db.boxMine')}</summary>
        <ClassChoice room={room} seat={seat.id} />
        <TileEntry room={room} by={seat.id} />
      </details>
    </Card>
  );
}

function Vitals({ hero, state }: { hero: Hero; state: DiceboundState }) {
  const face = state.levelFace === 0 ? '00' : String(state.levelFace);
  return (
    <dl class="db-vitals">
      <div class="db-vital">
        <DieFace type="d20" text={hero.pv === 0 ? '–' : String(hero.pv)} size={84} />
        <dt>{counterWord('pv')}</dt>
        <dd>{hero.ko ? say('db.ko') : <PvBar pv={hero.pv} full={20} />}</dd>
      </div>
      <div class="db-vital">
        <DieFace type="d6" text={hero.pa === 0 ? '–' : String(hero.pa)} size={84} />
        <dt>{say('db.paLong')}</dt>
        <dd>
          <PaPips pa={hero.pa} />
        </dd>
      </div>
      <div class="db-vital">
        <DieFace type="d00" text={face} size={84} />
        <dt>{counterWord('level')}</dt>
        <dd>{hero.level}</dd>
      </div>
    </dl>
  );
}

function StatDice({ hero }: { hero: Hero }) {
  return (
    <dl class="db-stats">
      {STATS.map((stat) => (
        <div key={stat} class="db-stat">
          <DieFace type={`d${hero.dice[stat]}`} text={String(hero.dice[stat])} size={44} />
          <dt>{statWord(stat)}</dt>
          <dd class="db-heard">{dieName(hero.dice[stat])}</dd>
        </div>
      ))}
    </dl>
  );
}

function SlotTile({ slot, state, hero }: { slot: Slot; state: DiceboundState; hero: Hero }) {
  const id = hero.slots[slot];
  const tile = own(state.box.tiles, id);
  if (id === null || tile === undefined) {
    return (
      <li class="db-tile db-tile-empty">
        <span class="db-tile-slot">{slotWord(slot)}</span>
        <span class="quiet">{slot === 'physical' ? say('db.emptyWeapon') : say('db.empty')}</span>
      </li>
    );
  }
  const cost = slot === 'physical' || slot === 'magic' ? (hero.costs[slot] ?? tile.cost ?? 0) : (tile.cost ?? 0);
  return <TileCard id={id} tile={tile} cost={cost} owner={hero.class} />;
}

/** What the levels of a class have brought so far (G7, G8). */
export function Perks({ hero }: { hero: Hero }) {
  if (hero.perks.length === 0) return null;
  return (
    <section>
      <h3>{say('db.perks')}</h3>
      <ul class="db-perks">
        {hero.perks.map((perk) => (
          <li key={`${perk.level} ${perkText(perk)}`}>
            <span class="chip">{say('db.level', { n: perk.level })}</span> {perkText(perk)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Hand, potions and stars out of fights: what this board may do beside the fight (T4–T6). */
function TileDeeds({ room, view, seat }: { room: Room; view: TableView; seat: string }) {
  const call = room.awaited.value.find(
    ({ what, seat: whose }) => whose === seat && (what === 'board' || what === 'chest'),
  );
  if (call === undefined) return null;
  return (
    <section class="db-deeds">
      <HandOver room={room} view={view} call={call} seat={seat} />
    </section>
  );
}

/** What lies in the hand is equipped; any tile goes to a companion or back to the bag. */
function HandOver({ room, view, call, seat }: { room: Room; view: TableView; call: Awaited; seat: string }) {
  const deed = useDeed(room);
  const state = readDicebound(view);
  const hero = heroOf(state, seat);
  const act = (action: string, fields: Record<string, unknown>) =>
    void deed.run('choose', { seat, call: call.id, action, ...fields });
  const spec = (action: string) => specOf(call, action);
  const tiles = valuesOf(spec('give'), 'tile');
  const title = (tile: string): string => tileTitle(tile, own(state.box.tiles, tile));
  const potion = potionTitle(state, hero);
  const drinkers = valuesOf(spec('drink'), 'to');
  return (
    <>
      <Options>
        {valuesOf(spec('equip'), 'tile').map((tile) => (
          <Big key={tile} main onClick={() => act('equip', { tile })}>
            {say('db.equip', { tile: title(tile) })}
          </Big>
        ))}
        {drinkers.map((to) => (
          <Big key={to} onClick={() => act('drink', to === seat ? {} : { to })}>
            {to === seat
              ? say('db.drink', { tile: potion })
              : say('db.drinkFor', { tile: potion, name: nameOf(view, to) })}
          </Big>
        ))}
        {valuesOf(spec('star'), 'tile').map((tile) => (
          <Big key={tile} onClick={() => act('star', { tile })}>
            ★ {title(tile)} · {paWord(hero?.costs.tiles[tile] ?? 0)}
          </Big>
        ))}
      </Options>
      {tiles.length === 0 ? null : <GiveAway view={view} state={state} call={call} act={act} busy={deed.busy} />}
      {deed.note}
    </>
  );
}

const specOf = (call: Awaited, action: string) => call.actions?.find((one) => one.action === action) ?? {};

interface GiveProps {
  readonly view: TableView;
  readonly state: DiceboundState;
  readonly call: Awaited;
  readonly act: (action: string, fields: Record<string, unknown>) => void;
  readonly busy: boolean;
}

function GiveAway({ view, state, call, act, busy }: GiveProps) {
  const chosen = useSignal('');
  const tiles = valuesOf(specOf(call, 'give'), 'tile');
  return (
    <details class="more">
      <summary>{say('db.handOver')}</summary>
      <Options>
        {tiles.map((tile) => (
          <button
            key={tile}
            type="button"
            class="button"
            aria-pressed={chosen.value === tile}
            onClick={() => {
              chosen.value = tile;
            }}
          >
            {tileTitle(tile, own(state.box.tiles, tile))}
          </button>
        ))}
      </Options>
      {tiles.includes(chosen.value) ? (
        <Options>
          {valuesOf(specOf(call, 'give'), 'to').map((to) => (
            <Big key={to} disabled={busy} onClick={() => act('give', { tile: chosen.value, to })}>
              {to === 'bag' ? say('db.toBag') : say('db.toName', { name: nameOf(view, to) })}
            </Big>
          ))}
        </Options>
      ) : null}
    </details>
  );
}
