import { closeSync, openSync, writeSync } from 'node:fs';
import { ACL, COMMAND } from './hci.js';

const H4_DATALINK = 1002;
/** Microseconds between year 0 and 1970, as the format counts (RFC 1761 and its Bluetooth kin). */
const EPOCH = 0x00dcddb30f2f8000n;
const FROM_CONTROLLER = 1;
const COMMAND_OR_EVENT = 2;

/** Writes what passes between host and controller into a file that `tshark` and `btmon` read. */
export class Btsnoop {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
    const head = Buffer.alloc(16);
    head.write('btsnoop\0', 'latin1');
    head.writeUInt32BE(1, 8);
    head.writeUInt32BE(H4_DATALINK, 12);
    writeSync(this.#file, head);
  }

  write(packet: Uint8Array, toHost: boolean): void {
    const record = Buffer.alloc(24 + packet.length);
    const flags = (toHost ? FROM_CONTROLLER : 0) | (packet[0] === ACL ? 0 : COMMAND_OR_EVENT);
    record.writeUInt32BE(packet.length, 0);
    record.writeUInt32BE(packet.length, 4);
    record.writeUInt32BE(packet[0] === COMMAND ? COMMAND_OR_EVENT : flags, 8);
    record.writeBigUInt64BE(EPOCH + BigInt(Date.now()) * 1000n, 16);
    record.set(packet, 24);
    writeSync(this.#file, record);
  }

  close(): void {
    closeSync(this.#file);
  }
}
