import type { DieType } from '../../../dice/die.js';
import type { DieInput, DieMachine, Signal } from '../../device.js';
import {
  GODICE_DWELL_MS,
  GODICE_SETTLE_MS,
  type GodiceOptions,
  type GodiceState,
  godice,
  unresolvedAt as godiceDue,
} from '../godice.js';
import { encodeBattery, encodeInit, encodePulse, FIND_ME, type Pulse } from '../godice-commands.js';
import { type GodiceShell, typeOfShell } from '../godice-faces.js';
import { pixels, pixelsAsked, unresolvedAt as pixelsDue } from '../pixels.js';
import { encodeBlink, encodeRequestRollState, encodeWhoAreYou, PIXELS_FIND_ME } from '../pixels-commands.js';
import { typeOfKind } from '../pixels-faces.js';
import {
  firmwareOf,
  kindOf,
  PIXELS_DWELL_MS,
  PIXELS_SETTLE_MS,
  type PixelsOptions,
  type PixelsState,
} from '../pixels-state.js';
import type { DieReading, Make } from './ports.js';

/** A message shorter than IAmADie's legacy form would be cut: then the die is not asked who it is (protocols/pixels §0). */
export const IDENTITY_MTU = 25;
/** A GoDice that is greeted after its link came up blinks as little as can be. */
const HELLO: Pulse = { count: 1, onMs: 100, offMs: 100, rgb: [0, 0, 0] };

/** The machine of one die of whichever make: what reaches the die goes in, signals come out. */
export interface Reader {
  readonly make: Make;
  readonly settleMs: number;
  readonly dwellMs: number;
  hear(input: DieInput): readonly Signal[];
  /** What the die is, as far as it is known. */
  type(): DieType | undefined;
  /** When `tick` must come at the latest; null with nothing open. */
  due(): number | null;
  /** Since when the die is on its way; null while it lies or is in the hand. */
  tumblingSince(): number | null;
  /** Forgets that the die is on its way: whatever rest comes next is no throw. */
  breakTumble(): void;
  /** What is written once the link is up; `mtu` null where it is not known. */
  greeting(mtu: number | null, at: number): readonly Uint8Array[];
  /** Asks a silent die for a sign of life; its answer is no throw. */
  poll(at: number): Uint8Array;
  blink(): Uint8Array;
}

/** State of a machine that knows of an open tumble. */
interface Tumbling {
  readonly tumble: { readonly at: number } | null;
}

class Session<S extends Tumbling, O> {
  readonly #machine: DieMachine<S, O>;
  readonly #due: (state: S) => number | null;
  state: S;

  constructor(machine: DieMachine<S, O>, options: O, at: number, due: (state: S) => number | null) {
    this.#machine = machine;
    this.#due = due;
    this.state = machine.hear(machine.start(options, at, 0), { kind: 'down', at }).state;
  }

  readonly hear = (input: DieInput): readonly Signal[] => {
    const { state, signals } = this.#machine.hear(this.state, input);
    this.state = state;
    return signals;
  };
  readonly due = (): number | null => this.#due(this.state);
  readonly tumblingSince = (): number | null => this.state.tumble?.at ?? null;
  readonly breakTumble = (): void => {
    this.state = { ...this.state, tumble: null };
  };
}

function godiceReader(reading: DieReading, at: number): Reader {
  const shell: GodiceShell = reading.shell ?? 'd6';
  const values = reading.values?.filter((pair): pair is readonly [number, number] => typeof pair[1] === 'number');
  const options: GodiceOptions = { shell, ...(values === undefined ? {} : { values }) };
  const session = new Session<GodiceState, GodiceOptions>(godice, options, at, godiceDue);
  const { hear, due, tumblingSince, breakTumble } = session;
  return {
    make: 'GoDice',
    settleMs: GODICE_SETTLE_MS,
    dwellMs: GODICE_DWELL_MS,
    hear,
    due,
    tumblingSince,
    breakTumble,
    type: () => typeOfShell(shell),
    greeting: () => [encodeInit(HELLO)],
    poll: () => encodeBattery(),
    blink: () => encodePulse(FIND_ME),
  };
}

function pixelsReader(id: string, reading: DieReading, at: number): Reader {
  const { kind, values } = reading;
  const options: PixelsOptions = {
    id,
    ...(kind === undefined ? {} : { override: kind }),
    ...(values === undefined ? {} : { values }),
  };
  const session = new Session<PixelsState, PixelsOptions>(pixels, options, at, pixelsDue);
  const { hear, due, tumblingSince, breakTumble } = session;
  const ask = (now: number): Uint8Array => {
    session.state = pixelsAsked(session.state, now);
    return encodeRequestRollState();
  };
  return {
    make: 'Pixels',
    settleMs: PIXELS_SETTLE_MS,
    dwellMs: PIXELS_DWELL_MS,
    hear,
    due,
    tumblingSince,
    breakTumble,
    type: () => {
      const known = kindOf(session.state);
      return known === undefined ? undefined : typeOfKind(known);
    },
    greeting: (mtu, now) => [mtu === null || mtu >= IDENTITY_MTU ? encodeWhoAreYou() : ask(now)],
    poll: ask,
    blink: () => encodeBlink(PIXELS_FIND_ME, firmwareOf(session.state)),
  };
}

/** Splits `pixels-03ef405d` into make and the die's own id, as its machine knows it; null for any other name. */
export function partsOf(die: string): { readonly make: Make; readonly id: string } | null {
  const found = /^(godice|pixels)-([0-9a-f]{6,8})$/.exec(die);
  if (found === null) return null;
  const id = found[2] ?? '';
  return found[1] === 'pixels' ? { make: 'Pixels', id } : { make: 'GoDice', id: id.toUpperCase() };
}

/** Begins to read a die; null for a name that is no Bluetooth die's. */
export function readerOf(die: string, reading: DieReading, at: number): Reader | null {
  const parts = partsOf(die);
  if (parts === null) return null;
  return parts.make === 'GoDice' ? godiceReader(reading, at) : pixelsReader(parts.id, reading, at);
}
