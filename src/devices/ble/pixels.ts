import type { DieInput, DieMachine, Signal } from '../device.js';
import { toHex } from '../hex.js';
import { type PixelsAdvert, readAdvert } from './pixels-advert.js';
import { ERAS } from './pixels-eras.js';
import { typeOfKind } from './pixels-faces.js';
import type { IAmADie, RawBattery, RawState } from './pixels-identity.js';
import { readFloatBattery, readPixels } from './pixels-messages.js';
import { hearBattery, hearLevel } from './pixels-power.js';
import { hearState } from './pixels-rests.js';
import {
  firmwareOf,
  freshState,
  type KnownDie,
  kindOf,
  PIXELS_MODEL,
  type PixelsOptions,
  type PixelsState,
  type Step,
  stay,
  stirred,
} from './pixels-state.js';

/** A tumble without a rest for this long is told as unresolved (contracts A). */
export const UNRESOLVED_MS = 10_000;
/** A state this soon after RequestRollState is its answer (protocols/pixels §3.2, reply timeouts). */
export const ANSWER_MS = 5_000;
const RENUMBERED_FROM = 72;

/** Runs steps one after the other and puts together what they tell. */
function inTurn(state: PixelsState, ...steps: readonly ((state: PixelsState) => Step)[]): Step {
  const signals: Signal[] = [];
  let now = state;
  for (const step of steps) {
    const done = step(now);
    now = done.state;
    signals.push(...done.signals);
  }
  return { state: now, signals };
}

/** Takes what a die says it is. Another die behind the same session begins anew. */
function meet(state: PixelsState, die: KnownDie): PixelsState {
  if (state.die === null || state.die.id === die.id) return { ...state, die };
  const { options, facts, upAt } = state;
  return { ...freshState(options, 0), facts, upAt, die };
}

function identityOf(
  state: PixelsState,
  told: { readonly id: string; readonly colour?: string; readonly name?: string },
  firmware: number | undefined,
): Signal {
  const kind = kindOf(state);
  return {
    kind: 'identity',
    model: PIXELS_MODEL,
    id: told.id,
    ...(kind === undefined ? {} : { type: typeOfKind(kind) }),
    ...(firmware === undefined ? {} : { firmware: String(firmware) }),
    ...(told.colour === undefined ? {} : { colour: told.colour }),
    ...(told.name === undefined ? {} : { name: told.name }),
  };
}

function hearIAmADie(state: PixelsState, told: IAmADie, at: number, bytes: Uint8Array): Step {
  const expected = state.options.id ?? state.facts?.id;
  if (expected !== undefined && expected !== told.id)
    return stay(state, { kind: 'ignored', why: 'foreign', hex: toHex(bytes) });
  const { id, dieType, leds, firmware, battery, rest } = told;
  const known = meet(state, {
    id,
    dieType,
    ...(leds === undefined ? {} : { leds }),
    ...(firmware === undefined ? {} : { firmware }),
  });
  return inTurn(
    { ...known, askedUntil: null },
    (now) => stay(now, identityOf(now, told, firmware)),
    (now) => (battery === undefined ? stay(now) : hearBattery(now, battery, at, true, bytes)),
    (now) => (rest === undefined ? stay(now) : hearState(now, rest, at, 'identity', bytes)),
  );
}

function hearWhole(state: PixelsState, told: PixelsAdvert, packet: Uint8Array, at: number): Step {
  const { facts, dated, leds, battery, rest } = told;
  // A custom colour hides the type that IAmADie has told: what is known stays.
  const before = state.die?.id === facts.id ? state.die.dieType : 0;
  const dieType = told.dieType === 0 ? before : told.dieType;
  const known = meet({ ...state, facts }, { id: facts.id, dieType, leds, firmware: facts.firmware });
  const identity = identityOf(known, { ...told, id: facts.id }, dated ? facts.firmware : undefined);
  const text = JSON.stringify(identity);
  return inTurn(
    { ...known, advert: { packet: toHex(packet), identity: text } },
    (now) => (state.advert?.identity === text ? stay(now) : stay(now, identity)),
    (now) => {
      if (battery.percent <= 100) return hearLevel(now, battery, at, false);
      const [got, expected] = [String(battery.percent), '0…100'];
      return stay(now, { kind: 'garbled', why: 'value_range', got, expected, hex: toHex(packet) });
    },
    (now) => hearState(now, rest, at, 'advert', packet),
  );
}

function hearAdvert(state: PixelsState, input: Extract<DieInput, { kind: 'advert' }>): Step {
  const { advert, scanResponse, at } = input;
  const hex = toHex(advert);
  const reading = readAdvert(advert, scanResponse, state.facts ?? undefined);
  switch (reading.kind) {
    case 'garbled':
      return stay(state, { ...reading, hex });
    case 'foreign':
      return stay(state, { kind: 'ignored', why: 'foreign', hex });
    case 'pending':
      return stay(reading.facts === undefined ? state : { ...state, facts: reading.facts });
    case 'advert': {
      const { options } = state;
      if (options.id !== undefined && options.id !== reading.facts.id) {
        return stay(state, { kind: 'ignored', why: 'foreign', hex });
      }
      if (state.advert?.packet === hex && state.facts?.id === reading.facts.id) {
        return stay(state, { kind: 'ignored', why: 'repeat', hex });
      }
      return hearWhole(state, reading, advert, at);
    }
  }
}

function hearRollState(state: PixelsState, raw: RawState, at: number, bytes: Uint8Array): Step {
  const { askedUntil, tumble } = state;
  // With a tumble open the die speaks by itself: its rest is the throw's, the answer comes behind it.
  const answer = askedUntil !== null && at <= askedUntil && tumble === null;
  return hearState(answer ? { ...state, askedUntil: null } : state, raw, at, answer ? 'answer' : null, bytes);
}

function hearMessageBattery(state: PixelsState, raw: RawBattery, at: number, bytes: Uint8Array): Step {
  if ((firmwareOf(state) ?? ERAS.percent) >= ERAS.percent) return hearBattery(state, raw, at, false, bytes);
  const level = readFloatBattery(bytes);
  if (level !== null) return hearLevel(state, level, at, false);
  const expected = 'two floats and a byte, the first from 0 to 1';
  return stay(state, { kind: 'garbled', why: 'value_range', expected, hex: toHex(bytes) });
}

function hearNotification(state: PixelsState, bytes: Uint8Array, at: number): Step {
  const message = readPixels(bytes);
  switch (message.kind) {
    case 'rollState':
      return hearRollState(state, message, at, bytes);
    case 'iAmADie':
      return hearIAmADie(state, message, at, bytes);
    case 'battery':
      return hearMessageBattery(state, message, at, bytes);
    case 'rssi':
      return stay(state, { kind: 'rssi', dbm: message.dbm });
    case 'reply':
      // Ids from 72 on meant something else before (§0).
      if ((bytes[0] ?? 0) >= RENUMBERED_FROM && (firmwareOf(state) ?? ERAS.rolled) < ERAS.rolled) {
        return stay(state, { kind: 'ignored', why: 'unknown', hex: toHex(bytes) });
      }
      return stay(state, message);
    case 'asked':
      return stay(pixelsAsked(state, at), { kind: 'ignored', why: 'host', hex: toHex(bytes) });
    case 'ignored':
    case 'garbled':
      return stay(state, { ...message, hex: toHex(bytes) });
  }
}

function hearInput(state: PixelsState, input: DieInput): Step {
  switch (input.kind) {
    case 'notification': {
      // After a message an advert is news, even if it repeats the one before.
      const { state: next, signals } = hearNotification(state, input.bytes, input.at);
      return { state: next.advert === null ? next : { ...next, advert: { ...next.advert, packet: '' } }, signals };
    }
    case 'advert':
      return hearAdvert(state, input);
    case 'up':
      return stay({ ...state, upAt: input.at, askedUntil: null, last: stirred(state.last) });
    case 'down':
      return stay({ ...state, upAt: null, askedUntil: null, last: stirred(state.last) });
    case 'name':
    case 'line':
      return stay(state, { kind: 'ignored', why: 'foreign', text: input.text.slice(0, 64) });
    case 'tick':
      return stay(state);
  }
}

/** Tells the session that the host has asked for the state (RequestRollState): the answer is no roll. */
export const pixelsAsked = (state: PixelsState, at: number): PixelsState => ({ ...state, askedUntil: at + ANSWER_MS });

/** When an open tumble becomes unresolved (monotonic ms); null with none open. A caller sends `tick` then. */
export const unresolvedAt = ({ tumble }: PixelsState): number | null =>
  tumble === null ? null : tumble.at + UNRESOLVED_MS;

/** The Pixels codec: notifications, adverts and link changes of one die in, signals out (contracts A, protocols/pixels). */
export const pixels: DieMachine<PixelsState, PixelsOptions> = {
  start: (options, at, linkUpForMs) => freshState(options, at - linkUpForMs),
  hear: (state, input) => {
    const due = unresolvedAt(state);
    if (due === null || input.at < due) return hearInput(state, input);
    const { state: next, signals } = hearInput({ ...state, tumble: null }, input);
    return { state: next, signals: [{ kind: 'unresolved' }, ...signals] };
  },
};
