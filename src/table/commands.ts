import type { Command } from '../wire/command.js';
import { bind, block, type DieRegistry, enlist, enrol } from './binding.js';
import { claim } from './claiming.js';
import { confirm, lendCounted, type Previews, redoLast, rule } from './correcting.js';
import { acceptTracker, setCounter } from './counting.js';
import type { Loans } from './loans.js';
import type { Overlays } from './overlays.js';
import { permit } from './permit.js';
import { choose, drawDigital, fromOutside, typeRoll } from './playing.js';
import type { Caller } from './port.js';
import { type Done, done, findRoll, type Room, refused } from './room.js';
import { anotherGame, evening, seat } from './seating.js';
import type { Timers } from './timers.js';

/** What commands need beside the room. */
export interface Desk {
  readonly previews: Previews;
  readonly timers: Timers;
  readonly overlays: Overlays;
  readonly loans: Loans;
  /** Opens or closes the window in which a seat's dice are claimed. */
  collect(command: Extract<Command, { do: 'collect' }>): Done;
  readonly house: DieRegistry & { blink(die: string): Promise<boolean> };
}

/** Carries out one command of a caller (contracts D). Every verb of the wire has its line here. */
export function perform(room: Room, caller: Caller, command: Command, desk: Desk): Done {
  const denied = permit(caller, command);
  if (denied !== undefined) return denied;
  if (room.state().seq === 0 && command.do !== 'game')
    return refused('no_such_table', 'This table has not been opened.');
  switch (command.do) {
    case 'call':
    case 'cancel':
    case 'expect':
      return fromOutside(room, caller, command);
    case 'type':
      return typeRoll(room, caller, command);
    case 'digital':
      return drawDigital(room, caller, command);
    case 'choose':
      return choose(room, caller, command);
    case 'set':
      return setCounter(room, caller, command);
    case 'accept':
      return acceptTracker(room, caller, command);
    case 'claim':
      return claim(room, caller, command, desk.loans);
    case 'lend':
      return findRoll(room, command.args.roll)?.wire.verdict === 'accepted'
        ? ruled(lendCounted(room, caller, command, desk.previews), desk)
        : claim(room, caller, command, desk.loans);
    case 'correct':
    case 'void':
    case 'assign':
    case 'undo':
      return ruled(rule(room, caller, command, desk.previews), desk);
    case 'redo':
      return redoLast(room, caller, command);
    case 'confirm':
      return confirm(room, caller, command, desk.previews);
    case 'bind':
    case 'enrol':
    case 'enlist':
    case 'collect':
    case 'block':
    case 'blink':
      return aboutDice(room, caller, command, desk);
    case 'seat':
      return seat(room, caller, command);
    case 'game':
      return anotherGame(room, caller, command);
    case 'pause':
    case 'close':
      return evening(room, caller, command);
    case 'open':
    case 'resume': {
      const outcome = evening(room, caller, command);
      if (outcome.ok) desk.timers.resume();
      return outcome;
    }
    case 'show':
      return desk.overlays.order(command.args.what, room);
  }
}

type AboutDice = Extract<Command, { do: 'bind' | 'enrol' | 'enlist' | 'collect' | 'block' | 'blink' }>;

/** Whose the dice are, and which is which. */
function aboutDice(room: Room, caller: Caller, command: AboutDice, desk: Desk): Done {
  switch (command.do) {
    case 'bind':
      return bind(room, caller, command, desk.house);
    case 'enrol':
      return enrol(room, caller, command, desk.house);
    case 'enlist':
      return enlist(room, caller, command, desk.house);
    case 'collect':
      return desk.collect(command);
    case 'block':
      return block(room, caller, command);
    case 'blink':
      return blink(room, caller, command.args.die, desk);
  }
}

/** While a ruling waits for its confirmation, no timer may run out (design, The game contract). */
function ruled(outcome: Done, desk: Desk): Done {
  if (outcome.ok && outcome.preview !== undefined) desk.timers.pause();
  return outcome;
}

/** A player may find out which die is its own; others' dice, and those of nobody, are the GM's. */
function blink(room: Room, caller: Caller, die: string, desk: Desk): Done {
  const binding = room.state().bindings.get(die);
  const nobodys = caller.role === 'gm' && desk.house.listing(die)?.table === null;
  if (binding === undefined && !nobodys) return refused('no_such_die', `No die "${die}" is enrolled at this table.`);
  if (caller.role !== 'gm' && binding?.seat !== caller.seat)
    return refused('not_your_die', 'That die belongs to another seat.');
  void desk.house.blink(die);
  return done(null);
}
