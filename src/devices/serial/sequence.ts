import { registered } from './hearing.js';
import type { FrameOf } from './layouts.js';
import { type BootLedger, ledgerOf, newest, placeOf, withGood, withLedger, wrapped } from './ledger.js';
import {
  type HeldEvent,
  quiet,
  REPLAY_AGE_MS,
  RESUME_EVERY_MS,
  RESUME_TRIES,
  type TrayState,
  type TrayStep,
  type TrayWord,
  telling,
} from './session-state.js';
import { hostTime, noticed } from './tray-clock.js';

/**
 * Takes an event of a live session: tells it once, with its age if the tray had stored it, and asks for what is missing
 * before it. An event that came before is told as a repeat.
 */
export function sequenced(state: TrayState, event: HeldEvent, at: number): TrayStep {
  const { signal, frame, boot, seq } = event;
  const boots = registered(state.ear.boots, event);
  if (boots === undefined) return telling({ signal: { kind: 'ignored', why: 'repeat' }, vouched: true }, quiet(state));
  const ageMs = ageOf(state, event, at);
  const word: TrayWord = {
    signal,
    frame,
    event: { boot, seq },
    vouched: true,
    ...(ageMs === undefined ? {} : { ageMs }),
  };
  const current = boot === state.hello?.boot;
  const ms = 'ms' in frame ? frame.ms : undefined;
  const clock = current && ageMs === undefined && ms !== undefined ? noticed(state.clock, boot, ms) : state.clock;
  const next: TrayState = { ...state, clock, ear: { ...state.ear, boots } };
  return telling(word, current ? resumeIfHole(next, boot, at) : quiet(next));
}

/** Age of an event that was stored before this greeting or is of an older boot; undefined for a live one. */
function ageOf(state: TrayState, event: HeldEvent, at: number): number | undefined {
  const { hello, clock } = state;
  const ms = 'ms' in event.frame ? event.frame.ms : undefined;
  if (hello === undefined || ms === undefined) return undefined;
  if (event.boot !== hello.boot) {
    if (state.handmade) return undefined;
    const bootedAt = hostTime(clock, 0) ?? state.openedAt;
    return Math.max(0, Math.round(at - bootedAt));
  }
  if (((event.seq - hello.next) | 0) >= 0) return undefined;
  const age = Math.round(event.at - (hostTime(clock, ms) ?? state.openedAt));
  return age >= REPLAY_AGE_MS ? age : undefined;
}

const hasHole = (ledger: BootLedger): boolean =>
  ledger.good !== undefined && (newest(ledger) ?? ledger.good) > ledger.good;

/** Asks for the missing events of a boot, if there are any. */
export function resumeIfHole(state: TrayState, boot: number, at: number): TrayStep {
  return hasHole(ledgerOf(state.ear.boots, boot)) ? resume(state, at) : quiet({ ...state, resumes: 0 });
}

/**
 * Asks for what is missing from the last good event on: at most once in 250 ms, and after five tries without an answer
 * the hole is taken as lost, so that a tray without a store is not asked for ever.
 */
export function resume(state: TrayState, at: number): TrayStep {
  const boot = state.hello?.boot;
  if (state.phase !== 'live' || boot === undefined || at - state.resumedAt < RESUME_EVERY_MS) return quiet(state);
  const ledger = ledgerOf(state.ear.boots, boot);
  const good = ledger.good;
  if (good === undefined) return quiet(state);
  if (state.resumes >= RESUME_TRIES) {
    const boots = withLedger(state.ear.boots, withGood(ledger, newest(ledger) ?? good));
    return quiet({ ...state, resumes: 0, ear: { ...state.ear, boots } });
  }
  const next = { ...state, resumedAt: at, resumes: state.resumes + 1 };
  return { state: next, heard: [], send: [{ type: 'RES', boot, seq: wrapped(good) }] };
}

/** A beat carries the last `seq`, so that a lost last event is noticed too. */
export function beaten(state: TrayState, frame: FrameOf<'BEA'>, at: number): TrayStep {
  if (frame.boot !== state.hello?.boot || state.phase !== 'live') return quiet(state);
  const ledger = ledgerOf(state.ear.boots, frame.boot);
  const boots = withLedger(state.ear.boots, { ...ledger, told: placeOf(ledger, frame.seq) });
  const clock = noticed(state.clock, frame.boot, frame.ms);
  return resumeIfHole({ ...state, clock, ear: { ...state.ear, boots } }, frame.boot, at);
}

/** The tray says that events first…last are lost for good: they are not asked for again. */
export function withGap(state: TrayState, gap: FrameOf<'GAP'>): TrayState {
  const ledger = ledgerOf(state.ear.boots, gap.boot);
  const last = placeOf(ledger, gap.last);
  const reaches = ledger.good !== undefined && last > ledger.good && placeOf(ledger, gap.first) <= ledger.good + 1;
  if (!reaches) return state;
  return { ...state, ear: { ...state.ear, boots: withLedger(state.ear.boots, withGood(ledger, last)) } };
}
