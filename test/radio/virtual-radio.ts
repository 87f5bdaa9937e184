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
import { PixelsDie, type PixelsSpec } from './pixels-die.js';
import { type Time, type Wait, wallTime } from './time.js';

export type DieSpec = PixelsSpec | GodiceSpec;

export interface RadioOptions {
  /** The same seed, the same dice, hands and losses. */
  readonly seed?: number;
  readonly traits?: Partial<ControllerTraits>;
  readonly time?: Time;
  /** File for all that passes between host and controller. */
  readonly snoop?: string;
  readonly tell?: (event: DieEvent) => void;
}

/** A host that reads nothing is sent no more adverts beyond this backlog; a real controller drops them too. */
const MAX_BACKLOG = 64 * 1024;

/** A room with a Bluetooth controller and dice in it, for a host that speaks H4. Everything runs in real time. */
export class VirtualRadio {
  readonly controller: Controller;
  readonly air: Air;
  readonly flood: Flood;
  readonly #chance: Chance;
  readonly #time: Time;
  readonly #dice = new Map<string, Die>();
  readonly #foreign: Foreign[] = [];
  readonly #tell: (event: DieEvent) => void;
  readonly #snoop: Btsnoop | null;
  #host: Duplex | null = null;
  #rotation: Wait | null = null;

  constructor({ seed = 1, traits = {}, time = wallTime, snoop, tell = () => undefined }: RadioOptions = {}) {
    this.#chance = new Chance(seed);
    this.#time = time;
    this.#tell = tell;
    this.#snoop = snoop === undefined ? null : new Btsnoop(snoop);
    this.controller = new Controller({ ...DONGLE, ...traits }, time, this.#chance.branch(), (packet) =>
      this.#send(packet),
    );
    this.air = new Air(time, this.#chance.branch(), (peripheral, sent, answered) =>
      this.atOnce(() => this.controller.hear(peripheral, sent, answered)),
    );
    // A seed of its own: what else happens in the room is the same with it and without.
    const full = (): boolean => (this.#host?.writableLength ?? Number.POSITIVE_INFINITY) > MAX_BACKLOG / 4;
    this.flood = new Flood(this.controller, new Chance(seed + 1), time, full);
  }

  get dice(): ReadonlyMap<string, Die> {
    return this.#dice;
  }

  /** Connects a host by its byte stream; the one before is let go. */
  attach(host: Duplex): void {
    this.#host = host;
    const splitter = new H4Splitter();
    host.on('data', (chunk: Buffer) => {
      for (const packet of splitter.push(chunk)) {
        this.#snoop?.write(packet, false);
        this.controller.take(packet);
      }
    });
    host.on('error', () => undefined);
    host.once('close', () => {
      if (this.#host === host) this.#host = null;
    });
  }

  /** Hands the host all that `act` makes the controller say in one piece, as a serial line may. */
  atOnce(act: () => void): void {
    this.#host?.cork();
    act();
    this.#host?.uncork();
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
    return this.controller.links.find(({ peripheral }) => peripheral.address === address);
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
    this.controller.reset();
    this.air.clear();
    for (const die of this.#dice.values()) die.stop();
    this.#host?.destroy();
    this.#host = null;
    this.#snoop?.close();
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

  #send(packet: Buffer): void {
    const host = this.#host;
    if (host === null || !host.writable) return;
    if (packet[0] !== ACL && host.writableLength > MAX_BACKLOG) return;
    this.#snoop?.write(packet, true);
    host.write(packet);
  }
}
