import type { PixelsKind } from '../../src/devices/ble/pixels-faces.js';
import type { Chance } from './chance.js';
import { Die, type DieEvent } from './die.js';
import { PROPERTY, type Service } from './gatt.js';
import { type Directions, off } from './motions.js';
import type { Advertisement } from './peripheral.js';
import { LOOK_MS, NewDetector, OldDetector, type PixelsDetector } from './pixels-detector.js';
import { PIXELS_SHAPES, pixelsIndexOf } from './pixels-shapes.js';
import * as wire from './pixels-wire.js';
import type { Time, Wait } from './time.js';
import type { Vector } from './vector.js';

const ADVERTISING_MS = 187.5;
const REBOOT_MS = 1_000;
const SLEEP_MS = 15 * 60_000;
/** The die asks for its own terms when the link has them not (protocols/pixels §6). */
const TERMS_MS = 5_000;
const TERMS_AGAIN_MS = 30_000;
const TERMS_TRIES = 4;
const SHORTEST_MS = 15;
const LONGEST_MS = 30;
const LEAN_DEGREES = 18;
const SIGNALLING_CHANNEL = 5;
/** Connection Parameter Update Request: 15 to 30 ms, latency 0, 3 s. */
const TERMS_REQUEST = [0x12, 0x01, 0x08, 0x00, 0x0c, 0x00, 0x18, 0x00, 0x00, 0x00, 0x2c, 0x01];

export interface PixelsSpec {
  readonly make: 'pixels';
  /** Eight hex digits: the pixel id. */
  readonly id: string;
  readonly kind: PixelsKind;
  /** Default: the build of 2024-11-07, the dialect that dice in shops speak. */
  readonly firmware?: 'old' | 'legacy' | 'chunked' | undefined;
  readonly name?: string | undefined;
  readonly face?: number | undefined;
}

/** A Pixels die: firmware as protocols/pixels §2–§6 tell of it. */
export class PixelsDie extends Die {
  readonly maxMtu = 128;
  readonly packetBytes = 132;
  readonly queueBytes = 160;
  readonly firstHandle = 0x01;
  readonly services: readonly Service[];
  protected readonly lookMs = LOOK_MS;
  readonly #kind: PixelsKind;
  readonly #dialect: wire.PixelsDialect;
  readonly #build: number;
  readonly #name: string;
  #detector: PixelsDetector;
  #percent = 87;
  #charging = false;
  #booting = false;
  #stirred: number;
  #shown: { readonly word: wire.PixelsFacts['word']; readonly index: number };
  #terms: Wait | null = null;

  constructor(spec: PixelsSpec, address: string, time: Time, chance: Chance, tell: (event: DieEvent) => void) {
    const { normals } = PIXELS_SHAPES[spec.kind];
    const up =
      normals[spec.face === undefined ? chance.whole(0, normals.length - 1) : pixelsIndexOf(spec.kind, spec.face)];
    if (up === undefined) throw new RangeError(`a ${spec.kind} has no face ${spec.face}`);
    super(spec.id, address, up, time, chance, tell);
    const firmware = spec.firmware ?? 'legacy';
    this.#kind = spec.kind;
    this.#dialect = firmware === 'chunked' ? 'chunked' : 'legacy';
    this.#build = wire.BUILD[firmware];
    this.#name = spec.name ?? `Pixel${spec.id}`;
    this.#detector = this.#boot(up);
    this.#shown = this.#detector.sight;
    this.#stirred = time.now();
    this.services = this.#table();
  }

  protected directionsOf(face: number): Directions {
    const flat = PIXELS_SHAPES[this.#kind].normals[pixelsIndexOf(this.#kind, face)];
    if (flat === undefined) throw new RangeError(`a ${this.#kind} has no face ${face}`);
    // Only a barrel-shaped D4 knows that it leans; the others read the nearest face (§4.2).
    if (this.#kind !== 'd4') return { flat, leaning: off(this.chance, flat, LEAN_DEGREES) };
    return { flat, leaning: off(this.chance, [0, this.chance.happens(0.5) ? 1 : -1, 0], LEAN_DEGREES) };
  }

  advertisement(): Advertisement | null {
    if (!this.powered || this.#booting || this.away || this.linked || this.#asleep) return null;
    return {
      advert: wire.pixelsAdvert({ ...this.#facts(), ...this.#shown }, this.#dialect),
      scanResponse: wire.pixelsScanResponse(this.#facts(), this.#dialect),
      intervalMs: ADVERTISING_MS,
      connectable: !this.aloof,
    };
  }

  override opened(end: Parameters<Die['opened']>[0]): void {
    super.opened(end);
    this.#stirred = this.time.now();
    this.#askForTerms(TERMS_MS, TERMS_TRIES);
  }

  override closed(): void {
    super.closed();
    this.#terms?.cancel();
    // The payload is built anew from the live state: a die that has rolled lies on its face now (§2.1).
    this.#shown = this.#detector.sight;
    this.#stirred = this.time.now();
  }

  written(_uuid: string, value: Buffer): number {
    this.record(value.toString('hex'));
    const answer = this.#answer(value);
    if (answer !== null) this.say(answer);
    return 0;
  }

  /** Sends any bytes as a notification. */
  say(bytes: Uint8Array, delivered?: () => void): boolean {
    return this.end?.notify(wire.PIXELS_UUIDS[this.#dialect].notify, bytes, delivered) ?? false;
  }

  /** On the charger, or off it. */
  charge(on: boolean, percent = this.#percent): void {
    this.#charging = on;
    this.#percent = percent;
    this.say(wire.batteryLevel(this.#facts()));
  }

  /** A magnet takes its power for so long; then it starts anew by way of its bootloader (§6). */
  losePower(ms: number): void {
    this.powered = false;
    this.forget();
    this.time.after(ms, () => {
      this.powered = true;
      this.#booting = true;
      this.#detector = this.#boot(this.body.up);
      this.#shown = this.#detector.sight;
      this.wake();
      this.time.after(REBOOT_MS, () => {
        this.#booting = false;
      });
    });
  }

  /** Falls asleep at once, as it does after a quarter of an hour unlinked; any motion wakes it. */
  sleep(): void {
    this.#stirred = Number.NEGATIVE_INFINITY;
  }

  protected look(reading: Vector): void {
    if (this.body.moving) {
      if (this.#asleep) this.#detector.wake();
      this.#stirred = this.time.now();
    }
    const sight = this.#detector.look(reading);
    if (sight === null) return;
    this.#shown = sight;
    const { notify } = wire.PIXELS_UUIDS[this.#dialect];
    const bytes = wire.rollState(this.#facts());
    if (sight.word === 'handling') this.say(bytes);
    else if (sight.word === 'rolling') this.sendTumbling(notify, bytes);
    else this.sendRest(notify, bytes, sight.word);
  }

  get #asleep(): boolean {
    return !this.linked && this.time.now() - this.#stirred > SLEEP_MS;
  }

  #boot(up: Vector): PixelsDetector {
    const { normals } = PIXELS_SHAPES[this.#kind];
    return this.#build === wire.BUILD.old
      ? new OldDetector(normals, up)
      : new NewDetector(normals, this.#kind === 'd4', up);
  }

  #facts(): wire.PixelsFacts {
    const { typeNumber, lights } = PIXELS_SHAPES[this.#kind];
    return {
      id: Number.parseInt(this.id, 16),
      typeNumber,
      lights,
      build: this.#build,
      name: this.#name,
      percent: this.#percent,
      charging: this.#charging,
      ...this.#detector.sight,
    };
  }

  #answer(request: Buffer): Buffer | null {
    switch (request[0]) {
      case 0x01:
        return wire.iAmADie(this.#facts(), this.#dialect);
      case 0x17:
        return wire.rollState(this.#facts());
      case 0x1d:
        return Buffer.from([0x1e]);
      case 0x21:
        return wire.batteryLevel(this.#facts());
      case 0x23:
        return Buffer.from([0x24, this.rssi & 0xff]);
      case 0x35:
        this.end?.end();
        if (request[1] === 2) this.sleep();
        if (request[1] === 0) this.stop();
        return null;
      default:
        return null;
    }
  }

  #askForTerms(ms: number, tries: number): void {
    this.#terms = this.time.after(ms, () => {
      if (this.end === null) return;
      if (this.end.intervalMs >= SHORTEST_MS && this.end.intervalMs <= LONGEST_MS) return;
      if (tries === 0) return this.end.end();
      this.end.send(SIGNALLING_CHANNEL, Buffer.from(TERMS_REQUEST));
      this.#askForTerms(TERMS_AGAIN_MS, tries - 1);
    });
  }

  #table(): readonly Service[] {
    const { service, notify, write } = wire.PIXELS_UUIDS[this.#dialect];
    return [
      { uuid: '1800', characteristics: [{ uuid: '2a00', properties: PROPERTY.read, value: Buffer.from(this.#name) }] },
      { uuid: '1801', characteristics: [] },
      {
        uuid: service,
        characteristics: [
          { uuid: notify, properties: PROPERTY.notify },
          { uuid: write, properties: PROPERTY.write | PROPERTY.writeCommand },
        ],
      },
    ];
  }
}
