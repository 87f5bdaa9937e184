import { field } from '../awaited.js';
import type { Expectation, Seat } from '../game.js';
import { heroOf } from './combatants.js';
import { COUNTERS, type DiceboundState, type Hero, type Tracker, type TrackerName } from './state.js';
import { levelFace } from './thresholds.js';

/** D3: after so long everybody hears of a tracker that does not follow, once. Milliseconds. */
export const MISMATCH_MS = 20_000;

/** The face a tracker should show; null where the value is 0 and has no face (D2). */
export function faceWanted(level: number, hero: Hero, counter: TrackerName): number | null {
  if (counter === 'level') return levelFace(level);
  const value = counter === 'pv' ? hero.pv : hero.pa;
  return value === 0 ? null : value;
}

/** True if the board should be turned: its tracker shows another face than the one expected (D3). */
export function isDue(level: number, hero: Hero, counter: TrackerName): boolean {
  const { shown, ahead } = hero.trackers[counter];
  const wanted = faceWanted(level, hero, counter);
  return wanted !== null && shown !== wanted && !ahead;
}

function followed(level: number, was: { level: number; hero: Hero }, hero: Hero, counter: TrackerName): Tracker {
  const tracker = hero.trackers[counter];
  const wanted = faceWanted(level, hero, counter);
  if (wanted === faceWanted(was.level, was.hero, counter)) return tracker;
  return { ...tracker, ahead: false, told: false, dues: tracker.dues + 1 };
}

/** Lets the trackers of every board follow what an event changed: only the latest face is expected (D4). */
export function retracked(was: DiceboundState, now: DiceboundState): DiceboundState {
  if (was.heroes === now.heroes && was.level === now.level) return now;
  const heroes: { [seat: Seat]: Hero } = {};
  let changed = false;
  for (const [seat, hero] of Object.entries(now.heroes)) {
    const before = field(was.heroes, seat);
    if (before === undefined || (before === hero && was.level === now.level)) {
      heroes[seat] = hero;
      continue;
    }
    const old = { level: was.level, hero: before };
    const trackers = {
      pv: followed(now.level, old, hero, 'pv'),
      pa: followed(now.level, old, hero, 'pa'),
      level: followed(now.level, old, hero, 'level'),
    };
    const same = COUNTERS.every((counter) => trackers[counter] === hero.trackers[counter]);
    heroes[seat] = same ? hero : { ...hero, trackers };
    changed ||= !same;
  }
  return changed ? { ...now, heroes } : now;
}

/** The faces that boards should be turned to, each with its timer until everybody hears of it (D3). */
export function trackerExpects(state: DiceboundState): readonly Expectation[] {
  const sets: Expectation[] = [];
  const timers: Expectation[] = [];
  for (const seat of state.seats) {
    const hero = heroOf(state, seat);
    if (hero === undefined || hero.attendance !== 'present') continue;
    for (const counter of COUNTERS) {
      const face = faceWanted(state.level, hero, counter);
      if (face === null || !isDue(state.level, hero, counter)) continue;
      const { told, dues } = hero.trackers[counter];
      const common = { seat, rule: 'dicebound:D3', optional: true, ...(told ? {} : { to: [seat] }) };
      sets.push({ ...common, kind: 'set', id: `set.${seat}.${counter}.${dues}`, purpose: 'set', counter, face });
      if (!told) {
        const id = lateId(seat, counter, dues);
        timers.push({ ...common, kind: 'timer', id, purpose: 'late', for: counter, ms: MISMATCH_MS });
      }
    }
  }
  return [...sets, ...timers];
}

/** Id of the timer after which everybody hears of a wrong tracker. */
export const lateId = (seat: Seat, counter: TrackerName, dues: number): string => `late.${seat}.${counter}.${dues}`;

/** Trackers of a seat that are wrong and of which only the seat itself has heard. */
export function untold(state: DiceboundState, seat: Seat): readonly TrackerName[] {
  const hero = heroOf(state, seat);
  if (hero === undefined || hero.attendance !== 'present') return [];
  return COUNTERS.filter((counter) => isDue(state.level, hero, counter) && !hero.trackers[counter].told);
}
