import type { AttFaults } from './att.js';
import type { Service } from './gatt.js';
import type { Advertisement, DieEnd, Peripheral } from './peripheral.js';

const ADVERTISING_MS = 50;

/** What a test wants a peripheral to be; the rest is plain. */
export interface PlainTraits {
  readonly address: string;
  readonly services?: readonly Service[];
  readonly advert?: readonly number[];
  /** Null: it answers no scan request. */
  readonly scanResponse?: readonly number[] | null;
  readonly maxMtu?: number;
  readonly packetBytes?: number;
  readonly faults?: AttFaults;
}

/** Flags and a name. */
export const namedAdvert = (name: string): readonly number[] => [2, 1, 6, name.length + 1, 9, ...Buffer.from(name)];

/** A peripheral without a will of its own, for what a library does with it. */
export class PlainPeripheral implements Peripheral {
  readonly address: string;
  readonly rssi = -50;
  readonly services: readonly Service[];
  readonly firstHandle = 1;
  readonly maxMtu: number;
  readonly packetBytes: number;
  readonly queueBytes = 4_096;
  readonly attFaults: AttFaults;
  /** What hosts wrote, in hex. */
  readonly writes: string[] = [];
  end: DieEnd | null = null;
  silent = false;
  readonly #advertisement: Advertisement;

  constructor({ address, services, advert, scanResponse, maxMtu, packetBytes, faults }: PlainTraits) {
    this.address = address;
    this.services = services ?? [];
    this.maxMtu = maxMtu ?? 128;
    this.packetBytes = packetBytes ?? 27;
    this.attFaults = faults ?? {};
    this.#advertisement = {
      advert: Buffer.from(advert ?? namedAdvert('Plain')),
      scanResponse: scanResponse === null ? null : Buffer.from(scanResponse ?? []),
      intervalMs: ADVERTISING_MS,
      connectable: true,
    };
  }

  advertisement(): Advertisement | null {
    return this.silent || this.end !== null ? null : this.#advertisement;
  }

  opened(end: DieEnd): void {
    this.end = end;
  }

  closed(): void {
    this.end = null;
  }

  written(_uuid: string, value: Buffer): number {
    this.writes.push(value.toString('hex'));
    return 0;
  }

  switched(): number {
    return 0;
  }
}
