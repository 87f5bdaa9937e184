import { type Attribute, PROPERTY, SERVICE } from './gatt.js';
import { u16 } from './hci.js';

const DEFAULT_MTU = 23;
/** Channel of the attribute protocol on every link. */
export const ATT_CHANNEL = 4;

/** Answers of the attribute protocol that are refusals (core, volume 3, part F, 3.4.1). */
export const REFUSED = {
  handle: 0x01,
  read: 0x02,
  write: 0x03,
  pdu: 0x04,
  request: 0x06,
  authentication: 0x05,
  notFound: 0x0a,
  unlikely: 0x0e,
} as const;

/** What a die's stack does with what its host asks. Refusals are numbers of `REFUSED`, 0 is none. */
export interface AttHooks {
  written(uuid: string, value: Buffer): number;
  /** The host switched the notifications of a characteristic. */
  switched(uuid: string, on: boolean): number;
}

/** Faults of a stack that a test asks for (testing-bluetooth §4). */
export interface AttFaults {
  /** Answers the exchange of MTU with this refusal. */
  refuseMtu?: number;
  /** Offers this MTU whatever the stack can do. */
  offerMtu?: number;
  /** Refuses every write of a value, or every switching of notifications, with this. */
  refuseWrite?: number;
  refuseSwitch?: number;
  /** Answers no request at all. */
  mute?: boolean;
}

/** The attribute server of one link: takes requests, gives answers. */
export class AttServer {
  readonly #rows: readonly Attribute[];
  readonly #hooks: AttHooks;
  readonly #faults: AttFaults;
  readonly #maxMtu: number;
  readonly #on = new Set<string>();
  #prepared: { readonly handle: number; readonly value: Buffer } | null = null;
  mtu = DEFAULT_MTU;
  /** Indications that the host has confirmed. */
  confirmed = 0;

  constructor(rows: readonly Attribute[], maxMtu: number, hooks: AttHooks, faults: AttFaults = {}) {
    this.#rows = rows;
    this.#maxMtu = maxMtu;
    this.#hooks = hooks;
    this.#faults = faults;
  }

  /** Takes one request or command; null where the protocol answers nothing. */
  take(pdu: Buffer): Buffer | null {
    const opcode = pdu[0] ?? 0;
    if (this.#faults.mute === true) return null;
    switch (opcode) {
      case 0x02:
        return this.#exchange(pdu);
      case 0x04:
        return this.#findInformation(pdu);
      case 0x08:
      case 0x10:
        return this.#readList(pdu, opcode);
      case 0x0a:
      case 0x0c:
        return this.#read(pdu, opcode);
      case 0x12:
        return this.#write(pdu);
      case 0x52:
        this.#put(pdu.readUInt16LE(1), pdu.subarray(3));
        return null;
      case 0x16:
        return this.#prepare(pdu);
      case 0x18:
        return this.#execute(pdu);
      case 0x1e:
        this.confirmed += 1;
        return null;
      default:
        return this.#refuse(opcode, 0, REFUSED.request);
    }
  }

  /** A notification as the stack sends it: cut to the MTU; null while the host has not switched it on. */
  notification(uuid: string, value: Uint8Array): Buffer | null {
    const row = this.#rows.find(({ of }) => of?.uuid === uuid && of.part === 'value');
    if (row === undefined || !this.#on.has(uuid)) return null;
    const opcode = (row.of?.properties ?? 0) & PROPERTY.notify ? 0x1b : 0x1d;
    return Buffer.concat([Buffer.from([opcode, ...u16(row.handle)]), value.subarray(0, this.mtu - 3)]);
  }

  listens(uuid: string): boolean {
    return this.#on.has(uuid);
  }

  #refuse(opcode: number, handle: number, why: number): Buffer {
    return Buffer.from([0x01, opcode, ...u16(handle), why]);
  }

  #exchange(pdu: Buffer): Buffer {
    const { refuseMtu, offerMtu } = this.#faults;
    if (refuseMtu !== undefined) return this.#refuse(0x02, 0, refuseMtu);
    this.mtu = Math.max(DEFAULT_MTU, Math.min(pdu.readUInt16LE(1), this.#maxMtu));
    return Buffer.from([0x03, ...u16(offerMtu ?? this.#maxMtu)]);
  }

  #between(pdu: Buffer): readonly Attribute[] {
    const [from, to] = [pdu.readUInt16LE(1), pdu.readUInt16LE(3)];
    return this.#rows.filter(({ handle }) => handle >= from && handle <= to);
  }

  #findInformation(pdu: Buffer): Buffer {
    const found = this.#between(pdu);
    const size = found[0]?.type.length;
    if (size === undefined) return this.#refuse(0x04, pdu.readUInt16LE(1), REFUSED.notFound);
    const pairs = found.filter(({ type }) => type.length === size).map(({ handle, type }) => [...u16(handle), ...type]);
    const fitting = pairs.slice(0, Math.floor((this.mtu - 2) / (2 + size)));
    return Buffer.from([0x05, size === 2 ? 1 : 2, ...fitting.flat()]);
  }

  /** Read By Type and Read By Group Type: rows of one type, as many of one length as fit. */
  #readList(pdu: Buffer, opcode: 0x08 | 0x10): Buffer {
    const wanted = pdu.subarray(5);
    const group = opcode === 0x10;
    const found = this.#between(pdu).filter(({ type }) => type.equals(wanted));
    const first = found[0];
    if (first === undefined) return this.#refuse(opcode, pdu.readUInt16LE(1), REFUSED.notFound);
    if (group && wanted.readUInt16LE(0) !== SERVICE) return this.#refuse(opcode, first.handle, REFUSED.request);
    const entries: number[][] = [];
    for (const row of found) {
      const value = this.#valueOf(row);
      if (value.length !== this.#valueOf(first).length) break;
      entries.push([...u16(row.handle), ...(group ? u16(row.end ?? row.handle) : []), ...value]);
    }
    const size = entries[0]?.length ?? 0;
    return Buffer.from([opcode + 1, size, ...entries.slice(0, Math.floor((this.mtu - 2) / size)).flat()]);
  }

  #valueOf({ of, value }: Attribute): Buffer {
    return of?.part === 'switch' ? Buffer.from([this.#on.has(of.uuid) ? 1 : 0, 0]) : value;
  }

  #read(pdu: Buffer, opcode: 0x0a | 0x0c): Buffer {
    const handle = pdu.readUInt16LE(1);
    const row = this.#rows.find((one) => one.handle === handle);
    if (row === undefined) return this.#refuse(opcode, handle, REFUSED.handle);
    if (row.of?.part === 'value' && (row.of.properties & PROPERTY.read) === 0) {
      return this.#refuse(opcode, handle, REFUSED.read);
    }
    const from = opcode === 0x0c ? pdu.readUInt16LE(3) : 0;
    return Buffer.concat([Buffer.from([opcode + 1]), this.#valueOf(row).subarray(from, from + this.mtu - 1)]);
  }

  #write(pdu: Buffer): Buffer {
    const handle = pdu.readUInt16LE(1);
    const why = this.#put(handle, pdu.subarray(3));
    return why === 0 ? Buffer.from([0x13]) : this.#refuse(0x12, handle, why);
  }

  #prepare(pdu: Buffer): Buffer {
    const handle = pdu.readUInt16LE(1);
    const before = this.#prepared?.handle === handle ? this.#prepared.value : Buffer.alloc(0);
    this.#prepared = { handle, value: Buffer.concat([before, pdu.subarray(5)]) };
    return Buffer.from([0x17, ...pdu.subarray(1)]);
  }

  #execute(pdu: Buffer): Buffer {
    const prepared = this.#prepared;
    this.#prepared = null;
    const why = prepared === null || pdu[1] === 0 ? 0 : this.#put(prepared.handle, prepared.value);
    return why === 0 ? Buffer.from([0x19]) : this.#refuse(0x18, prepared?.handle ?? 0, why);
  }

  #put(handle: number, value: Buffer): number {
    const row = this.#rows.find((one) => one.handle === handle);
    if (row === undefined) return REFUSED.handle;
    if (row.of === undefined) return REFUSED.write;
    const { refuseWrite = 0, refuseSwitch = 0 } = this.#faults;
    if (row.of.part === 'value') return refuseWrite === 0 ? this.#hooks.written(row.of.uuid, value) : refuseWrite;
    if (refuseSwitch !== 0) return refuseSwitch;
    const on = ((value[0] ?? 0) & 0x03) !== 0;
    const why = this.#hooks.switched(row.of.uuid, on);
    if (why !== 0) return why;
    if (on) this.#on.add(row.of.uuid);
    else this.#on.delete(row.of.uuid);
    return 0;
  }
}
