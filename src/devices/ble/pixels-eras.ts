/**
 * Build timestamps (UNIX seconds) from which Pixels firmware speaks differently (protocols/pixels §2.2). Where the sheet
 * gives only a day or a month, the number lies between the last build of the old kind and the first of the new.
 */
export const ERAS = {
  /** What the layout of mid-2022 is taken to be: it tells no date of its own. */
  oldest: 1_656_633_600,
  /** Battery in percent, one byte; before, 0…255 in adverts and two floats in messages. */
  percent: 1_671_580_800,
  /** The advert's design byte carries the die's type. */
  designType: 1_695_384_070,
  /** Blink's last byte counts loops; before, 1 means for ever. */
  loopCount: 1_706_745_600,
  /** D6 faces are right from here. */
  d6Faces: 1_707_254_393,
  /** D4 has a table of four faces, two of them swapped. */
  d4Own: 1_727_452_560,
  /** D4 faces are right from here. */
  d4Faces: 1_728_663_480,
  /** Beta of the new detector with numbers of its own: 1 onFace, 4 rolled, 5 crooked. */
  beta: 1_729_529_358,
  /** Final numbers: 1 rolled, 4 crooked, 5 onFace. */
  rolled: 1_730_464_976,
} as const;

/** What a die's state number says, whatever its firmware. `rest` is the old "onFace for any reason". */
export type PixelsWord = 'handling' | 'rolling' | 'rolled' | 'onFace' | 'crooked' | 'rest';

type Words = readonly (PixelsWord | null)[];

// Old firmware has no 5; contracts A read it as placed all the same.
const OLD: Words = [null, 'rest', 'handling', 'rolling', 'crooked', 'onFace'];
const BETA: Words = [null, 'onFace', 'handling', 'rolling', 'rolled', 'crooked'];
const FINAL: Words = [null, 'rolled', 'handling', 'rolling', 'crooked', 'onFace'];

/** Reads a state number (§4.1); null for 0 and for numbers no firmware uses. Unknown firmware counts as the newest. */
export function wordOf(state: number, firmware: number | undefined): PixelsWord | null {
  if (firmware === undefined || firmware >= ERAS.rolled) return FINAL[state] ?? null;
  return (firmware >= ERAS.beta ? BETA : OLD)[state] ?? null;
}
