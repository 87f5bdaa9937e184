import { isFaceOf } from '../../dice/die.js';
import { err, ok, type Result } from '../../dice/result.js';
import type { GarbledWhy } from '../device.js';
import { checkHex, crc16, xor8 } from './check.js';
import type { Field, FieldFault } from './fields.js';
import { type Frame, LAYOUTS, type Place } from './layouts.js';

/** A frame with its terminator is never longer. */
export const MAX_FRAME_BYTES = 128;

/** A well-formed frame of a type that version 1 does not know, or of another talker: to be passed over. */
export interface UnknownFrame {
  readonly type: 'unknown';
  readonly name: string;
}

/** Why a line that claims to be a frame is none. `got` and `expected` tell the two checks where they differ. */
export interface FrameRefusal {
  readonly why: GarbledWhy;
  readonly got?: string;
  readonly expected?: string;
}

type Read<T> = Result<T, FrameRefusal>;
const refuse = (why: GarbledWhy) => err<FrameRefusal>({ why });

type Places = ReadonlyMap<string, Place<unknown>>;
const placesOf = (places: object): Places => new Map(Object.entries(places));
/** The layouts as they are read and written, line after line. */
const PLACES = new Map(
  Object.entries(LAYOUTS).map(([type, { head, tail }]) => [type, { head: placesOf(head), tail: placesOf(tail) }]),
);

const ESCAPED = /[,*$^=]/g;
const escaped = (text: string): string => text.replace(ESCAPED, (c) => `^${checkHex(c.charCodeAt(0), 2)}`);

function plainOf(text: string): Result<string, FieldFault> {
  if (!text.includes('^')) return ok(text);
  if (/\^(?![0-9A-Fa-f]{2})/.test(text)) return err('syntax');
  const plain = text.replace(/\^([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /^[ -~]*$/.test(plain) ? ok(plain) : err('charset');
}

/**
 * Writes a frame from `$` to the check, without its terminator.
 * @param crc 16 for CRC-16, 8 for a tray that says `crc=8`
 * @throws RangeError for a value or a length no frame can carry
 */
export function encodeFrame(frame: Frame, crc: 8 | 16 = 16): string {
  const fields = [`TT${frame.type}`];
  const values = new Map<string, unknown>(Object.entries(frame));
  const { head, tail } = LAYOUTS[frame.type];
  for (const [name, place] of placesOf(head)) fields.push(escaped(written(place, values.get(name))));
  for (const [name, place] of placesOf(tail)) {
    const text = written(place, values.get(name));
    if (text !== '') fields.push(`${name}=${escaped(text)}`);
  }
  while (fields.at(-1) === '') fields.pop();
  if (frame.type === 'SET') for (const [key, value] of frame.values) fields.push(`${escaped(key)}=${escaped(value)}`);
  const body = fields.join(',');
  const line = `$${body}*${crc === 16 ? checkHex(crc16(body), 4) : checkHex(xor8(body), 2)}`;
  if (line.length >= MAX_FRAME_BYTES) throw new RangeError(`a TTP/1 frame of ${line.length + 1} bytes is too long`);
  return line;
}

function written(place: Place<unknown>, value: unknown): string {
  if (value !== undefined) return place.field.write(value);
  if (place.need) throw new RangeError('a needed field of a TTP/1 frame is missing');
  return '';
}

/**
 * Reads a line that starts with `$`, without its LF; one CR at the end is tolerated (firmware-protocol, Frame). The
 * order of refusals is length, charset, syntax, check, then the fields. A two-digit XOR check is taken only where
 * `crc8` says that the tray's HEL announced it, or from that HEL itself.
 */
export function decodeFrame(line: string, crc8: boolean): Read<Frame | UnknownFrame> {
  if (line.length >= MAX_FRAME_BYTES) return refuse('too_long');
  const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (!/^[ -~]*$/.test(bare)) return refuse('charset');
  const parts = /^\$([^$*]*)\*([0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})$/.exec(bare);
  const body = parts?.[1];
  const check = parts?.[2];
  if (body === undefined || check === undefined) return refuse('syntax');
  const foreign = !body.startsWith('TT');
  const short = check.length === 2 && (crc8 || foreign || /^TTHEL,.*,crc=8(,|$)/.test(body));
  const expected = short ? checkHex(xor8(body), 2) : checkHex(crc16(body), 4);
  if (check.toUpperCase() !== expected) return err({ why: 'check', got: check, expected });
  if (foreign) return ok({ type: 'unknown', name: body.split(',')[0]?.slice(0, 16) ?? '' });
  return readBody(body);
}

function readBody(body: string): Read<Frame | UnknownFrame> {
  const [head, ...fields] = body.split(',');
  const name = head?.slice(2) ?? '';
  if (name === 'SET') return readSettings(fields);
  const places = PLACES.get(name);
  if (places === undefined) return ok({ type: 'unknown', name });
  const values = new Map<string, unknown>([['type', name]]);
  let index = 0;
  for (const [key, place] of places.head) {
    const fault = readField(values, key, place, fields[index] ?? '');
    if (fault !== undefined) return refuse(fault);
    index += 1;
  }
  const fault = readTail(values, places.tail, fields.slice(index));
  if (fault !== undefined) return refuse(fault);
  // Every needed place was filled by its own field's reader: the layout and the type say the same.
  const frame = Object.fromEntries(values) as unknown as Frame;
  const onDie = (frame.type !== 'ROL' && frame.type !== 'AMD') || isFaceOf(frame.die, frame.value);
  return onDie ? ok(frame) : refuse('face_range');
}

function readField(
  values: Map<string, unknown>,
  key: string,
  place: Place<unknown>,
  raw: string,
): FieldFault | undefined {
  if (raw === '') return place.need ? 'syntax' : undefined;
  if (raw.includes('=')) return 'syntax';
  const plain = plainOf(raw);
  if (!plain.ok) return plain.error;
  const field: Field<unknown> = place.field;
  const value = field.read(plain.value);
  if (!value.ok) return value.error;
  values.set(key, value.value);
  return undefined;
}

/** Unknown keys are passed over, a key said twice or a field without a key is not. */
function readTail(values: Map<string, unknown>, places: Places, fields: readonly string[]): FieldFault | undefined {
  const seen = new Set<string>();
  for (const field of fields) {
    if (field === '') continue;
    const at = field.indexOf('=');
    const key = field.slice(0, Math.max(at, 0));
    if (key === '' || seen.has(key)) return 'syntax';
    seen.add(key);
    const place = places.get(key);
    const raw = field.slice(at + 1);
    const fault = place === undefined || raw === '' ? undefined : readField(values, key, place, raw);
    if (fault !== undefined) return fault;
  }
  for (const [key, place] of places) if (place.need && !values.has(key)) return 'syntax';
  return undefined;
}

function readSettings(fields: readonly string[]): Read<Frame> {
  const values: (readonly [string, string])[] = [];
  for (const field of fields) {
    const [rawKey, rawValue, ...more] = field.split('=');
    const key = plainOf(rawKey ?? '');
    const value = plainOf(rawValue ?? '');
    if (!key.ok) return refuse(key.error);
    if (!value.ok) return refuse(value.error);
    if (key.value === '' || rawValue === undefined || more.length > 0) return refuse('syntax');
    values.push([key.value, value.value]);
  }
  return ok({ type: 'SET', values });
}
