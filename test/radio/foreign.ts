import type { Chance } from './chance.js';
import type { Advertisement, Peripheral } from './peripheral.js';

/** Something in the room that advertises and is no die of ours. */
export interface Foreign extends Peripheral {
  /** A new address and new contents, as phones change theirs for privacy. */
  renewed(): Foreign;
}

const APPLE = [0x4c, 0x00];
const FLAGS = [0x02, 0x01, 0x1a];

/** A random static address. */
export const anyAddress = (chance: Chance): string =>
  [0xc0 | chance.whole(0, 63), ...Array.from({ length: 5 }, () => chance.whole(0, 255))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(':');

const bytes = (chance: Chance, count: number): number[] => Array.from({ length: count }, () => chance.whole(0, 255));
const named = (text: string): number[] => [...Buffer.from([Buffer.byteLength(text) + 1, 0x09]), ...Buffer.from(text)];

// Phones, earphones, thermometers, beacons, a name in another script, and one whose lengths are wrong.
const KINDS: readonly ((chance: Chance) => readonly number[])[] = [
  (chance) => [...FLAGS, 0x0b, 0xff, ...APPLE, 0x10, 0x06, ...bytes(chance, 6)],
  (chance) => [...FLAGS, 0x1a, 0xff, ...APPLE, 0x02, 0x15, ...bytes(chance, 21)],
  (chance) => [...FLAGS, ...named(`Buds ${chance.whole(1, 99)}`), 0x03, 0x03, 0x0f, 0x18],
  (chance) => [...FLAGS, 0x03, 0x03, 0x0a, 0x18, ...named(`Termometro ${chance.whole(1, 9)}`)],
  () => [...FLAGS, ...named('耳机 🎧')],
  (chance) => [...FLAGS, 0x1e, 0xff, ...bytes(chance, 4)],
  (chance) => [...FLAGS, 0x09, 0xff, 0xff, 0xff, ...bytes(chance, 6)],
];

/** One foreign advertiser; `intervalMs` is how often it is heard. */
export function foreigner(chance: Chance, intervalMs: number): Foreign {
  const advert = Buffer.from(chance.pick(KINDS)(chance));
  const scanResponse = chance.happens(0.5) ? Buffer.from(named('extra')) : null;
  const sent: Advertisement = { advert, scanResponse, intervalMs, connectable: false };
  return {
    address: anyAddress(chance),
    rssi: -chance.whole(55, 95),
    advertisement: () => sent,
    services: [],
    firstHandle: 1,
    maxMtu: 23,
    packetBytes: 27,
    queueBytes: 0,
    attFaults: {},
    opened: () => undefined,
    closed: () => undefined,
    written: () => 0,
    switched: () => 0,
    renewed: () => foreigner(chance, intervalMs),
  };
}
