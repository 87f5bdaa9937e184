import { type DieType, type Face, PLANAR_FACES, parseDieType } from '../../dice/die.js';
import { err, ok, type Result } from '../../dice/result.js';

/** Why a field's text is refused; the words of contracts A. */
export type FieldFault = 'syntax' | 'value_range' | 'face_range' | 'charset';

/** One field of a frame: reading and writing side by side. Text is already free of `^hh` escapes. */
export interface Field<T> {
  read(text: string): Result<T, FieldFault>;
  /** Throws RangeError for a value that no frame can carry: a programming fault of the host. */
  write(value: T): string;
}

const sure = (fine: boolean, what: string): void => {
  if (!fine) throw new RangeError(`no TTP/1 frame can carry ${what}`);
};

/** A decimal number without sign, 0…max. Leading zeros are tolerated, twenty digits at most. */
export function decimal(max: number): Field<number> {
  return {
    read(text) {
      if (!/^\d{1,20}$/.test(text)) return err('syntax');
      const value = Number(text);
      return value <= max ? ok(value) : err('value_range');
    },
    write(value) {
      sure(Number.isInteger(value) && value >= 0 && value <= max, String(value));
      return String(value);
    },
  };
}

export const UINT32_MAX = 0xffff_ffff;
/** `boot` and `seq`. */
export const uint32 = decimal(UINT32_MAX);
/** `ms` since boot: 64 bits on the wire, of which 53 are told apart (285,000 years). */
export const milliseconds = decimal(Number.MAX_SAFE_INTEGER);
/** `q`, 0…100. */
export const percent = decimal(100);
export const byte = decimal(255);
/** Error codes of the tray. */
export const code = decimal(9999);

/** Printable text of 1…max characters. */
export function text(max: number): Field<string> {
  return {
    read: (raw) => (raw.length <= max ? ok(raw) : err('value_range')),
    write(value) {
      sure(/^[ -~]+$/.test(value) && value.length <= max, JSON.stringify(value.slice(0, 40)));
      return value;
    },
  };
}

/** Ids, slots, nonces. */
export const word = text(32);
/** Error texts and reasons, for people. */
export const phrase = text(96);

/** One of a closed list of words; another word is out of range. */
export function oneOf<const W extends string>(words: readonly W[]): Field<W> {
  return {
    read(raw) {
      const found = words.find((w) => w === raw);
      return found === undefined ? err('value_range') : ok(found);
    },
    write: (value) => value,
  };
}

export interface VersionRange {
  readonly min: number;
  readonly max: number;
}

/** `1-3`, or `1` for a single version. */
export const versions: Field<VersionRange> = {
  read(raw) {
    const parts = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(raw);
    if (parts === null) return err('syntax');
    const min = Number(parts[1]);
    const max = parts[2] === undefined ? min : Number(parts[2]);
    return min >= 1 && min <= max && max <= 255 ? ok({ min, max }) : err('value_range');
  },
  write: ({ min, max }) => `${byte.write(min)}-${byte.write(max)}`,
};

export interface Share {
  readonly i: number;
  readonly n: number;
}

/** A single tray holds no more dice in one throw. */
export const MAX_DICE_OF_A_THROW = 64;

/** `of=i/n`: die i of the n dice of one throw. */
export const share: Field<Share> = {
  read(raw) {
    const parts = /^(\d{1,3})\/(\d{1,3})$/.exec(raw);
    if (parts === null) return err('syntax');
    const i = Number(parts[1]);
    const n = Number(parts[2]);
    return i >= 1 && i <= n && n <= MAX_DICE_OF_A_THROW ? ok({ i, n }) : err('value_range');
  },
  write: ({ i, n }) => `${byte.write(i)}/${byte.write(n)}`,
};

/** `caps=roll+set+led`. */
export const capabilities: Field<readonly string[]> = {
  read: (raw) => (/^[a-z0-9]+(\+[a-z0-9]+)*$/.test(raw) ? ok(raw.split('+')) : err('syntax')),
  write: (value) => value.join('+'),
};

/** `crc=8` or `crc=16`: which check the tray's own frames carry. */
export const checkKind: Field<8 | 16> = {
  read: (raw) => (raw === '8' ? ok(8) : raw === '16' ? ok(16) : err(/^\d+$/.test(raw) ? 'value_range' : 'syntax')),
  write: (value) => String(value),
};

/** The die's type in the vocabulary of contracts. */
export const dieType: Field<DieType> = {
  read(raw) {
    const type = parseDieType(raw);
    return type.ok ? type : err('value_range');
  },
  write: (value) => value,
};

/** The printed value; whether the die has it is asked of the whole frame. */
export const face: Field<Face> = {
  read(raw) {
    const symbol = PLANAR_FACES.find((name) => name === raw);
    if (symbol !== undefined) return ok(symbol);
    return /^-?\d{1,9}$/.test(raw) ? ok(Number(raw) + 0) : err('syntax');
  },
  write: (value) => String(value),
};

/** Six hex digits, red green blue. */
export const colour: Field<string> = {
  read: (raw) => (/^[0-9A-Fa-f]{6}$/.test(raw) ? ok(raw.toUpperCase()) : err('syntax')),
  write(value) {
    sure(/^[0-9A-Fa-f]{6}$/.test(value), JSON.stringify(value.slice(0, 40)));
    return value.toUpperCase();
  },
};
