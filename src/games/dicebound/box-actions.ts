import type { Json, JsonObject } from '../../dice/json.js';
import { field } from '../awaited.js';
import type { Seat } from '../game.js';
import { isList, refused } from '../refusal.js';
import { BOX_KINDS, type BoxEntries, type BoxKind, readDice, readEntries } from './box.js';
import { heroOf } from './combatants.js';
import type { GameData } from './data.js';
import type { EventOf } from './events.js';
import { type Action, accepted, notActing, notCamp, notGm, quoted, type Refusal } from './play.js';
import { faultText, MAX_ENTRIES, Reader } from './reader.js';
import { SAMPLES } from './samples/samples.js';
import type { DiceboundState } from './state.js';

const RULE = 'dicebound:T1';

/** What a player may enter; the rest is the GM's. */
const PLAYERS_KINDS: readonly BoxKind[] = ['tiles', 'classes'];

/** What the GM prepares in secret. */
const GM_KINDS: readonly BoxKind[] = ['monsters', 'traps', 'environments'];

/** What is bought for a room, and so has one name among them (G2). */
const BOUGHT = ['monsters', 'traps', 'environments'] as const;

type Gone = EventOf<'boxed'>['remove'];

/** Ids of the box that boards or the open room use now, or would after a restore (G9). */
function inUse({ heroes, restore, room }: DiceboundState, kind: BoxKind): ReadonlySet<string> {
  switch (kind) {
    case 'tiles': {
      const boards = [...Object.values(heroes), ...Object.values(restore.heroes)];
      const ids = boards.flatMap(({ slots, hand }) => [...Object.values(slots), ...hand]);
      return new Set(ids.filter((id) => id !== null));
    }
    case 'classes':
      return new Set(Object.values(heroes).map((hero) => hero.class));
    case 'monsters':
      return new Set(Object.values(room?.monsters ?? {}).map((monster) => monster.kind));
    case 'traps':
      return new Set(Object.values(room?.traps ?? {}).map((trap) => trap.kind));
    case 'environments':
      return new Set(room?.environments);
    case 'perks':
      return new Set();
  }
}

const busy = (kind: BoxKind, id: string): Refusal =>
  refused('in_use', RULE, `${kind}.${id} is on a board or in the room now`, 'after the room, or another number');

/** Ids of entries that differ from what the box has: a file that is read again disturbs nothing. */
function changes({ data }: DiceboundState, add: BoxEntries, kind: BoxKind): readonly string[] {
  const has: { readonly [id: string]: object } = data[kind];
  return Object.entries(add[kind] ?? {}).flatMap(([id, entry]) => (sameData(entry, field(has, id)) ? [] : [id]));
}

/** A tile on a board keeps its slot and may be mended out of fights; what is in the room stays as it is. */
function clash(state: DiceboundState, add: BoxEntries): Refusal | undefined {
  for (const kind of GM_KINDS) {
    const used = inUse(state, kind);
    const id = changes(state, add, kind).find((one) => used.has(one));
    if (id !== undefined) return busy(kind, id);
  }
  const worn = inUse(state, 'tiles');
  const tile = changes(state, add, 'tiles').find(
    (id) =>
      worn.has(id) && (state.fight !== null || field(state.data.tiles, id)?.slot !== field(add.tiles ?? {}, id)?.slot),
  );
  return tile === undefined ? undefined : busy('tiles', tile);
}

/** A name of a monster, a trap or an environment that another of these has already. */
function namesake({ data }: DiceboundState, add: BoxEntries): Refusal | undefined {
  for (const kind of BOUGHT) {
    for (const other of BOUGHT.filter((one) => one !== kind)) {
      const id = Object.keys(add[kind] ?? {}).find((one) => Object.hasOwn(data[other], one));
      if (id !== undefined) {
        return refused('bad_data', RULE, `${kind}.${id} is the name of one of the ${other} too`, 'another name');
      }
    }
  }
  return undefined;
}

function tooMany({ data }: DiceboundState, add: BoxEntries): Refusal | undefined {
  const full = BOX_KINDS.find(
    (kind) => new Set([...Object.keys(data[kind]), ...Object.keys(add[kind] ?? {})]).size > MAX_ENTRIES,
  );
  return full === undefined
    ? undefined
    : refused('bad_data', RULE, `there are too many ${full}`, `at most ${MAX_ENTRIES}`);
}

/** The samples nobody uses: all of them go when a real box comes. One class always stays. */
function samplesIn(state: DiceboundState): Gone {
  const lists = BOX_KINDS.map((kind) => {
    const [used, own, shipped]: [ReadonlySet<string>, GameData[BoxKind], GameData[BoxKind]] = [
      inUse(state, kind),
      state.data[kind],
      SAMPLES[kind],
    ];
    const left = Object.keys(own).filter((id) => sameData(own[id], shipped[id]));
    const ids = left.filter((id) => !used.has(id));
    const last = kind === 'classes' && ids.length === Object.keys(own).length;
    return [kind, last ? ids.slice(1) : ids] as const;
  });
  return Object.fromEntries(lists.filter(([, ids]) => ids.length > 0));
}

/** Equal as data, whatever the order of their fields: a sample that came back from a file is a sample still. */
function sameData(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [mine, theirs] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return mine.size === theirs.size && [...mine].every(([key, value]) => sameData(value, theirs.get(key)));
}

/** What is to go: lists of ids by kind, or the word `samples`. */
function goneOf(state: DiceboundState, value: Json | undefined): { readonly gone: Gone } | Refusal {
  if (value === undefined || value === null) return { gone: {} };
  if (value === 'samples') return { gone: samplesIn(state) };
  const named = typeof value === 'object' && !isList(value) ? value : undefined;
  const expected = `remove: "samples", or {${BOX_KINDS.join(', ')}}: lists of ids`;
  if (named === undefined) return refused('bad_data', RULE, `remove is ${quoted(value)}`, expected);
  const gone: { [K in BoxKind]?: readonly string[] } = {};
  for (const [name, ids] of Object.entries(named)) {
    const kind = BOX_KINDS.find((one) => one === name);
    if (kind === undefined || !isList(ids)) return refused('bad_data', RULE, `remove.${name.slice(0, 40)}`, expected);
    const used = inUse(state, kind);
    for (const id of ids) {
      if (typeof id !== 'string' || !Object.hasOwn(state.data[kind], id)) {
        return refused('bad_data', RULE, `${quoted(id)} is none of the ${kind}`, 'an id of the box');
      }
      if (used.has(id)) return busy(kind, id);
    }
    gone[kind] = ids.map(String);
  }
  const classes = Object.keys(state.data.classes).length;
  return (gone.classes?.length ?? 0) < classes ? { gone } : refused('in_use', RULE, 'a box has one class at least');
}

/** Who may enter what: players tiles and classes, the GM everything. */
function notEntering(state: DiceboundState, by: Seat, args: JsonObject): Refusal | undefined {
  if (by === 'gm') return notGm(state, by, RULE, true);
  const missing = notActing(state, by, RULE);
  const theirs = BOX_KINDS.every((kind) => PLAYERS_KINDS.includes(kind) || field(args, kind) === undefined);
  if (missing !== undefined || (theirs && field(args, 'remove') === undefined)) return missing;
  return refused('wrong_seat', RULE, 'this is for the GM', `gm; a player enters ${PLAYERS_KINDS.join(' and ')}`);
}

/** Enters what is printed on the real box, or takes it out again (T1, D1, G3). */
const box: Action = (state, { by }, args) => {
  const missing = notEntering(state, by, args);
  if (missing !== undefined) return missing;
  const reader = new Reader();
  const add = readEntries(reader, args);
  const fault = reader.faults[0];
  if (fault !== undefined) {
    return refused('bad_data', RULE, faultText(fault), `${fault.place}: ${fault.remedy.en}`);
  }
  const refusal = clash(state, add) ?? namesake(state, add) ?? tooMany(state, add);
  if (refusal !== undefined) return refusal;
  const remove = goneOf(state, field(args, 'remove'));
  if (!('gone' in remove)) return remove;
  const { gone } = remove;
  if (Object.keys(add).length + Object.keys(gone).length === 0) {
    return refused('no_change', RULE, 'nothing is entered', BOX_KINDS.join(', '));
  }
  const secret = [...Object.keys(add), ...Object.keys(gone)].every((kind) => GM_KINDS.some((one) => one === kind));
  return accepted(state, [{ kind: 'boxed', ev: 1, rule: RULE, add, remove: gone, ...(secret ? { to: [] } : {}) }]);
};

/** Refuses another class once dice have fallen in a fight: boards do not change there (D1). */
function notChoosing(state: DiceboundState): Refusal | undefined {
  const { fight, mode } = state;
  const fallen = { ...fight?.landed, ...fight?.rolls };
  const fresh = fight?.stage === 'initiative' && fight.pass === 1 && Object.keys(fallen).length === 0;
  return mode === 'arena' && fresh ? undefined : notCamp(state, 'dicebound:D1');
}

/** D1: whose board is of which class; its dice are the class's, or as they are laid on this board. */
const ofClass: Action = (state, { by }, args) => {
  const rule = 'dicebound:D1';
  const who = by === 'gm' ? field(args, 'who') : by;
  const seat = state.seats.find((one) => one === who);
  if (seat === undefined || heroOf(state, seat) === undefined) {
    return refused('unknown_seat', rule, `${quoted(who)} has no board`, state.seats.join(', '));
  }
  const missing = by === 'gm' ? notGm(state, by, rule, true) : notActing(state, by, rule);
  const closed = missing ?? notChoosing(state);
  if (closed !== undefined) return closed;
  const named = field(args, 'class');
  const known = typeof named === 'string' ? field(state.data.classes, named) : undefined;
  if (typeof named !== 'string' || known === undefined) {
    const expected = Object.keys(state.data.classes).join(', ').slice(0, 400);
    return refused('unknown_class', rule, `${quoted(named)} is no class of the box`, expected);
  }
  const reader = new Reader();
  const laid = field(args, 'dice');
  const dice = laid === undefined ? known.dice : readDice(reader, laid, 'dice');
  const fault = reader.faults[0];
  if (fault !== undefined) return refused('bad_data', rule, faultText(fault), fault.remedy.en);
  return accepted(state, [{ kind: 'classed', ev: 1, rule, seat, class: named, dice }]);
};

/** The real box: what is entered, and who plays which class. */
export const BOX_ACTIONS: readonly (readonly [string, Action])[] = [
  ['box', box],
  ['class', ofClass],
];
