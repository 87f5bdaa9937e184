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
import type { Clock } from '../clock.js';
import type { Device, DeviceStatus, Heard, Signal } from '../device.js';
import { fromHex } from '../hex.js';
import { FakeLink } from './fake-link.js';
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
  readonly #link: FakeLink<GodiceState, GodiceOptions>;
  readonly #delayed = new Set<() => void>();
  #faults: Fault[] = [];
  #heldUntil = 0;
  #lastRest: string | null = null;

  constructor(options: FakeGodiceOptions) {
    const { id, shell, epoch, clock } = options;
    this.id = id;
    this.#options = options;
    this.#link = new FakeLink({
      die: {
        id,
        model: GODICE_MODEL,
        type: typeOfShell(shell),
        settleMs: GODICE_SETTLE_MS,
        dwellMs: GODICE_DWELL_MS,
        quality: 'ok',
      },
      epoch,
      clock,
      machine: godice,
      options,
      due: unresolvedAt,
      greet: () => this.#greeted(),
    });
  }

  start(hear: (heard: Heard) => void): void {
    this.#link.start(hear);
  }

  async stop(): Promise<void> {
    this.#link.stop();
    for (const takeBack of this.#delayed) takeBack();
    this.#delayed.clear();
  }

  status(): DeviceStatus {
    return this.#link.status();
  }

  async blink(die: string): Promise<boolean> {
    if (die !== this.id || !this.#link.up) return false;
    this.#link.write(encodePulse(FIND_ME));
    return true;
  }

  /** Commands the die was sent, oldest first, at most `MAX_WRITTEN`. */
  written(): readonly Uint8Array[] {
    return this.#link.written();
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
        this.#link.lose();
        return this.link(false);
    }
  }

  /** The link comes up or is lost. Nothing happens where it already is as asked. */
  link(up: boolean): readonly Signal[] {
    return this.#link.turn(up);
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
    if (due <= now && this.#delayed.size === 0) return this.#deliver(bytes, this.#link.links);
    if (this.#delayed.size >= MAX_DELAYED) {
      this.#link.lose();
      return [];
    }
    this.#heldUntil = due;
    const { links } = this.#link;
    const takeBack = this.#options.clock.after(due - now, () => {
      this.#delayed.delete(takeBack);
      this.#deliver(bytes, links);
    });
    this.#delayed.add(takeBack);
    return [];
  }

  #deliver(bytes: Uint8Array, links: number): readonly Signal[] {
    if (links === this.#link.links) return this.#link.deliver(bytes, this.#options.clock.now());
    this.#link.lose();
    return [];
  }

  #greeted(): readonly Signal[] {
    this.#link.write(encodeInit(FIND_ME));
    if (this.#options.answersInit !== true) return [];
    const signals = [...this.#say(BATTERY_FULL), ...this.#say(NOT_CHARGING)];
    if (this.#lastRest !== null) signals.push(...this.#say(TILT_STABLE + this.#lastRest));
    return signals;
  }
}
