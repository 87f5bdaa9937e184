import { ACL, COMMAND, EVENT } from './hci.js';

/** Longest packet H4 can carry from a host: five bytes of head and what two bytes of length can say. */
const MAX_PACKET = 5 + 0xffff;

/** Cuts the bytes of a serial line into HCI packets, type byte included, however they were chunked. */
export class H4Splitter {
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes that began no packet. */
  stray = 0;

  push(chunk: Uint8Array): readonly Buffer[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const packets: Buffer[] = [];
    for (;;) {
      const length = this.#nextLength();
      if (length === null || this.#rest.length < length) return packets;
      packets.push(Buffer.from(this.#rest.subarray(0, length)));
      this.#rest = this.#rest.subarray(length);
    }
  }

  /** Length of the packet at the front; null while its head is not whole. Skips what can be no packet. */
  #nextLength(): number | null {
    while (this.#rest.length > 0) {
      const rest = this.#rest;
      switch (rest[0]) {
        case COMMAND:
          return rest.length < 4 ? null : 4 + rest.readUInt8(3);
        case EVENT:
          return rest.length < 3 ? null : 3 + rest.readUInt8(2);
        case ACL:
          return rest.length < 5 ? null : Math.min(MAX_PACKET, 5 + rest.readUInt16LE(3));
        default:
          this.stray += 1;
          this.#rest = rest.subarray(1);
      }
    }
    return null;
  }
}
