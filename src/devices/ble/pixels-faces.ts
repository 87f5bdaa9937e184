import { type DieType, type Face, sidesOf } from '../../dice/die.js';
import { ERAS } from './pixels-eras.js';

/** What a Pixels die is, in the maker's words: `d6pipped` is a d6 with other lights. */
export const PIXELS_KINDS = ['d4', 'd6', 'd8', 'd10', 'd00', 'd12', 'd20', 'd6pipped', 'fudge'] as const;
export type PixelsKind = (typeof PIXELS_KINDS)[number];

/** Printed face at an index; `side`: an edge of the barrel-shaped D4, which shows no face (protocols/pixels §5). */
export interface Shown {
  readonly face: Face;
  readonly side: boolean;
}

// By the number on the wire; 0 is unknown, 10 and above are not for sale.
const BY_NUMBER: readonly (PixelsKind | undefined)[] = [undefined, ...PIXELS_KINDS];

// By the lights of the board, the likeliest first; an owner may name any of the others.
const BY_LEDS: ReadonlyMap<number, readonly PixelsKind[]> = new Map<number, readonly PixelsKind[]>([
  [4, ['d4']],
  [6, ['d6', 'd4', 'fudge']],
  [8, ['d8']],
  [10, ['d10', 'd00']],
  [12, ['d12']],
  [19, ['d00']],
  [20, ['d20']],
  [21, ['d6pipped', 'd6']],
]);

const upTo = (sides: number): readonly number[] => Array.from({ length: sides }, (_, index) => index + 1);

const FACES: { readonly [K in PixelsKind]: readonly number[] } = {
  d4: upTo(4),
  d6: upTo(6),
  d8: upTo(8),
  d10: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  d00: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90],
  d12: upTo(12),
  d20: upTo(20),
  d6pipped: upTo(6),
  // The maker's comments promise these values, its code returns 1…6.
  fudge: [1, -1, 0, 0, -1, 1],
};

// Old normals under the same indices (§5, legacy remaps).
const D6_OLD: readonly number[] = [1, 5, 4, 3, 2, 6];
const D4_OLD: readonly (number | null)[] = [1, null, 3, 2, null, 4];
const D4_SIX: readonly (number | null)[] = [1, null, 2, 3, null, 4];
const D4_SWAPPED: readonly number[] = [1, 3, 2, 4];
/** The maker's kit shows the side of a D4 as this face; it is marked as leaning anyway. */
const SIDE_FACE = 1;

/** The kind a person wrote (`D20`, `pipped`), or null. */
export function parsePixelsKind(text: string): PixelsKind | null {
  const word = text.trim().toLowerCase();
  if (word === 'pipped') return 'd6pipped';
  if (word === 'd6fudge') return 'fudge';
  return PIXELS_KINDS.find((kind) => kind === word) ?? null;
}

/** The die type of a kind. */
export const typeOfKind = (kind: PixelsKind): DieType => (kind === 'd6pipped' ? 'd6' : kind);

/** Number of printed faces. */
export const sidesOfKind = (kind: PixelsKind): number => sidesOf(typeOfKind(kind));

/** The kind by its number in IAmADie or an advert; undefined for 0 and numbers without a die. */
export const kindByNumber = (number: number): PixelsKind | undefined => BY_NUMBER[number];

/** The likeliest kind for a number of lights; undefined if no die has so many. */
export const kindByLeds = (leds: number): PixelsKind | undefined => BY_LEDS.get(leds)?.[0];

/** True if a board with so many lights may sit in a die of this kind. */
export const fitsLeds = (kind: PixelsKind, leds: number): boolean => BY_LEDS.get(leds)?.includes(kind) ?? false;

/** True if some die of the maker has a board with so many lights. */
export const isBoard = (leds: number): boolean => BY_LEDS.has(leds);

function tableOf(kind: PixelsKind, firmware: number | undefined): readonly (number | null)[] {
  if (firmware === undefined) return FACES[kind];
  if (kind === 'd6') return firmware < ERAS.d6Faces ? D6_OLD : FACES.d6;
  if (kind !== 'd4') return FACES[kind];
  if (firmware < ERAS.d6Faces) return D4_OLD;
  if (firmware < ERAS.d4Own) return D4_SIX;
  return firmware < ERAS.d4Faces ? D4_SWAPPED : FACES.d4;
}

/** How many indices a die of this kind and firmware (UNIX seconds) can send: from 0 to one below. */
export const placesOf = (kind: PixelsKind, firmware: number | undefined): number => tableOf(kind, firmware).length;

/** The face at an index, by the tables of its firmware; undefined outside them. */
export function shownAt(kind: PixelsKind, firmware: number | undefined, index: number): Shown | undefined {
  const face = tableOf(kind, firmware)[index];
  if (face === undefined) return undefined;
  return face === null ? { face: SIDE_FACE, side: true } : { face, side: false };
}
