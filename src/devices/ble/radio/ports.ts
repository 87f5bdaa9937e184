import type { DieType, Face } from '../../../dice/die.js';
import type { Device } from '../../device.js';
import type { GodiceShell } from '../godice-faces.js';
import type { PixelsKind } from '../pixels-faces.js';

/** Makes of Bluetooth dice that are understood. */
export type Make = 'GoDice' | 'Pixels';

/**
 * What a die is listened to for. `claim`: it belongs to nobody yet, and is heard for a moment so that whoever throws it can
 * say "it's mine"; what it says is told like any other signal and, bound to no table, never counts.
 */
export type RadioDuty = 'rolls' | 'counts' | 'pawn' | 'claim';

/** How one enrolled die is read; the owner's word against what the die says of itself. */
export interface DieReading {
  /** GoDice do not know what shell they are in. Default d6, the bare die. */
  readonly shell?: GodiceShell;
  /** What a Pixels is, where it does not say or says it wrong. */
  readonly kind?: PixelsKind;
  /** Printed faces of its own for some indices (calibration). */
  readonly values?: readonly (readonly [index: number, face: Face])[];
}

/**
 * A die that is to be heard. `die` is `pixels-03ef405d` or `godice-bc0940`: from the die's own id, never from an address.
 */
export interface WantedDie {
  readonly die: string;
  readonly duty: RadioDuty;
  readonly reading?: DieReading;
}

/** A die on the air that nobody wants: listed, never connected, never counted. */
export interface UnknownDie {
  readonly die: string;
  readonly model: Make;
  /** Absent where the die does not say: a GoDice in any shell, a Pixels in a custom colour. */
  readonly type?: DieType;
  readonly colour?: string;
  /** The die's own name: anybody's text. */
  readonly name?: string;
  readonly battery?: number;
  /** Signal of its last advertisement, dBm: nearer is higher. */
  readonly rssi: number;
  /** Name of the adapter that hears it best. */
  readonly adapter?: string;
  /** Milliseconds since it was heard last. */
  readonly silentMs: number;
}

/** How well a die is heard by its advertisements: of those expected in ten seconds. */
export interface Listening {
  readonly heard: number;
  readonly expected: number;
  /** 0…100. */
  readonly percent: number;
  /** False under 50 %: linked where a link is free, else marked as not reliable. */
  readonly reliable: boolean;
}

/** How one die is followed. `by` `link`: connected or to be connected; `adverts`: by what it advertises; `none`: not at all. */
export interface Followed {
  readonly die: string;
  readonly duty: RadioDuty;
  readonly by: 'link' | 'adverts' | 'none';
  /** Name of the adapter that links it, or is to link it; absent while none hears it. */
  readonly adapter?: string;
  /** `none` says why: a GoDice tells nothing in its advertisements, and no link is left. */
  readonly why?: 'no_link_left';
  readonly listening?: Listening;
}

/** Whom the adapters serve, told before play. */
export interface LinkPlanReport {
  /** Links that the adapters carry together (`ble.links`), those that are away left out. */
  readonly links: number;
  readonly dice: readonly Followed[];
}

/** Why something does not work, and what to do. */
export interface Remedied {
  readonly reason: string;
  readonly remedy: string;
}

/** What the process of a radio counts of itself. */
export interface RadioCensus {
  readonly malformed: number;
  readonly addresses: number;
  readonly peripherals: number;
  readonly listeners: number;
  readonly heapKb: number;
}

/** One adapter and its radio process. */
export interface AdapterReport {
  readonly name: string;
  /** Links that it carries, and those it has now. */
  readonly links: number;
  readonly linked: number;
  readonly state: 'off' | 'starting' | 'on' | 'unavailable' | 'restarting';
  /** Where it does not work. */
  readonly trouble?: { readonly it: Remedied; readonly en: Remedied };
  /** The number of this start of its process; no other process ever has it. */
  readonly epoch: number;
  /** Starts after the first one. */
  readonly restarts: number;
  /** Advertisements left out because the daemon was behind. */
  readonly dropped: number;
  readonly scanning: boolean;
  readonly driver?: string;
  readonly census?: RadioCensus;
}

/**
 * What the radio is doing, over all adapters. `quiet`: it works, and no enrolled die is awake; never a reason to start it
 * anew. `on` and `quiet` with a reason: one of several adapters does not work.
 */
export interface RadioState {
  readonly state: AdapterReport['state'] | 'quiet';
  /** One readable reason with its remedy where it is not on. */
  readonly reason?: string;
  readonly remedy?: string;
  readonly inItalian?: Remedied;
  /** The highest number of a radio process; it never comes again. */
  readonly epoch: number;
  /** Starts after the first ones. */
  readonly restarts: number;
  /** Advertisements left out because the daemon was behind, and notifications that never came. */
  readonly dropped: number;
  readonly holes: number;
  readonly scanning: boolean;
  readonly driver?: string;
  readonly census?: RadioCensus;
  readonly adapters: readonly AdapterReport[];
}

/** One frame as the radio heard or sent it, for `tiro record`. `at` is monotonic milliseconds. */
export interface RawFrame {
  readonly at: number;
  readonly die: string;
  readonly epoch: number;
  readonly kind: 'up' | 'down' | 'notification' | 'advert' | 'name' | 'written';
  /** Number of the link within the epoch, and of the notification within the link; 0 for what comes without a link. */
  readonly link: number;
  readonly n: number;
  readonly bytes: Uint8Array;
  /** Of an advertisement: the scan response that belongs to it. */
  readonly scanResponse?: Uint8Array;
}

/** The Bluetooth dice of the daemon, as its composition root uses them. */
export interface BluetoothPort {
  /** Enrolled dice, one device each: its id is the die's. */
  devices(): readonly Device[];
  /** Says whom to listen to, all of them at once; whoever is left out is let go. */
  want(dice: readonly WantedDie[]): void;
  /** Dice on the air that nobody wants, strongest first, at most `MAX_UNKNOWN`. */
  unknown(): readonly UnknownDie[];
  /** Model and type of any die on the air, wanted or not. */
  find(die: string): UnknownDie | undefined;
  plan(): LinkPlanReport;
  state(): RadioState;
  /** Hands on every raw frame until the answer is called. */
  tap(frame: (frame: RawFrame) => void): () => void;
}

/** Unknown dice that are remembered; the weakest is forgotten first. */
export const MAX_UNKNOWN = 256;
