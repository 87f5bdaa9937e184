import type { Chance } from './chance.js';
import * as hci from './hci.js';
import { OP, STATUS } from './hci.js';
import { Link, type LinkOwner } from './link.js';
import type { Advertisement, Peripheral } from './peripheral.js';
import { Scan } from './scan.js';
import type { Time } from './time.js';

const VERSION_4_2 = 8;

/** What a controller can do. */
export interface ControllerTraits {
  /** Bytes of one packet of link data, and how many it buffers (ACL credits). */
  readonly aclBytes: number;
  readonly aclBuffers: number;
  readonly maxLinks: number;
  readonly firstHandle: number;
  /** Its own, public. */
  readonly address: string;
}

export const DONGLE: ControllerTraits = {
  aclBytes: 27,
  aclBuffers: 8,
  maxLinks: 7,
  firstHandle: 0x40,
  address: '00:1a:7d:da:71:13',
};

/** Faults of a controller that a test asks for (testing-bluetooth §4, §5). */
export interface ControllerFaults {
  /** Commands that are refused, with the status. */
  readonly refuse: Map<number, number>;
  /** The next attempt ends with this status though the die was heard. */
  failConnect?: number | undefined;
  /** The next link is told to be up and lost at once with this reason. */
  dropAtOnce?: number | undefined;
  /** Does one thing at a time: no attempt while it scans, no scan while it attempts (abandonware/noble#254). */
  single: boolean;
  /** Takes commands and answers nothing more. */
  frozen: boolean;
}

interface Attempt {
  readonly address: string;
  readonly terms: hci.LinkTerms;
}

/** The terms of a link as a command asks for them: the longest interval it allows is taken, as dongles do. */
const termsAt = (params: Buffer, from: number): hci.LinkTerms => ({
  interval: params.readUInt16LE(from + 2),
  latency: params.readUInt16LE(from + 4),
  timeout: params.readUInt16LE(from + 6),
});

/** A Bluetooth controller as its host sees it: commands and data in, events and data out. */
export class Controller implements LinkOwner {
  readonly faults: ControllerFaults = { refuse: new Map(), single: false, frozen: false };
  /** Packets the host sent though no buffer was free. */
  overruns = 0;
  readonly scan: Scan;
  /** Commands no controller of dice needs, by number. */
  readonly unknown = new Set<number>();
  readonly #traits: ControllerTraits;
  readonly #links = new Map<number, Link>();
  readonly #time: Time;
  readonly #chance: Chance;
  readonly #send: (packet: Buffer) => void;
  #attempt: Attempt | null = null;
  #buffered = 0;
  #handle: number;

  constructor(traits: ControllerTraits, time: Time, chance: Chance, send: (packet: Buffer) => void) {
    this.#traits = traits;
    this.#time = time;
    this.#chance = chance;
    this.#send = send;
    this.#handle = traits.firstHandle;
    this.scan = new Scan(chance.branch());
  }

  get links(): readonly Link[] {
    return [...this.#links.values()];
  }

  /** Takes one packet of the host. */
  take(packet: Buffer): void {
    if (this.faults.frozen) return;
    if (packet[0] === hci.COMMAND) this.#command(packet.readUInt16LE(1), packet.subarray(4));
    if (packet[0] === hci.ACL) this.#data(packet);
  }

  /** An advertising event reached the antenna. */
  hear(peripheral: Peripheral, sent: Advertisement, answered: boolean): void {
    if (this.faults.frozen) return;
    if (this.#attempt?.address === peripheral.address && sent.connectable) {
      this.#connect(this.#attempt, peripheral);
      return;
    }
    for (const report of this.scan.reports(peripheral, sent, answered)) this.toHost(report);
  }

  toHost(packet: Buffer): void {
    if (!this.faults.frozen) this.#send(packet);
  }

  sent(link: Link, count: number): void {
    this.#buffered -= count;
    this.toHost(hci.packetsCompleted(link.handle, count));
  }

  ended(link: Link, reason: number): void {
    this.#links.delete(link.handle);
    this.#buffered -= link.unsent;
    this.toHost(hci.disconnected(link.handle, reason));
  }

  /** Forgets everything, as a reset or a pulled plug does; dice see their links end. */
  reset(): void {
    for (const link of this.#links.values()) link.finish(null);
    this.#links.clear();
    this.scan.stop();
    this.#attempt = null;
    this.#buffered = 0;
    this.#handle = this.#traits.firstHandle;
  }

  #connect(attempt: Attempt, peripheral: Peripheral): void {
    this.#attempt = null;
    const { failConnect, dropAtOnce } = this.faults;
    if (failConnect !== undefined) {
      this.faults.failConnect = undefined;
      this.toHost(hci.connected(failConnect, 0, peripheral.address, attempt.terms));
      return;
    }
    const handle = this.#handle;
    this.#handle += 1;
    const link = new Link(handle, peripheral, attempt.terms, this.#time, this.#chance.branch(), this);
    this.#links.set(handle, link);
    this.toHost(hci.connected(STATUS.ok, handle, peripheral.address, attempt.terms));
    peripheral.opened(link);
    if (dropAtOnce === undefined) return;
    this.faults.dropAtOnce = undefined;
    link.finish(dropAtOnce);
  }

  #data(packet: Buffer): void {
    const head = packet.readUInt16LE(1);
    const link = this.#links.get(head & 0x0fff);
    if (link === undefined) return;
    if (this.#buffered >= this.#traits.aclBuffers || packet.length - 5 > this.#traits.aclBytes) this.overruns += 1;
    this.#buffered += 1;
    link.fromHost(head >> 12 !== 1, packet.subarray(5));
  }

  #command(opcode: number, params: Buffer): void {
    const refused = this.faults.refuse.get(opcode);
    const answers = refused === undefined ? this.#obey(opcode, params) : [this.#refusal(opcode, refused)];
    for (const answer of answers) this.toHost(answer);
  }

  #refusal(opcode: number, status: number): Buffer {
    return opcode === OP.connect || opcode === OP.disconnect
      ? hci.begun(opcode, status)
      : hci.completed(opcode, status);
  }

  #obey(opcode: number, params: Buffer): readonly Buffer[] {
    if (opcode === OP.scanEnable && this.faults.single && this.#attempt !== null) {
      return [this.#refusal(opcode, STATUS.disallowed)];
    }
    switch (opcode) {
      case OP.connect:
        return [this.#createConnection(opcode, hci.addressAt(params, 6), termsAt(params, 13))];
      case OP.extendedConnect:
        return [this.#createConnection(opcode, hci.addressAt(params, 3), termsAt(params, 14))];
      case OP.cancel:
        return this.#cancel();
      case OP.disconnect:
        return [this.#disconnect(params)];
      case OP.update:
        return [this.#update(params)];
      case OP.readRssi:
        return [this.#readRssi(params)];
      default:
        return [this.scan.take(opcode, params) ?? this.#answer(opcode)];
    }
  }

  #createConnection(opcode: number, address: string, terms: hci.LinkTerms): Buffer {
    const status = this.#connectable();
    if (status === STATUS.ok) this.#attempt = { address, terms };
    return hci.begun(opcode, status);
  }

  // To a die that is linked already an attempt may be made: it waits for an advertisement that does not come (G35).
  #connectable(): number {
    if (this.#attempt !== null || (this.faults.single && this.scan.on)) return STATUS.disallowed;
    return this.#links.size >= this.#traits.maxLinks ? STATUS.limit : STATUS.ok;
  }

  #cancel(): readonly Buffer[] {
    const attempt = this.#attempt;
    this.#attempt = null;
    if (attempt === null) return [hci.completed(OP.cancel, STATUS.disallowed)];
    return [
      hci.completed(OP.cancel, STATUS.ok),
      hci.connected(STATUS.unknownConnection, 0, attempt.address, attempt.terms),
    ];
  }

  #disconnect(params: Buffer): Buffer {
    const link = this.#links.get(params.readUInt16LE(0));
    link?.close(STATUS.hostEnded);
    return hci.begun(OP.disconnect, link === undefined ? STATUS.unknownConnection : STATUS.ok);
  }

  #update(params: Buffer): Buffer {
    const link = this.#links.get(params.readUInt16LE(0));
    const terms = termsAt(params, 2);
    link?.update(terms, () => this.toHost(hci.updated(link.handle, terms)));
    return hci.begun(OP.update, link === undefined ? STATUS.unknownConnection : STATUS.ok);
  }

  #readRssi(params: Buffer): Buffer {
    const handle = params.readUInt16LE(0);
    const link = this.#links.get(handle);
    const status = link === undefined ? STATUS.unknownConnection : STATUS.ok;
    return hci.completed(OP.readRssi, status, ...hci.u16(handle), (link?.peripheral.rssi ?? 0) & 0xff);
  }

  #answer(opcode: number): Buffer {
    const { aclBytes, aclBuffers } = this.#traits;
    switch (opcode) {
      case OP.reset:
        this.reset();
        return hci.completed(opcode, STATUS.ok);
      case OP.readVersion:
        return hci.completed(opcode, STATUS.ok, VERSION_4_2, 0, 0, VERSION_4_2, 0xff, 0xff, 0, 0);
      case OP.readAddress:
        return hci.completed(opcode, STATUS.ok, ...hci.addressBytes(this.#traits.address));
      case OP.leReadBuffers:
        return hci.completed(opcode, STATUS.ok, ...hci.u16(aclBytes), aclBuffers);
      case OP.readBuffers:
        return hci.completed(opcode, STATUS.ok, ...hci.u16(aclBytes), 0, ...hci.u16(aclBuffers), 0, 0);
      case OP.readLeHost:
        return hci.completed(opcode, STATUS.ok, 1, 0);
      case OP.acceptListSize:
        return hci.completed(opcode, STATUS.ok, 0);
      case OP.setEventMask:
      case OP.leEventMask:
      case OP.phy:
      case OP.writeLeHost:
        return hci.completed(opcode, STATUS.ok);
      default:
        this.unknown.add(opcode);
        return hci.completed(opcode, STATUS.unknownCommand);
    }
  }
}
