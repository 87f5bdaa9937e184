import { parseDieType } from '../dice/die.js';
import { isSeatId } from '../dice/ids.js';
import type { JsonObject } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import type { Counter, SeatSetup } from '../games/game.js';
import type { Command } from '../wire/command.js';
import { judgeDeed } from './deeds.js';
import { commandOrigin, isSeat, outsideRun, unknownSeat } from './playing.js';
import type { Caller, DieListing } from './port.js';
import type { Binding, TableEvent } from './record.js';
import { type Done, done, type Room, refused } from './room.js';

type Of<K extends Command['do']> = Extract<Command, { do: K }>;

/** Seats of a table: enough for every game (Dadoteck takes 20). */
export const MAX_SEATS = 20;
/** Dice enrolled at one table. */
export const MAX_DICE_AT_TABLE = 200;

/** What the house knows of a die that was heard. */
export interface DieRegistry {
  listing(die: string): DieListing | undefined;
}

/** `seat`: a player comes, is renamed, or leaves. The games hear of it. */
export function seat(room: Room, caller: Caller, command: Of<'seat'>): Done {
  const { id, name, remove } = command.args;
  if (!isSeatId(id))
    return refused('reserved_seat', `"${id}" is no player's seat.`, { expected: 'another id than gm and table' });
  const known = room.state().seats.some((entry) => entry.id === id);
  if (remove === true && !known) return unknownSeat(id);
  if (!known && room.state().seats.length >= MAX_SEATS)
    return refused('table_full', `A table has at most ${MAX_SEATS} seats.`);
  const event: TableEvent =
    remove === true ? { kind: 'seat_left', ev: 1, id } : { kind: 'seat_taken', ev: 1, id, name: name ?? id };
  const seq = room.commit('seat', { v: 1, caller: caller.id, table: [event] }, commandOrigin(room, caller, command.id));
  if (known && remove !== true) return done(seq);
  const ruling =
    remove === true ? { ruling: 'seat_left', args: { id } } : { ruling: 'seat', args: { id, name: name ?? id } };
  for (const run of new Set([outsideRun(room), 'game' as const]))
    judgeDeed(room, { run, deed: { kind: 'ruling', ruling } });
  return done(seq);
}

/** `enrol`: a die that was heard joins the table (or leaves it). It counts for nobody before. */
export function enrol(room: Room, caller: Caller, command: Of<'enrol'>, registry: DieRegistry): Done {
  const { die, enrolled, name } = command.args;
  const known = room.state().bindings.get(die);
  const origin = commandOrigin(room, caller, command.id);
  if (enrolled === false) {
    if (known === undefined) return refused('not_enrolled', `The die "${die}" is not enrolled at this table.`);
    return done(room.commit('binding', { v: 1, table: [{ kind: 'die_released', ev: 1, die }] }, origin));
  }
  const heard = registry.listing(die);
  const denied = mayNotSit(room, die, heard);
  if (denied !== undefined) return denied;
  const binding: Binding = { ...(known ?? fresh(die, heard)), ...(name === undefined ? {} : { name }) };
  return done(room.commit('binding', { v: 1, table: [{ kind: 'die_enrolled', ev: 1, binding }] }, origin));
}

/** Why a die may not be at this table: nobody has heard it, it sits elsewhere, it is blocked, or the table is full. */
function mayNotSit(room: Room, die: string, heard: DieListing | undefined): Done | undefined {
  const { bindings, blocked } = room.state();
  if (!bindings.has(die) && heard === undefined)
    return refused('no_such_die', `No die "${die}" has been heard.`, { expected: 'a die that is awake and listed' });
  if (heard !== undefined && heard.table !== null && heard.table !== room.id) {
    return refused('enrolled_elsewhere', `The die "${die}" is enrolled at the table "${heard.table}".`, {
      expected: `enrol with "enrolled": false at ${heard.table} first`,
    });
  }
  if (blocked.has(die))
    return refused('die_blocked', `The die "${die}" is blocked at this table.`, {
      expected: 'block with "blocked": false first',
    });
  if (!bindings.has(die) && bindings.size >= MAX_DICE_AT_TABLE)
    return refused('too_many_dice', `A table enrols at most ${MAX_DICE_AT_TABLE} dice.`);
  return undefined;
}

function fresh(die: string, heard: DieListing | undefined): Binding {
  const type = heard?.type == null ? undefined : parseDieType(heard.type);
  return {
    die,
    device: heard?.device ?? die,
    model: heard?.model ?? 'unknown',
    ...(type?.ok === true ? { type: type.value } : {}),
    seat: null,
    duty: 'rolls',
    ...(heard?.fake === true ? { fake: true as const } : {}),
  };
}

/** What the dice of a set usually count (dicebound D1). */
const USUAL_COUNTERS: ReadonlyMap<string, Counter> = new Map([
  ['d20', 'pv'],
  ['d6', 'pa'],
  ['d00', 'level'],
]);

/** `bind`: whose a die is, and whether it rolls, counts or is a pawn. Enrols it if need be. */
export function bind(room: Room, caller: Caller, command: Of<'bind'>, registry: DieRegistry): Done {
  const { die, seat: owner, duty = 'rolls' } = command.args;
  const heard = registry.listing(die);
  const denied = mayNotSit(room, die, heard);
  if (denied !== undefined) return denied;
  if (owner !== null && !isSeat(room, owner)) return unknownSeat(owner);
  const { counter: _old, ...rest } = room.state().bindings.get(die) ?? fresh(die, heard);
  const counter = duty === 'counts' ? (command.args.counter ?? USUAL_COUNTERS.get(rest.type ?? '')) : undefined;
  if (duty === 'counts' && (counter === undefined || owner === null))
    return refused('which_counter', 'A die that counts needs a seat and the name of what it counts.', {
      expected: 'seat and counter, as "pv"',
    });
  const rival = [...room.state().bindings.values()].find(
    (other) => counter !== undefined && other.die !== die && other.seat === owner && other.counter === counter,
  );
  if (rival !== undefined)
    return refused('counter_taken', `The die "${rival.die}" counts ${counter} of ${owner} already.`, {
      expected: 'another counter, or that die released first',
    });
  const binding: Binding = { ...rest, seat: owner, duty, ...(counter === undefined ? {} : { counter }) };
  const body = { v: 1, table: [{ kind: 'die_enrolled', ev: 1, binding }] } as const;
  return done(room.commit('binding', body, commandOrigin(room, caller, command.id)));
}

/** `block`: a die that shall never be listed as new again (or shall). */
export function block(room: Room, caller: Caller, command: Of<'block'>): Done {
  const { die, blocked = true } = command.args;
  const events: TableEvent[] = [{ kind: 'die_blocked', ev: 1, die, blocked }];
  if (blocked && room.state().bindings.has(die)) events.push({ kind: 'die_released', ev: 1, die });
  return done(room.commit('binding', { v: 1, table: events }, commandOrigin(room, caller, command.id)));
}

/** `open`, `pause`, `resume`, `close`: the evening. While paused throws are noted as loose without any fuss. */
export function evening(room: Room, caller: Caller, command: Of<'open' | 'pause' | 'resume' | 'close'>): Done {
  const states = { open: 'open', pause: 'paused', resume: 'open', close: 'closed' } as const;
  const state = states[command.do];
  const now = room.state().evening;
  if (command.do === 'pause' && now === 'closed')
    return refused('evening_closed', 'The evening is closed: open it first.', { expected: 'open' });
  if (command.do === 'resume' && now === 'closed')
    return refused('evening_closed', 'The evening is closed: open it first.', { expected: 'open' });
  if (now === state) return done(null);
  return done(
    room.commit(
      'evening',
      { v: 1, table: [{ kind: 'evening', ev: 1, state }] },
      commandOrigin(room, caller, command.id),
    ),
  );
}

/** What must be at hand for a game to begin. */
export type Stage = Pick<Room, 'shelf' | 'percentile'>;

/** The event by which a game begins with these options and seats, or the game's refusal. */
export function gameBegun(
  stage: Stage,
  id: string,
  options: JsonObject,
  seats: readonly SeatSetup[],
): Result<TableEvent, Extract<Done, { ok: false }>> {
  const game = stage.shelf(id);
  const outside = stage.shelf('external');
  const percentile = { percentile: stage.percentile };
  const opening = game?.setup({ ...percentile, ...options }, seats);
  const calls = outside?.setup(percentile, seats);
  if (game === undefined || opening === undefined || calls === undefined)
    return err({ ok: false, code: 'no_such_game', reason: `There is no game "${id}".` });
  if (opening.verdict === 'refused' || opening.verdict === 'loose') {
    const rule = opening.rule === undefined ? {} : { rule: opening.rule };
    return err({ ok: false, code: opening.code, reason: opening.reason, ...expectedOf(opening), ...rule });
  }
  const { version } = game;
  const begun = { kind: 'game_begun', ev: 1, game: id, version, options, opening: opening.events } as const;
  return ok({ ...begun, outside: calls.verdict === 'accepted' ? calls.events : [] });
}

/** `game`: another game begins on this table, with its options and the seats that are there. */
export function anotherGame(room: Room, caller: Caller, command: Of<'game'>): Done {
  const { game, options = {} } = command.args;
  const begun = gameBegun(room, game, options, room.state().seats);
  if (!begun.ok) return begun.error;
  const body = { v: 1, caller: caller.id, table: [begun.value] } as const;
  return done(room.commit('game', body, commandOrigin(room, caller, command.id)));
}

function expectedOf(verdict: { readonly verdict: string; readonly expected?: string }): { expected?: string } {
  return verdict.expected === undefined ? {} : { expected: verdict.expected };
}
