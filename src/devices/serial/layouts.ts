import {
  byte,
  capabilities,
  checkKind,
  code,
  colour,
  dieType,
  type Field,
  face,
  milliseconds,
  oneOf,
  percent,
  phrase,
  share,
  text,
  uint32,
  versions,
  word,
} from './fields.js';

/** A field with its place in a frame: `need` fields may not be empty or missing. */
export interface Place<T, N extends boolean = boolean> {
  readonly field: Field<T>;
  readonly need: N;
}

const must = <T>(field: Field<T>): Place<T, true> => ({ field, need: true });
const may = <T>(field: Field<T>): Place<T, false> => ({ field, need: false });

export type Places = { readonly [name: string]: Place<never> | Place<unknown> };

/** The fields of one frame type: positional head, then `key=value` tail, in the order in which they are written. */
export interface Layout<H, T> {
  readonly from: 'tray' | 'host';
  readonly head: H;
  readonly tail: T;
}

const layout = <H, T>(from: 'tray' | 'host', head: H, tail: T): Layout<H, T> => ({ from, head, tail });

/** What a ROL tells: thrown, turned to a face by hand, slid, an admitted cheat, or lying at an angle. */
export const ROLL_KINDS = ['roll', 'set', 'move', 'fake', 'cocked'] as const;
export const READERS = ['camera', 'rfid', 'imu', 'rng'] as const;

const event = { seq: must(uint32), boot: must(uint32), ms: must(milliseconds) };
const result = { ...event, die: must(dieType), value: must(face) };
const reading = { slot: may(word), kind: may(oneOf(ROLL_KINDS)), q: may(percent), throw: may(uint32) };

/** Every frame type of TTP/1 (firmware-protocol, Frames). `SET` has an open tail and is read apart. */
export const LAYOUTS = {
  HEL: layout(
    'tray',
    { ver: must(versions), id: must(word) },
    {
      fw: may(word),
      boot: must(uint32),
      oldest: may(uint32),
      next: must(uint32),
      ms: may(milliseconds),
      caps: may(capabilities),
      crc: may(checkKind),
    },
  ),
  'HEL?': layout('host', {}, {}),
  USE: layout('host', { version: must(byte) }, {}),
  RES: layout('host', { boot: must(uint32), seq: must(uint32) }, {}),
  ACK: layout('host', { boot: must(uint32), seq: must(uint32) }, {}),
  ROL: layout('tray', result, { ...reading, of: may(share), src: may(oneOf(READERS)) }),
  EVT: layout('tray', { ...event, what: must(word) }, { slot: may(word) }),
  AMD: layout('tray', result, { of: must(uint32), ...reading, src: may(oneOf(READERS)) }),
  BEA: layout('tray', { boot: must(uint32), ms: must(milliseconds), seq: must(uint32) }, {}),
  GAP: layout('tray', { boot: must(uint32), first: must(uint32), last: must(uint32), reason: may(phrase) }, {}),
  PIN: layout('host', { nonce: must(word) }, {}),
  PON: layout('tray', { nonce: must(word), ms: must(milliseconds) }, {}),
  ERR: layout(
    'tray',
    { seq: may(uint32), boot: must(uint32), ms: must(milliseconds), code: must(code), text: may(phrase) },
    { slot: may(word) },
  ),
  'ERR?': layout('host', {}, {}),
  SET: layout('host', {}, {}),
  LED: layout('host', { slot: may(word), rgb: must(colour), blinks: must(byte) }, { n: may(text(16)) }),
  OK: layout('tray', { nonce: must(word) }, {}),
} as const;

export type FrameType = keyof typeof LAYOUTS;

type ValueOf<P> = P extends Place<infer T> ? T : never;
type Needed<R> = { [K in keyof R]: R[K] extends Place<infer _, true> ? K : never }[keyof R];
type FieldsOf<R> = { readonly [K in Needed<R>]: ValueOf<R[K]> } & {
  readonly [K in Exclude<keyof R, Needed<R>>]?: ValueOf<R[K]>;
};

/** A frame whose fields were read and found in range. `SET` keeps its pairs as they came. */
export type FrameOf<T extends FrameType> = { readonly type: T } & (T extends 'SET'
  ? { readonly values: readonly (readonly [key: string, value: string])[] }
  : FieldsOf<(typeof LAYOUTS)[T]['head']> & FieldsOf<(typeof LAYOUTS)[T]['tail']>);

export type Frame = { [T in FrameType]: FrameOf<T> }[FrameType];
