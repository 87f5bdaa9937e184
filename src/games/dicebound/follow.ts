import { field } from '../awaited.js';
import { heroOf, isOut, living, monsterOf, present, standing } from './combatants.js';
import type { DiceboundEvent } from './events.js';
import { nextAttack } from './follow-attack.js';
import { nextInitiative, nextTurn } from './follow-order.js';
import { nextTrap } from './follow-trap.js';
import type { DiceboundState } from './state.js';
import { heroAsk, isFull, naturalIn, perksOf, totalIn } from './statistics.js';
import { MAX_LEVEL, thresholdHead } from './thresholds.js';

type Next = DiceboundEvent | undefined;

/** Who reached 0 PV since the last look (C8, C10, G3). */
function nextFallen(state: DiceboundState): Next {
  const seat = state.seats.find((one) => {
    const hero = heroOf(state, one);
    return hero !== undefined && hero.pv === 0 && !hero.ko;
  });
  if (seat !== undefined) {
    return state.mode === 'arena'
      ? { kind: 'eliminated', ev: 1, rule: 'dicebound:C10', who: seat }
      : { kind: 'ko', ev: 1, rule: 'dicebound:C8', who: seat };
  }
  const monster = living(state).find((id) => monsterOf(state, id)?.pv === 0);
  return monster === undefined ? undefined : { kind: 'fallen', ev: 1, rule: 'dicebound:G3', who: monster };
}

/** C9: nobody present stands any more. */
function nextDefeat(state: DiceboundState): Next {
  const { mode, room } = state;
  if (mode !== 'story' || room === null || room.stage !== 'open') return undefined;
  const lost = present(state).length > 0 && standing(state).length === 0;
  return lost ? { kind: 'party_killed', ev: 1, rule: 'dicebound:C9' } : undefined;
}

/** C13: the last monster fell; C10: one team is left. */
function nextVictory(state: DiceboundState): Next {
  const { mode, fight, room } = state;
  if (fight === null) return undefined;
  if (mode === 'story') {
    const won = room?.stage === 'open' && living(state).length === 0;
    return won ? { kind: 'room_won', ev: 1, rule: 'dicebound:C13' } : undefined;
  }
  const teams = [...new Set(standing(state).map((seat) => field(state.teams, seat) ?? seat))];
  return teams.length > 1 ? undefined : { kind: 'ended', ev: 1, rule: 'dicebound:C10', winner: teams[0] ?? null };
}

/** C13: the K.O. wake, then experience, then the level, then the room is over. */
function nextClosing(state: DiceboundState): Next {
  const { room, level, xp, campaign } = state;
  if (room === null || room.stage === 'open') return undefined;
  const closed: DiceboundEvent = { kind: 'room_closed', ev: 1, rule: 'dicebound:G10' };
  if (room.stage === 'left') return closed;
  const sleeper = present(state).find((seat) => heroOf(state, seat)?.ko === true);
  if (sleeper !== undefined) return { kind: 'woke', ev: 1, rule: 'dicebound:C8', seat: sleeper };
  if (!room.paid) {
    const head = room.bought.length === 0 || room.heads === 0 ? 0 : room.budget / room.heads;
    return { kind: 'xp', ev: 1, rule: 'dicebound:G5', head, total: head * room.heads };
  }
  const threshold = thresholdHead(level + 1, campaign);
  if (level < MAX_LEVEL && threshold !== undefined && xp >= threshold) {
    return { kind: 'level_up', ev: 1, rule: 'dicebound:G7', level: level + 1, chests: present(state) };
  }
  return closed;
}

/** E1, E2: a check whose dice all lie, or that is decided. */
function nextCheck(state: DiceboundState): Next {
  const { check, room } = state;
  if (check === null) return undefined;
  const hero = heroOf(state, check.seat);
  if (hero === undefined || isOut(state, check.seat)) {
    return { kind: 'check_ended', ev: 1, rule: 'Z5', seat: check.seat, passed: false };
  }
  const passed = check.stage === 'passed';
  const spent = check.stage === 'effort' && hero.pa < 1;
  if (passed || spent || check.stage === 'failed') {
    const trap = field(room?.traps, check.trap ?? '');
    if (passed && check.trap !== null && trap?.done === false) {
      return { kind: 'trap_done', ev: 1, rule: 'dicebound:G11', id: check.trap, disarmed: true };
    }
    const rule = check.tries > 1 ? 'dicebound:E2' : 'dicebound:E1';
    return { kind: 'check_ended', ev: 1, rule, seat: check.seat, passed };
  }
  const ask = heroAsk(state, hero, check.stat, 'check');
  if (check.stage !== 'roll' || !isFull(ask, check.landed)) return undefined;
  const result = totalIn(ask, check.landed);
  const mastered = perksOf(state, hero).length > 0 ? ('dicebound:E5' as const) : undefined;
  return {
    kind: 'check_rolled',
    ev: 1,
    rule: mastered ?? (check.tries > 1 ? 'dicebound:E2' : 'dicebound:E1'),
    seat: check.seat,
    natural: naturalIn(ask, check.landed),
    result,
    sum: check.sum + result,
  };
}

/** What follows by itself from a state, one event at a time; undefined when it waits for somebody. */
export function nextEvent(state: DiceboundState, last: DiceboundEvent | undefined): Next {
  if (state.over) return undefined;
  if (last?.kind === 'party_killed') return { kind: 'restored', ev: 1, rule: 'dicebound:G9' };
  return (
    nextFallen(state) ??
    nextDefeat(state) ??
    nextVictory(state) ??
    nextClosing(state) ??
    nextCheck(state) ??
    nextTrap(state) ??
    nextInitiative(state) ??
    nextAttack(state) ??
    nextTurn(state)
  );
}
