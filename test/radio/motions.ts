import type { Phase } from './body.js';
import type { Chance } from './chance.js';
import { anyDirection, axisBetween, turned, unit, type Vector } from './vector.js';

/** What a hand does with a die, as a person who watches would call it. */
export const MOTIONS = ['throw', 'drop', 'turn', 'flip', 'lean', 'hand', 'shaken', 'bump', 'knock'] as const;
export type Motion = (typeof MOTIONS)[number];

const DEGREE = Math.PI / 180;

const lift = (chance: Chance): Phase => ({ ms: chance.between(150, 300), shake: 0.2, spin: 1.5 });
const tumble = (chance: Chance): Phase => ({ ms: chance.between(450, 900), shake: 1.1, shakeEnd: 0.7, spin: 16 });
const settle = (chance: Chance, to: Vector): Phase => ({ ms: chance.between(60, 160), shake: 0.4, shakeEnd: 0.03, to });

/** Shaken in the hand, thrown, tumbling, lying with `to` up. */
const thrown = (chance: Chance, to: Vector): readonly Phase[] => [
  lift(chance),
  { ms: chance.between(500, 1_200), shake: 0.9, spin: 9 },
  tumble(chance),
  settle(chance, to),
];

/** Let fall from a little height without any shaking. */
const dropped = (chance: Chance, to: Vector): readonly Phase[] => [
  lift(chance),
  { ms: chance.between(300, 800), shake: 0.03, spin: 0.2 },
  { ms: chance.between(250, 450), shake: 1, shakeEnd: 0.6, spin: 14 },
  settle(chance, to),
];

/** Turned by hand to another face and put down gently. `ms` is the turning itself. */
const turnedByHand = (chance: Chance, to: Vector, ms: number): readonly Phase[] => [
  { ms, shake: 0.02, to },
  { ms: chance.between(100, 200), shake: 0.03 },
];

/** Picked up, looked at, turned between the fingers, held still, put back with `to` up. */
const inHand = (chance: Chance, to: Vector): readonly Phase[] => [
  lift(chance),
  { ms: chance.between(500, 1_500), shake: 0.05, spin: 0.6 },
  // Fingers that play with it, some of them lively.
  { ms: chance.between(600, 2_500), shake: chance.between(0.03, 0.13), spin: chance.between(0.4, 1.8) },
  { ms: chance.between(700, 2_000), shake: 0.02, spin: 0.05 },
  { ms: chance.between(900, 1_600), shake: 0.04, to },
];

/** Shaken as for a throw, then put down by hand: no sensor can tell it from a throw (pixels §4.4). */
const shaken = (chance: Chance, to: Vector): readonly Phase[] => [
  lift(chance),
  { ms: chance.between(700, 1_500), shake: 0.9, spin: 9 },
  { ms: chance.between(350, 600), shake: 0.05, to },
];

/** A blow on the table of so many g; the die stays as it lies. It rings for about one look of a Pixels die. */
const bumped = (strength: number): readonly Phase[] => [{ ms: 160, shake: strength, shakeEnd: strength / 2 }];

/** Turned gently, and set down with a knock on the table. */
const knocked = (chance: Chance, to: Vector, strength: number): readonly Phase[] => [
  { ms: chance.between(700, 1_200), shake: 0.02, to },
  ...bumped(strength),
];

/** So many degrees off a face, to whichever side. */
export const off = (chance: Chance, face: Vector, degrees: number): Vector =>
  unit(turned(face, axisBetween(face, anyDirection(chance), chance), degrees * DEGREE));

const TURN_MS = 1_200;
const FLIP_MS = 350;
const BLOW_G = 0.9;

/** Where a die points that shows a face, and where it points when it leans on something instead. */
export interface Directions {
  readonly flat: Vector;
  readonly leaning: Vector;
}

/** A movement of a hand, with usual times and strengths. */
export function phasesOf(motion: Motion, { flat, leaning }: Directions, chance: Chance): readonly Phase[] {
  switch (motion) {
    case 'throw':
      return thrown(chance, flat);
    case 'drop':
      return dropped(chance, flat);
    case 'turn':
      return turnedByHand(chance, flat, TURN_MS);
    case 'flip':
      return turnedByHand(chance, flat, FLIP_MS);
    case 'lean':
      return thrown(chance, leaning);
    case 'hand':
      return inHand(chance, flat);
    case 'shaken':
      return shaken(chance, flat);
    case 'bump':
      return bumped(BLOW_G);
    case 'knock':
      return knocked(chance, flat, BLOW_G);
  }
}
