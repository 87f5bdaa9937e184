import type { Answer } from '../../wire/command.js';
import { read, send } from '../daemon.js';
import type { Room } from '../room.js';
import { boxAddress } from './box-source.js';
import { type Box, own, playsDicebound, readDicebound, type Tile } from './game.js';
import type { DiceboundOptions } from './options.js';
import type { StartingTiles } from './start-tiles.js';

type Table = { readonly [id: string]: unknown };

/** Starting tiles of seats that are there and have some; none of them leaves the option away (T7). */
function startingIn(room: Room, options: DiceboundOptions): { startingTiles?: StartingTiles } {
  const seats = room.view.value?.seats.map(({ id }) => id) ?? [];
  const lists = Object.entries(options.startingTiles ?? {});
  const kept = lists.filter(([seat, list]) => seats.includes(seat) && list.length > 0);
  return kept.length === 0 ? {} : { startingTiles: Object.fromEntries(kept) };
}

/** The tiles of the kept box that lie on boards from the start: the new game must know them when it begins. */
function tilesOf(box: Box | null, starting: StartingTiles | undefined): { readonly [id: string]: Tile } {
  const ids = Object.values(starting ?? {}).flat();
  return Object.fromEntries(
    ids.flatMap((id) => {
      const tile = own(box?.tiles, id);
      return tile === undefined ? [] : [[id, tile] as const];
    }),
  );
}

const without = <T extends Table>(table: T, gone: Table): T =>
  Object.fromEntries(Object.entries(table).filter(([id]) => !Object.hasOwn(gone, id))) as T;

/** What the new game has of its own, the samples, and the kept box has not; classes that boards are of stay. */
function surplus(room: Room, now: Box, kept: Box): { readonly [kind: string]: readonly string[] } {
  const view = room.view.value;
  const worn = playsDicebound(view) ? Object.values(readDicebound(view).seats).map((hero) => hero.class) : [];
  const kinds = ['classes', 'tiles', 'perks', 'monsters', 'traps', 'environments'] as const;
  const lists = kinds.map((kind) => {
    const ids = Object.keys(without<Table>(now[kind] ?? {}, kept[kind] ?? {}));
    return [kind, kind === 'classes' ? ids.filter((id) => !worn.includes(id)) : ids] as const;
  });
  return Object.fromEntries(lists.filter(([, ids]) => ids.length > 0));
}

/**
 * Begins another game of Dicebound with the box of the one that is played: what was entered from the real box must not be
 * entered again.
 * @param begin begins it with these options
 */
export async function keepingBox(
  room: Room,
  options: DiceboundOptions,
  begin: (options: Record<string, unknown>) => Promise<Answer>,
): Promise<void> {
  const view = room.view.value;
  const address = boxAddress(room.door);
  const edited = playsDicebound(view) && readDicebound(view).box.edits > 0;
  const answer = edited ? await read<Box>(address) : null;
  const kept = answer?.ok === true ? answer.value : null;
  const starting = startingIn(room, options);
  const laid = tilesOf(kept, starting.startingTiles);
  const { startingTiles: _, ...rest } = options;
  const begun = await begin({ ...rest, ...starting, ...(Object.keys(laid).length === 0 ? {} : { tiles: laid }) });
  if (begun.kind !== 'ack' || kept === null) return;
  const entries = { ...kept, tiles: without(kept.tiles, laid) };
  await send(address, { file: 'box.json', text: JSON.stringify(entries) });
  const now = await read<Box>(address);
  const gone = now.ok ? surplus(room, now.value, kept) : {};
  if (Object.keys(gone).length > 0) await room.command('choose', { seat: 'gm', action: 'box', remove: gone });
}
