import type { DieType, Face } from '../dice/die.js';
import type { JsonObject } from '../dice/json.js';

/** How a die came to lie (contracts A): only `thrown` is a throw in the sense of the rules. */
export const HOWS = ['thrown', 'placed', 'leaning', 'unsure', 'resync'] as const;
export type How = (typeof HOWS)[number];

/** Why bytes or a line could not be understood: rubbish is reported, never a roll. */
export const GARBLED_WHYS = [
  'length',
  'unknown',
  'face_range',
  'no_gravity',
  'value_range',
  'check',
  'charset',
  'too_long',
  'syntax',
] as const;
export type GarbledWhy = (typeof GARBLED_WHYS)[number];

/** Why a well-formed message says nothing about the table. */
export const IGNORED_WHYS = [
  'repeat',
  'charging',
  'tap',
  'log',
  'foreign',
  'host',
  'state',
  'unknown',
  'telemetry',
] as const;
export type IgnoredWhy = (typeof IGNORED_WHYS)[number];

/**
 * What a device reported, not judged (contracts A). `evidence` keeps what the reading rests on: raw vector, tilt and
 * gap in degrees, the vendor's word, sequence numbers.
 */
export type Signal =
  | { readonly kind: 'handling' | 'tumbling'; readonly evidence?: JsonObject }
  | {
      readonly kind: 'rested';
      readonly type?: DieType;
      readonly sides: number;
      readonly face: Face;
      readonly how: How;
      readonly evidence: JsonObject;
    }
  | {
      readonly kind: 'battery';
      readonly percent?: number;
      readonly charging?: boolean;
      /** The die says that its charging or its battery is not in order. */
      readonly trouble?: 'bad_charging' | 'error';
    }
  | {
      readonly kind: 'identity';
      readonly model: string;
      readonly id?: string;
      readonly type?: DieType;
      readonly firmware?: string;
      readonly colour?: string;
      readonly name?: string;
    }
  | { readonly kind: 'rssi'; readonly dbm: number }
  | { readonly kind: 'hello'; readonly [field: string]: JsonObject[string] | undefined }
  | { readonly kind: 'beat'; readonly boot: number; readonly ms: number; readonly seq: number }
  | {
      readonly kind: 'gap';
      readonly boot: number;
      readonly first: number;
      readonly last: number;
      readonly reason: string;
    }
  | { readonly kind: 'amended'; readonly boot: number; readonly seq: number; readonly of: number; readonly face: Face }
  | { readonly kind: 'fault'; readonly code: number; readonly text: string }
  | { readonly kind: 'reply'; readonly to: string }
  | { readonly kind: 'unresolved' }
  | {
      readonly kind: 'garbled';
      readonly why: GarbledWhy;
      readonly got?: string;
      readonly expected?: string;
      readonly hex?: string;
      readonly text?: string;
    }
  | { readonly kind: 'ignored'; readonly why: IgnoredWhy; readonly hex?: string; readonly text?: string };

/** One thing that reaches the pure machine of a die or a tray; `at` is monotonic milliseconds. */
export type DieInput =
  | { readonly kind: 'notification'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'line'; readonly at: number; readonly text: string }
  | { readonly kind: 'advert'; readonly at: number; readonly advert: Uint8Array; readonly scanResponse?: Uint8Array }
  | { readonly kind: 'name'; readonly at: number; readonly text: string }
  | { readonly kind: 'up' | 'down' | 'tick'; readonly at: number };

/** The pure decoder of one die's session: state and input give the next state and what is reported. */
export interface DieMachine<S, O> {
  /** State at the start of a session whose link has been up for `linkUpForMs` at time `at`. */
  start(options: O, at: number, linkUpForMs: number): S;
  hear(state: S, input: DieInput): { readonly state: S; readonly signals: readonly Signal[] };
}

/**
 * Where a signal came from: unique for ever, so the same frame heard again changes nothing even after a restart
 * (journal `origin`). Radio: `<die>/<epoch>/<link>/<n>`; tray: `<tray>/<boot>/<seq>`.
 */
export type Origin = string;

/** A signal with its whereabouts. `die` is absent for what concerns the device as a whole (hello, beat, log). */
export interface Heard {
  readonly device: string;
  readonly die?: DieHeard;
  readonly signal: Signal;
  readonly origin?: Origin;
  /** Monotonic milliseconds at which the daemon heard it. */
  readonly at: number;
  /** Set for a roll that a tray stored and replays: how old it truly is. */
  readonly ageMs?: number;
  readonly fake: boolean;
}

/**
 * The die behind a signal. `piece` tells simultaneous dice of one socket apart (tray `of=i/n`); `lane` is a tray's slot.
 * `settleMs` is how long a throw must lie before it counts, `dwellMs` how long a tracker must lie still (design, step 2).
 */
export interface DieHeard {
  readonly id: string;
  readonly model: string;
  readonly type?: DieType;
  readonly piece?: string;
  readonly lane?: string;
  readonly settleMs: number;
  readonly dwellMs: number;
  readonly quality: 'ok' | 'unverified';
}

/** State of a device's link as people are told. */
export interface DeviceStatus {
  readonly id: string;
  readonly model: string;
  readonly fake: boolean;
  readonly link: 'up' | 'connecting' | 'down' | 'refused';
  /** The reason's word, for pages that say it in their own language. */
  readonly code?: string;
  /** One readable reason with its remedy where the link is not up. */
  readonly reason?: string;
  readonly counters: { readonly [name: string]: number };
}

/** A source of signals. Real and fake devices differ only in what they are constructed with. */
export interface Device {
  readonly id: string;
  start(hear: (heard: Heard) => void): void;
  /** Ends all timers and handles; never rejects. */
  stop(): Promise<void>;
  status(): DeviceStatus;
  /** Makes a die blink, where the model can; resolves false where it cannot. */
  blink?(die: string): Promise<boolean>;
}
