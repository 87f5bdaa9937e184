import type { PixelsKind } from './pixels-faces.js';

type Normal = readonly [x: number, y: number, z: number];

// Thousandths, by index (protocols/pixels §5); the other ten are their opposites, from the last to the first.
const D20_HALF: readonly Normal[] = [
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
const unit = ([x, y, z]: Normal): Normal => {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
};

const opposite = ([x, y, z]: Normal): Normal => [-x, -y, -z];
const D20: readonly Normal[] = [...D20_HALF, ...[...D20_HALF].reverse().map(opposite)].map(unit);

/**
 * Degrees, to one decimal, by which a die was turned from one index to another: a knock tips it to a neighbour.
 * Undefined for kinds whose normals are not known; only of a D20 are they worth knowing.
 */
export function degreesTurned(kind: PixelsKind | undefined, from: number, to: number): number | undefined {
  const [a, b] = [D20[from], D20[to]];
  if (kind !== 'd20' || a === undefined || b === undefined) return undefined;
  if (from === to) return 0;
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return Math.round((Math.acos(Math.max(-1, Math.min(1, cosine))) * 1_800) / Math.PI) / 10;
}
