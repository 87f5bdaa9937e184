import { readName } from '../godice-frames.js';
import { type PixelsFacts, readAdvert } from '../pixels-advert.js';
import type { AdvertReport } from './messages.js';
import type { Make } from './ports.js';

/** Addresses whose packets are put together at once; the longest silent one is forgotten first (F107). */
export const MAX_ADDRESSES = 1024;
/** An address that said nothing for so long is forgotten: a die that sleeps is met anew when it wakes. */
export const FORGET_MS = 60_000;
/** At most four reports a second and die (issue 4); what comes between is summed, and the newest is told at the end. */
export const REPORT_MS = 250;
/** A die is connected only while it was heard just now. */
export const FRESH_MS = 1_000;

/** One packet as the radio heard it. */
export interface Packet {
  readonly address: string;
  /** Of the address: `public` or `random`. */
  readonly kind: string;
  readonly response: boolean;
  readonly data: Uint8Array;
  readonly rssi: number;
  readonly at: number;
}

/** Whom an advertisement shows. */
export interface Who {
  readonly die: string;
  readonly make: Make;
}

/** Where a die that was heard just now can be reached. */
export interface Fresh {
  readonly make: Make;
  readonly address: string;
  readonly kind: string;
  readonly advert: Uint8Array;
}

interface Sighting {
  advert: Uint8Array | null;
  response: Uint8Array | null;
  name: string | undefined;
  facts: PixelsFacts | undefined;
  who: Who | null;
  kind: string;
  rssi: number;
  /** Packets since the last report. */
  heard: number;
  /** When its last advertisement came, and when it was reported last. */
  at: number;
  reportedAt: number;
}

const NAMES: readonly number[] = [0x08, 0x09];

/** The local name in a packet; undefined where it has none or is no packet. */
export function nameIn(data: Uint8Array): string | undefined {
  for (let at = 0; at + 1 < data.length; ) {
    const size = data[at] ?? 0;
    if (size === 0 || at + 1 + size > data.length) return undefined;
    if (NAMES.includes(data[at + 1] ?? 0)) return new TextDecoder().decode(data.subarray(at + 2, at + 1 + size));
    at += 1 + size;
  }
  return undefined;
}

/** Ids of dice by their own ids: small letters and digits, whatever the die is called. */
export const dieOf = (make: Make, id: string): string => `${make.toLowerCase()}-${id.toLowerCase()}`;

/**
 * Puts together what each address says: a die tells who it is in one packet and how it lies in another (protocols/pixels
 * §2). Holds no more than `MAX_ADDRESSES`, reports each die at most four times a second, and never loses the newest state.
 */
export class Sightings {
  readonly #seen = new Map<string, Sighting>();
  /** Where each die was heard last: an address is nobody's name and may change. */
  readonly #places = new Map<string, string>();

  get size(): number {
    return this.#seen.size;
  }

  /** Takes a packet. Answers whom it shows, or null for a stranger's. */
  take(packet: Packet): Who | null {
    const seen = this.#sightingAt(packet);
    const data = Uint8Array.from(packet.data);
    if (packet.response) seen.response = data;
    else seen.advert = data;
    seen.name = nameIn(data) ?? seen.name;
    seen.kind = packet.kind;
    seen.rssi = packet.rssi;
    seen.at = packet.at;
    const known = seen.who !== null;
    this.#recognise(seen);
    if (seen.who !== null) {
      if (!packet.response || !known) seen.heard += 1;
      this.#places.set(seen.who.die, packet.address);
    }
    return seen.who;
  }

  /** Reports that are due at `at`, each die at most once in `REPORT_MS`. */
  due(at: number): AdvertReport[] {
    const reports: AdvertReport[] = [];
    for (const [address, seen] of this.#seen) {
      if (seen.who === null || seen.heard === 0 || seen.advert === null || at - seen.reportedAt < REPORT_MS) continue;
      reports.push({
        tell: 'advert',
        ...seen.who,
        address,
        rssi: seen.rssi,
        heard: seen.heard,
        advert: seen.advert,
        ...(seen.response === null ? {} : { scanResponse: seen.response }),
        ...(seen.name === undefined ? {} : { name: seen.name.slice(0, 248) }),
      });
      seen.heard = 0;
      seen.reportedAt = at;
    }
    return reports;
  }

  /** Where a die is that was heard within the last second; null else. */
  fresh(die: string, at: number): Fresh | null {
    const address = this.#places.get(die);
    const seen = address === undefined ? undefined : this.#seen.get(address);
    if (address === undefined || seen?.advert == null || seen.who === null || at - seen.at > FRESH_MS) return null;
    return { make: seen.who.make, address, kind: seen.kind, advert: seen.advert };
  }

  /** Forgets addresses that have been silent for long, and those beyond the limit. */
  forget(at: number): void {
    for (const [address, seen] of this.#seen) {
      if (at - seen.at <= FORGET_MS && this.#seen.size <= MAX_ADDRESSES) return;
      this.#seen.delete(address);
      if (seen.who !== null && this.#places.get(seen.who.die) === address) this.#places.delete(seen.who.die);
    }
  }

  #sightingAt({ address, kind, at }: Packet): Sighting {
    const known = this.#seen.get(address) ?? {
      advert: null,
      response: null,
      name: undefined,
      facts: undefined,
      who: null,
      kind,
      rssi: 0,
      heard: 0,
      at,
      reportedAt: Number.NEGATIVE_INFINITY,
    };
    // The newest at the end: the first of the map is the longest silent one.
    this.#seen.delete(address);
    this.#seen.set(address, known);
    this.forget(at);
    return known;
  }

  #recognise(seen: Sighting): void {
    const godice = seen.name === undefined ? null : readName(seen.name);
    if (godice !== null) {
      seen.who = godice.id === undefined ? null : { die: dieOf('GoDice', godice.id), make: 'GoDice' };
      return;
    }
    if (seen.advert === null) return;
    const reading = readAdvert(seen.advert, seen.response ?? undefined, seen.facts);
    if (reading.kind !== 'advert' && reading.kind !== 'pending') return;
    seen.facts = reading.facts ?? seen.facts;
    if (seen.facts !== undefined) seen.who = { die: dieOf('Pixels', seen.facts.id), make: 'Pixels' };
  }
}
