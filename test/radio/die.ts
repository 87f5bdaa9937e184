import type { AttFaults } from './att.js';
import { Body } from './body.js';
import type { Chance } from './chance.js';
import type { Service } from './gatt.js';
import { type Directions, type Motion, phasesOf } from './motions.js';
import type { Advertisement, DieEnd, Peripheral } from './peripheral.js';
import type { Time, Wait } from './time.js';
import type { Vector } from './vector.js';

/** What happened to a die, told to who runs the room. */
export type DieEvent =
  /** A hand begins a movement that ends with `face` up. `move` counts the movements of this die. */
  | {
      readonly event: 'moved';
      readonly die: string;
      readonly move: number;
      readonly motion: Motion;
      readonly face: number;
    }
  /**
   * The die came to rest and told it in the word `told`. `delivered`: the host's controller got that message; `whole`: and
   * the first of its tumbling too, on the same link. False where it was lost with the link or nobody listened. `stillMs`:
   * for how long it has lain when this is told.
   */
  | {
      readonly event: 'landed';
      readonly die: string;
      readonly move: number;
      readonly motion: Motion;
      readonly face: number;
      readonly told: string;
      readonly delivered: boolean;
      readonly whole: boolean;
      readonly stillMs: number;
    }
  | { readonly event: 'linked' | 'unlinked'; readonly die: string; readonly link: number }
  /** Bytes that were to be said have been handed over by the host's controller. */
  | { readonly event: 'said'; readonly die: string; readonly hex: string }
  | { readonly event: 'written'; readonly die: string; readonly hex: string };

/** A message of rest on its way: `known` is told once whether it arrived. */
interface RestMessage {
  readonly told: string;
  readonly link: number;
  arrived: boolean | null;
  known: ((arrived: boolean) => void) | null;
}

interface Movement {
  readonly number: number;
  readonly motion: Motion;
  readonly face: number;
  /** When the hand has let go of it and it lies still. */
  readonly liesAt: number;
  /** The link on which its first tumbling was delivered. */
  tumbled: number | null;
  /** The last rest that the die told while it was still moved: a gentle turn is told halfway and then no more. */
  rest: RestMessage | null;
  stillSince: number | null;
}

/** A die that has been still for so long has told all it will tell. */
const SETTLED_MS = 1_000;

/** What every simulated die has: power, sleep, a body that hands move, one link at most, and a record of its movements. */
export abstract class Die implements Peripheral {
  readonly id: string;
  readonly address: string;
  rssi: number;
  readonly attFaults: AttFaults = {};
  abstract readonly services: readonly Service[];
  abstract readonly firstHandle: number;
  abstract readonly maxMtu: number;
  abstract readonly packetBytes: number;
  abstract readonly queueBytes: number;
  protected readonly time: Time;
  protected readonly chance: Chance;
  protected readonly body: Body;
  protected end: DieEnd | null = null;
  protected powered = true;
  /** Out of reach of everybody: it goes on by itself. */
  away = false;
  /** It advertises and takes no link: a GoDice with an empty battery does so for minutes (protocols/godice §6). */
  aloof = false;
  readonly #tell: (event: DieEvent) => void;
  #moves = 0;
  #links = 0;
  #movement: Movement | null = null;
  readonly #underway = new Set<RestMessage>();
  #look: Wait | null = null;

  constructor(id: string, address: string, up: Vector, time: Time, chance: Chance, tell: (event: DieEvent) => void) {
    this.id = id;
    this.address = address;
    this.time = time;
    this.chance = chance;
    this.rssi = -Math.round(chance.between(38, 62));
    this.body = new Body(chance.branch(), up);
    this.#tell = tell;
  }

  get linked(): boolean {
    return this.end !== null;
  }

  get links(): number {
    return this.#links;
  }

  abstract advertisement(): Advertisement | null;
  /** Sends any bytes as a notification; false where they are lost. */
  abstract say(bytes: Uint8Array, delivered?: () => void): boolean;

  /** The same, and tells when they were handed over. */
  sayAndTell(bytes: Uint8Array): boolean {
    return this.say(bytes, () => this.#tell({ event: 'said', die: this.id, hex: Buffer.from(bytes).toString('hex') }));
  }

  /** On the charger or off it, with this charge in percent. */
  abstract charge(on: boolean, percent?: number): void;
  /** Loses its power for so long; its host learns of it by the supervision timeout only. */
  abstract losePower(ms: number): void;
  /** Falls asleep at once, if it is not linked; any motion wakes it. */
  abstract sleep(): void;
  abstract written(uuid: string, value: Buffer): number;
  /** Throws a RangeError where it has no such face. */
  protected abstract directionsOf(face: number): Directions;
  /** One look at the accelerometer. */
  protected abstract look(reading: Vector): void;
  protected abstract readonly lookMs: number;

  switched(_uuid: string, _on: boolean): number {
    return 0;
  }

  opened(end: DieEnd): void {
    this.end = end;
    this.#links += 1;
    this.#tell({ event: 'linked', die: this.id, link: this.#links });
  }

  closed(): void {
    this.forget();
    this.#tell({ event: 'unlinked', die: this.id, link: this.#links });
  }

  /** The die knows of no link any more, whatever its host believes. */
  protected forget(): void {
    this.end = null;
    for (const message of [...this.#underway]) this.#arrive(message, false);
  }

  /** A hand moves the die; `face` is what it will show. Returns the number of the movement. */
  move(motion: Motion, face: number): number {
    const phases = phasesOf(motion, this.directionsOf(face), this.chance);
    if (this.#movement !== null) this.#finish(this.#movement);
    this.#moves += 1;
    const at = this.time.now();
    const liesAt = phases.reduce((end, { ms }) => end + ms, at);
    this.#movement = { number: this.#moves, motion, face, liesAt, tumbled: null, rest: null, stillSince: null };
    this.body.move(at, phases);
    this.#tell({ event: 'moved', die: this.id, move: this.#moves, motion, face });
    return this.#moves;
  }

  /** Starts looking; a die without power does not. */
  wake(): void {
    this.#look ??= this.time.after(this.lookMs, () => {
      this.#look = null;
      if (!this.powered) return;
      this.look(this.body.read(this.time.now()));
      if (this.#movement !== null && !this.body.moving) this.#settle(this.#movement);
      this.wake();
    });
  }

  /** Ends its timers. */
  stop(): void {
    this.#look?.cancel();
    this.#look = null;
    this.powered = false;
  }

  protected record(hex: string): void {
    this.#tell({ event: 'written', die: this.id, hex });
  }

  /** Sends a message of tumbling: the first one that arrives is remembered for the movement. */
  protected sendTumbling(uuid: string, bytes: Uint8Array): void {
    const [movement, link] = [this.#movement, this.#links];
    this.end?.notify(uuid, bytes, () => {
      if (movement !== null) movement.tumbled ??= link;
    });
  }

  /** Sends a message of rest; the one after the movement is over ends it. */
  protected sendRest(uuid: string, bytes: Uint8Array, told: string): void {
    const movement = this.#movement;
    const message: RestMessage = { told, link: this.#links, arrived: null, known: null };
    this.#underway.add(message);
    const queued = this.end?.notify(uuid, bytes, () => this.#arrive(message, true)) === true;
    if (!queued) this.#arrive(message, false);
    if (movement === null) return;
    movement.rest = message;
    if (!this.body.moving) this.#finish(movement);
  }

  #arrive(message: RestMessage, arrived: boolean): void {
    if (!this.#underway.delete(message)) return;
    message.arrived = arrived;
    message.known?.(arrived);
  }

  #settle(movement: Movement): void {
    movement.stillSince ??= this.time.now();
    if (this.time.now() - movement.stillSince >= SETTLED_MS) this.#finish(movement);
  }

  #finish(movement: Movement): void {
    if (this.#movement === movement) this.#movement = null;
    const { number, motion, face, liesAt, rest } = movement;
    const tell = (delivered: boolean): void => {
      const whole = delivered && movement.tumbled === rest?.link;
      this.#tell({
        event: 'landed',
        die: this.id,
        move: number,
        motion,
        face,
        told: rest?.told ?? 'nothing',
        delivered,
        whole,
        stillMs: Math.round(this.time.now() - liesAt),
      });
    };
    if (rest === null) tell(false);
    else if (rest.arrived !== null) tell(rest.arrived);
    else rest.known = tell;
  }
}
