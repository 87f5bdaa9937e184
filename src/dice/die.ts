import { err, ok, type Result } from './result.js';

export const PLANAR_FACES = ['planeswalker', 'chaos', 'blank'] as const;
export type PlanarFace = (typeof PLANAR_FACES)[number];

/** The printed value: a d10 shows 0…9, a d00 shows 00…90 as 0…90, a planar die shows a symbol. */
export type Face = number | PlanarFace;

/** `d2`…`dN`, the tens die `d00`, the planar die and the Fudge die. */
export type DieType = `d${number}` | 'planar' | 'fudge';

/** No die of the field has more faces; a larger number in a message is rubbish. */
export const MAX_SIDES = 1000;

/** Where a face came from. A digital or typed face may never look physical. */
export const SOURCES = ['physical', 'digital', 'manual'] as const;
export type Source = (typeof SOURCES)[number];

/** `unverified`: the device could not vouch for the reading (no check, no tumbling heard). */
export const QUALITIES = ['ok', 'unverified'] as const;
export type Quality = (typeof QUALITIES)[number];

/** How the ones die of a d00 + d10 pair is read: 0…9 with 00+0 = 100 (`zero`), or 1…10 (`ten`). Fixed before the throw. */
export const PERCENTILE_READINGS = ['zero', 'ten'] as const;
export type PercentileReading = (typeof PERCENTILE_READINGS)[number];

/** Reads a die type from text; `d%` and `D20` are tolerated as people write them. */
export function parseDieType(text: string): Result<DieType, string> {
  const word = text.trim().toLowerCase();
  if (word === 'planar' || word === 'fudge' || word === 'd00') return ok(word);
  if (word === 'd%') return ok<DieType>('d100');
  const digits = /^d([1-9]\d{0,3})$/.exec(word)?.[1];
  const sides = digits === undefined ? 0 : Number(digits);
  const type: DieType = `d${sides}`;
  if (sides >= 2 && sides <= MAX_SIDES) return ok(type);
  return err(`"${text.slice(0, 20)}" is no die: d2 to d${MAX_SIDES}, d00, planar or fudge`);
}

/** Faces of every kind of die; looked up rather than read, as every roll goes through here. */
const SIDES: ReadonlyMap<string, number> = new Map<string, number>([
  ['d00', 10],
  ['planar', 6],
  ['fudge', 6],
  ...Array.from({ length: MAX_SIDES - 1 }, (_, at): [string, number] => [`d${at + 2}`, at + 2]),
]);

/** Number of faces; the tens die has ten, the planar and the Fudge die six. */
export const sidesOf = (type: DieType): number => SIDES.get(type) ?? Number(type.slice(1));

/** True if `face` is printed on a die of this type. */
export function isFaceOf(type: DieType, face: Face): boolean {
  if (type === 'planar') return typeof face === 'string';
  if (typeof face === 'string' || !Number.isInteger(face)) return false;
  if (type === 'fudge') return face >= -1 && face <= 1;
  if (type === 'd00') return face >= 0 && face <= 90 && face % 10 === 0;
  if (type === 'd10') return face >= 0 && face <= 9;
  return face >= 1 && face <= sidesOf(type);
}

/** The rules' value of a printed face: a lone d10's 0 is 10 (README Z1); every other face counts what it shows. */
export function naturalOf(type: DieType, face: Face): Face {
  return type === 'd10' && face === 0 ? 10 : face;
}

/** The printed face of a natural result, or why a die of this type cannot give it. A d10 accepts 10 and 0 for its 0. */
export function faceOf(type: DieType, natural: Face): Result<Face, string> {
  const face = type === 'd10' && natural === 10 ? 0 : natural;
  return isFaceOf(type, face) ? ok(face) : err(`a ${type} has no face ${String(natural).slice(0, 20)}`);
}

/** The faces of a die in a few words, for whoever named another: `1 to 20`. */
export function facesText(type: DieType): string {
  if (type === 'planar') return PLANAR_FACES.join(', ');
  if (type === 'fudge') return '-1, 0 or 1';
  if (type === 'd00') return '0, 10 … 90';
  return type === 'd10' ? '0 to 10' : `1 to ${sidesOf(type)}`;
}

/**
 * The natural result of a d00 + d10 pair, 1…100.
 * @param tens face of the d00: 0, 10 … 90
 * @param ones face of the d10: 0…9
 */
export function percentile(tens: number, ones: number, reading: PercentileReading): number {
  if (reading === 'ten') return tens + (ones === 0 ? 10 : ones);
  return tens + ones === 0 ? 100 : tens + ones;
}

/**
 * The two faces of a d00 + d10 pair that make this natural result; undefined outside 1…100.
 * @param natural 1…100
 */
export function percentileFaces(
  natural: number,
  reading: PercentileReading,
): { readonly tens: number; readonly ones: number } | undefined {
  if (!Number.isInteger(natural) || natural < 1 || natural > 100) return undefined;
  const ones = natural % 10;
  const tens = reading === 'ten' && ones === 0 ? natural - 10 : (natural - ones) % 100;
  return { tens, ones };
}
