import type { Chance } from './chance.js';
import type { Advertisement, Peripheral } from './peripheral.js';
import type { Time, Wait } from './time.js';

/** Longest advertising packet on the air, in seconds: 47 bytes at 1 Mbit/s. */
const PACKET_S = 0.000376;
/** Every advertising event is moved by up to so much, so that two dice do not collide for ever (core, 4.4.2.2.1). */
const MOST_DELAY_MS = 10;

/** Who hears an advertising event that was not lost. `answered`: the scan response came through too. */
export type Listener = (peripheral: Peripheral, sent: Advertisement, answered: boolean) => void;

interface Station {
  readonly peripheral: Peripheral;
  wait: Wait;
  /** Advertising events a second it sends now. */
  rate: number;
}

/** The air of a room: who advertises in it, and what is lost because so many do. */
export class Air {
  /** Share of advertising events lost for other reasons than the load. */
  loss = 0;
  /** Advertising events sent, and those of them that nobody could hear. */
  sent = 0;
  lost = 0;
  /** Advertising events that came through, by address. */
  readonly heard = new Map<string, number>();
  #rate = 0;
  readonly #stations = new Map<string, Station>();
  readonly #time: Time;
  readonly #chance: Chance;
  readonly #listener: Listener;

  constructor(time: Time, chance: Chance, listener: Listener) {
    this.#time = time;
    this.#chance = chance;
    this.#listener = listener;
  }

  /** Share of advertising events that collide: two packets overlap if they begin within a packet's length. */
  get collisions(): number {
    return 1 - Math.exp(-2 * this.#rate * PACKET_S);
  }

  get(address: string): Peripheral | undefined {
    return this.#stations.get(address)?.peripheral;
  }

  join(peripheral: Peripheral): void {
    if (this.#stations.has(peripheral.address)) throw new RangeError(`${peripheral.address} is on the air already`);
    const first = this.#chance.between(0, peripheral.advertisement()?.intervalMs ?? MOST_DELAY_MS);
    const station: Station = { peripheral, rate: 0, wait: this.#time.after(first, () => this.#event(station)) };
    this.#stations.set(peripheral.address, station);
  }

  leave(address: string): void {
    const station = this.#stations.get(address);
    station?.wait.cancel();
    this.#rate -= station?.rate ?? 0;
    this.#stations.delete(address);
    this.heard.delete(address);
  }

  /** Ends all timers. */
  clear(): void {
    for (const address of [...this.#stations.keys()]) this.leave(address);
  }

  #event(station: Station): void {
    const sent = station.peripheral.advertisement();
    const interval = sent?.intervalMs ?? 100;
    const rate = sent === null ? 0 : 1_000 / interval;
    this.#rate += rate - station.rate;
    station.rate = rate;
    station.wait = this.#time.after(interval + this.#chance.between(0, MOST_DELAY_MS), () => this.#event(station));
    if (sent === null) return;
    this.sent += 1;
    if (!this.#heard()) {
      this.lost += 1;
      return;
    }
    const { address } = station.peripheral;
    this.heard.set(address, (this.heard.get(address) ?? 0) + 1);
    this.#listener(station.peripheral, sent, this.#heard());
  }

  #heard(): boolean {
    return !this.#chance.happens(this.loss) && !this.#chance.happens(this.collisions);
  }
}
