import type { GodiceShell } from '../../src/devices/ble/godice-faces.js';
import { FACE_BYTES } from '../../src/devices/fake/godice-bytes.js';
import type { Chance } from './chance.js';
import { Die, type DieEvent } from './die.js';
import { PROPERTY, type Service } from './gatt.js';
import { GodiceDetector, type GodiceSight, LOOK_MS } from './godice-detector.js';
import { type Directions, off } from './motions.js';
import type { Advertisement } from './peripheral.js';
import type { Time } from './time.js';
import { unit, type Vector } from './vector.js';

const ADVERTISING_MS = 100;
const SLEEP_MS = 5 * 60_000;
const SERVICE = '6e400001b5a3f393e0a9e50e24dcca9e';
const WRITE = '6e400002b5a3f393e0a9e50e24dcca9e';
const NOTIFY = '6e400003b5a3f393e0a9e50e24dcca9e';
/** Letters of the dots' colours, in the order of their numbers. */
export const LETTERS = ['K', 'R', 'G', 'B', 'Y', 'O'] as const;
type Letter = (typeof LETTERS)[number];

/** Clearly off the face, and no other one's (protocols/godice §4.4). */
const LEAN_DEGREES = { bare: { low: 20, high: 40 }, shell: { low: 15.5, high: 18 } };

export interface GodiceSpec {
  readonly make: 'godice';
  /** Six hex digits: the last three bytes of its address, in reverse (protocols/godice §1). */
  readonly id: string;
  readonly shell: GodiceShell;
  /** Default K, black. */
  readonly colour?: Letter | undefined;
  readonly face?: number | undefined;
}

const signed = (byte: number | undefined): number => ((byte ?? 0) << 24) >> 24;

/** Where the die points when it shows a face: the bytes of the field, as a direction. */
function direction(shell: GodiceShell, face: number): Vector {
  const hex = FACE_BYTES[shell].get(face);
  if (hex === undefined) throw new RangeError(`a GoDice in a ${shell} shell has no face ${face}`);
  const bytes = Buffer.from(hex, 'hex');
  return unit([signed(bytes[0]), signed(bytes[1]), signed(bytes[2])]);
}

const WORDS = { R: [0x52], S: [0x53], TS: [0x54, 0x53], FS: [0x46, 0x53], MS: [0x4d, 0x53] } as const;

/** A notification as it stands on the wire (protocols/godice §2). */
export const godiceBytes = (sight: GodiceSight): Buffer =>
  Buffer.from([...WORDS[sight.kind], ...(sight.kind === 'R' ? [] : sight.counts.map((count) => count & 0xff))]);

/** A GoDice in a shell, which it does not know itself. */
export class GodiceDie extends Die {
  readonly maxMtu = 23;
  readonly packetBytes = 27;
  readonly queueBytes = 256;
  readonly firstHandle = 0x20;
  readonly services: readonly Service[];
  protected readonly lookMs = LOOK_MS;
  readonly #shell: GodiceShell;
  readonly #letter: Letter;
  readonly #detector: GodiceDetector;
  #percent = 100;
  #charging = false;
  #stirred: number;

  constructor(spec: GodiceSpec, address: string, time: Time, chance: Chance, tell: (event: DieEvent) => void) {
    const up = direction(spec.shell, spec.face ?? chance.pick([...FACE_BYTES[spec.shell].keys()]));
    super(spec.id, address, up, time, chance, tell);
    this.#shell = spec.shell;
    this.#letter = spec.colour ?? 'K';
    this.#detector = new GodiceDetector(up);
    this.#stirred = time.now();
    const name = Buffer.from(this.#name);
    this.services = [
      { uuid: '1800', characteristics: [{ uuid: '2a00', properties: PROPERTY.read | PROPERTY.write, value: name }] },
      {
        uuid: SERVICE,
        characteristics: [
          { uuid: WRITE, properties: PROPERTY.write | PROPERTY.writeCommand },
          { uuid: NOTIFY, properties: PROPERTY.notify },
        ],
      },
    ];
  }

  protected directionsOf(face: number): Directions {
    const flat = direction(this.#shell, face);
    const { low, high } = LEAN_DEGREES[this.#shell === 'd6' ? 'bare' : 'shell'];
    return { flat, leaning: off(this.chance, flat, this.chance.between(low, high)) };
  }

  advertisement(): Advertisement | null {
    if (!this.powered || this.away || this.linked || this.time.now() - this.#stirred > SLEEP_MS) return null;
    const name = Buffer.from(this.#name);
    return {
      advert: Buffer.from([0x02, 0x01, 0x06, name.length + 1, 0x09, ...name]),
      scanResponse: Buffer.from([0x11, 0x07, ...Buffer.from(SERVICE, 'hex').reverse()]),
      intervalMs: ADVERTISING_MS,
      connectable: !this.aloof,
    };
  }

  override closed(): void {
    super.closed();
    this.#stirred = this.time.now();
  }

  written(uuid: string, value: Buffer): number {
    if (uuid !== WRITE) return 0;
    this.record(value.toString('hex'));
    for (const answer of this.#answers(value)) this.say(answer);
    return 0;
  }

  /** Sends any bytes as a notification. */
  say(bytes: Uint8Array, delivered?: () => void): boolean {
    return this.end?.notify(NOTIFY, bytes, delivered) ?? false;
  }

  /** Into the charger, or out of it. */
  charge(on: boolean, percent = this.#percent): void {
    this.#charging = on;
    this.#percent = percent;
    this.say(this.#charge);
  }

  /** Without power for so long. */
  losePower(ms: number): void {
    this.powered = false;
    this.forget();
    this.time.after(ms, () => {
      this.powered = true;
      this.#stirred = this.time.now();
      this.wake();
    });
  }

  /** Falls asleep at once; any motion wakes it. */
  sleep(): void {
    this.#stirred = Number.NEGATIVE_INFINITY;
  }

  protected look(reading: Vector): void {
    if (this.body.moving) this.#stirred = this.time.now();
    const sight = this.#detector.look(reading);
    if (sight === null) return;
    if (sight.kind === 'R') this.sendTumbling(NOTIFY, godiceBytes(sight));
    else this.sendRest(NOTIFY, godiceBytes(sight), sight.kind);
  }

  get #name(): string {
    return `GoDice_${this.id}_${this.#letter}_v04`;
  }

  get #charge(): Buffer {
    return Buffer.from([0x43, 0x68, 0x61, 0x72, this.#charging ? 1 : 0]);
  }

  get #battery(): Buffer {
    return Buffer.from([0x42, 0x61, 0x74, this.#percent]);
  }

  #answers(command: Buffer): readonly Buffer[] {
    switch (command[0]) {
      case 0x03:
        return [this.#battery];
      case 0x17:
        return [Buffer.from([0x43, 0x6f, 0x6c, LETTERS.indexOf(this.#letter)])];
      case 0x19:
        return [this.#battery, this.#charge, godiceBytes(this.#detector.memory)];
      default:
        return [];
    }
  }
}
