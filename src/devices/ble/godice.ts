import { isFaceOf, sidesOf } from '../../dice/die.js';
import { err, ok, type Result } from '../../dice/result.js';
import type { DieInput, DieMachine, How, Signal } from '../device.js';
import { toHex } from '../hex.js';
import {
  degreesBetween,
  doubtsShell,
  type GodiceShell,
  type Pointing,
  placesOfShell,
  point,
  publishedFace,
  typeOfShell,
  type Vector,
} from './godice-faces.js';
import { firmwareTag, type GodiceFrame, MAX_NAME_CHARS, type RestWord, readFrame, readName } from './godice-frames.js';

export const GODICE_MODEL = 'GoDice';
/** A rest this soon after the link came up is the die's memory, not a throw (contracts A). */
export const RESYNC_MS = 2_000;
/** After the charger let go of the die, what it says is still the charger's doing (contracts A). */
export const CHARGER_CALM_MS = 2_000;
/** A tumble without a rest for this long is told as unresolved (contracts A). */
export const UNRESOLVED_MS = 10_000;
/** A GoDice throw counts after this long without a new R (design, step 2). */
export const GODICE_SETTLE_MS = 250;
/** A GoDice that counts must lie still this long (protocols/godice §5: 800 to 1500 ms). */
export const GODICE_DWELL_MS = 800;

// Gates of protocols/godice §4.4, in counts and degrees.
const MIN_MAGNITUDE = 45;
const MAX_MAGNITUDE = 85;
const MAX_TILT = 12;
const MAX_TILT_BARE = 15;
const MIN_GAP = 8;
/** Two readings of a die that nobody moved differ by noise only: real flat ones stay within 2° of the same normal. */
const STILL_DEG = 5;

/** How to read one die. `values` are faces of its own for some indices, as a person read them off it (§4.3). */
export interface GodiceOptions {
  readonly shell: GodiceShell;
  readonly values?: readonly (readonly [index: number, face: number])[];
}

interface LastRest {
  readonly word: RestWord;
  readonly index: number;
  readonly xyz: Vector;
  /** True once something moved, charged or reconnected the die: an equal reading is then a new one. */
  readonly moved: boolean;
}

/** Session of one GoDice: plain data. Times are monotonic milliseconds. */
export interface GodiceState {
  readonly options: GodiceOptions;
  /** Null while the link is down. */
  readonly upAt: number | null;
  /** An open R. `counts` is false once the charger took the die: the throw is lost, and will be told as unresolved. */
  readonly tumble: { readonly at: number; readonly counts: boolean } | null;
  readonly charging: boolean;
  /** End of the calm after a charge, inclusive; null before the first charge. */
  readonly calmUntil: number | null;
  readonly last: LastRest | null;
  /** Rests in a row that fit another shell better. */
  readonly shellDoubt: number;
}

interface Step {
  readonly state: GodiceState;
  readonly signals: readonly Signal[];
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
const stay = (state: GodiceState, ...signals: readonly Signal[]): Step => ({ state, signals });
const stirred = (last: LastRest | null): LastRest | null => (last === null ? null : { ...last, moved: true });

/** Checks faces of a die's own before they are used; the error names the pair that is wrong. */
export function checkValues(options: GodiceOptions): Result<GodiceOptions, string> {
  const type = typeOfShell(options.shell);
  const places = placesOfShell(options.shell);
  for (const [index, face] of options.values ?? []) {
    if (publishedFace(options.shell, index) === undefined) return err(`index ${index}: expected 1 to ${places}`);
    if (!isFaceOf(type, face)) return err(`index ${index}: a ${type} has no face ${face}`);
  }
  return ok(options);
}

function faceAt(options: GodiceOptions, index: number): number | undefined {
  return options.values?.find(([own]) => own === index)?.[1] ?? publishedFace(options.shell, index);
}

function leans(shell: GodiceShell, word: RestWord, { tilt, gap }: Pointing): boolean {
  const bare = shell === 'd6';
  // In a shell every legitimate roll arrives as TS; only a bare die means by it that it does not lie flat (§5).
  return tilt > (bare ? MAX_TILT_BARE : MAX_TILT) || gap < MIN_GAP || (bare && word === 'tilt');
}

/** The first word that fits, in the order of contracts A. */
function howOf(state: GodiceState, word: RestWord, pointing: Pointing, at: number): How {
  if (state.upAt !== null && at - state.upAt <= RESYNC_MS) return 'resync';
  if (leans(state.options.shell, word, pointing)) return 'leaning';
  if (word === 'move' || word === 'fake') return 'placed';
  return state.tumble?.counts ? 'thrown' : 'unsure';
}

function isRepeat({ last }: GodiceState, word: RestWord, index: number, xyz: Vector): boolean {
  if (last === null || last.moved) return false;
  return last.word === word && last.index === index && degreesBetween(last.xyz, xyz) <= STILL_DEG;
}

function restEvidence(state: GodiceState, word: RestWord, xyz: Vector, pointing: Pointing, shellDoubt: number) {
  return {
    vendor: word,
    xyz,
    magnitude: tenth(pointing.magnitude),
    index: pointing.index,
    tilt: tenth(pointing.tilt),
    gap: tenth(pointing.gap),
    ...(state.last === null ? {} : { turned: tenth(degreesBetween(state.last.xyz, xyz)) }),
    ...(shellDoubt === 0 ? {} : { shellDoubt }),
  };
}

function hearRest(state: GodiceState, word: RestWord, xyz: Vector, at: number, hex: string): Step {
  const { shell } = state.options;
  const pointing = point(shell, xyz);
  if (pointing === null || pointing.magnitude < MIN_MAGNITUDE || pointing.magnitude > MAX_MAGNITUDE) {
    const got = String(tenth(pointing?.magnitude ?? 0));
    return stay(state, { kind: 'garbled', why: 'no_gravity', got, expected: `${MIN_MAGNITUDE}…${MAX_MAGNITUDE}`, hex });
  }
  if (isDisturbed(state, at)) return stay(state, { kind: 'ignored', why: 'charging', hex });
  if (isRepeat(state, word, pointing.index, xyz)) return stay(state, { kind: 'ignored', why: 'repeat', hex });
  const type = typeOfShell(shell);
  const face = faceAt(state.options, pointing.index);
  if (face === undefined || !isFaceOf(type, face)) {
    return stay(state, { kind: 'garbled', why: 'face_range', got: String(face), expected: `a face of a ${type}`, hex });
  }
  const shellDoubt = doubtsShell(shell, pointing) ? state.shellDoubt + 1 : 0;
  const how = howOf(state, word, pointing, at);
  const evidence = restEvidence(state, word, xyz, pointing, shellDoubt);
  const last: LastRest = { word, index: pointing.index, xyz, moved: false };
  return stay(
    { ...state, tumble: null, last, shellDoubt },
    { kind: 'rested', type, sides: sidesOf(type), face, how, evidence },
  );
}

const isDisturbed = ({ charging, calmUntil }: GodiceState, at: number): boolean =>
  charging || (calmUntil !== null && at <= calmUntil);

function hearRolling(state: GodiceState, at: number, hex: string): Step {
  if (isDisturbed(state, at)) return stay(state, { kind: 'ignored', why: 'charging', hex });
  return stay({ ...state, tumble: { at, counts: true }, last: stirred(state.last) }, { kind: 'tumbling' });
}

function hearCharging(state: GodiceState, on: boolean, at: number): Step {
  const signal: Signal = { kind: 'battery', charging: on };
  // Init is answered with `Char 0` too: only the end of a charge is followed by calm.
  if (!on) return stay(state.charging ? { ...state, charging: false, calmUntil: at + CHARGER_CALM_MS } : state, signal);
  const tumble = state.tumble === null ? null : { ...state.tumble, counts: false };
  return stay({ ...state, charging: true, tumble, last: stirred(state.last) }, signal);
}

function hearFrame(state: GodiceState, frame: GodiceFrame, at: number, hex: string): Step {
  switch (frame.kind) {
    case 'rolling':
      return hearRolling(state, at, hex);
    case 'rest':
      return hearRest(state, frame.word, frame.xyz, at, hex);
    case 'battery':
      return stay(state, { kind: 'battery', percent: frame.percent });
    case 'charging':
      return hearCharging(state, frame.on, at);
    case 'colour':
      return stay(state, { kind: 'identity', model: GODICE_MODEL, colour: frame.colour });
    case 'version':
      return stay(state, { kind: 'identity', model: GODICE_MODEL, firmware: firmwareTag(frame.number) });
    case 'tap':
      return stay(state, { kind: 'ignored', why: 'tap', hex });
    case 'calibration':
      return stay(state, { kind: 'ignored', why: 'telemetry', hex });
    case 'garbled':
      return stay(state, { ...frame, hex });
  }
}

function hearName(state: GodiceState, text: string): Step {
  const shown = text.slice(0, MAX_NAME_CHARS);
  if (text.length > MAX_NAME_CHARS) return stay(state, { kind: 'garbled', why: 'too_long', text: shown });
  const name = readName(text);
  if (name === null) return stay(state, { kind: 'ignored', why: 'foreign', text: shown });
  return stay(state, { kind: 'identity', model: GODICE_MODEL, ...name, name: text });
}

function hearInput(state: GodiceState, input: DieInput): Step {
  switch (input.kind) {
    case 'notification':
      return hearFrame(state, readFrame(input.bytes), input.at, toHex(input.bytes));
    case 'name':
      return hearName(state, input.text);
    case 'up':
      return stay({ ...state, upAt: input.at, last: stirred(state.last) });
    case 'down':
      return stay({ ...state, upAt: null, last: stirred(state.last) });
    case 'line':
    case 'advert':
      return stay(state, { kind: 'ignored', why: 'foreign' });
    case 'tick':
      return stay(state);
  }
}

/** When an open tumble becomes unresolved (monotonic ms); null with none open. A caller sends `tick` then. */
export const unresolvedAt = ({ tumble }: GodiceState): number | null =>
  tumble === null ? null : tumble.at + UNRESOLVED_MS;

/** The GoDice codec: notifications, names and link changes of one die in, signals out (contracts A, protocols/godice). */
export const godice: DieMachine<GodiceState, GodiceOptions> = {
  start: (options, at, linkUpForMs) => ({
    options,
    upAt: at - linkUpForMs,
    tumble: null,
    charging: false,
    calmUntil: null,
    last: null,
    shellDoubt: 0,
  }),
  hear: (state, input) => {
    const due = unresolvedAt(state);
    if (due === null || input.at < due) return hearInput(state, input);
    const { state: next, signals } = hearInput({ ...state, tumble: null }, input);
    return { state: next, signals: [{ kind: 'unresolved' }, ...signals] };
  },
};
