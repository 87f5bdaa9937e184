import { MAX_NOTIFICATION_BYTES } from '../hex.js';
import {
  type GarbledMessage,
  type IAmADie,
  plural,
  type RawBattery,
  type RawState,
  readIAmADie,
  textAt,
  tooShort,
} from './pixels-identity.js';

/** One notification of a Pixels die, understood (protocols/pixels §3). Numbers are as the die sent them. */
export type PixelsMessage =
  | IAmADie
  | ({ readonly kind: 'rollState' } & RawState)
  | ({ readonly kind: 'battery' } & RawBattery)
  | { readonly kind: 'rssi'; readonly dbm: number }
  | { readonly kind: 'reply'; readonly to: string }
  | { readonly kind: 'ignored'; readonly why: 'telemetry' | 'unknown' | 'host' | 'log'; readonly text?: string }
  /** A host's own RequestRollState, as a recording of both directions holds it: the next state is its answer. */
  | { readonly kind: 'asked' }
  | GarbledMessage;

const IAMADIE = 2;
const ROLL_STATE = 3;
const TELEMETRY = 4;
const DEBUG_LOG = 18;
const REMOTE_ACTION = 22;
const REQUEST_ROLL_STATE = 23;
const BATTERY_LEVEL = 34;
const RSSI = 36;
const NOTIFY_USER = 39;
const TRANSFER_ACK = 56;
const TEMPERATURE = 61;

const TELEMETRY_BYTES = 31;
const NOTIFY_BYTES = 100;
const NOTIFY_TEXT_AT = 4;
const MAX_LOG_BYTES = 200;
/** 0 download, 1 up to date, 2 no memory. */
const LAST_TRANSFER_ANSWER = 2;

interface Answer {
  readonly to: string;
  readonly bytes: number;
}

// The die's answers to commands, by their id; the sheet's own names of the commands.
const ANSWERS: ReadonlyMap<number, Answer> = new Map([
  [6, { to: 'BulkSetup', bytes: 1 }],
  [8, { to: 'BulkData', bytes: 3 }],
  [30, { to: 'Blink', bytes: 1 }],
  [46, { to: 'ProgramDefaultParameters', bytes: 1 }],
  [52, { to: 'SetName', bytes: 1 }],
  [TRANSFER_ACK, { to: 'TransferInstantAnimSet', bytes: 2 }],
  [57, { to: 'TransferInstantAnimSet', bytes: 1 }],
  [66, { to: 'BlinkId', bytes: 1 }],
  [71, { to: 'ClearSettings', bytes: 1 }],
  [73, { to: 'SetUserMode', bytes: 1 }],
]);

/** Commands of a host: no die sends them. */
const HOST_IDS = new Set([1, 5, 7, 19, 26, 29, 33, 35, 37, 40, 51, 53, 55, 58, 59, 60, 65, 70, 72]);

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;
const signed = (byte: number): number => (byte << 24) >> 24;

function readOther(bytes: Uint8Array, id: number): PixelsMessage {
  const answer = ANSWERS.get(id);
  if (answer !== undefined) {
    if (bytes.length < answer.bytes) return tooShort(bytes, plural(answer.bytes));
    if (id === TRANSFER_ACK && byteAt(bytes, 1) > LAST_TRANSFER_ANSWER) {
      return { kind: 'garbled', why: 'value_range', got: String(byteAt(bytes, 1)), expected: '0…2' };
    }
    return { kind: 'reply', to: answer.to };
  }
  switch (id) {
    case TELEMETRY:
      return bytes.length < TELEMETRY_BYTES
        ? tooShort(bytes, plural(TELEMETRY_BYTES))
        : { kind: 'ignored', why: 'telemetry' };
    case TEMPERATURE:
      return bytes.length < 5 ? tooShort(bytes, plural(5)) : { kind: 'ignored', why: 'telemetry' };
    case DEBUG_LOG:
      return { kind: 'ignored', why: 'log', text: textAt(bytes, 1, MAX_LOG_BYTES) };
    case NOTIFY_USER:
      if (bytes.length < NOTIFY_BYTES) return tooShort(bytes, plural(NOTIFY_BYTES));
      return { kind: 'ignored', why: 'log', text: textAt(bytes, NOTIFY_TEXT_AT, NOTIFY_BYTES - NOTIFY_TEXT_AT) };
    case REMOTE_ACTION:
      return bytes.length < 3 ? tooShort(bytes, plural(3)) : { kind: 'ignored', why: 'log' };
    case REQUEST_ROLL_STATE:
      return { kind: 'asked' };
    default:
      return { kind: 'ignored', why: HOST_IDS.has(id) ? 'host' : 'unknown' };
  }
}

/**
 * Reads one notification. Surplus bytes behind a known message are tolerated, a cut one is `garbled length`, an id the
 * sheet does not know is ignored (V26). Never throws, whatever the bytes are.
 */
export function readPixels(bytes: Uint8Array): PixelsMessage {
  const { length } = bytes;
  if (length === 0) return tooShort(bytes, 'at least 1 byte');
  if (length > MAX_NOTIFICATION_BYTES) {
    const expected = `at most ${plural(MAX_NOTIFICATION_BYTES)}`;
    return { kind: 'garbled', why: 'too_long', got: plural(length), expected };
  }
  const id = byteAt(bytes, 0);
  switch (id) {
    case ROLL_STATE:
      if (length < 3) return tooShort(bytes, plural(3));
      return { kind: 'rollState', state: byteAt(bytes, 1), index: byteAt(bytes, 2) };
    case IAMADIE:
      return readIAmADie(bytes);
    case BATTERY_LEVEL:
      if (length < 3) return tooShort(bytes, plural(3));
      return { kind: 'battery', percent: byteAt(bytes, 1), charge: byteAt(bytes, 2) };
    case RSSI:
      return length < 2 ? tooShort(bytes, plural(2)) : { kind: 'rssi', dbm: signed(byteAt(bytes, 1)) };
    default:
      return readOther(bytes, id);
  }
}

const FLOAT_BATTERY_BYTES = 10;

/** BatteryLevel of builds before December 2022: level and voltage as floats, then charging. Null if it is not one. */
export function readFloatBattery(bytes: Uint8Array): { readonly percent: number; readonly charging: boolean } | null {
  if (bytes.length < FLOAT_BATTERY_BYTES) return null;
  const level = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat32(1, true);
  if (!(level >= 0 && level <= 1)) return null;
  return { percent: Math.round(level * 100), charging: byteAt(bytes, 9) !== 0 };
}
