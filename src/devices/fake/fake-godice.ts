import { faceOf } from '../../dice/die.js';
import { err, ok, type Result } from '../../dice/result.js';
import {
  GODICE_DWELL_MS,
  GODICE_MODEL,
  GODICE_SETTLE_MS,
  type GodiceOptions,
  type GodiceState,
  godice,
  unresolvedAt,
} from '../ble/godice.js';
import { encodeInit, encodePulse, FIND_ME } from '../ble/godice-commands.js';
import { typeOfShell } from '../ble/godice-faces.js';
import { type LinkInput, type LinkState, linkStep, linkWord, risenLink } from '../ble/link.js';
import type { Clock } from '../clock.js';
import type { Device, DeviceStatus, DieHeard, DieInput, Heard, Signal } from '../device.js';
import { fromHex } from '../hex.js';
import { BATTERY_FULL, FACE_BYTES, MOVE_STABLE, NOT_CHARGING, ROLLING, STABLE, TILT_STABLE } from './godice-bytes.js';

/** What befalls the next notification on its way through the air. */
export type Fault =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'duplicate' }
  /** Flips the bits of `mask` in the byte at `offset`. */
  | { readonly kind: 'corrupt'; readonly offset: number; readonly mask: number }
  /** Only the first `bytes` bytes arrive. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** The link is lost, and the notification with it. */
  | { readonly kind: 'drop' };

/** Faults that may wait for their notification, and notifications that may be delayed at once. */
export const MAX_FAULTS = 64;
export const MAX_DELAYED = 256;
/** Written commands that are kept for whoever wants to look at them. */
export const MAX_WRITTEN = 64;
/** A fake's link counts as long up at the start (contracts G). */
const LONG_UP_MS = 60_000;

export interface FakeGodiceOptions extends GodiceOptions {
  /** Id of the device and of its die. */
  readonly id: string;
  /** Number of this run of the daemon: with it origins are never used twice. */
  readonly epoch: string | number;
  readonly clock: Clock;
  /** Answers the init after a reconnection with battery, charging and the last rest, as the real die does. Default no. */
  readonly answersInit?: boolean;
}

/** A GoDice without a die: its bytes are literals and go through the codec and the link machine of the real ones. */
export class FakeGodice implements Device {
  readonly id: string;
  readonly #options: FakeGodiceOptions;
  readonly #die: DieHeard;
  readonly #counters = { notifications: 0, lost: 0, garbled: 0, links: 1 };
  readonly #delayed = new Set<() => void>();
  readonly #written: Uint8Array[] = [];
  #state: GodiceState;
  #link: LinkState;
  #hear: ((heard: Heard) => void) | null = null;
  #faults: Fault[] = [];
  #told = 0;
  #heldUntil = 0;
  #lastRest: string | null = null;
  #disarm: (() => void) | null = null;

  constructor(options: FakeGodiceOptions) {
    this.id = options.id;
    this.#options = options;
    const now = options.clock.now();
    this.#state = godice.start(options, now, LONG_UP_MS);
    this.#link = risenLink(now - LONG_UP_MS);
    this.#die = {
      id: options.id,
      model: GODICE_MODEL,
      type: typeOfShell(options.shell),
      settleMs: GODICE_SETTLE_MS,
      dwellMs: GODICE_DWELL_MS,
      quality: 'ok',
    };
  }

  start(hear: (heard: Heard) => void): void {
    this.#hear = hear;
  }

  async stop(): Promise<void> {
    this.#hear = null;
    this.#disarm?.();
    this.#disarm = null;
    for (const takeBack of this.#delayed) takeBack();
    this.#delayed.clear();
  }

  status(): DeviceStatus {
    return {
      id: this.id,
      model: GODICE_MODEL,
      fake: true,
      link: linkWord(this.#link),
      counters: { ...this.#counters },
    };
  }

  async blink(die: string): Promise<boolean> {
    if (die !== this.id || this.#link.actual !== 'up') return false;
    this.#write(encodePulse(FIND_ME));
    return true;
  }

  /** Commands the die was sent, oldest first, at most `MAX_WRITTEN`. */
  written(): readonly Uint8Array[] {
    return [...this.#written];
  }

  /** Lets a fault befall the next notification that has none yet; false once `MAX_FAULTS` wait. */
  fault(fault: Fault): boolean {
    if (this.#faults.length >= MAX_FAULTS) return false;
    this.#faults.push(fault);
    return true;
  }

  /** The die sends these bytes. Answers what came of it at once; a delayed notification is told when it arrives. */
  notify(bytes: Uint8Array): readonly Signal[] {
    const fault = this.#faults.shift();
    switch (fault?.kind) {
      case undefined:
        return this.#send(bytes, 0);
      case 'delay':
        return this.#send(bytes, fault.ms);
      case 'duplicate':
        return [...this.#send(bytes, 0), ...this.#send(bytes, 0)];
      case 'corrupt':
        return this.#send(
          bytes.map((byte, i) => (i === fault.offset ? byte ^ fault.mask : byte)),
          0,
        );
      case 'cut':
        return this.#send(bytes.slice(0, fault.bytes), 0);
      case 'drop':
        this.#counters.lost += 1;
        return this.link(false);
    }
  }

  /** The link comes up or is lost. Nothing happens where it already is as asked. */
  link(up: boolean): readonly Signal[] {
    const at = this.#options.clock.now();
    if (up === (this.#link.actual === 'up')) return [];
    return this.#feedLink({ kind: up ? 'connected' : 'dropped', at });
  }

  /** A throw: rolling, then the rest as this shell reports it. An error names a natural result the die cannot give. */
  roll(natural: number): Result<readonly Signal[], string> {
    const face = faceOf(typeOfShell(this.#options.shell), natural);
    if (!face.ok) return face;
    const rest = this.#bytesOf(Number(face.value));
    if (rest === undefined) return err(`no bytes for face ${face.value}`);
    // In a shell the firmware never finds the die flat: a genuine throw arrives as TS (protocols/godice §5).
    const word = this.#options.shell === 'd6' ? STABLE : TILT_STABLE;
    return ok([...this.#say(ROLLING), ...this.#say(word + rest)]);
  }

  /** Somebody turns the die to this printed face by hand. */
  set(face: number): Result<readonly Signal[], string> {
    const rest = this.#bytesOf(face);
    if (rest === undefined) return err(`a ${typeOfShell(this.#options.shell)} has no face ${face}`);
    return ok(this.#say(MOVE_STABLE + rest));
  }

  #bytesOf(face: number): string | undefined {
    const rest = FACE_BYTES[this.#options.shell].get(face);
    if (rest !== undefined) this.#lastRest = rest;
    return rest;
  }

  #say(hex: string): readonly Signal[] {
    return this.notify(fromHex(hex) ?? new Uint8Array());
  }

  // Notifications of one link never overtake each other: what follows a delayed one waits behind it.
  #send(bytes: Uint8Array, delayMs: number): readonly Signal[] {
    const now = this.#options.clock.now();
    const due = Math.max(now + delayMs, this.#delayed.size === 0 ? now : this.#heldUntil);
    if (due <= now && this.#delayed.size === 0) return this.#deliver(bytes, this.#counters.links);
    if (this.#delayed.size >= MAX_DELAYED) {
      this.#counters.lost += 1;
      return [];
    }
    this.#heldUntil = due;
    const link = this.#counters.links;
    const takeBack = this.#options.clock.after(due - now, () => {
      this.#delayed.delete(takeBack);
      this.#deliver(bytes, link);
    });
    this.#delayed.add(takeBack);
    return [];
  }

  #deliver(bytes: Uint8Array, link: number): readonly Signal[] {
    if (this.#link.actual !== 'up' || link !== this.#counters.links) {
      this.#counters.lost += 1;
      return [];
    }
    this.#counters.notifications += 1;
    return this.#input({ kind: 'notification', at: this.#options.clock.now(), bytes: Uint8Array.from(bytes) });
  }

  #feedLink(input: LinkInput): readonly Signal[] {
    const { state, acts } = linkStep(this.#link, input);
    this.#link = state;
    const signals: Signal[] = [];
    if (acts.includes('tell_down')) signals.push(...this.#input({ kind: 'down', at: input.at }));
    if (acts.includes('tell_up')) signals.push(...this.#risen(input.at));
    this.#arm();
    return signals;
  }

  #risen(at: number): readonly Signal[] {
    this.#counters.links += 1;
    this.#told = 0;
    const signals = [...this.#input({ kind: 'up', at })];
    this.#write(encodeInit(FIND_ME));
    if (this.#options.answersInit !== true) return signals;
    signals.push(...this.#say(BATTERY_FULL), ...this.#say(NOT_CHARGING));
    if (this.#lastRest !== null) signals.push(...this.#say(TILT_STABLE + this.#lastRest));
    return signals;
  }

  #write(command: Uint8Array): void {
    this.#written.push(command);
    if (this.#written.length > MAX_WRITTEN) this.#written.shift();
  }

  #input(input: DieInput): readonly Signal[] {
    const { state, signals } = godice.hear(this.#state, input);
    this.#state = state;
    this.#arm();
    for (const signal of signals) this.#tell(signal, input.at);
    return signals;
  }

  #tell(signal: Signal, at: number): void {
    if (signal.kind === 'garbled') this.#counters.garbled += 1;
    this.#told += 1;
    const origin = `${this.id}/${this.#options.epoch}/${this.#counters.links}/${this.#told}`;
    this.#hear?.({ device: this.id, die: this.#die, signal, origin, at, fake: true });
  }

  // One timer for what only time can bring: an unresolved tumble, the end of a pause of the link.
  #arm(): void {
    this.#disarm?.();
    this.#disarm = null;
    const dues = [unresolvedAt(this.#state), this.#link.until].filter((due) => due !== null);
    if (dues.length === 0 || this.#hear === null) return;
    const wait = Math.max(0, Math.min(...dues) - this.#options.clock.now());
    this.#disarm = this.#options.clock.after(wait, () => {
      const at = this.#options.clock.now();
      this.#input({ kind: 'tick', at });
      this.#feedLink({ kind: 'tick', at });
    });
  }
}
