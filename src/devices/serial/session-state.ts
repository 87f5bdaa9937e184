import type { Signal } from '../device.js';
import { type EventId, FRESH_EAR, type TrayEar } from './hearing.js';
import type { Frame, FrameOf } from './layouts.js';
import { type TrayClock, UNSET_CLOCK } from './tray-clock.js';
import type { UnknownFrame } from './ttp1.js';

/** The versions this program speaks. */
export const VERSIONS = { min: 1, max: 1 } as const;
/** `HEL?` is said again after this long without a HEL: a board that resets on opening sleeps through the first. */
export const HELLO_RETRY_MS = 1000;
/** So long after opening events wait for the HEL that says whose they are; then a path given by hand may do without. */
export const HELLO_GRACE_MS = 700;
/** So many events wait; what comes then is not taken, and a tray that stores its events replays it. */
export const MAX_HELD_EVENTS = 64;
/** A tray beats every 2 s when idle; after so much silence the port is opened anew, whatever the system says. */
export const SILENCE_MS = 6000;
/** After so much silence a PIN is written: writing is what brings a dead handle to light. */
export const PING_AFTER_MS = 3000;
/** Clocks are compared this often. */
export const PIN_EVERY_MS = 30_000;
/** RES goes out at most once in this time, and so often for one hole. */
export const RESUME_EVERY_MS = 250;
export const RESUME_TRIES = 5;
/** An event at least this old when it is heard was stored and replayed; a younger one is live. */
export const REPLAY_AGE_MS = 1000;
/** So many unreadable lines in a row, and the baud rate or the device is wrong. */
export const RUBBISH_LIMIT = 5;

/**
 * `greeting`: open, no HEL yet. `named`: a HEL came, and whether this tray may have its name is asked outside.
 * `barred`: another tray has the same id. `refused`: no common version.
 */
export type Phase = 'closed' | 'greeting' | 'named' | 'live' | 'barred' | 'refused';

/** What one tray's session remembers over lines, and over reconnections: its boots, its clock, its name. */
export interface TrayState {
  readonly phase: Phase;
  readonly ear: TrayEar;
  readonly hello?: FrameOf<'HEL'>;
  /** Events may be told under the port's own name if no HEL comes (a path given by hand). */
  readonly anonymous: boolean;
  /** Lines are written by hand (fakes): an event of a boot that no HEL named is live, not replayed. */
  readonly handmade: boolean;
  readonly openedAt: number;
  readonly heardAt: number;
  readonly askedAt: number;
  readonly held: readonly HeldEvent[];
  readonly clock: TrayClock;
  readonly pin?: { readonly nonce: string; readonly at: number };
  readonly pinnedAt: number;
  readonly pins: number;
  readonly resumedAt: number;
  readonly resumes: number;
  readonly rubbish: number;
}

export interface HeldEvent extends EventId {
  readonly at: number;
  readonly signal: Signal;
  readonly frame: Frame | UnknownFrame;
}

export type TrayInput =
  | { readonly kind: 'opened' | 'closed' | 'tick' | 'admitted' | 'barred'; readonly at: number }
  | { readonly kind: 'line'; readonly at: number; readonly text: string }
  /** A line over the cap was begun: `text` is its beginning. */
  | { readonly kind: 'overlong'; readonly at: number; readonly text: string };

/** One signal with what its whereabouts rest on. */
export interface TrayWord {
  readonly signal: Signal;
  readonly frame?: Frame | UnknownFrame;
  readonly event?: EventId;
  /** Set for an event the tray had stored: how old it truly is, as far as can be known. */
  readonly ageMs?: number;
  /** False for an event told without a HEL. */
  readonly vouched: boolean;
}

export interface TrayStep {
  readonly state: TrayState;
  readonly heard: readonly TrayWord[];
  readonly send: readonly Frame[];
  /** The port is to be closed and opened anew. */
  readonly reopen?: 'silent';
}

/** A session before its first opening. `anonymous`, `handmade`: see TrayState. */
export function closedTray(anonymous: boolean, handmade = false): TrayState {
  return {
    phase: 'closed',
    ear: FRESH_EAR,
    anonymous,
    handmade,
    openedAt: 0,
    heardAt: 0,
    askedAt: 0,
    held: [],
    clock: UNSET_CLOCK,
    pinnedAt: 0,
    pins: 0,
    resumedAt: Number.NEGATIVE_INFINITY,
    resumes: 0,
    rubbish: 0,
  };
}

/** True while what comes in looks like another baud rate or no tray at all. */
export const isRubbish = (state: TrayState): boolean => state.rubbish >= RUBBISH_LIMIT;

/** A step that tells and sends nothing. */
export const quiet = (state: TrayState): TrayStep => ({ state, heard: [], send: [] });

/** Puts `word` before what a step has to tell. */
export const telling = (word: TrayWord, step: TrayStep): TrayStep => ({ ...step, heard: [word, ...step.heard] });
