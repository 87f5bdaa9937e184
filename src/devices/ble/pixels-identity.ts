import type { GarbledWhy } from '../device.js';
import { isBoard } from './pixels-faces.js';

/** Battery as the firmware names it, by its number (protocols/pixels §3.2). */
export const PIXELS_CHARGES = ['ok', 'low', 'charging', 'done', 'bad_charging', 'error'] as const;
export type PixelsCharge = (typeof PIXELS_CHARGES)[number];

/** Colours by their number; 0 is unknown. */
const COLOURWAYS = ['', 'onyxBlack', 'hematiteGrey', 'midnightGalaxy', 'auroraSky', 'clear', 'whiteAurora'] as const;
const CUSTOM_COLOURWAY = 255;

/** State and face index as they stand in a message. */
export interface RawState {
  readonly state: number;
  readonly index: number;
}

/** Percent and charge number as they stand in a message. */
export interface RawBattery {
  readonly percent: number;
  readonly charge: number;
}

/** One IAmADie, of either dialect. What a shorter or older form does not tell is absent. */
export interface IAmADie {
  readonly kind: 'iAmADie';
  /** 8 lower-case hex digits. */
  readonly id: string;
  readonly dieType: number;
  readonly leds?: number;
  readonly colour?: string;
  readonly name?: string;
  /** Build timestamp, UNIX seconds. */
  readonly firmware?: number;
  readonly battery?: RawBattery;
  readonly rest?: RawState;
}

export interface GarbledMessage {
  readonly kind: 'garbled';
  readonly why: GarbledWhy;
  readonly got?: string;
  readonly expected?: string;
}

/** While it is being filled. */
type Draft<T> = { -readonly [K in keyof T]: T[K] };

const LEGACY_BYTES = 22;
const VERSION_BYTES = 15;
/** Die, lights and type must be there for an identity. */
const MIN_DIE_BYTES = 8;
const MIN_STATUS_BYTES = 5;
/** Up to the build timestamp. */
const MIN_VERSION_BYTES = 7;
const NAME_BYTES = 32;
/** The last printable character of ASCII. */
const LAST_PLAIN = 126;

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

/** A 32-bit number, least byte first. */
export const u32At = (bytes: Uint8Array, at: number): number =>
  (byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8) | (byteAt(bytes, at + 2) << 16) | (byteAt(bytes, at + 3) << 24)) >>>
  0;

/** Bytes in words: `1 byte`, `3 bytes`. */
export const plural = (count: number): string => `${count} ${count === 1 ? 'byte' : 'bytes'}`;

/** A message that is too short; `expected` says how long it should be. */
export const tooShort = (bytes: Uint8Array, expected: string): GarbledMessage => ({
  kind: 'garbled',
  why: 'length',
  got: plural(bytes.length),
  expected,
});

const TWO_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** A die's number as 8 lower-case hex digits. */
export const idText = (id: number): string =>
  `${TWO_DIGITS[id >>> 24]}${TWO_DIGITS[(id >>> 16) & 0xff]}${TWO_DIGITS[(id >>> 8) & 0xff]}${TWO_DIGITS[id & 0xff]}`;

/** Text up to the first NUL, at most `most` bytes. */
export function textAt(bytes: Uint8Array, at: number, most: number): string {
  const stop = Math.min(at + most, bytes.length);
  let text = '';
  for (let i = at; i < stop; i += 1) {
    const byte = byteAt(bytes, i);
    if (byte === 0) return text;
    if (byte > LAST_PLAIN) return decodedText(bytes.subarray(at, stop));
    text += String.fromCharCode(byte);
  }
  return text;
}

// The decoder is slow to call: only names beyond ASCII need it.
function decodedText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** The colour's name by its number; undefined for unknown ones. */
export function colourOf(number: number): string | undefined {
  if (number === CUSTOM_COLOURWAY) return 'custom';
  return COLOURWAYS[number] || undefined;
}

const NO_ID: GarbledMessage = { kind: 'garbled', why: 'value_range', got: '0', expected: 'a pixelId' };

function readLegacy(bytes: Uint8Array): IAmADie | GarbledMessage {
  const id = u32At(bytes, 8);
  if (id === 0) return NO_ID;
  const told: Draft<IAmADie> = {
    kind: 'iAmADie',
    id: idText(id),
    dieType: byteAt(bytes, 3),
    leds: byteAt(bytes, 1),
    firmware: u32At(bytes, 14),
    battery: { percent: byteAt(bytes, 20), charge: byteAt(bytes, 21) },
    rest: { state: byteAt(bytes, 18), index: byteAt(bytes, 19) },
  };
  const colour = colourOf(byteAt(bytes, 2));
  if (colour !== undefined) told.colour = colour;
  return told;
}

/** Places of the chunks; 0 where one is absent. */
interface Chunks {
  version: number;
  die: number;
  colourName: number;
  dieName: number;
  status: number;
}

// In the order of the message; the settings are of no interest.
const CHUNKS: readonly (keyof Chunks | null)[] = ['version', 'die', 'colourName', 'dieName', null, 'status'];

/** Finds the chunks, of which each says its own size; or the length at which the message would be whole. */
function chunksOf(bytes: Uint8Array): Chunks | number {
  const chunks: Chunks = { version: 0, die: 0, colourName: 0, dieName: 0, status: 0 };
  for (let at = 1, n = 0; at < bytes.length && n < CHUNKS.length; n += 1) {
    const size = byteAt(bytes, at);
    // A chunk of no size ends the walk: what follows is surplus.
    if (size === 0) break;
    if (at + size > bytes.length) return at + size;
    const chunk = CHUNKS[n] ?? null;
    if (chunk !== null) chunks[chunk] = at;
    at += size;
  }
  return chunks;
}

const sizeAt = (bytes: Uint8Array, at: number): number => (at === 0 ? 0 : byteAt(bytes, at));

function nameAt(bytes: Uint8Array, at: number): string {
  return at === 0 ? '' : textAt(bytes, at + 1, Math.min(byteAt(bytes, at), NAME_BYTES) - 1);
}

function readChunked(bytes: Uint8Array): IAmADie | GarbledMessage {
  const chunks = chunksOf(bytes);
  if (typeof chunks === 'number') return tooShort(bytes, `at least ${plural(chunks)}`);
  const { version, die, status } = chunks;
  const dieSize = sizeAt(bytes, die);
  if (dieSize < MIN_DIE_BYTES) return tooShort(bytes, `at least ${plural(1 + VERSION_BYTES + MIN_DIE_BYTES)}`);
  const id = u32At(bytes, die + 1);
  if (id === 0) return NO_ID;
  const told: Draft<IAmADie> = {
    kind: 'iAmADie',
    id: idText(id),
    dieType: byteAt(bytes, die + 6),
    leds: byteAt(bytes, die + 7),
  };
  const colourway = dieSize > MIN_DIE_BYTES ? byteAt(bytes, die + 8) : 0;
  const own = colourway === CUSTOM_COLOURWAY ? nameAt(bytes, chunks.colourName) : '';
  const colour = own === '' ? colourOf(colourway) : own;
  if (colour !== undefined) told.colour = colour;
  const name = nameAt(bytes, chunks.dieName);
  if (name !== '') told.name = name;
  if (sizeAt(bytes, version) >= MIN_VERSION_BYTES) told.firmware = u32At(bytes, version + 3);
  if (sizeAt(bytes, status) >= MIN_STATUS_BYTES) {
    told.battery = { percent: byteAt(bytes, status + 1), charge: byteAt(bytes, status + 2) };
    told.rest = { state: byteAt(bytes, status + 3), index: byteAt(bytes, status + 4) };
  }
  return told;
}

/**
 * Reads an IAmADie (§3.2). 22 bytes are the legacy form; a cut one of either form, as it comes without an MTU exchange, is
 * `garbled length`. Surplus bytes and chunks are ignored, chunks missing at the end tolerated.
 */
export function readIAmADie(bytes: Uint8Array): IAmADie | GarbledMessage {
  const first = byteAt(bytes, 1);
  if (bytes.length === LEGACY_BYTES && first !== VERSION_BYTES) return readLegacy(bytes);
  if (!isBoard(first)) return readChunked(bytes);
  if (bytes.length < LEGACY_BYTES) return tooShort(bytes, plural(LEGACY_BYTES));
  // A first chunk of 19, 20 or 21 bytes would look like a board: only its own chunks can tell.
  const chunked = first > VERSION_BYTES ? readChunked(bytes) : undefined;
  return chunked?.kind === 'iAmADie' ? chunked : readLegacy(bytes);
}
