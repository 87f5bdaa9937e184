import type { Seat } from '../games/game.js';
import type { Command, CommandName } from '../wire/command.js';
import type { Caller } from './port.js';
import { type Done, refused } from './room.js';

/** What a player may do, each for its own seat only; everything else is the GM's, the rest may only look. */
export const PLAYER_MAY: ReadonlySet<CommandName> = new Set([
  'type',
  'digital',
  'choose',
  'set',
  'claim',
  'accept',
  'lend',
  'blink',
]);

/** Refuses a command beyond the caller's role; the role is checked here whatever the transport did. */
export function permit(caller: Caller, command: Command): Done | undefined {
  if (caller.role === 'gm') return undefined;
  if (caller.role !== 'player' || caller.seat === undefined) {
    return refused('not_allowed', `A ${caller.role} may look, not act.`, { expected: 'role gm or player' });
  }
  if (!PLAYER_MAY.has(command.do))
    return refused('not_allowed', `Only the GM may "${command.do}".`, { expected: 'role gm' });
  const named = 'seat' in command.args ? command.args.seat : undefined;
  if (command.do !== 'lend' && named !== undefined && named !== null && named !== caller.seat) {
    return refused('not_your_seat', `This token is for the seat ${caller.seat}.`, { expected: caller.seat });
  }
  return undefined;
}

/** The seat a command is for: the caller's own, or the one named. */
export function seatFor(caller: Caller, named: Seat | null | undefined): Seat | undefined {
  return named ?? caller.seat ?? undefined;
}
