import type { Json, JsonObject } from '../../dice/json.js';
import { type ChoiceDeed, field } from '../awaited.js';
import type { Deed, Ruling } from '../game.js';
import { refused } from '../refusal.js';
import { BOX_ACTIONS } from './box-actions.js';
import { choicesOf } from './choices.js';
import { heroOf } from './combatants.js';
import { expectsOf } from './expects.js';
import { FIGHT_ACTIONS } from './fight-actions.js';
import { joining, PARTY_ACTIONS } from './party-actions.js';
import { phaseOf } from './phase.js';
import { type Action, accepted, type Judged, quoted } from './play.js';
import { ROOM_ACTIONS } from './room-actions.js';
import { judgeSet, lateTracker } from './set-judge.js';
import type { DiceboundState } from './state.js';
import { judgeDrawn, judgeThrow } from './throws.js';
import { TILE_ACTIONS } from './tile-actions.js';

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ...ROOM_ACTIONS,
  ...PARTY_ACTIONS,
  ...FIGHT_ACTIONS,
  ...TILE_ACTIONS,
  ...BOX_ACTIONS,
]);

/** The action that a bare option stands for where only one thing is asked: yes or no, a target, how a trap is paid. */
function bare(state: DiceboundState, option: Json): { readonly action: string; readonly args: JsonObject } | undefined {
  switch (phaseOf(state)) {
    case 'dodge':
      return { action: 'dodge', args: { yes: option } };
    case 'effort':
      return { action: 'effort', args: { yes: option } };
    case 'target':
      return { action: 'target', args: { target: option } };
    case 'trap':
      return { action: 'trap', args: { pay: option } };
    default:
      return undefined;
  }
}

function judgeChoice(state: DiceboundState, deed: ChoiceDeed): Judged {
  if (state.over) return refused('game_over', 'dicebound:G14', 'the game is over');
  if (deed.call !== undefined && !choicesOf(state).some((one) => one.id === deed.call)) {
    return refused('call_closed', 'Z2', 'this choice is closed', phaseOf(state));
  }
  const named =
    deed.action !== undefined
      ? { action: deed.action, args: deed.args ?? {} }
      : deed.option === undefined
        ? undefined
        : bare(state, deed.option);
  const action = named === undefined ? undefined : ACTIONS.get(named.action);
  if (named === undefined || action === undefined) {
    const known = [...ACTIONS.keys()].join(', ');
    return refused('unknown_action', 'Z2', `there is no ${quoted(named?.action ?? deed.option)} to choose`, known);
  }
  return action(state, deed, named.args);
}

/** D3: the GM accepts a tracker's face as its value. */
function judgeCounter(state: DiceboundState, args: JsonObject): Judged {
  const [seat, counter, face] = [field(args, 'seat'), field(args, 'counter'), field(args, 'face')];
  if (typeof seat !== 'string' || typeof counter !== 'string' || typeof face !== 'number') {
    return refused('bad_value', 'dicebound:D3', 'a correction names a seat, a counter and a face');
  }
  return judgeSet(state, { kind: 'set', seat, counter, face }, true);
}

/** Rulings of the table: a counter corrected (D3); somebody sits down, comes back, or leaves for good (G14). */
function judgeRuling(state: DiceboundState, { ruling, args }: Ruling): Judged {
  if (ruling === 'counter') return judgeCounter(state, args);
  const id = field(args, 'id');
  if (ruling === 'seat') {
    const known = typeof id === 'string' ? heroOf(state, id) : undefined;
    if (known !== undefined && known.attendance !== 'gone') return accepted(state, []);
    return joining(state, id, {});
  }
  if (ruling !== 'seat_left') return refused('unknown_ruling', 'dicebound:G14', `there is no ruling ${quoted(ruling)}`);
  const seat = state.seats.find((one) => one === id);
  if (seat === undefined) return refused('unknown_seat', 'dicebound:G14', `${quoted(id)} is no player`);
  if (state.over || heroOf(state, seat)?.attendance === 'gone') return accepted(state, []);
  return accepted(state, [{ kind: 'attendance', ev: 1, rule: 'dicebound:G14', seat, is: 'gone' }]);
}

function judgeElapsed(state: DiceboundState, timer: string): Judged {
  const due = expectsOf(state).find((one) => one.kind === 'timer' && one.id === timer);
  if (due === undefined) return refused('not_awaited', 'Z2', 'no such timer runs');
  const late = lateTracker(state, timer);
  if (late !== undefined) return accepted(state, [late]);
  return accepted(state, [{ kind: 'released', ev: 1, rule: 'dicebound:C4', seat: due.seat ?? 'gm', id: timer }]);
}

/** The rules of Dicebound (rules page dicebound): never an exception, never silence. */
export function judge(state: DiceboundState, deed: Deed): Judged {
  switch (deed.kind) {
    case 'natural':
      return judgeThrow(state, deed);
    case 'choice':
      return judgeChoice(state, deed);
    case 'set':
      return judgeSet(state, deed);
    case 'elapsed':
      return judgeElapsed(state, deed.timer);
    case 'drawn':
      return judgeDrawn(state, deed);
    case 'ruling':
      return judgeRuling(state, deed.ruling);
  }
}
