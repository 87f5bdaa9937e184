import type { GarbledWhy } from '../device.js';
import { MAX_NOTIFICATION_BYTES } from '../hex.js';
import type { Vector } from './godice-faces.js';

/** How the firmware judged a rest: S, TS, FS, MS (protocols/godice §2). */
export type RestWord = 'stable' | 'tilt' | 'fake' | 'move';

/** Dot colours by the number of `Col`; the letters stand in the local name (§1). */
export const GODICE_COLOURS = ['black', 'red', 'green', 'blue', 'yellow', 'orange'] as const;
const COLOUR_LETTERS = 'KRGBYO';

/** One notification of the event characteristic, understood (protocols/godice §2). */
export type GodiceFrame =
  | { readonly kind: 'rolling' }
  | { readonly kind: 'rest'; readonly word: RestWord; readonly xyz: Vector }
  | { readonly kind: 'battery'; readonly percent: number }
  | { readonly kind: 'charging'; readonly on: boolean }
  | { readonly kind: 'colour'; readonly colour: string }
  | { readonly kind: 'version'; readonly number: number }
  | { readonly kind: 'tap' | 'calibration' }
  | { readonly kind: 'garbled'; readonly why: GarbledWhy; readonly got?: string; readonly expected?: string };

interface Shape {
  readonly word: readonly number[];
  readonly length: number;
  read(bytes: Uint8Array): GodiceFrame;
}

const ascii = (text: string): readonly number[] => [...text].map((letter) => letter.charCodeAt(0));
const last = (bytes: Uint8Array): number => bytes[bytes.length - 1] ?? 0;
const signed = (byte: number | undefined): number => ((byte ?? 0) << 24) >> 24;

const rest =
  (word: RestWord, from: number) =>
  (bytes: Uint8Array): GodiceFrame => ({
    kind: 'rest',
    word,
    xyz: [signed(bytes[from]), signed(bytes[from + 1]), signed(bytes[from + 2])],
  });

const outOfRange = (got: number, expected: string): GodiceFrame => ({
  kind: 'garbled',
  why: 'value_range',
  got: String(got),
  expected,
});

function readBattery(bytes: Uint8Array): GodiceFrame {
  const percent = last(bytes);
  return percent <= 100 ? { kind: 'battery', percent } : outOfRange(percent, '0…100');
}

function readCharging(bytes: Uint8Array): GodiceFrame {
  const flag = last(bytes);
  return flag <= 1 ? { kind: 'charging', on: flag === 1 } : outOfRange(flag, '0…1');
}

function readColour(bytes: Uint8Array): GodiceFrame {
  const colour = GODICE_COLOURS[last(bytes)];
  return colour === undefined ? outOfRange(last(bytes), '0…5') : { kind: 'colour', colour };
}

// Longer words before the shorter ones they begin with, so that a cut frame is compared with its own kind.
const SHAPES: readonly Shape[] = [
  { word: ascii('Char'), length: 5, read: readCharging },
  { word: ascii('DTap'), length: 4, read: () => ({ kind: 'tap' }) },
  { word: ascii('Bat'), length: 4, read: readBattery },
  { word: ascii('Col'), length: 4, read: readColour },
  { word: ascii('Cal'), length: 4, read: () => ({ kind: 'calibration' }) },
  { word: ascii('Ver'), length: 4, read: (bytes) => ({ kind: 'version', number: last(bytes) }) },
  { word: ascii('Tap'), length: 3, read: () => ({ kind: 'tap' }) },
  { word: ascii('TS'), length: 5, read: rest('tilt', 2) },
  { word: ascii('FS'), length: 5, read: rest('fake', 2) },
  { word: ascii('MS'), length: 5, read: rest('move', 2) },
  { word: ascii('S'), length: 4, read: rest('stable', 1) },
  { word: ascii('R'), length: 1, read: () => ({ kind: 'rolling' }) },
];

const plural = (count: number): string => `${count} ${count === 1 ? 'byte' : 'bytes'}`;

/**
 * Reads one notification. Strict in length, unlike the public clients: a cut or prolonged frame is `unknown` (§2, rows 46
 * and 47). Never throws, whatever the bytes are.
 */
export function readFrame(bytes: Uint8Array): GodiceFrame {
  if (bytes.length > MAX_NOTIFICATION_BYTES) {
    const expected = `at most ${plural(MAX_NOTIFICATION_BYTES)}`;
    return { kind: 'garbled', why: 'too_long', got: plural(bytes.length), expected };
  }
  const alike = SHAPES.find((shape) => shape.word.every((byte, i) => bytes[i] === byte));
  if (alike === undefined) return { kind: 'garbled', why: 'unknown' };
  if (bytes.length === alike.length) return alike.read(bytes);
  return { kind: 'garbled', why: 'unknown', got: plural(bytes.length), expected: plural(alike.length) };
}

/** What an advertised name tells without a connection (§1). */
export interface GodiceName {
  readonly id?: string;
  readonly colour?: string;
  readonly firmware?: string;
}

/** No local name of Bluetooth is longer. */
export const MAX_NAME_CHARS = 248;

/** Reads `GoDice_<ID>_<C>_v<NN>`; parts may be absent or strange (prototypes). Null for the name of another device. */
export function readName(text: string): GodiceName | null {
  const [maker, ...parts] = text.split('_');
  if (maker !== 'GoDice') return null;
  const id = parts.find((part) => /^[0-9a-f]{6}$/i.test(part))?.toUpperCase();
  const letter = parts.find((part) => part.length === 1 && COLOUR_LETTERS.includes(part));
  const colour = letter === undefined ? undefined : GODICE_COLOURS[COLOUR_LETTERS.indexOf(letter)];
  const firmware = parts.find((part) => /^v\d{1,4}$/.test(part));
  return {
    ...(id === undefined ? {} : { id }),
    ...(colour === undefined ? {} : { colour }),
    ...(firmware === undefined ? {} : { firmware }),
  };
}

/** The firmware number of `Ver` as the advertised name writes it: 3 is `v03`. */
export const firmwareTag = (number: number): string => `v${String(number).padStart(2, '0')}`;
