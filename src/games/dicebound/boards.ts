import type { Seating } from './events.js';
import { type DiceboundState, type Hero, MAX_PA, MAX_PV, type Snapshot, type Tracker } from './state.js';
import { levelFace } from './thresholds.js';

const showing = (face: number): Tracker => ({ shown: face, ahead: false, told: false, dues: 0 });

/** A board as it is when its owner sits down (D2): PV 20, PA 6, the d% on the party's level. */
export function boardOf(seating: Seating, level: number): Hero {
  return {
    class: seating.class,
    dice: seating.dice,
    pv: MAX_PV,
    pa: MAX_PA,
    ko: false,
    attendance: seating.attendance,
    slots: seating.slots,
    hand: [],
    chests: 0,
    used: {},
    trackers: { pv: showing(MAX_PV), pa: showing(MAX_PA), level: showing(levelFace(level)) },
  };
}

/** What a restore brings back (G9). */
export function snapshotOf({ level, xp, heroes }: Pick<DiceboundState, 'level' | 'xp' | 'heroes'>): Snapshot {
  const kept = Object.entries(heroes).map(([seat, { pv, pa, ko, slots, hand, chests, used }]) => [
    seat,
    { pv, pa, ko, slots, hand, chests, used },
  ]);
  return { level, xp, heroes: Object.fromEntries(kept) };
}
