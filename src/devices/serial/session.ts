import type { Signal } from '../device.js';
import { type HeardLine, hearLine, registered } from './hearing.js';
import type { Frame, FrameOf } from './layouts.js';
import { ledgerOf, withGood, withLedger, wrapped } from './ledger.js';
import { beaten, resume, resumeIfHole, sequenced, withGap } from './sequence.js';
import {
  HELLO_GRACE_MS,
  HELLO_RETRY_MS,
  type HeldEvent,
  MAX_HELD_EVENTS,
  PIN_EVERY_MS,
  PING_AFTER_MS,
  quiet,
  SILENCE_MS,
  type TrayInput,
  type TrayState,
  type TrayStep,
  type TrayWord,
  telling,
  VERSIONS,
} from './session-state.js';
import { answered, greeted, noticed, UNSET_CLOCK } from './tray-clock.js';

/**
 * The session of one tray as a pure machine: handshake, versions, sequence and holes, liveness, clock (firmware-protocol,
 * Session). `at` is the host's monotonic milliseconds. Frames to send are told, never sent.
 */
export function stepTray(state: TrayState, input: TrayInput): TrayStep {
  switch (input.kind) {
    case 'opened':
      return opened(state, input.at);
    case 'closed':
      return closed(state);
    case 'admitted':
      return state.phase === 'named' || state.phase === 'barred' ? admitted(state, input.at) : quiet(state);
    case 'barred':
      return state.phase === 'named' || state.phase === 'live'
        ? quiet({ ...state, phase: 'barred', held: [] })
        : quiet(state);
    case 'tick':
      return state.phase === 'closed' ? quiet(state) : tick(state, input.at);
    case 'overlong': {
      const signal: Signal = { kind: 'garbled', why: 'too_long', text: input.text };
      return telling({ signal, vouched: true }, quiet({ ...state, heardAt: input.at, rubbish: state.rubbish + 1 }));
    }
    case 'line':
      return lineHeard({ ...state, heardAt: input.at }, hearLine(state.ear, input.text), input.at);
  }
}

function opened(state: TrayState, at: number): TrayStep {
  const { pin: _, ...rest } = state;
  const next: TrayState = {
    ...rest,
    phase: 'greeting',
    ear: { ...state.ear, crc8: false },
    openedAt: at,
    heardAt: at,
    askedAt: at,
    pinnedAt: at,
    held: [],
    rubbish: 0,
  };
  return { state: next, heard: [], send: [{ type: 'HEL?' }] };
}

function closed(state: TrayState): TrayStep {
  const step = state.phase === 'greeting' ? unnamed(state) : quiet(state);
  return { ...step, state: { ...step.state, phase: 'closed', held: [] } };
}

function lineHeard(before: TrayState, line: HeardLine, at: number): TrayStep {
  const { signal, frame, event } = line;
  const state: TrayState = { ...before, rubbish: rubbishAfter(before.rubbish, signal) };
  const word: TrayWord = { signal, vouched: true, ...(frame === undefined ? {} : { frame }) };
  // An event enters the ledger only when it is told: one that is dropped here must be welcome when it is replayed.
  if (event !== undefined && frame !== undefined) return eventHeard(state, { ...event, at, signal, frame }, at);
  if (signal.kind === 'garbled' && signal.why === 'check') return telling(word, resume(state, at));
  switch (frame?.type) {
    case 'HEL':
      return telling(word, greet({ ...state, ear: line.ear }, frame, at));
    case 'BEA':
      return telling(word, beaten(state, frame, at));
    case 'GAP':
      return telling(word, quiet(withGap(state, frame)));
    case 'PON':
      return telling(word, quiet(pong(state, frame, at)));
    default:
      return telling(word, quiet(state));
  }
}

function rubbishAfter(count: number, signal: Signal): number {
  if (signal.kind === 'garbled') return count + 1;
  if (signal.kind !== 'ignored' || signal.why !== 'log') return 0;
  return signal.text?.includes('\\x') === true ? count + 1 : count;
}

function greet(before: TrayState, hello: FrameOf<'HEL'>, at: number): TrayStep {
  const same = before.hello?.id === hello.id;
  // Another tray on this port: what was known of the last one is not its own (F061).
  const state = same ? before : { ...before, clock: UNSET_CLOCK, ear: { ...before.ear, boots: [] } };
  const clock =
    hello.ms === undefined ? state.clock : greeted(noticed(state.clock, hello.boot, hello.ms), at, hello.ms);
  const met: TrayState = { ...state, hello, clock };
  if (hello.ver.min > VERSIONS.max || hello.ver.max < VERSIONS.min)
    return quiet({ ...met, phase: 'refused', held: [] });
  if (state.phase === 'live' && same && before.hello?.boot === hello.boot) {
    return { ...quiet(met), send: [useOf(hello)] };
  }
  return quiet({ ...met, phase: 'named' });
}

const useOf = (hello: FrameOf<'HEL'>): Frame => ({ type: 'USE', version: Math.min(hello.ver.max, VERSIONS.max) });

/** The tray may have its name: USE, RES from the last event known, a first PIN, then what waited is told. */
function admitted(state: TrayState, at: number): TrayStep {
  const hello = state.hello;
  if (hello === undefined) return quiet(state);
  const latest = state.ear.boots[0];
  const own = ledgerOf(state.ear.boots, hello.boot);
  const ledger = own.good === undefined ? withGood(own, hello.next - 1) : own;
  const from = latest?.good === undefined ? ledger : latest;
  const res: Frame = { type: 'RES', boot: from.boot, seq: wrapped(from.good ?? hello.next - 1) };
  const ear = { ...state.ear, boots: withLedger(state.ear.boots, ledger) };
  const pinned = ping({ ...state, phase: 'live', ear, held: [], resumes: 0, resumedAt: at }, at);
  const send = [useOf(hello), res, ...pinned.send];
  return state.held.reduce<TrayStep>(
    (step, event) => {
      const next = sequenced(step.state, event, at);
      return { state: next.state, heard: [...step.heard, ...next.heard], send };
    },
    { state: pinned.state, heard: [], send },
  );
}

function eventHeard(state: TrayState, event: HeldEvent, at: number): TrayStep {
  switch (state.phase) {
    case 'live':
      return sequenced(state, event, at);
    case 'greeting':
    case 'named': {
      const held = state.held.length < MAX_HELD_EVENTS ? [...state.held, event] : state.held;
      return at - state.openedAt >= HELLO_GRACE_MS ? unnamed({ ...state, held }) : quiet({ ...state, held });
    }
    case 'barred':
    case 'refused':
    case 'closed':
      return telling({ signal: { kind: 'ignored', why: 'foreign' }, vouched: true }, quiet(state));
  }
}

/** No HEL came for what waited: it is told under the port's own name where that is allowed, else it goes on waiting. */
function unnamed(state: TrayState): TrayStep {
  if (!state.anonymous) return quiet(state);
  const heard: TrayWord[] = [];
  let boots = state.ear.boots;
  for (const { signal, frame, boot, seq } of state.held) {
    const grown = registered(boots, { boot, seq });
    if (grown === undefined) continue;
    boots = grown;
    heard.push({ signal, frame, event: { boot, seq }, vouched: false });
  }
  return { state: { ...state, ear: { ...state.ear, boots }, held: [] }, heard, send: [] };
}

function pong(state: TrayState, frame: FrameOf<'PON'>, at: number): TrayState {
  const { pin, ...rest } = state;
  if (pin === undefined || pin.nonce !== frame.nonce) return state;
  return { ...rest, clock: answered(state.clock, pin.at, at, frame.ms) };
}

function ping(state: TrayState, at: number): TrayStep {
  const pins = (state.pins + 1) % 1_000_000;
  const nonce = String(pins);
  return { state: { ...state, pins, pin: { nonce, at }, pinnedAt: at }, heard: [], send: [{ type: 'PIN', nonce }] };
}

function tick(before: TrayState, at: number): TrayStep {
  if (at - before.heardAt >= SILENCE_MS) return { ...quiet(before), reopen: 'silent' };
  const told = at - before.openedAt >= HELLO_GRACE_MS ? unnamed(before) : quiet(before);
  const state = told.state;
  if (state.phase === 'greeting' && at - state.askedAt >= HELLO_RETRY_MS) {
    return { state: { ...state, askedAt: at }, heard: told.heard, send: [{ type: 'HEL?' }] };
  }
  if (state.hello === undefined || state.phase === 'greeting') return told;
  const holes = resumeIfHole(state, state.hello.boot, at);
  const silent = at - state.heardAt >= PING_AFTER_MS && at - state.pinnedAt >= PING_AFTER_MS;
  const due = silent || at - state.pinnedAt >= PIN_EVERY_MS;
  const pinged = due ? ping(holes.state, at) : quiet(holes.state);
  return { state: pinged.state, heard: told.heard, send: [...holes.send, ...pinged.send] };
}
