import type { Clock } from '../../clock.js';
import type { Device, DeviceStatus, DieHeard, DieInput, Heard, Signal } from '../../device.js';
import { idleLink, type LinkAct, type LinkInput, type LinkState, linkStep } from '../link.js';
import type { AdvertReport, Order } from './messages.js';
import type { DieReading, Followed, RadioDuty, RawFrame } from './ports.js';
import { type Reader, readerOf } from './reading.js';
import { Witness } from './witness.js';
import { type DieWord, wordFor } from './words.js';

/** A die that says nothing is asked for a sign of life after this time, and again after the next. */
export const POLL_MS = { Pixels: 30_000, GoDice: 25_000 } as const;
export const POLL_AGAIN_MS = 8_000;
/** Polls without an answer until the link counts as dead: within a minute (issue 4). */
export const POLLS = 2;
/** A die that was heard so lately is awake. */
const AWAKE_MS = 10_000;
/** A greeting that was not answered is sent so often in all. */
const GREETINGS = 2;

export interface DieOptions {
  readonly die: string;
  readonly duty: RadioDuty;
  readonly reading: DieReading;
  readonly clock: Clock;
  /** Number of the radio process that has, or shall have, its link. */
  epoch(): number;
  /** A number for a new link, never given before in this epoch. */
  nextLink(): number;
  order(order: Order): void;
  frame(frame: RawFrame): void;
}

/** An enrolled Bluetooth die: its link, its codec, and what it reports. */
export class BluetoothDie implements Device {
  readonly id: string;
  readonly reader: Reader;
  duty: RadioDuty;
  readonly #options: DieOptions;
  readonly #witness: Witness;
  readonly #counters = { notifications: 0, adverts: 0, garbled: 0, links: 0, lost: 0, holes: 0, repeated: 0 };
  readonly #writes = new Map<number, (ok: boolean) => void>();
  #by: Followed['by'] = 'none';
  #link: LinkState;
  /** The link at work, the radio process it belongs to, and its last notification. */
  #at = { epoch: 0, link: 0, n: 0 };
  /** Signals told of that notification, and of the last advertisement. */
  #told = { link: 0, advert: 0 };
  /** Number of the last advertisement: by the clock, for a die that is let go and wanted again goes on counting. */
  #adverts = 0;
  #polls = 0;
  #writeIds = 0;
  #heardAt = 0;
  #seenAt: number | null = null;
  #hear: ((heard: Heard) => void) | null = null;
  #disarm: (() => void) | null = null;
  #why: DieWord | null = null;

  /** Throws where the name is no Bluetooth die's. */
  constructor(options: DieOptions) {
    const at = options.clock.now();
    const reader = readerOf(options.die, options.reading, at);
    if (reader === null) throw new RangeError(`${options.die} is no Bluetooth die`);
    this.id = options.die;
    this.duty = options.duty;
    this.reader = reader;
    this.#options = options;
    this.#link = idleLink(at);
    this.#witness = new Witness({
      reader,
      rolls: () => this.duty === 'rolls',
      tell: (signal, when, advertised) => this.#tell(signal, when, advertised),
    });
  }

  /** The link in its own words. */
  get link(): LinkState['actual'] {
    return this.#link.actual;
  }

  start(hear: (heard: Heard) => void): void {
    this.#hear = hear;
  }

  async stop(): Promise<void> {
    this.follow('none');
    this.#hear = null;
    this.#arm();
  }

  status(): DeviceStatus {
    const silentMs = this.#seenAt === null ? null : this.#now() - this.#seenAt;
    const awake = silentMs !== null && silentMs < AWAKE_MS;
    const base = { id: this.id, model: this.reader.make, fake: false, counters: { ...this.#counters } };
    if (this.#link.actual === 'up' || (this.#by === 'adverts' && awake)) return { ...base, link: 'up' };
    const link = this.#link.actual === 'connecting' ? 'connecting' : 'down';
    return { ...base, link, ...wordFor(this.#by, awake || this.#why?.code === 'stale' ? this.#why : null, silentMs) };
  }

  async blink(die: string): Promise<boolean> {
    if (die !== this.id || this.#link.actual !== 'up') return false;
    return new Promise((resolve) => this.#write(this.reader.blink(), resolve));
  }

  /** How the plan wants this die to be followed. */
  follow(by: Followed['by']): void {
    if (this.#by === by) return;
    this.#by = by;
    this.#feed({ kind: 'want', link: by === 'link' ? 'up' : 'down', at: this.#now() });
  }

  /** The die was heard advertising. `free`: it may be linked now, where it is wanted. */
  advert({ heard, advert, scanResponse, name }: AdvertReport, free: boolean): void {
    const at = this.#now();
    const response = scanResponse === undefined ? {} : { scanResponse };
    this.#seenAt = at;
    this.#counters.adverts += heard;
    this.#adverts = Math.max(this.#adverts + 1, Math.floor(at));
    this.#told.advert = 0;
    this.#frame('advert', { link: 0, n: this.#adverts, bytes: advert, ...response });
    // While a link is up it alone counts: a late advertisement would tell an older face.
    if (this.#link.actual !== 'up') {
      if (this.reader.make === 'Pixels') this.#input({ kind: 'advert', at, advert, ...response });
      else if (name !== undefined && this.#counters.adverts === heard) this.#input({ kind: 'name', at, text: name });
    }
    if (free) this.seen();
  }

  /** The die is there, and may be linked now: its adapter makes no other link. */
  seen(): void {
    this.#feed({ kind: 'seen', at: this.#now() });
  }

  /** The radio made this link, over which so many bytes go at once. */
  up(link: number, mtu: number | null): void {
    if (link !== this.#at.link) {
      // Nobody waits for it any more: it was made too late.
      this.#options.order({ do: 'release', die: this.id, link });
      return;
    }
    this.#feed({ kind: 'connected', at: this.#now() });
    if (this.#link.actual === 'up') this.#greet(this.reader.greeting(mtu, this.#now()), GREETINGS);
  }

  /** An attempt failed or a link ended. */
  ended(link: number, kind: 'failed' | 'down', why: string): void {
    if (link !== this.#at.link) return;
    this.#why = { code: kind === 'failed' ? 'link_refused' : 'link_lost', text: why };
    this.#feed({ kind: kind === 'failed' ? 'failed' : 'dropped', at: this.#now() });
  }

  /** A notification: taken only if it is the next of the link at work (issue 4); a hole breaks an open throw. */
  notification(link: number, n: number, bytes: Uint8Array): void {
    if (link !== this.#at.link || this.#link.actual !== 'up' || n <= this.#at.n) {
      this.#counters.repeated += 1;
      return;
    }
    const at = this.#now();
    if (n > this.#at.n + 1) {
      this.#counters.holes += n - this.#at.n - 1;
      this.#witness.hole(at);
    }
    this.#at.n = n;
    this.#told.link = 0;
    this.#polls = 0;
    this.#counters.notifications += 1;
    this.#heardAt = at;
    this.#frame('notification', { link, n, bytes });
    this.#input({ kind: 'notification', at, bytes });
  }

  wrote(id: number, ok: boolean): void {
    const done = this.#writes.get(id);
    this.#writes.delete(id);
    done?.(ok);
  }

  /** The radio process is gone, and this link with it. */
  radioLost(): void {
    this.#feed({ kind: 'off', at: this.#now() });
  }

  #now(): number {
    return this.#options.clock.now();
  }

  #frame(kind: RawFrame['kind'], own: Pick<RawFrame, 'link' | 'n' | 'bytes' | 'scanResponse'>): void {
    this.#options.frame({ at: this.#now(), die: this.id, epoch: this.#options.epoch(), kind, ...own });
  }

  #feed(input: LinkInput): void {
    const { state, acts } = linkStep(this.#link, input);
    this.#link = state;
    for (const act of acts) this.#act(act, input.at);
    this.#arm();
  }

  #act(act: LinkAct, at: number): void {
    switch (act) {
      case 'connect':
        this.#at = { epoch: this.#options.epoch(), link: this.#options.nextLink(), n: 0 };
        this.#options.order({ do: 'connect', die: this.id, link: this.#at.link });
        return;
      case 'cancel':
      case 'disconnect':
      case 'abandon':
        this.#options.order({ do: 'release', die: this.id, link: this.#at.link });
        return;
      case 'tell_up':
        this.#counters.links += 1;
        this.#heardAt = at;
        this.#polls = 0;
        this.#why = null;
        this.#frame('up', { link: this.#at.link, n: 0, bytes: new Uint8Array() });
        this.#input({ kind: 'up', at });
        return;
      case 'tell_down':
        this.#counters.lost += 1;
        for (const done of this.#writes.values()) done(false);
        this.#writes.clear();
        this.#frame('down', { link: this.#at.link, n: 0, bytes: new Uint8Array() });
        this.#input({ kind: 'down', at });
    }
  }

  #greet(messages: readonly Uint8Array[], tries: number): void {
    for (const bytes of messages) {
      this.#write(bytes, (ok) => {
        if (!ok && tries > 1 && this.#link.actual === 'up') this.#greet([bytes], tries - 1);
      });
    }
  }

  #write(bytes: Uint8Array, done: (ok: boolean) => void): void {
    this.#writeIds += 1;
    this.#writes.set(this.#writeIds, done);
    this.#frame('written', { link: this.#at.link, n: this.#writeIds, bytes });
    this.#options.order({ do: 'write', die: this.id, link: this.#at.link, id: this.#writeIds, bytes });
  }

  #input(input: DieInput): void {
    this.#witness.hear(input);
    this.#arm();
  }

  #tell(signal: Signal, at: number, advertised: boolean): void {
    if (signal.kind === 'garbled') this.#counters.garbled += 1;
    const type = this.reader.type();
    const die: DieHeard = {
      id: this.id,
      model: this.reader.make,
      ...(type === undefined ? {} : { type }),
      settleMs: this.reader.settleMs,
      dwellMs: this.reader.dwellMs,
      quality: advertised ? 'unverified' : 'ok',
    };
    this.#hear?.({ device: this.id, die, signal, origin: this.#origin(advertised), at, fake: false });
  }

  /** Several things told of one notification are told apart; the first has the notification's own origin. */
  #origin(advertised: boolean): string {
    const { epoch, link, n } = this.#at;
    const part = advertised ? 'advert' : 'link';
    this.#told[part] += 1;
    const own = advertised ? `${this.#options.epoch()}/0/${this.#adverts}` : `${epoch}/${link}/${n}`;
    const place = this.#told[part];
    return `${this.id}/${own}${place === 1 ? '' : `.${place}`}`;
  }

  #pollAt(): number {
    return this.#heardAt + POLL_MS[this.reader.make] + this.#polls * POLL_AGAIN_MS;
  }

  #poll(at: number): void {
    if (this.#link.actual !== 'up' || at < this.#pollAt()) return;
    if (this.#polls < POLLS) {
      this.#polls += 1;
      this.#write(this.reader.poll(at), () => undefined);
      return;
    }
    this.#options.order({ do: 'release', die: this.id, link: this.#at.link });
    this.#feed({ kind: 'dropped', at });
    this.#why = { code: 'stale', text: 'the die does not answer' };
  }

  // One timer for what only time can bring: an unresolved throw, the end of a pause of the link, a poll.
  #arm(): void {
    this.#disarm?.();
    this.#disarm = null;
    if (this.#hear === null) return;
    const poll = this.#link.actual === 'up' ? this.#pollAt() : null;
    const dues = [this.#witness.due(), this.#link.until, poll].filter((due) => due !== null);
    if (dues.length === 0) return;
    this.#disarm = this.#options.clock.after(Math.max(0, Math.min(...dues) - this.#now()), () => {
      const at = this.#now();
      this.#poll(at);
      this.#input({ kind: 'tick', at });
      this.#feed({ kind: 'tick', at });
    });
  }
}
