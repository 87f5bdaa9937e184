import type { Json, JsonObject } from '../../dice/json.js';
import { field } from '../awaited.js';
import { boxSays, verbatim } from '../box-words.js';
import type { Seat, SeatSetup } from '../game.js';
import { isList, isObject } from '../refusal.js';
import { readDice } from './box.js';
import { type GameData, SLOTS, type Slot } from './data.js';
import type { Seating } from './events.js';
import { type Reader, told } from './reader.js';
import type { Attendance, Slots } from './state.js';

export const EMPTY_SLOTS: Slots = { physical: null, magic: null, armour: null, accessory: null };

/** Puts a tile of the box into its slot, or notes why it cannot lie there (T2). */
function placed(reader: Reader, data: GameData, slots: Slots, slot: Slot | null, tile: Json, place: string): Slots {
  if (tile === null) return slots;
  const known = typeof tile === 'string' || typeof tile === 'number' ? field(data.tiles, String(tile)) : undefined;
  if (known === undefined) reader.fault(place, told(tile), boxSays('tile'));
  else if (slot !== null && known.slot !== slot)
    reader.fault(place, boxSays('tileFor', { slot: known.slot }), boxSays('forSlot', { slot }));
  else if (slots[known.slot] !== null)
    reader.fault(place, boxSays('slotTaken', { slot: known.slot }), boxSays('oneASlot'));
  else return { ...slots, [known.slot]: String(tile) };
  return slots;
}

function readSlots(reader: Reader, data: GameData, value: Json | undefined, place: string): Slots {
  if (value === undefined || value === null) return EMPTY_SLOTS;
  if (!isObject(value)) {
    reader.fault(place, told(value), verbatim(`{${SLOTS.join(', ')}}`));
    return EMPTY_SLOTS;
  }
  let slots = EMPTY_SLOTS;
  for (const [name, tile] of Object.entries(value)) {
    const slot = SLOTS.find((one) => one === name);
    if (slot === undefined)
      reader.fault(`${place}.${name.slice(0, 40)}`, boxSays('noSlot'), verbatim(SLOTS.join(', ')));
    else slots = placed(reader, data, slots, slot, tile, `${place}.${slot}`);
  }
  return slots;
}

/** Reads what a seat begins with: class, dice and tiles (D1, T7). Without a class it is of the first one. */
export function readSeating(reader: Reader, data: GameData, id: Seat, from: JsonObject, place: string): Seating {
  const named = field(from, 'class') ?? Object.keys(data.classes)[0] ?? '';
  const own = typeof named === 'string' ? field(data.classes, named) : undefined;
  const dice = field(from, 'dice') ?? undefined;
  if (typeof named !== 'string' || (own === undefined && dice === undefined)) {
    reader.fault(`${place}.class`, told(named), boxSays('heroClass', { words: Object.keys(data.classes).join(', ') }));
  }
  const is: Attendance = field(from, 'present') === false ? 'absent' : 'present';
  const none = { physical: 12, magic: 4, defence: 10, agility: 8 };
  return {
    id,
    class: String(named),
    dice: dice === undefined ? (own?.dice ?? none) : readDice(reader, dice, `${place}.dice`),
    slots: readSlots(reader, data, field(from, 'slots'), `${place}.slots`),
    attendance: is,
  };
}

/** Tiles the setup lays out beside `slots`: `startingTiles {seat: [tiles]}`; by default none (T7). */
function withStart(reader: Reader, data: GameData, seatings: readonly Seating[], value: Json | undefined): Seating[] {
  if (value === undefined || value === null || value === 'none') return [...seatings];
  if (!isObject(value)) reader.fault('startingTiles', told(value), boxSays('starting'));
  const lists = isObject(value) ? value : {};
  for (const seat of Object.keys(lists).filter((one) => !seatings.some(({ id }) => id === one))) {
    reader.fault(
      `startingTiles.${seat.slice(0, 40)}`,
      boxSays('nobody'),
      verbatim(seatings.map(({ id }) => id).join(', ')),
    );
  }
  return seatings.map((seating) => {
    const list = field(lists, seating.id) ?? [];
    const place = `startingTiles.${seating.id}`;
    if (!isList(list)) reader.fault(place, told(list), boxSays('tiles'));
    const tiles = isList(list) ? list : [];
    const slots = tiles.reduce(
      (now: Slots, tile, at) => placed(reader, data, now, null, tile, `${place}[${at}]`),
      seating.slots,
    );
    return { ...seating, slots };
  });
}

/** What may be said of a seat in the setup. */
const SEAT_FIELDS: readonly string[] = ['id', 'name', 'class', 'dice', 'slots', 'present'];

/** A slip of the pen in a seat must not pass in silence: it would sit there without its tiles. */
function strangers(reader: Reader, from: JsonObject, place: string): void {
  for (const key of Object.keys(from).filter((one) => !SEAT_FIELDS.includes(one)))
    reader.fault(`${place}.${key.slice(0, 40)}`, boxSays('unknownField'), verbatim(SEAT_FIELDS.join(', ')));
}

/** What every seat begins with; `options.seats` says of each what the table does not know. */
export function readSeatings(
  reader: Reader,
  data: GameData,
  seats: readonly SeatSetup[],
  options: JsonObject,
): Seating[] {
  const given = field(options, 'seats');
  const list = isList(given) ? given : [];
  const seatings = seats.map(({ id }) => {
    const at = list.findIndex((one) => one === id || (isObject(one) && field(one, 'id') === id));
    const own = list[at];
    const from = isObject(own) ? own : {};
    const place = `seats[${at < 0 ? id : at}]`;
    strangers(reader, from, place);
    return readSeating(reader, data, id, from, place);
  });
  return withStart(reader, data, seatings, field(options, 'startingTiles'));
}

/** C10: the team of each seat. `none`, `{team: [seats]}` or a list of lists. */
export function readTeams(reader: Reader, seats: readonly Seat[], value: Json | undefined): { [seat: Seat]: string } {
  const alone = Object.fromEntries(seats.map((seat) => [seat, seat]));
  if (value === undefined || value === null || value === 'none') return alone;
  const named: (readonly [string, Json])[] = isList(value)
    ? value.map((list, at) => [`team-${at + 1}`, list] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  const teams: { [seat: Seat]: string } = {};
  for (const [team, list] of named) {
    for (const seat of isList(list) ? list : [list]) {
      const known = seats.find((one) => one === seat);
      if (known === undefined) reader.fault(`arenaTeams.${team.slice(0, 40)}`, told(seat), verbatim(seats.join(', ')));
      else if (Object.hasOwn(teams, known))
        reader.fault(`arenaTeams.${team}`, boxSays('teamed', { seat: known }), boxSays('oneTeam'));
      else teams[known] = team.slice(0, 40);
    }
  }
  if (seats.some((seat) => !Object.hasOwn(teams, seat)) || new Set(Object.values(teams)).size < 2) {
    reader.fault('arenaTeams', told(value), boxSays('teams'));
  }
  return teams;
}
