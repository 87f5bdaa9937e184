/** Red, green, blue, each 0…255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A blink of both lights. Times in milliseconds, 0…2550, in steps of 10. `count` 1…254, or 255 for endless. */
export interface Pulse {
  readonly count: number;
  readonly onMs: number;
  readonly offMs: number;
  readonly rgb: Rgb;
}

/** Sensitivity that the vendor uses for every shell. */
export const DEFAULT_SENSITIVITY = 30;

/** Find-me blink: three green ones of half a second, below the three flashes a second that are allowed anywhere. */
export const FIND_ME: Pulse = { count: 3, onMs: 500, offMs: 500, rgb: [0, 255, 0] };

// Opcodes of protocols/godice §3. The factory, flash and test opcodes of that page are left out on purpose: never sent.
const BATTERY = 0x03;
const LED_CONSTANT = 0x08;
const LED_PULSE = 0x10;
const LED_STOP = 0x14;
const COLOUR = 0x17;
const INIT = 0x19;
const BOTH_TOGETHER = 1;
const BOTH_LIGHTS = 0;
const TICK_MS = 10;

function byte(value: number, what: string): number {
  if (Number.isInteger(value) && value >= 0 && value <= 255) return value;
  throw new RangeError(`${what} must be a whole number from 0 to 255, not ${value}`);
}

const ticks = (ms: number, what: string): number => byte(ms / TICK_MS, `${what} in steps of ${TICK_MS} ms`);
const colour = (rgb: Rgb): readonly number[] => rgb.map((part) => byte(part, 'a colour part'));

const pulseBlock = ({ count, onMs, offMs, rgb }: Pulse): readonly number[] => [
  byte(count, 'count'),
  ticks(onMs, 'onMs'),
  ticks(offMs, 'offMs'),
  ...colour(rgb),
  BOTH_TOGETHER,
  BOTH_LIGHTS,
];

/**
 * Init, written right after every connection once notifications are on; the die answers `Bat`, `Char` and its last rest,
 * which is a snapshot and never a roll (§3).
 */
export const encodeInit = (pulse: Pulse, sensitivity: number = DEFAULT_SENSITIVITY): Uint8Array =>
  Uint8Array.from([INIT, byte(sensitivity, 'sensitivity'), ...pulseBlock(pulse)]);

/** Asks for `Bat`. */
export const encodeBattery = (): Uint8Array => Uint8Array.of(BATTERY);

/** Asks for `Col`. */
export const encodeColour = (): Uint8Array => Uint8Array.of(COLOUR);

/** Both lights blink together. */
export const encodePulse = (pulse: Pulse): Uint8Array => Uint8Array.from([LED_PULSE, ...pulseBlock(pulse)]);

/** Constant light, each of the two lights by itself, until it is changed. */
export const encodeLights = (first: Rgb, second: Rgb): Uint8Array =>
  Uint8Array.from([LED_CONSTANT, ...colour(first), ...colour(second)]);

/** Ends blinking and constant light. */
export const encodeOff = (): Uint8Array => Uint8Array.of(LED_STOP);
