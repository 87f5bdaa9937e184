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

const LEGACY_BYTES = 22;
const VERSION_BYTES = 15;
/** Die, lights and type must be there for an identity. */
const MIN_DIE_BYTES = 8;
const MIN_STATUS_BYTES = 5;
const NAME_BYTES = 32;

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

/** A die's number as 8 lower-case hex digits. */
export const idText = (id: number): string => id.toString(16).padStart(8, '0');

/** Text up to the first NUL, at most `most` bytes. */
export function textAt(bytes: Uint8Array, at: number, most: number): string {
  let text = '';
  for (let i = at; i < at + most; i += 1) {
    const byte = byteAt(bytes, i);
    if (byte === 0) return text;
    if (byte > 126) {
      const end = bytes.indexOf(0, i);
      const stop = Math.min(at + most, end < 0 ? bytes.length : end);
      return new TextDecoder().decode(bytes.subarray(at, stop));
    }
    text += String.fromCharCode(byte);
  }
  return text;
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
  const colour = colourOf(byteAt(bytes, 2));
  return {
    kind: 'iAmADie',
    id: idText(id),
    dieType: byteAt(bytes, 3),
    leds: byteAt(bytes, 1),
    ...(colour === undefined ? {} : { colour }),
    firmware: u32At(bytes, 14),
    battery: { percent: byteAt(bytes, 20), charge: byteAt(bytes, 21) },
    rest: { state: byteAt(bytes, 18), index: byteAt(bytes, 19) },
  };
}

interface Chunk {
  readonly at: number;
  readonly size: number;
}

/** Offsets of the chunks, of which each says its own size; or the length at which the message would be whole. */
function chunksOf(bytes: Uint8Array): readonly Chunk[] | number {
  const chunks: Chunk[] = [];
  for (let at = 1; at < bytes.length && chunks.length < 6; ) {
    const size = byteAt(bytes, at);
    // A chunk of no size ends the walk: what follows is surplus.
    if (size === 0) break;
    if (at + size > bytes.length) return at + size;
    chunks.push({ at, size });
    at += size;
  }
  return chunks;
}

function readChunked(bytes: Uint8Array): IAmADie | GarbledMessage {
  const chunks = chunksOf(bytes);
  if (typeof chunks === 'number') return tooShort(bytes, `at least ${plural(chunks)}`);
  const [version, die, colourName, dieName, , status] = chunks;
  if (version === undefined || die === undefined || die.size < MIN_DIE_BYTES) {
    return tooShort(bytes, `at least ${plural(1 + VERSION_BYTES + MIN_DIE_BYTES)}`);
  }
  const id = u32At(bytes, die.at + 1);
  if (id === 0) return NO_ID;
  const colourway = die.size > MIN_DIE_BYTES ? byteAt(bytes, die.at + 8) : 0;
  const own =
    colourName === undefined ? '' : textAt(bytes, colourName.at + 1, Math.min(colourName.size, NAME_BYTES) - 1);
  const colour = colourway === CUSTOM_COLOURWAY && own !== '' ? own : colourOf(colourway);
  const name = dieName === undefined ? '' : textAt(bytes, dieName.at + 1, Math.min(dieName.size, NAME_BYTES) - 1);
  return {
    kind: 'iAmADie',
    id: idText(id),
    dieType: byteAt(bytes, die.at + 6),
    leds: byteAt(bytes, die.at + 7),
    ...(colour === undefined ? {} : { colour }),
    ...(name === '' ? {} : { name }),
    ...(version.size < 7 ? {} : { firmware: u32At(bytes, version.at + 3) }),
    ...(status === undefined || status.size < MIN_STATUS_BYTES ? {} : statusAt(bytes, status.at)),
  };
}

const statusAt = (bytes: Uint8Array, at: number): { battery: RawBattery; rest: RawState } => ({
  battery: { percent: byteAt(bytes, at + 1), charge: byteAt(bytes, at + 2) },
  rest: { state: byteAt(bytes, at + 3), index: byteAt(bytes, at + 4) },
});

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
