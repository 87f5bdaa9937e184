import type { Duplex } from 'node:stream';
import { Air } from './air.js';
import { Btsnoop } from './btsnoop.js';
import { Chance } from './chance.js';
import { Controller, type ControllerTraits, DONGLE } from './controller.js';
import type { Die, DieEvent } from './die.js';
import { Flood } from './flood.js';
import { anyAddress, type Foreign, foreigner } from './foreign.js';
import { GodiceDie, type GodiceSpec } from './godice-die.js';
import { H4Splitter } from './h4.js';
import { ACL } from './hci.js';
import type { Link } from './link.js';
import type { Motion } from './motions.js';
import type { Advertisement, Peripheral } from './peripheral.js';
import { PixelsDie, type PixelsSpec } from './pixels-die.js';
import { type Time, type Wait, wallTime } from './time.js';

export type DieSpec = PixelsSpec | GodiceSpec;

export interface RadioOptions {
  /** The same seed, the same dice, hands and losses. */
  readonly seed?: number;
  readonly traits?: Partial<ControllerTraits>;
  /** Controllers in the room, each for a host of its own; all hear the same air. Default 1. */
  readonly controllers?: number;
  readonly time?: Time;
  /** File for all that passes between host and controller. */
  readonly snoop?: string;
  readonly tell?: (event: DieEvent) => void;
}

/** Addresses of the controllers after the first one differ in the last number. */
const LAST = 2;

/** A host that reads nothing is sent no more adverts beyond this backlog; a real controller drops them too. */
const MAX_BACKLOG = 64 * 1024;

/** A controller with what is at its other end. */
interface Seat {
  readonly controller: Controller;
  readonly snoop: Btsnoop | null;
  host: Duplex | null;
}

/** A room with a Bluetooth controller or several, and dice in it, for hosts that speak H4. Everything runs in real time. */
export class VirtualRadio {
  readonly air: Air;
  readonly flood: Flood;
  readonly #chance: Chance;
  readonly #time: Time;
  readonly #dice = new Map<string, Die>();
  readonly #foreign: Foreign[] = [];
  readonly #tell: (event: DieEvent) => void;
  readonly #seats: Seat[] = [];
  /** Controllers that are in reach of a die, by its address; of all where it is not named. */
  readonly #reach = new Map<string, readonly number[]>();
  #rotation: Wait | null = null;

  constructor({
    seed = 1,
    traits = {},
    controllers = 1,
    time = wallTime,
    snoop,
    tell = () => undefined,
  }: RadioOptions = {}) {
    this.#chance = new Chance(seed);
    this.#time = time;
    this.#tell = tell;
    this.#seat(traits, snoop);
    this.air = new Air(time, this.#chance.branch(), (peripheral, sent, answered) =>
      this.atOnce(() => this.#hear(peripheral, sent, answered)),
    );
    // A seed of its own: what else happens in the room is the same with it and without.
    const full = (): boolean => (this.#seatAt(0).host?.writableLength ?? Number.POSITIVE_INFINITY) > MAX_BACKLOG / 4;
    this.flood = new Flood(this.controller, new Chance(seed + 1), time, full);
    for (let place = 1; place < controllers; place += 1) {
      const { address } = DONGLE;
      const own = `${address.slice(0, -LAST)}${place.toString(16).padStart(LAST, '0')}`;
      this.#seat({ ...traits, address: own }, snoop === undefined ? undefined : `${snoop}.${place}`);
    }
  }

  /** The first controller. */
  get controller(): Controller {
    return this.controllerAt(0);
  }

  get controllers(): readonly Controller[] {
    return this.#seats.map(({ controller }) => controller);
  }

  controllerAt(place: number): Controller {
    return this.#seatAt(place).controller;
  }

  get dice(): ReadonlyMap<string, Die> {
    return this.#dice;
  }

  /** Connects a host of a controller by its byte stream; the one before is let go. */
  attach(host: Duplex, place = 0): void {
    const seat = this.#seatAt(place);
    seat.host = host;
    const splitter = new H4Splitter();
    host.on('data', (chunk: Buffer) => {
      for (const packet of splitter.push(chunk)) {
        seat.snoop?.write(packet, false);
        seat.controller.take(packet);
      }
    });
    host.on('error', () => undefined);
    host.once('close', () => {
      if (seat.host === host) seat.host = null;
    });
  }

  /** Hands each host all that `act` makes its controller say in one piece, as a serial line may. */
  atOnce(act: () => void): void {
    const hosts = this.#seats.map(({ host }) => host);
    for (const host of hosts) host?.cork();
    act();
    for (const host of hosts) host?.uncork();
  }

  /** Puts a die on the table. */
  add(spec: DieSpec): Die {
    if (this.#dice.has(spec.id)) throw new RangeError(`there is a die ${spec.id} already`);
    const chance = this.#chance.branch();
    const die = this.#made(spec, chance);
    this.#dice.set(spec.id, die);
    this.air.join(die);
    die.wake();
    return die;
  }

  /** Takes a die out of the room; its link is lost. */
  remove(id: string): void {
    const die = this.die(id);
    this.link(id)?.cut();
    this.air.leave(die.address);
    die.stop();
    this.#dice.delete(id);
  }

  die(id: string): Die {
    const die = this.#dice.get(id);
    if (die === undefined) throw new RangeError(`there is no die ${id}`);
    return die;
  }

  /** The link of a die; undefined where it has none. */
  link(id: string): Link | undefined {
    const { address } = this.die(id);
    return this.controllers.flatMap(({ links }) => links).find(({ peripheral }) => peripheral.address === address);
  }

  /** Only these controllers hear a die's advertisements. */
  reach(id: string, places: readonly number[]): void {
    this.#reach.set(this.die(id).address, places);
  }

  /** A hand moves a die so that it will show `face` (or, left in the hand, would). Returns the movement's number. */
  move(id: string, motion: Motion, face: number): number {
    return this.die(id).move(motion, face);
  }

  /** Shaken, thrown, and lying with `face` up. */
  throw(id: string, face: number): number {
    return this.move(id, 'throw', face);
  }

  /** Turned gently by hand until `face` is up. */
  turn(id: string, face: number): number {
    return this.move(id, 'turn', face);
  }

  /** Puts a die out of reach: its link dies of the supervision timeout, nobody hears its adverts. */
  cutLink(id: string): void {
    this.die(id).away = true;
    this.link(id)?.cut();
  }

  /** Brings a die back into reach. */
  restoreLink(id: string): void {
    this.die(id).away = false;
    this.link(id)?.restore();
  }

  /** A magnetic tray takes the die's power for so long. */
  powerLoss(id: string, ms: number): void {
    this.link(id)?.cut();
    this.die(id).losePower(ms);
  }

  /** So many foreign advertisers join. With `renewMs` one of all of them changes its address that often. */
  foreign(count: number, intervalMs = 1_000, renewMs: number | null = null): void {
    const chance = this.#chance.branch();
    for (let i = 0; i < count; i += 1) this.#foreign.push(foreigner(chance, intervalMs));
    for (const one of this.#foreign.slice(-count)) this.air.join(one);
    if (renewMs !== null) this.#renew(chance, renewMs);
  }

  /** Ends all timers and files. */
  close(): void {
    this.#rotation?.cancel();
    this.flood.stop();
    this.flood.stop();
    for (const { controller } of this.#seats) controller.reset();
    this.air.clear();
    for (const die of this.#dice.values()) die.stop();
    for (const seat of this.#seats) {
      seat.host?.destroy();
      seat.host = null;
      seat.snoop?.close();
    }
  }

  #seat(traits: Partial<ControllerTraits>, snoop: string | undefined): void {
    const controller = new Controller({ ...DONGLE, ...traits }, this.#time, this.#chance.branch(), (packet) =>
      this.#send(seat, packet),
    );
    const seat: Seat = { controller, snoop: snoop === undefined ? null : new Btsnoop(snoop), host: null };
    this.#seats.push(seat);
  }

  #seatAt(place: number): Seat {
    const seat = this.#seats[place];
    if (seat === undefined) throw new RangeError(`there is no controller ${place}`);
    return seat;
  }

  /** All controllers hear an advertisement, until one of them makes a link of it. */
  #hear(peripheral: Peripheral, sent: Advertisement, answered: boolean): void {
    const reach = this.#reach.get(peripheral.address);
    for (const [place, { controller }] of this.#seats.entries()) {
      if (reach !== undefined && !reach.includes(place)) continue;
      controller.hear(peripheral, sent, answered);
      if (peripheral.advertisement() === null) return;
    }
  }

  #renew(chance: Chance, ms: number): void {
    this.#rotation?.cancel();
    this.#rotation = this.#time.after(ms, () => {
      const place = chance.whole(0, this.#foreign.length - 1);
      const old = this.#foreign[place];
      if (old !== undefined) {
        const young = old.renewed();
        this.air.leave(old.address);
        this.air.join(young);
        this.#foreign[place] = young;
      }
      this.#renew(chance, ms);
    });
  }

  #made(spec: DieSpec, chance: Chance): Die {
    const address = spec.make === 'godice' ? this.#godiceAddress(spec.id, chance) : anyAddress(chance);
    const tell = (event: DieEvent): void => this.#tell(event);
    return spec.make === 'godice'
      ? new GodiceDie(spec, address, this.#time, chance, tell)
      : new PixelsDie(spec, address, this.#time, chance, tell);
  }

  // The id is the last three bytes of the address, backwards (protocols/godice §1).
  #godiceAddress(id: string, chance: Chance): string {
    const own = [id.slice(4, 6), id.slice(2, 4), id.slice(0, 2)].map((part) => part.toLowerCase());
    return [...anyAddress(chance).split(':').slice(0, 3), ...own].join(':');
  }

  #send({ host, snoop }: Seat, packet: Buffer): void {
    if (host === null || !host.writable) return;
    if (packet[0] !== ACL && host.writableLength > MAX_BACKLOG) return;
    snoop?.write(packet, true);
    host.write(packet);
  }
}
