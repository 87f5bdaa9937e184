import type { Make } from './ports.js';

/** Longest advertisement or scan response that is handed on: an extended one. */
export const MAX_PACKET_BYTES = 255;
/** Longest attribute value of Bluetooth. */
export const MAX_VALUE_BYTES = 512;
/** Longest text of a message: a name, a reason. */
export const MAX_TEXT_CHARS = 512;

const MAKES: readonly string[] = ['GoDice', 'Pixels'] satisfies readonly Make[];

/** How much of the time is spent on looking: `eased` where no die is missing. */
export type Pace = 'full' | 'eased';

/** What the daemon orders its radio process. `link` is the number the link shall have in this epoch. */
export type Order =
  | { readonly do: 'connect'; readonly die: string; readonly link: number }
  | { readonly do: 'release'; readonly die: string; readonly link: number }
  | {
      readonly do: 'write';
      readonly die: string;
      readonly link: number;
      readonly id: number;
      readonly bytes: Uint8Array;
    }
  | { readonly do: 'pace'; readonly pace: Pace }
  | { readonly do: 'ping'; readonly id: number };

/** States of the adapter as the libraries call them. */
export const ADAPTER_STATES = [
  'unknown',
  'resetting',
  'unsupported',
  'unauthorized',
  'poweredOff',
  'poweredOn',
] as const;
export type AdapterState = (typeof ADAPTER_STATES)[number];

/** What ails the radio so that only a new start helps: all other troubles concern one link. */
export const TROUBLES = ['no_library', 'scan_refused', 'scan_silent', 'malformed', 'fault'] as const;
export type Trouble = (typeof TROUBLES)[number];

/** A die heard on the air; `heard` counts its packets since the last report of it. */
export interface AdvertReport {
  readonly tell: 'advert';
  readonly die: string;
  readonly make: Make;
  readonly address: string;
  readonly rssi: number;
  readonly heard: number;
  readonly advert: Uint8Array;
  readonly scanResponse?: Uint8Array;
  readonly name?: string;
}

/** What the radio process reports. `n` counts the notifications of a link from 1 without a gap. */
export type Report =
  | { readonly tell: 'ready'; readonly driver: string }
  | { readonly tell: 'adapter'; readonly state: AdapterState }
  /** The adapter's own address, small letters and colons. */
  | { readonly tell: 'address'; readonly address: string }
  | { readonly tell: 'scan'; readonly on: boolean }
  | { readonly tell: 'trouble'; readonly what: Trouble; readonly text: string }
  | AdvertReport
  | { readonly tell: 'up'; readonly die: string; readonly link: number; readonly mtu: number | null }
  | { readonly tell: 'failed' | 'down'; readonly die: string; readonly link: number; readonly why: string }
  | {
      readonly tell: 'notification';
      readonly die: string;
      readonly link: number;
      readonly n: number;
      readonly bytes: Uint8Array;
    }
  | { readonly tell: 'wrote'; readonly die: string; readonly link: number; readonly id: number; readonly ok: boolean }
  | { readonly tell: 'beat'; readonly id: number; readonly census: Census };

/** What the radio process counts of itself, for tests of what must not grow. */
export interface Census {
  /** Advertisements left out because the daemon was behind. */
  readonly dropped: number;
  /** Packets that made the library stumble. */
  readonly malformed: number;
  /** Addresses remembered, peripherals of the library, listeners on them. */
  readonly addresses: number;
  readonly peripherals: number;
  readonly listeners: number;
  readonly heapKb: number;
}

const CENSUS: readonly (keyof Census)[] = ['dropped', 'malformed', 'addresses', 'peripherals', 'listeners', 'heapKb'];

type Fields = { readonly [name: string]: unknown };

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT_CHARS;
const isDie = (value: unknown): value is string => isText(value) && /^[a-z0-9][a-z0-9_-]{0,31}$/.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isBytes = (value: unknown, most: number): value is Uint8Array =>
  value instanceof Uint8Array && value.length <= most;
const isOne = <T extends string>(words: readonly T[], value: unknown): value is T =>
  (words as readonly unknown[]).includes(value);

function readAdvert(m: Fields): AdvertReport | null {
  const { die, make, address, rssi, heard, advert, scanResponse, name } = m;
  if (!isDie(die) || !isText(address) || typeof rssi !== 'number' || !isCount(heard)) return null;
  if (!MAKES.includes(make as string) || !isBytes(advert, MAX_PACKET_BYTES)) return null;
  if (scanResponse !== undefined && !isBytes(scanResponse, MAX_PACKET_BYTES)) return null;
  if (name !== undefined && !isText(name)) return null;
  return {
    tell: 'advert',
    die,
    make: make as Make,
    address,
    rssi,
    heard,
    advert,
    ...(scanResponse === undefined ? {} : { scanResponse }),
    ...(name === undefined ? {} : { name }),
  };
}

function readOfLink(m: Fields): Report | null {
  const { tell, die, link, n, mtu, why, bytes, id, ok } = m;
  if (!isDie(die) || !isCount(link)) return null;
  switch (tell) {
    case 'up':
      return mtu === null || isCount(mtu) ? { tell, die, link, mtu } : null;
    case 'failed':
    case 'down':
      return isText(why) ? { tell, die, link, why } : null;
    case 'notification':
      return isCount(n) && isBytes(bytes, MAX_VALUE_BYTES) ? { tell, die, link, n, bytes } : null;
    case 'wrote':
      return isCount(id) && typeof ok === 'boolean' ? { tell, die, link, id, ok } : null;
    default:
      return null;
  }
}

function readCensus(value: unknown): Census | null {
  if (typeof value !== 'object' || value === null) return null;
  const counts = CENSUS.map((name) => [name, (value as Fields)[name]] as const);
  return counts.every(([, count]) => isCount(count)) ? (Object.fromEntries(counts) as unknown as Census) : null;
}

/** Checks a message of the radio process; null for anything it may not say. The process may be broken, the daemon not. */
export function readReport(message: unknown): Report | null {
  if (typeof message !== 'object' || message === null) return null;
  const m = message as Fields;
  switch (m.tell) {
    case 'ready':
      return isText(m.driver) ? { tell: 'ready', driver: m.driver } : null;
    case 'adapter':
      return isOne(ADAPTER_STATES, m.state) ? { tell: 'adapter', state: m.state } : null;
    case 'address':
      return isText(m.address) ? { tell: 'address', address: m.address } : null;
    case 'scan':
      return typeof m.on === 'boolean' ? { tell: 'scan', on: m.on } : null;
    case 'trouble':
      return isOne(TROUBLES, m.what) && isText(m.text) ? { tell: 'trouble', what: m.what, text: m.text } : null;
    case 'advert':
      return readAdvert(m);
    case 'beat': {
      const census = readCensus(m.census);
      return isCount(m.id) && census !== null ? { tell: 'beat', id: m.id, census } : null;
    }
    default:
      return readOfLink(m);
  }
}

/** Checks an order on its way into the radio process; null for anything else. */
export function readOrder(message: unknown): Order | null {
  if (typeof message !== 'object' || message === null) return null;
  const m = message as Fields;
  if (m.do === 'ping') return isCount(m.id) ? { do: 'ping', id: m.id } : null;
  if (m.do === 'pace') return m.pace === 'full' || m.pace === 'eased' ? { do: 'pace', pace: m.pace } : null;
  if (!isDie(m.die) || !isCount(m.link)) return null;
  const { die, link } = m;
  if (m.do === 'connect' || m.do === 'release') return { do: m.do, die, link };
  if (m.do !== 'write' || !isCount(m.id) || !isBytes(m.bytes, MAX_VALUE_BYTES)) return null;
  return { do: 'write', die, link, id: m.id, bytes: m.bytes };
}
