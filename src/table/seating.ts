import { isSeatId } from '../dice/ids.js';
import type { JsonObject } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import type { SeatSetup } from '../games/game.js';
import type { Command } from '../wire/command.js';
import { judgeDeed } from './deeds.js';
import { commandOrigin, outsideRun, unknownSeat } from './playing.js';
import type { Caller } from './port.js';
import type { TableEvent } from './record.js';
import { type Done, done, type Room, refused } from './room.js';
import { boxesOf } from './state.js';

type Of<K extends Command['do']> = Extract<Command, { do: K }>;

/** Seats of a table: enough for every game (Dadoteck takes 20). */
export const MAX_SEATS = 20;

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

/**
 * The event by which a game begins with these options and seats, or the game's refusal.
 * @param box what people entered for this game on this table before, unless the options say otherwise
 */
export function gameBegun(
  stage: Stage,
  id: string,
  options: JsonObject,
  seats: readonly SeatSetup[],
  box?: JsonObject,
): Result<TableEvent, Extract<Done, { ok: false }>> {
  const game = stage.shelf(id);
  const outside = stage.shelf('external');
  const percentile = { percentile: stage.percentile };
  const opening = game?.setup({ ...percentile, ...(box === undefined ? {} : { box }), ...options }, seats);
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
  const state = room.state();
  const begun = gameBegun(room, game, options, state.seats, boxesOf(state).get(game));
  if (!begun.ok) return begun.error;
  const body = { v: 1, caller: caller.id, table: [begun.value] } as const;
  return done(room.commit('game', body, commandOrigin(room, caller, command.id)));
}

function expectedOf(verdict: { readonly verdict: string; readonly expected?: string }): { expected?: string } {
  return verdict.expected === undefined ? {} : { expected: verdict.expected };
}
