import { ERAS } from './pixels-eras.js';

/** Red, green, blue, each 0…255. */
export type PixelsRgb = readonly [red: number, green: number, blue: number];

/**
 * A blink. `durationMs` 1…65535 is the time of all `count` blinks together; `faces` are indices, absent for all; `fade`
 * 0…1; `loops` 1…255 is how often the whole runs.
 */
export interface PixelsBlink {
  readonly count: number;
  readonly durationMs: number;
  readonly rgb: PixelsRgb;
  readonly faces?: readonly number[];
  readonly fade?: number;
  readonly loops?: number;
}

/** Find-me blink: three green ones in three seconds, below the three flashes a second that are allowed anywhere. */
export const PIXELS_FIND_ME: PixelsBlink = { count: 3, durationMs: 3_000, rgb: [0, 178, 0] };

// Ids of protocols/pixels §3.1.
const WHO_ARE_YOU = 1;
const REQUEST_ROLL_STATE = 23;
const REQUEST_TELEMETRY = 26;
const BLINK = 29;
const REQUEST_BATTERY_LEVEL = 33;
const REQUEST_RSSI = 35;
const STOP_ALL_ANIMS = 59;
const REQUEST_TEMPERATURE = 60;
const BLINK_ID = 65;

/** Commands that may be sent by themselves: none of them writes flash, and their numbers never changed (§0). */
export const PIXELS_ALLOWED_IDS: ReadonlySet<number> = new Set([
  WHO_ARE_YOU,
  REQUEST_ROLL_STATE,
  REQUEST_TELEMETRY,
  BLINK,
  REQUEST_BATTERY_LEVEL,
  REQUEST_RSSI,
  STOP_ALL_ANIMS,
  REQUEST_TEMPERATURE,
  BLINK_ID,
]);

const ALL_FACES = 0xffff_ffff;
const MAX_INDEX = 31;

/** A whole number from 0 to `most`; anything else is a fault of the program. */
export function whole(value: number, most: number, what: string): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new RangeError(`${what} must be a whole number from 0 to ${most}, not ${value}`);
}

/** Two bytes, the lesser first. */
export const u16 = (value: number, what: string): readonly number[] => {
  const number = whole(value, 0xffff, what);
  return [number & 0xff, number >> 8];
};

/** Four bytes, the least first. */
export const u32 = (value: number): readonly number[] => [
  value & 0xff,
  (value >>> 8) & 0xff,
  (value >>> 16) & 0xff,
  value >>> 24,
];

function maskOf(faces: readonly number[] | undefined): number {
  if (faces === undefined) return ALL_FACES;
  return faces.reduce((mask, index) => (mask | (1 << whole(index, MAX_INDEX, 'a face index'))) >>> 0, 0);
}

/** WhoAreYou: answered with IAmADie. Only after the MTU exchange and with notifications on (§0). */
export const encodeWhoAreYou = (): Uint8Array => Uint8Array.of(WHO_ARE_YOU);

/** RequestRollState: answered with a RollState that is a snapshot (`pixelsAsked`). */
export const encodeRequestRollState = (): Uint8Array => Uint8Array.of(REQUEST_ROLL_STATE);

/** RequestBatteryLevel: answered with BatteryLevel. */
export const encodeRequestBatteryLevel = (): Uint8Array => Uint8Array.of(REQUEST_BATTERY_LEVEL);

/** RequestTemperature: answered with Temperature. */
export const encodeRequestTemperature = (): Uint8Array => Uint8Array.of(REQUEST_TEMPERATURE);

/** StopAllAnims: also the way out of a blink for ever on old firmware. */
export const encodeStopAllAnims = (): Uint8Array => Uint8Array.of(STOP_ALL_ANIMS);

/** How often the die is to report by itself: never, once, or every so many milliseconds (0…65535). */
export type Reporting = 'off' | 'once' | { readonly everyMs: number };

function encodeReporting(id: number, reporting: Reporting): Uint8Array {
  if (reporting === 'off') return Uint8Array.of(id, 0, 0, 0);
  if (reporting === 'once') return Uint8Array.of(id, 1, 0, 0);
  return Uint8Array.from([id, 2, ...u16(reporting.everyMs, 'everyMs')]);
}

/** RequestRssi. */
export const encodeRequestRssi = (reporting: Reporting): Uint8Array => encodeReporting(REQUEST_RSSI, reporting);

/** RequestTelemetry. */
export const encodeRequestTelemetry = (reporting: Reporting): Uint8Array =>
  encodeReporting(REQUEST_TELEMETRY, reporting);

// Before February 2024 the byte was "for ever": any number of loops would never end (§0).
const loopByte = (loops: number, firmware: number | undefined): number =>
  firmware !== undefined && firmware < ERAS.loopCount ? 0 : whole(loops, 255, 'loops');

/** Blink. `firmware` (UNIX seconds) keeps an old die from blinking for ever. */
export function encodeBlink(blink: PixelsBlink, firmware?: number): Uint8Array {
  const [red, green, blue] = blink.rgb.map((part) => whole(part, 255, 'a colour part'));
  const fade = blink.fade ?? 0;
  if (!(fade >= 0 && fade <= 1)) throw new RangeError(`fade must be from 0 to 1, not ${fade}`);
  return Uint8Array.from([
    BLINK,
    whole(blink.count, 255, 'count'),
    ...u16(blink.durationMs, 'durationMs'),
    blue ?? 0,
    green ?? 0,
    red ?? 0,
    0,
    ...u32(maskOf(blink.faces)),
    Math.floor(fade * 255),
    loopByte(blink.loops ?? 1, firmware),
  ]);
}

/** BlinkId: the die shows its number in colours. Brightness 0…255. */
export const encodeBlinkId = (brightness: number, loops = 1, firmware?: number): Uint8Array =>
  Uint8Array.of(BLINK_ID, whole(brightness, 255, 'brightness'), loopByte(loops, firmware));
