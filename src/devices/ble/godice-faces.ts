import type { DieType } from '../../dice/die.js';

/** What a GoDice wears: bare it is a D6; the die itself does not know its shell. */
export const GODICE_SHELLS = ['d4', 'd6', 'd8', 'd10', 'd10x', 'd12', 'd20'] as const;
export type GodiceShell = (typeof GODICE_SHELLS)[number];

/** Gravity in the die's own axes, signed counts; about 64 counts are 1 g. */
export type Vector = readonly [x: number, y: number, z: number];

/** Where the die points: the face's place in the shell's table, and how sure that is (protocols/godice §4.4). */
export interface Pointing {
  /** From 1; at equal distance the lower one. */
  readonly index: number;
  /** Length of the vector in counts. */
  readonly magnitude: number;
  /** Degrees between the vector and the face's normal. */
  readonly tilt: number;
  /** Degrees by which the next face is farther away. */
  readonly gap: number;
  /** Degrees to the nearest axis of the bare die: near 0 a shell is doubtful, far from 0 a bare die is. */
  readonly axis: number;
}

/** Two cosines closer than this are the same: normals with roots in them tie only to the last digits. */
const SAME_COSINE = 1e-9;

// Published integer tables (protocols/godice §4.2), in index order from 1. Only their signs and slots are used.
const D6: readonly Vector[] = [
  [-64, 0, 0],
  [0, 0, 64],
  [0, 64, 0],
  [0, -64, 0],
  [0, 0, -64],
  [64, 0, 0],
];
const D20: readonly Vector[] = [
  [-64, 0, -22],
  [42, -42, 40],
  [0, 22, -64],
  [0, 22, 64],
  [-42, -42, 42],
  [22, 64, 0],
  [-42, -42, -42],
  [64, 0, -22],
  [-22, 64, 0],
  [42, -42, -42],
  [-42, 42, 42],
  [22, -64, 0],
  [-64, 0, 22],
  [42, 42, 42],
  [-22, -64, 0],
  [42, 42, -42],
  [0, -22, -64],
  [0, -22, 64],
  [-42, 42, -42],
  [64, 0, 22],
];
const D24: readonly Vector[] = [
  [20, -60, -20],
  [20, 0, 60],
  [-40, -40, 40],
  [-60, 0, 20],
  [40, 20, 40],
  [-20, -60, -20],
  [20, 60, 20],
  [-40, 20, -40],
  [-40, 40, 40],
  [-20, 0, 60],
  [-20, -60, 20],
  [60, 0, 20],
  [-60, 0, -20],
  [20, 60, -20],
  [20, 0, -60],
  [40, -20, -40],
  [-20, 60, -20],
  [-40, -40, -40],
  [40, -20, 40],
  [20, -60, 20],
  [60, 0, -20],
  [40, 20, -40],
  [-20, 0, -60],
  [-20, 60, 20],
];

/** Golden ratio: the icosahedron's normals are (±1,±1,±1)/√3 and (0, ±1/φ, ±φ)/√3 in turn. */
const PHI = (1 + Math.sqrt(5)) / 2;

const unit = ([x, y, z]: Vector): Vector => {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
};

const shaped = (entry: Vector, size: (count: number) => number): Vector =>
  unit([
    Math.sign(entry[0]) * size(Math.abs(entry[0])),
    Math.sign(entry[1]) * size(Math.abs(entry[1])),
    Math.sign(entry[2]) * size(Math.abs(entry[2])),
  ]);

// The published numbers are uneven in length and partly off (§4.3); geometry gives the true normals (§4.4).
const icosahedral = (entry: Vector): Vector =>
  entry.includes(0) ? shaped(entry, (count) => (count > 40 ? PHI : 1 / PHI)) : shaped(entry, () => 1);

function tetrakis(entry: Vector): Vector {
  const [x, y, z] = [Math.abs(entry[0]), Math.abs(entry[1]), Math.abs(entry[2])];
  const sign: Vector = [Math.sign(entry[0]), Math.sign(entry[1]), Math.sign(entry[2])];
  if (y === 60) return unit([sign[0], sign[1] * 2 * Math.SQRT2, sign[2]]);
  if (y === 0) return unit([sign[0] * (x > z ? 3 : 1), 0, sign[2] * (z > x ? 3 : 1)]);
  return unit([sign[0] * 2, sign[1] * Math.SQRT2, sign[2] * 2]);
}

const AXES = D6.map(unit);
const NORMALS20 = D20.map(icosahedral);
const NORMALS24 = D24.map(tetrakis);

// Printed value by index from 1 (§4.2). T4 is unbalanced as published: hence the override per die.
const T10 = [8, 2, 6, 1, 4, 3, 9, 0, 7, 5, 5, 7, 0, 9, 3, 4, 1, 6, 2, 8];
const T4 = [3, 1, 4, 1, 4, 4, 1, 4, 2, 3, 1, 1, 1, 4, 2, 3, 3, 2, 2, 2, 4, 1, 3, 2];
const T8 = [3, 3, 6, 1, 2, 8, 1, 1, 4, 7, 5, 5, 4, 4, 2, 5, 7, 7, 8, 2, 8, 3, 6, 6];
const T12 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

interface Shell {
  readonly type: DieType;
  readonly normals: readonly Vector[];
  /** Printed face by index from 1; absent where the index is the face. */
  readonly faces?: readonly number[];
}

const SHELLS: { readonly [S in GodiceShell]: Shell } = {
  d4: { type: 'd4', normals: NORMALS24, faces: T4 },
  d6: { type: 'd6', normals: AXES },
  d8: { type: 'd8', normals: NORMALS24, faces: T8 },
  d10: { type: 'd10', normals: NORMALS20, faces: T10 },
  d10x: { type: 'd00', normals: NORMALS20, faces: T10.map((ones) => ones * 10) },
  d12: { type: 'd12', normals: NORMALS24, faces: T12 },
  d20: { type: 'd20', normals: NORMALS20 },
};

/** The shell a person wrote (`D20`, `d10x`), or null. */
export function parseShell(text: string): GodiceShell | null {
  const word = text.trim().toLowerCase();
  return GODICE_SHELLS.find((shell) => shell === word) ?? null;
}

/** The die type of a shell; `d10x` is the tens die `d00`. */
export const typeOfShell = (shell: GodiceShell): DieType => SHELLS[shell].type;

/** How many places the shell's table has: the highest index. */
export const placesOfShell = (shell: GodiceShell): number => SHELLS[shell].normals.length;

/** The face the published tables give for an index from 1; undefined outside the table. */
export function publishedFace(shell: GodiceShell, index: number): number | undefined {
  const { faces, normals } = SHELLS[shell];
  if (faces !== undefined) return faces[index - 1];
  return Number.isInteger(index) && index >= 1 && index <= normals.length ? index : undefined;
}

/** Degrees between two directions; 0 if one of them has no direction. */
export function degreesBetween(a: Vector, b: Vector): number {
  const lengths = Math.hypot(...a) * Math.hypot(...b);
  return lengths === 0 ? 0 : degrees(dot(a, b) / lengths);
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const degrees = (cosine: number): number => (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI;

function nearest(direction: Vector, normals: readonly Vector[]): { index: number; best: number; second: number } {
  let index = 0;
  let best = Number.NEGATIVE_INFINITY;
  let second = Number.NEGATIVE_INFINITY;
  for (const [place, normal] of normals.entries()) {
    const cosine = dot(direction, normal);
    if (cosine > best + SAME_COSINE) {
      second = best;
      best = cosine;
      index = place + 1;
    } else if (cosine > second) {
      second = cosine;
    }
  }
  return { index, best, second };
}

/** Finds the face a vector points at (protocols/godice §4.4); null for the vector of no length. */
export function point(shell: GodiceShell, vector: Vector): Pointing | null {
  const magnitude = Math.hypot(...vector);
  if (magnitude === 0) return null;
  const direction = unit(vector);
  const { index, best, second } = nearest(direction, SHELLS[shell].normals);
  const tilt = degrees(best);
  const axis = degrees(nearest(direction, AXES).best);
  return { index, magnitude, tilt, gap: Math.max(0, degrees(second) - tilt), axis };
}

// Angles at which a flat die in a shell lies to the bare die's axes (§4.3), and how near a reading must come.
const SHELL_ANGLES = [18.4, 20.9, 26.6, 50.8, 54.7];
const SHELL_ANGLE_SLACK = 2;
/** A die in a shell never lies flat within this many degrees of a bare axis (§4.4). */
const BARE_AXIS_DEG = 5;

/** True if this reading fits another shell better than the one that was configured (§4.4, shell mismatch detector). */
export function doubtsShell(shell: GodiceShell, pointing: Pointing): boolean {
  if (shell !== 'd6') return pointing.axis < BARE_AXIS_DEG;
  return SHELL_ANGLES.some((angle) => Math.abs(angle - pointing.tilt) <= SHELL_ANGLE_SLACK);
}
