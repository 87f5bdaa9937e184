import { sidesOf } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import type { How, Signal } from '../device.js';
import type { Frame, FrameOf } from './layouts.js';
import { type Ledgers, ledgerOf, placeOf, wasHeard, withHeard, withLedger } from './ledger.js';
import { decodeFrame, type UnknownFrame } from './ttp1.js';

/** A line of any kind is never longer; what is longer is dropped up to the next newline (F006). */
export const MAX_LINE_BYTES = 256;

/** What has to be remembered from line to line to understand the next one. */
export interface TrayEar {
  /** The tray said `crc=8`: two-digit checks are taken. */
  readonly crc8: boolean;
  readonly boots: Ledgers;
}

export const FRESH_EAR: TrayEar = { crc8: false, boots: [] };

/** An event of the tray has an identity: (tray, boot, seq). */
export interface EventId {
  readonly boot: number;
  readonly seq: number;
}

export interface HeardLine {
  readonly ear: TrayEar;
  readonly signal: Signal;
  /** The frame behind the signal, if there is one. */
  readonly frame?: Frame | UnknownFrame;
  /** Present if the frame is a reportable event heard for the first time. */
  readonly event?: EventId;
}

/**
 * Understands one line of a tray without its LF: the frame, and the signal of contracts A it stands for. A line that does
 * not start with `$` is text for people. The same (boot, seq) again is `ignored repeat`, whatever it says.
 */
export function hearLine(ear: TrayEar, line: string): HeardLine {
  const text = readable(line);
  if (line.length >= MAX_LINE_BYTES) return { ear, signal: { kind: 'garbled', why: 'too_long', text } };
  if (!line.startsWith('$')) return { ear, signal: { kind: 'ignored', why: 'log', text } };
  const read = decodeFrame(line, ear.crc8);
  if (!read.ok) return { ear, signal: { kind: 'garbled', ...read.error, text } };
  const frame = read.value;
  const signal = signalOf(frame, text);
  if (frame.type === 'HEL') return { ear: { ...ear, crc8: frame.crc === 8 }, frame, signal };
  const event = eventOf(frame);
  if (event === undefined) return { ear, frame, signal };
  const boots = registered(ear.boots, event);
  if (boots === undefined) return { ear, frame, signal: { kind: 'ignored', why: 'repeat', text } };
  return { ear: { ...ear, boots }, frame, event, signal };
}

/** The ledgers with this event in them, or undefined if they have it already. */
export function registered(boots: Ledgers, event: EventId): Ledgers | undefined {
  const ledger = ledgerOf(boots, event.boot);
  const place = placeOf(ledger, event.seq);
  return wasHeard(ledger, place) ? undefined : withLedger(boots, withHeard(ledger, place, place));
}

/** The identity of a reportable event; an ERR without `seq` only answers `ERR?`. */
export function eventOf(frame: Frame | UnknownFrame): EventId | undefined {
  if (frame.type !== 'ROL' && frame.type !== 'EVT' && frame.type !== 'AMD' && frame.type !== 'ERR') return undefined;
  return frame.seq === undefined ? undefined : { boot: frame.boot, seq: frame.seq };
}

/** A line as people may see it: UTF-8 where it is valid, control characters written out, never longer than a line. */
export function readable(line: string): string {
  if (/^[ -~]*$/.test(line)) return line.slice(0, MAX_LINE_BYTES);
  const bytes = Uint8Array.from(line, (c) => c.charCodeAt(0));
  const narrow = Array.from(line).every((c) => c.charCodeAt(0) <= 0xff);
  const text = narrow ? (utf8(bytes) ?? line) : line;
  return text
    .replace(/\r$/, '')
    .slice(0, MAX_LINE_BYTES)
    .replace(/[\p{Cc}\ufffd]/gu, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The signal of contracts A a frame stands for, with the line's text for what is passed over. `unknown` belongs to Pixels
 * there, so a type or an event that version 1 does not know is `foreign` (firmware-protocol, What the host makes of it).
 */
export function signalOf(frame: Frame | UnknownFrame, text: string): Signal {
  switch (frame.type) {
    case 'unknown':
      return { kind: 'ignored', why: 'foreign', text };
    case 'HEL?':
    case 'USE':
    case 'RES':
    case 'ACK':
    case 'PIN':
    case 'SET':
    case 'LED':
    case 'ERR?':
      return { kind: 'ignored', why: 'host', text };
    case 'HEL':
      return helloOf(frame);
    case 'BEA':
      return { kind: 'beat', boot: frame.boot, ms: frame.ms, seq: frame.seq };
    case 'GAP':
      return { kind: 'gap', boot: frame.boot, first: frame.first, last: frame.last, reason: frame.reason ?? '' };
    case 'AMD':
      return { kind: 'amended', boot: frame.boot, seq: frame.seq, of: frame.of, face: frame.value };
    case 'PON':
    case 'OK':
      return { kind: 'reply', to: frame.nonce };
    case 'ERR':
      if (frame.seq === undefined && frame.code === 0) return { kind: 'reply', to: 'ERR?' };
      return { kind: 'fault', code: frame.code, text: frame.text ?? '' };
    case 'EVT':
      return happening(frame, text);
    case 'ROL':
      return rested(frame);
  }
}

function helloOf(frame: FrameOf<'HEL'>): Signal {
  const { type: _, ver, ...fields } = frame;
  return { kind: 'hello', ver: `${ver.min}-${ver.max}`, ...fields };
}

function happening(frame: FrameOf<'EVT'>, text: string): Signal {
  const { boot, seq, ms, what } = frame;
  const evidence: JsonObject = {
    boot,
    seq,
    ms,
    vendor: what,
    ...(frame.slot === undefined ? {} : { slot: frame.slot }),
  };
  if (what === 'rolling') return { kind: 'tumbling', evidence };
  if (what === 'lid' || what === 'lift' || what === 'place') return { kind: 'handling', evidence };
  return { kind: 'ignored', why: 'foreign', text };
}

const HOW_OF_KIND: { readonly [K in NonNullable<FrameOf<'ROL'>['kind']>]: How } = {
  roll: 'thrown',
  set: 'placed',
  move: 'placed',
  fake: 'placed',
  cocked: 'leaning',
};

/** A ROL without `kind` is a roll: the smallest tray only ever reports rolls. */
function rested(frame: FrameOf<'ROL'>): Signal {
  const { boot, seq, ms, slot, q, src, of, die, value } = frame;
  const kind = frame.kind ?? 'roll';
  const said: [string, Json | undefined][] = [
    ['boot', boot],
    ['seq', seq],
    ['ms', ms],
    ['slot', slot],
    ['q', q],
    ['throw', frame.throw],
    ['of', of === undefined ? undefined : `${of.i}/${of.n}`],
    ['vendor', kind],
    ['src', src],
  ];
  const evidence: JsonObject = Object.fromEntries(said.flatMap(([key, v]) => (v === undefined ? [] : [[key, v]])));
  return { kind: 'rested', type: die, sides: sidesOf(die), face: value, how: HOW_OF_KIND[kind], evidence };
}
