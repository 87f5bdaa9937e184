import type { PixelsKind } from '../../src/devices/ble/pixels-faces.js';
import { PIXELS_FACE_BYTES } from '../../src/devices/fake/pixels-bytes.js';
import { opposite, turned, unit, type Vector } from './vector.js';

/** What a kind of Pixels die is built as (protocols/pixels §2.1, §5). */
export interface PixelsShape {
  readonly typeNumber: number;
  readonly lights: number;
  /** Direction of each face, by index. */
  readonly normals: readonly Vector[];
}

const D20_HALF: readonly Vector[] = [
  [-335, 937, -92],
  [-352, -930, -98],
  [716, 572, -399],
  [-253, -357, 898],
  [-995, 8, 93],
  [804, -9, 593],
  [-396, 583, -708],
  [705, -582, -403],
  [407, 571, 712],
  [246, -355, -901],
];

const PHI = (1 + Math.sqrt(5)) / 2;
const D8_HALF: readonly Vector[] = [
  [1, 1, 1],
  [1, 1, -1],
  [1, -1, 1],
  [1, -1, -1],
];
const D12_HALF: readonly Vector[] = [
  [0, 1, PHI],
  [0, 1, -PHI],
  [1, PHI, 0],
  [1, -PHI, 0],
  [PHI, 0, 1],
  [PHI, 0, -1],
];
/** Five faces around a tip; how steep they are changes nothing that a test looks at. */
const D10_HALF: readonly Vector[] = [0, 1, 2, 3, 4].map((place) =>
  turned([Math.SQRT1_2, 0, Math.SQRT1_2], [0, 0, 1], (place * 2 * Math.PI) / 5),
);

/** The others are their opposites, from the last to the first: index i lies below n−1−i. */
const whole = (half: readonly Vector[]): readonly Vector[] => [...half, ...[...half].reverse().map(opposite)].map(unit);

const X: Vector = [1, 0, 0];
const Y: Vector = [0, 1, 0];
const Z: Vector = [0, 0, 1];
const D6: readonly Vector[] = [opposite(X), opposite(Y), opposite(Z), Z, Y, X];
const PIPPED: readonly Vector[] = [opposite(X), Y, Z, opposite(Z), opposite(Y), X];
const D4: readonly Vector[] = [opposite(X), opposite(Z), Z, X];

export const PIXELS_SHAPES: { readonly [K in PixelsKind]: PixelsShape } = {
  d4: { typeNumber: 1, lights: 6, normals: D4 },
  d6: { typeNumber: 2, lights: 6, normals: D6 },
  d8: { typeNumber: 3, lights: 8, normals: whole(D8_HALF) },
  d10: { typeNumber: 4, lights: 10, normals: whole(D10_HALF) },
  d00: { typeNumber: 5, lights: 10, normals: whole(D10_HALF) },
  d12: { typeNumber: 6, lights: 12, normals: whole(D12_HALF) },
  d20: { typeNumber: 7, lights: 20, normals: whole(D20_HALF) },
  d6pipped: { typeNumber: 8, lights: 21, normals: PIPPED },
  fudge: { typeNumber: 9, lights: 6, normals: D6 },
};

/** The printed face at an index of a die of today; undefined beyond the last. */
export const pixelsFaceAt = (kind: PixelsKind, index: number): number | undefined =>
  PIXELS_FACE_BYTES[kind][index]?.[0];

/** The first index that shows a face; -1 where none does. */
export const pixelsIndexOf = (kind: PixelsKind, face: number): number =>
  PIXELS_FACE_BYTES[kind].findIndex(([shown]) => shown === face);
