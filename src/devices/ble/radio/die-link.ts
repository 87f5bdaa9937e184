import type { Report } from './messages.js';
import type { Make } from './ports.js';
import type { Characteristic, Peripheral, Service } from './stack.js';
import { errorOf, Gone } from './within.js';

// Times of each step: none of the libraries' calls is sure to answer (testing-bluetooth §4).
export const CONNECT_MS = 4_000;
export const DISCOVER_MS = 3_000;
export const SUBSCRIBE_MS = 2_000;
export const WRITE_MS = 2_000;
export const RELEASE_MS = 3_000;
/** After a cancelled attempt the controller tells its end: until then the next one would wait in the library's queue. */
export const CANCELLED_MS = 1_000;
/** So many writes in a row without an answer mean that the link is dead although nobody says so (F029, F058). */
export const SILENT_WRITES = 3;
/** Notifications that may come between the subscription and its answer. */
export const MAX_EARLY = 64;
/** Writes that may wait for their turn. */
export const MAX_WRITES = 32;
/** The library asks for this much; a die that offers more does not get it (G9). */
export const MAX_MTU = 256;

/**
 * 15 to 30 ms and 3 s without a packet until the link counts as lost: what dice prefer (protocols/pixels §6). The default
 * of 420 ms loses links at a table, and a low byte of the last number above 0x7f would be read as negative.
 */
const PARAMETERS = { minInterval: 12, maxInterval: 24, latency: 0, timeout: 300 };

interface Profile {
  readonly service: string;
  readonly hears: string;
  readonly writes: string;
}

const NORDIC = 'b5a3f393e0a9e50e24dcca9e';
const PIXELS = '7a5a43f2a962350c8edc9b5b';

/** Services of the makes, newest first (protocols/pixels §1, protocols/godice §1). */
const PROFILES: { readonly [M in Make]: readonly Profile[] } = {
  Pixels: [
    { service: `a6b90001${PIXELS}`, hears: `a6b90002${PIXELS}`, writes: `a6b90003${PIXELS}` },
    // The older dice's notifications come from a characteristic with the service's own number.
    { service: `6e400001${NORDIC}`, hears: `6e400001${NORDIC}`, writes: `6e400002${NORDIC}` },
  ],
  GoDice: [{ service: `6e400001${NORDIC}`, hears: `6e400003${NORDIC}`, writes: `6e400002${NORDIC}` }],
};

export interface DieLinkOptions {
  readonly die: string;
  readonly make: Make;
  /** Number of the link in this epoch. */
  readonly link: number;
  readonly peripheral: Peripheral;
  tell(report: Report): void;
  /** Called once, when nothing is left of the link. */
  ended(): void;
}

interface Write {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/**
 * One link to one die, from connecting to its end; never used twice. Services are looked for anew, the only subscription
 * is made before the first write, writes go one after the other, and notifications are numbered without a gap.
 */
export class DieLink {
  readonly die: string;
  readonly link: number;
  readonly #options: DieLinkOptions;
  readonly #peripheral: Peripheral;
  readonly #gone = new Gone();
  readonly #writes: Write[] = [];
  #state: 'opening' | 'connected' | 'up' | 'ended' = 'opening';
  #out: Characteristic | undefined;
  #in: Characteristic | undefined;
  #early: Uint8Array[] = [];
  #heard = 0;
  #writing = false;
  #silent = 0;
  /** The library said that the connection ended; its own word for the state may say otherwise. */
  #cut = false;

  constructor(options: DieLinkOptions) {
    this.die = options.die;
    this.link = options.link;
    this.#options = options;
    this.#peripheral = options.peripheral;
  }

  /** Listeners on the die's notifications: never more than one (F026). */
  get listeners(): number {
    return this.#in?.listenerCount('data') ?? 0;
  }

  /** Brings the link up and tells so, or tells why not. Resolves when the radio is free for the next one. */
  async open(): Promise<void> {
    const { die, link } = this;
    try {
      await this.#connect();
      await this.#prepare();
      if (this.#gone.why !== null) throw new Error(this.#gone.why);
      this.#state = 'up';
      const { mtu } = this.#peripheral;
      this.#options.tell({ tell: 'up', die, link, mtu: mtu === null ? null : Math.min(mtu, MAX_MTU) });
      for (const bytes of this.#early.splice(0)) this.#notify(bytes);
    } catch (error) {
      await this.#giveUp(errorOf(error).message);
    }
  }

  /** Queues a write; its answer comes as `wrote`. */
  write(id: number, bytes: Uint8Array): void {
    if (this.#state === 'ended' || this.#writes.length >= MAX_WRITES) this.#wrote(id, false);
    else this.#writes.push({ id, bytes });
    void this.#pump();
  }

  /** Ends the link, or the attempt at one. */
  async release(): Promise<void> {
    if (this.#state === 'opening') this.#gone.end('cancelled');
    else if (this.#state !== 'ended') await this.#giveUp('released');
  }

  /** Takes the link for lost without a word to the die: the adapter is gone. */
  abandon(why: string): void {
    this.#gone.end(why);
    this.#finish(why);
  }

  async #connect(): Promise<void> {
    const peripheral = this.#peripheral;
    peripheral.removeAllListeners();
    // After a link that was lost while it came up the library still takes it for connected, and refuses.
    peripheral.state = 'disconnected';
    peripheral.on('disconnect', (reason: unknown) => {
      this.#cut = true;
      this.#lost(`link lost (${String(reason).slice(0, 40)})`);
    });
    await this.#gone.within<void>('connect', CONNECT_MS, (done) => {
      peripheral.once('connect', (error: unknown) => done(error));
      peripheral.connect(PARAMETERS);
    });
    this.#state = 'connected';
  }

  async #prepare(): Promise<void> {
    const { make } = this.#options;
    const profiles = PROFILES[make];
    const wanted = profiles.map(({ service }) => service);
    const services = await this.#gone.within<Service[]>('services', DISCOVER_MS, (done) => {
      this.#peripheral.discoverServices(wanted, done);
    });
    const profile = profiles.find(({ service }) => services.some(({ uuid }) => uuid === service));
    const service = services.find(({ uuid }) => uuid === profile?.service);
    if (profile === undefined || service === undefined) throw new Error(`no service of a ${make} die`);
    const found = await this.#gone.within<Characteristic[]>('characteristics', DISCOVER_MS, (done) => {
      service.discoverCharacteristics([profile.hears, profile.writes], done);
    });
    const hears = found.find(({ uuid }) => uuid === profile.hears);
    this.#out = found.find(({ uuid }) => uuid === profile.writes);
    if (hears === undefined || this.#out === undefined) throw new Error('a characteristic is missing');
    hears.removeAllListeners('data');
    hears.on('data', (data: Uint8Array) => this.#notify(Uint8Array.from(data)));
    this.#in = hears;
    await this.#gone.within<void>('notifications', SUBSCRIBE_MS, (done) => hears.subscribe((error) => done(error)));
    if (this.listeners !== 1) throw new Error(`${this.listeners} listeners on one die`);
  }

  #notify(bytes: Uint8Array): void {
    if (this.#state === 'ended') return;
    if (this.#state !== 'up') {
      if (this.#early.push(bytes) > MAX_EARLY) this.#lost('too much said before the link was up');
      return;
    }
    this.#heard += 1;
    this.#options.tell({ tell: 'notification', die: this.die, link: this.link, n: this.#heard, bytes });
  }

  async #pump(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    for (let next = this.#writes.shift(); next !== undefined; next = this.#writes.shift()) {
      const { id, bytes } = next;
      this.#wrote(id, await this.#writeOne(bytes));
      if (this.#silent >= SILENT_WRITES) await this.#giveUp('the die does not answer');
    }
    this.#writing = false;
  }

  async #writeOne(bytes: Uint8Array): Promise<boolean> {
    const out = this.#out;
    if (this.#state !== 'up' || out === undefined) return false;
    try {
      await this.#gone.within<void>('write', WRITE_MS, (done) => {
        out.write(Buffer.from(bytes), false, (error) => done(error));
      });
      this.#silent = 0;
      return true;
    } catch {
      out.removeAllListeners('write');
      this.#silent += 1;
      return false;
    }
  }

  #wrote(id: number, ok: boolean): void {
    this.#options.tell({ tell: 'wrote', die: this.die, link: this.link, id, ok });
  }

  #lost(why: string): void {
    this.#gone.end(why);
    if (this.#state === 'up') this.#finish(why);
  }

  /** Ends what there is of the link: an attempt is cancelled, a connection closed, and neither is waited for for ever. */
  async #giveUp(why: string): Promise<void> {
    const before = this.#state;
    if (before === 'ended') return;
    this.#gone.end(why);
    const last = new Gone();
    const peripheral = this.#peripheral;
    if (before === 'opening' && peripheral.state === 'connecting') {
      await last
        .within<void>('cancel', CANCELLED_MS, (done) => {
          // The library reports the end twice: at once by itself, then when the controller has heard.
          peripheral.cancelConnect();
          peripheral.once('connect', () => done(null));
        })
        .catch(() => undefined);
    }
    // Only what is connected may be closed: an unknown handle is written as 0, and another die would be cut (G7).
    if (peripheral.state === 'connected' && !this.#cut) {
      await last
        .within<void>('disconnect', RELEASE_MS, (done) => {
          peripheral.once('disconnect', () => done(null));
          peripheral.disconnect();
        })
        .catch(() => undefined);
    }
    this.#finish(why);
  }

  #finish(why: string): void {
    if (this.#state === 'ended') return;
    const tell = this.#state === 'up' ? 'down' : 'failed';
    this.#state = 'ended';
    this.#in?.removeAllListeners();
    this.#out?.removeAllListeners();
    this.#peripheral.removeAllListeners();
    for (const { id } of this.#writes.splice(0)) this.#wrote(id, false);
    this.#options.tell({ tell, die: this.die, link: this.link, why: why.slice(0, 200) });
    this.#options.ended();
  }
}
