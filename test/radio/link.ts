import { ATT_CHANNEL, AttServer } from './att.js';
import type { Chance } from './chance.js';
import { attributesOf } from './gatt.js';
import { aclToHost, type LinkTerms, STATUS, u16 } from './hci.js';
import type { DieEnd, Peripheral } from './peripheral.js';
import type { Time, Wait } from './time.js';

/** Packets that fit into one connection event in each direction. */
const PACKETS_PER_EVENT = 4;
const UNIT_MS = 1.25;
const TIMEOUT_UNIT_MS = 10;
const SIGNALLING_CHANNEL = 5;
const FRAME_HEAD = 4;
/** An update of the terms takes effect after so many connection events. */
const UPDATE_EVENTS = 6;

/** What a link tells its controller. */
export interface LinkOwner {
  toHost(packet: Buffer): void;
  /** So many of the host's packets have left. */
  sent(link: Link, count: number): void;
  ended(link: Link, reason: number): void;
}

interface Outgoing {
  readonly data: Buffer;
  readonly first: boolean;
  /** Bytes of the die's queue that come free with it, and who wants to know. */
  readonly frees: number;
  readonly delivered?: (() => void) | undefined;
}

/**
 * One link: packets pass at connection events only, and only while the die is in reach; a link that hears nothing for the
 * supervision timeout is over. Between events nothing runs: an event without data has no effect but to be heard.
 */
export class Link implements DieEnd {
  readonly handle: number;
  readonly peripheral: Peripheral;
  /** Share of connection events that fail; what they carried comes again at the next. */
  loss = 0;
  /** Requests of the host that came before the one before them was answered: one at a time is the rule. */
  overlaps = 0;
  #answering = false;
  #terms: LinkTerms;
  #anchor: number;
  #lost: number | null = null;
  #over = false;
  #wake: Wait | null = null;
  #supervision: Wait | null = null;
  #ending: number | null = null;
  #queued = 0;
  #frame: Buffer = Buffer.alloc(0);
  readonly #fromHost: { readonly first: boolean; readonly data: Buffer }[] = [];
  readonly #toHost: Outgoing[] = [];
  readonly #att: AttServer;
  readonly #time: Time;
  readonly #chance: Chance;
  readonly #owner: LinkOwner;

  constructor(handle: number, peripheral: Peripheral, terms: LinkTerms, time: Time, chance: Chance, owner: LinkOwner) {
    this.handle = handle;
    this.peripheral = peripheral;
    this.#terms = terms;
    this.#time = time;
    this.#chance = chance;
    this.#owner = owner;
    this.#anchor = time.now();
    this.#att = new AttServer(
      attributesOf(peripheral.services, peripheral.firstHandle),
      peripheral.maxMtu,
      {
        written: (uuid, value) => peripheral.written(uuid, value),
        switched: (uuid, on) => peripheral.switched(uuid, on),
      },
      peripheral.attFaults,
    );
  }

  /** The host's packets that have not left: their buffers come free with the link's end. */
  get unsent(): number {
    return this.#fromHost.length;
  }

  get mtu(): number {
    return this.#att.mtu;
  }

  get intervalMs(): number {
    return this.#terms.interval * UNIT_MS;
  }

  get confirmed(): number {
    return this.#att.confirmed;
  }

  get terms(): LinkTerms {
    return this.#terms;
  }

  listens(uuid: string): boolean {
    return this.#att.listens(uuid);
  }

  notify(uuid: string, value: Uint8Array, delivered?: () => void): boolean {
    const pdu = this.#att.notification(uuid, value);
    if (pdu === null || this.#over) return false;
    const bytes = value.length + 2;
    if (this.#queued + bytes > this.peripheral.queueBytes) return false;
    this.#queued += bytes;
    this.#queue(ATT_CHANNEL, pdu, bytes, delivered);
    return true;
  }

  send(channel: number, payload: Uint8Array): void {
    this.#queue(channel, payload, 0);
  }

  /** Hands the host a packet that no sound stack would make (testing-bluetooth G27). */
  sendPacket(first: boolean, data: Uint8Array): void {
    this.#push({ data: Buffer.from(data), first, frees: 0 });
  }

  /** Hands the host an attribute message without waiting for a connection event. */
  sendAtOnce(pdu: Uint8Array): void {
    const frame = Buffer.from([...u16(pdu.length), ...u16(ATT_CHANNEL), ...pdu]);
    this.#owner.toHost(aclToHost(this.handle, true, frame));
  }

  end(): void {
    this.close(STATUS.remoteEnded);
  }

  /** Ends the link at its next connection event; the host is told `reason`. */
  close(reason: number): void {
    this.#ending = reason;
    this.#arm();
  }

  /** A packet of the host; it counts against the controller's buffers until `sent`. */
  fromHost(first: boolean, data: Buffer): void {
    this.#fromHost.push({ first, data });
    this.#arm();
  }

  /** The die is out of reach from now on. */
  cut(): void {
    if (this.#lost !== null || this.#over) return;
    this.#lost = this.#time.now();
    this.#wake?.cancel();
    this.#wake = null;
    const left = this.#lastEvent() + this.#terms.timeout * TIMEOUT_UNIT_MS - this.#lost;
    this.#supervision = this.#time.after(Math.max(0, left), () => this.finish(STATUS.timeout));
  }

  /** The die is back in reach; if it took less than the supervision timeout, nothing is lost. */
  restore(): void {
    if (this.#over) return;
    this.#lost = null;
    this.#supervision?.cancel();
    this.#supervision = null;
    this.#arm();
  }

  /** New terms, in force after some connection events. */
  update(terms: LinkTerms, inForce: () => void): void {
    this.#time.after(UPDATE_EVENTS * this.intervalMs, () => {
      if (this.#over || this.#lost !== null) return;
      this.#terms = terms;
      this.#anchor = this.#time.now();
      inForce();
    });
  }

  /** Ends the link at once: what was queued is lost. `reason` null where the host is told nothing (a reset). */
  finish(reason: number | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#wake?.cancel();
    this.#supervision?.cancel();
    this.#toHost.length = 0;
    if (reason !== null) this.#owner.ended(this, reason);
    this.peripheral.closed();
  }

  #lastEvent(): number {
    const events = Math.floor((this.#time.now() - this.#anchor) / this.intervalMs);
    return this.#anchor + events * this.intervalMs;
  }

  #queue(channel: number, payload: Uint8Array, frees: number, delivered?: () => void): void {
    const frame = Buffer.concat([Buffer.from([...u16(payload.length), ...u16(channel)]), payload]);
    const size = this.peripheral.packetBytes;
    for (let from = 0; from < frame.length; from += size) {
      const last = from + size >= frame.length;
      const data = frame.subarray(from, from + size);
      this.#push({ data, first: from === 0, frees: last ? frees : 0, delivered: last ? delivered : undefined });
    }
  }

  #push(packet: Outgoing): void {
    if (this.#over) return;
    this.#toHost.push(packet);
    this.#arm();
  }

  #arm(): void {
    if (this.#over || this.#lost !== null || this.#wake !== null) return;
    const next = this.#lastEvent() + this.intervalMs - this.#time.now();
    this.#wake = this.#time.after(next, () => {
      this.#wake = null;
      this.#event();
    });
  }

  #event(): void {
    if (this.#chance.happens(this.loss)) {
      this.#arm();
      return;
    }
    const incoming = this.#fromHost.splice(0, PACKETS_PER_EVENT);
    const outgoing = this.#toHost.splice(0, PACKETS_PER_EVENT);
    if (incoming.length > 0) this.#owner.sent(this, incoming.length);
    for (const { first, data, frees, delivered } of outgoing) {
      this.#queued -= frees;
      this.#owner.toHost(aclToHost(this.handle, first, data));
      delivered?.();
    }
    for (const { first, data } of incoming) this.#gather(first, data);
    if (this.#ending !== null && this.#toHost.length === 0) this.finish(this.#ending);
    else if (this.#fromHost.length > 0 || this.#toHost.length > 0 || this.#ending !== null) this.#arm();
  }

  #gather(first: boolean, data: Buffer): void {
    this.#frame = first ? data : Buffer.concat([this.#frame, data]);
    if (this.#frame.length < FRAME_HEAD) return;
    const [length, channel] = [this.#frame.readUInt16LE(0), this.#frame.readUInt16LE(2)];
    if (this.#frame.length < FRAME_HEAD + length) return;
    const payload = this.#frame.subarray(FRAME_HEAD, FRAME_HEAD + length);
    this.#frame = Buffer.alloc(0);
    if (channel === SIGNALLING_CHANNEL) this.peripheral.signalled?.(payload);
    if (channel !== ATT_CHANNEL || payload.length === 0) return;
    const answer = this.#att.take(payload);
    if (answer === null) return;
    if (this.#answering) this.overlaps += 1;
    this.#answering = true;
    this.#queue(ATT_CHANNEL, answer, 0, () => {
      this.#answering = false;
    });
  }
}
