import type { Json, JsonObject } from '../../dice/json.js';
import { field } from '../awaited.js';
import type { Audience, Seat } from '../game.js';
import { BOX_KINDS } from './box.js';
import { BOX_FORMAT, BOX_VERSION } from './box-file.js';
import { attackCost, dodgeCost, tileCost } from './costs.js';
import type { GameData, Names, Tile } from './data.js';
import { SAMPLES } from './samples/samples.js';
import { type DiceboundState, type Hero, WEAPONS } from './state.js';

/** Plain data without what says nothing: a file is written to be read and edited by people. */
function slim(value: unknown): Json {
  if (Array.isArray(value)) return value.map(slim);
  if (typeof value !== 'object' || value === null) return value as Json;
  const told = Object.entries(value).filter(([, one]) => one !== null && one !== false && one !== undefined);
  return Object.fromEntries(told.map(([key, one]) => [key, slim(one)]));
}

/** Entries never change in place, and views are made several times a deed: each is made slim once. */
const SLIM = new WeakMap<object, Json>();

function slimOnce(entry: object): Json {
  const known = SLIM.get(entry);
  if (known !== undefined) return known;
  const made = slim(entry);
  SLIM.set(entry, made);
  return made;
}

const slimTable = (table: { readonly [id: string]: object }): JsonObject =>
  Object.fromEntries(Object.entries(table).map(([id, entry]) => [id, slimOnce(entry)]));

/** The entries of these ids, where the box has them. */
const picked = <T>(table: { readonly [id: string]: T }, ids: Iterable<string>): { [id: string]: T } =>
  Object.fromEntries([...new Set(ids)].flatMap((id) => (Object.hasOwn(table, id) ? [[id, table[id] as T]] : [])));

const nameOf = (entry: { readonly name: Names | null }): JsonObject => (entry.name === null ? {} : { ...entry.name });

const namesOf = (table: { readonly [id: string]: { readonly name: Names | null } }): JsonObject =>
  Object.fromEntries(Object.entries(table).map(([id, entry]) => [id, nameOf(entry)]));

/**
 * What of the box lies on the table now, with its names, and how often the box was changed.
 * @param gm traps that have not sprung are told too
 */
export function boxInPlay(state: DiceboundState, gm: boolean): JsonObject {
  const { data, heroes, room, trap, edits } = state;
  const boards = Object.values(heroes);
  const tiles = boards.flatMap(({ slots, hand }) => [...Object.values(slots).flatMap((id) => id ?? []), ...hand]);
  const sprung = Object.entries(room?.traps ?? {}).filter(([id, one]) => gm || one.done || trap?.id === id);
  const kinds = sprung.map(([, { kind }]) => kind);
  return {
    edits,
    tiles: slimTable(picked<Tile>(data.tiles, tiles)),
    classes: namesOf(
      picked(
        data.classes,
        boards.map((hero) => hero.class),
      ),
    ),
    traps: slimTable(picked(data.traps, kinds)),
    environments: slimTable(picked(data.environments, room?.environments ?? [])),
  };
}

/** Perks of a board with the level that brought each (G7, G8). */
export function perksView({ data, level }: DiceboundState, hero: Hero): JsonObject[] {
  const table = field(data.perks, hero.class) ?? {};
  return Object.entries(table)
    .filter(([at]) => Number(at) <= level)
    .flatMap(([at, perks]) => perks.map((perk) => ({ level: Number(at), ...perk })));
}

/** What each way to attack, a dodge and each tile cost this board now; null where it cannot be done (C3, C5, C7, T3). */
export function costsView(state: DiceboundState, seat: Seat, hero: Hero): JsonObject {
  const boost = state.fight?.turn === seat ? state.fight.boost : { dice: [], cost: 0 };
  const attacks = WEAPONS.map((weapon) => {
    const cost = attackCost(state, seat, weapon, boost);
    return [weapon, cost.ok ? cost.pa : null] as const;
  });
  const worn = Object.values(hero.slots).flatMap((id) =>
    id === null ? [] : [[id, tileCost(state, seat, id)] as const],
  );
  return { ...Object.fromEntries(attacks), dodge: dodgeCost(state, seat), tiles: Object.fromEntries(worn) };
}

const PUBLIC: readonly (keyof GameData)[] = ['classes', 'tiles', 'perks'];

const asFile = (data: GameData, kinds: readonly (keyof GameData)[]): JsonObject => ({
  format: BOX_FORMAT,
  version: BOX_VERSION,
  ...Object.fromEntries(kinds.map((kind) => [kind, slim(data[kind])])),
});

/** The shipped samples as a file. */
export const sampleBox = (): JsonObject => asFile(SAMPLES, BOX_KINDS);

/** The whole box in the form of its file; what the GM prepares (monsters, traps, environments) is the GM's alone. */
export function boxContents({ data }: DiceboundState, audience: Audience): JsonObject {
  return asFile(data, audience.role === 'gm' ? BOX_KINDS : PUBLIC);
}

/** The whole box, if people have changed it in this game: it stays with the table. */
export const keptBox = ({ data, edits }: DiceboundState): JsonObject | undefined =>
  edits === 0 ? undefined : asFile(data, BOX_KINDS);
