import type { GodiceShell } from '../../src/devices/ble/godice-faces.js';
import type { PixelsKind } from '../../src/devices/ble/pixels-faces.js';
import { FACE_BYTES } from '../../src/devices/fake/godice-bytes.js';
import { PIXELS_FACE_BYTES } from '../../src/devices/fake/pixels-bytes.js';
import { Chance } from './chance.js';
import type { Die } from './die.js';
import { GodiceDie } from './godice-die.js';
import type { Motion } from './motions.js';
import type { DieEnd } from './peripheral.js';
import { PixelsDie, type PixelsSpec } from './pixels-die.js';
import { StepTime } from './time.js';

/** A message as a host that loses nothing gets it; `at` in milliseconds. */
export interface Frame {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** One movement of a die: what a person saw, and what the die said. */
export interface Sample {
  readonly die: string;
  readonly motion: Motion;
  readonly face: number;
  readonly frames: readonly Frame[];
}

/** The movements of one die in their order, after what it says of itself when a host links to it. */
export interface Session {
  readonly make: 'pixels' | 'godice';
  readonly kind: PixelsKind | GodiceShell;
  readonly hello: readonly Frame[];
  readonly samples: readonly Sample[];
}

/** Longer than a die needs to be linked (resync), and to tell all of a movement. */
const LINKED_MS = 5_000;
const MOVEMENT_MS = 9_000;

/** A host that listens to everything and loses nothing. */
class Ear implements DieEnd {
  readonly mtu = 128;
  readonly intervalMs = 15;
  readonly heard: Frame[] = [];
  readonly #time: StepTime;

  constructor(time: StepTime) {
    this.#time = time;
  }

  listens(): boolean {
    return true;
  }

  notify(_uuid: string, bytes: Uint8Array, delivered?: () => void): boolean {
    this.heard.push({ at: this.#time.now(), bytes });
    delivered?.();
    return true;
  }

  send(): void {}
  end(): void {}

  take(): readonly Frame[] {
    return this.heard.splice(0);
  }
}

function record(make: Session['make'], kind: Session['kind'], die: Die, time: StepTime, ear: Ear, plan: Plan): Session {
  die.opened(ear);
  die.wake();
  die.written(
    make === 'pixels' ? 'write' : '6e400002b5a3f393e0a9e50e24dcca9e',
    Buffer.from(make === 'pixels' ? [0x01] : [0x19]),
  );
  time.pass(LINKED_MS);
  const hello = ear.take();
  const samples = plan.map(([motion, face]) => {
    die.move(motion, face);
    time.pass(MOVEMENT_MS);
    return { die: die.id, motion, face, frames: ear.take() };
  });
  die.stop();
  return { make, kind, hello, samples };
}

type Plan = readonly (readonly [Motion, number])[];

function plan(motions: readonly Motion[], faces: readonly number[], count: number, chance: Chance): Plan {
  return Array.from({ length: count }, () => [chance.pick(motions), chance.pick(faces)] as const);
}

/** So many movements of a Pixels die, of these kinds in a random order; the same for the same seed. */
export function pixelsSession(
  kind: PixelsKind,
  motions: readonly Motion[],
  count: number,
  seed: number,
  firmware: PixelsSpec['firmware'] = 'legacy',
): Session {
  const [time, chance] = [new StepTime(), new Chance(seed)];
  const die = new PixelsDie(
    { make: 'pixels', id: '03ef405d', kind, firmware },
    'c0:00:00:00:00:01',
    time,
    chance,
    () => undefined,
  );
  const faces = PIXELS_FACE_BYTES[kind].map(([face]) => face);
  return record('pixels', kind, die, time, new Ear(time), plan(motions, faces, count, chance.branch()));
}

/** The same of a GoDice in a shell. */
export function godiceSession(shell: GodiceShell, motions: readonly Motion[], count: number, seed: number): Session {
  const [time, chance] = [new StepTime(), new Chance(seed)];
  const spec = { make: 'godice', id: 'BC0940', shell } as const;
  const die = new GodiceDie(spec, 'c0:00:00:40:09:bc', time, chance, () => undefined);
  return record(
    'godice',
    shell,
    die,
    time,
    new Ear(time),
    plan(motions, [...FACE_BYTES[shell].keys()], count, chance.branch()),
  );
}
