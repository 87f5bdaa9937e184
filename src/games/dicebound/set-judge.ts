import { field } from '../awaited.js';
import type { Deed } from '../game.js';
import { isWhole, loose, refused } from '../refusal.js';
import { affordable } from './asks.js';
import { heroOf, paOf } from './combatants.js';
import { attackCost, dodgeCost, tileCost } from './costs.js';
import type { DiceboundEvent } from './events.js';
import { phaseOf } from './phase.js';
import { accepted, type Judged } from './play.js';
import { COUNTERS, type DiceboundState, type Hero, MAX_PA, MAX_PV, type TrackerName } from './state.js';
import { faceLevel } from './thresholds.js';
import { faceWanted, lateId } from './trackers.js';

type SetDeed = Extract<Deed, { kind: 'set' }>;

/** Costs a seat could pay now: its d6 may be set down before (D3). */
function payable(state: DiceboundState, seat: string, hero: Hero): readonly number[] {
  const phase = phaseOf(state);
  const { fight, check, trap } = state;
  const tiles = Object.values(hero.slots).flatMap((id) => (id === null ? [] : [tileCost(state, seat, id)]));
  if (phase === 'turn' && fight?.turn === seat) {
    const attacks = affordable(state, seat).map((weapon) => attackCost(state, seat, weapon, fight.boost));
    return [...attacks.flatMap((cost) => (cost.ok ? [cost.pa] : [])), ...tiles];
  }
  if (check?.seat === seat && check.stage === 'effort') return [1];
  if (fight?.attack?.target === seat) return [dodgeCost(state, seat)];
  const price = field(state.data.traps, field(state.room?.traps, trap?.id ?? '')?.kind ?? '')?.pa;
  if (trap?.hit.includes(seat) === true && price !== undefined) return [price];
  return fight === null ? tiles : [];
}

/** True if this counter's die has such a face. */
function hasFace(counter: TrackerName, face: number): boolean {
  if (counter === 'level') return isWhole(face, 0, 90) && face % 10 === 0;
  return isWhole(face, 1, counter === 'pv' ? MAX_PV : MAX_PA);
}

/**
 * D3: a tracker that lies still. The face expected confirms; any other is a mismatch, a payment ahead, or a correction.
 * @param gm the GM takes the face as it lies for the value
 */
export function judgeSet(state: DiceboundState, deed: SetDeed, gm: boolean = false): Judged {
  const { seat, face } = deed;
  const rule = 'dicebound:D3';
  const counter = COUNTERS.find((one) => one === deed.counter);
  const hero = heroOf(state, seat);
  if (counter === undefined || hero === undefined) return loose('not_awaited', 'Z2', 'no such counter is kept');
  if (state.over) return loose('game_over', 'dicebound:G14', 'the game is over');
  if (hero.attendance !== 'present') return loose('seat_absent', 'dicebound:G14', `${seat} is not there tonight`);
  const wanted = faceWanted(state.level, hero, counter);
  const shown = (ahead: boolean): DiceboundEvent => ({ kind: 'tracker_set', ev: 1, rule, seat, counter, face, ahead });
  const tracker = hero.trackers[counter];
  if (wanted === face) return accepted(state, tracker.shown === face && !tracker.ahead ? [] : [shown(false)]);
  if (wanted === null && !gm) return loose('not_checked', 'dicebound:D2', `a ${counter} of 0 has no face`);
  if (!hasFace(counter, face)) return refused('no_such_face', 'dicebound:D2', `${counter} cannot show ${face}`);
  const settled = tracker.shown !== null;
  if (gm || (settled && state.rules.trackerAuthority === 'dice')) {
    const value = counter === 'level' ? faceLevel(face) : face;
    return accepted(state, [{ kind: 'adjusted', ev: 1, rule, who: seat, counter, value }, shown(false)]);
  }
  const ahead =
    counter === 'pa' && payable(state, seat, hero).some((cost) => cost > 0 && paOf(state, seat) - cost === face);
  if (ahead) return { verdict: 'open', events: [shown(true)] };
  return refused('mismatch', rule, `the ${counter} of ${seat} shows ${face}`, `${counter} ${wanted}`);
}

/** D3: 20 s have passed, and everybody hears of a tracker that does not follow. */
export function lateTracker(state: DiceboundState, timer: string): DiceboundEvent | undefined {
  for (const seat of state.seats) {
    const hero = heroOf(state, seat);
    const counter = COUNTERS.find((one) => lateId(seat, one, hero?.trackers[one].dues ?? -1) === timer);
    const face = hero === undefined || counter === undefined ? null : faceWanted(state.level, hero, counter);
    if (counter !== undefined && face !== null) {
      return { kind: 'tracker_late', ev: 1, rule: 'dicebound:D3', seat, counter, face };
    }
  }
  return undefined;
}
