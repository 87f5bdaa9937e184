import type { Chance } from './chance.js';

/** In a die's own axes. Readings are in g. */
export type Vector = readonly [x: number, y: number, z: number];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const size = (a: Vector): number => Math.sqrt(dot(a, a));
export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const times = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
export const opposite = (a: Vector): Vector => times(a, -1);
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Of length 1; the null vector becomes x. */
export function unit(a: Vector): Vector {
  const length = size(a);
  return length === 0 ? [1, 0, 0] : times(a, 1 / length);
}

/** Radians between two unit vectors. */
export const angle = (a: Vector, b: Vector): number => Math.acos(Math.max(-1, Math.min(1, dot(a, b))));

/** Normally distributed in each axis, `spread` each. */
export const noise = (chance: Chance, spread: number): Vector => [
  spread * chance.normal(),
  spread * chance.normal(),
  spread * chance.normal(),
];

/** Any direction, each as likely. */
export const anyDirection = (chance: Chance): Vector => unit(noise(chance, 1));

/** Turns a vector by so many radians about an axis of length 1 (Rodrigues). */
export function turned(a: Vector, axis: Vector, radians: number): Vector {
  const along = times(axis, dot(axis, a) * (1 - Math.cos(radians)));
  return plus(plus(times(a, Math.cos(radians)), times(cross(axis, a), Math.sin(radians))), along);
}

/** An axis about which `from` turns to `to`; any that serves where they are opposite. */
export function axisBetween(from: Vector, to: Vector, chance: Chance): Vector {
  const axis = cross(from, to);
  return size(axis) > 1e-6 ? unit(axis) : unit(cross(from, anyDirection(chance)));
}

/** The one that points nearest to `direction`, by place in the list. */
export function nearest(
  normals: readonly Vector[],
  direction: Vector,
): { readonly index: number; readonly cosine: number } {
  let best = { index: 0, cosine: -2 };
  for (const [index, normal] of normals.entries()) {
    const cosine = dot(normal, direction);
    if (cosine > best.cosine) best = { index, cosine };
  }
  return best;
}
