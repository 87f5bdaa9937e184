import type { Signal } from '../device.js';
import { toHex } from '../hex.js';
import { PIXELS_CHARGES, type RawBattery } from './pixels-identity.js';
import {
  BATTERY_BANDS,
  type BatteryBand,
  type BatteryTold,
  type PixelsState,
  type Step,
  stay,
  stirred,
} from './pixels-state.js';

/** After the charger let go of the die, what it says is still the charger's doing (contracts A). */
export const CHARGER_CALM_MS = 2_000;

/** Percent from which each band begins: the firmware's own words for empty and low, then ours (protocols/pixels §6). */
const BAND_FROM: readonly (readonly [band: BatteryBand, percent: number])[] = [
  ['high', 60],
  ['medium', 10],
  ['low', 1],
];
/** A level must rise so far above a border before the band changes: the die does not smooth its level. */
const BAND_SLACK = 5;

const bandAt = (percent: number): BatteryBand => BAND_FROM.find(([, from]) => percent >= from)?.[0] ?? 'empty';
const rank = (band: BatteryBand): number => BATTERY_BANDS.indexOf(band);

/** The band of a level, 0…100 percent: down at once, up only once the level is clearly in a higher one than `before`. */
export function batteryBand(percent: number, before?: BatteryBand): BatteryBand {
  const now = bandAt(percent);
  if (before === undefined || rank(now) <= rank(before)) return now;
  const sure = bandAt(percent - BAND_SLACK);
  return rank(sure) > rank(before) ? sure : before;
}

/** True if the charger disturbs what the die says: while charging and shortly after. */
export const isDisturbed = ({ battery, calmUntil }: PixelsState, at: number): boolean =>
  battery?.charging === true || (calmUntil !== null && at <= calmUntil);

const outOfRange = (got: number, expected: string, packet: Uint8Array): Signal => ({
  kind: 'garbled',
  why: 'value_range',
  got: String(got),
  expected,
  hex: toHex(packet),
});

/** A level that nobody can have is no level: null if percent and charge are possible. */
export function strangeBattery({ percent, charge }: RawBattery, packet: Uint8Array): Signal | null {
  if (percent > 100) return outOfRange(percent, '0…100', packet);
  return charge < PIXELS_CHARGES.length ? null : outOfRange(charge, `0…${PIXELS_CHARGES.length - 1}`, packet);
}

/**
 * Takes a level. A level told before is not told again unless `always`; 0 % always is, for it is believed only when it
 * comes twice (F112).
 */
export function hearLevel(
  state: PixelsState,
  level: { readonly percent: number; readonly charging: boolean; readonly trouble?: BatteryTold['trouble'] },
  at: number,
  always: boolean,
): Step {
  const { battery: before } = state;
  const { percent, charging } = level;
  const trouble = level.trouble ?? null;
  const battery: BatteryTold = { percent, charging, trouble, band: batteryBand(percent, before?.band) };
  const same = before?.percent === percent && before.charging === charging && before.trouble === trouble;
  const next: PixelsState = { ...state, battery };
  const moved = charging
    ? { ...next, tumble: state.tumble === null ? null : { ...state.tumble, counts: false }, last: stirred(state.last) }
    : before?.charging === true
      ? { ...next, calmUntil: at + CHARGER_CALM_MS }
      : next;
  if (same && !always && percent !== 0) return stay(moved);
  return stay(moved, {
    kind: 'battery',
    percent,
    charging,
    ...(trouble === null ? {} : { trouble }),
  });
}

/** Takes percent and charge number as a message tells them. */
export function hearBattery(
  state: PixelsState,
  raw: RawBattery,
  at: number,
  always: boolean,
  packet: Uint8Array,
): Step {
  const strange = strangeBattery(raw, packet);
  if (strange !== null) return stay(state, strange);
  const charge = PIXELS_CHARGES[raw.charge];
  return hearLevel(
    state,
    {
      percent: raw.percent,
      charging: charge === 'charging' || charge === 'done',
      trouble: charge === 'bad_charging' || charge === 'error' ? charge : null,
    },
    at,
    always,
  );
}
