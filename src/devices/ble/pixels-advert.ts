import { MAX_NOTIFICATION_BYTES, toHex } from '../hex.js';
import { ERAS } from './pixels-eras.js';
import { isBoard } from './pixels-faces.js';
import { colourOf, type GarbledMessage, idText, plural, type RawState, u32At } from './pixels-identity.js';

/** Services of a die, as they stand in a packet: byte for byte from the last (protocols/pixels §1). */
const SERVICES = ['9ECADC240EE5A9E093F3A3B50100406E', '5B9BDC8E0C3562A9F2435A7A0100B9A6'];
const DEVICE_INFORMATION = 0x180a;
const COMPANIES = [0xffff, 0x0d39];

const PAYLOAD_BYTES = 5;
const OLD_PAYLOAD_BYTES = 7;
const FACTS_BYTES = 8;
const UUID_BYTES = 16;
const CHARGING_BIT = 0x80;
/** A custom colour overwrites the design byte, type and all. */
const CUSTOM_DESIGN = 0xff;
/** The one number of the older design list that the sheet knows. */
const OLD_DESIGN_ONYX = 9;

/** What a scan response tells and an advert does not: who the die is. Kept for the adverts that come without one. */
export interface PixelsFacts {
  readonly id: string;
  /** Build timestamp, UNIX seconds. */
  readonly firmware: number;
}

/** An advert merged with the scan response of the same address. */
export interface PixelsAdvert {
  readonly kind: 'advert';
  readonly facts: PixelsFacts;
  /** False where the firmware is only assumed: the oldest layout does not tell it. */
  readonly dated: boolean;
  readonly leds: number;
  readonly dieType: number;
  readonly colour?: string;
  readonly name?: string;
  readonly battery: { readonly percent: number; readonly charging: boolean };
  readonly rest: RawState;
}

/** `pending`: a die's packet that is not whole yet, or one without a payload, as a die sends it after its start. */
export type AdvertReading =
  | PixelsAdvert
  | { readonly kind: 'pending'; readonly facts?: PixelsFacts }
  | { readonly kind: 'foreign' }
  | GarbledMessage;

interface Fields {
  services: Set<string>;
  lists180a: boolean;
  name?: string;
  maker?: Uint8Array;
  facts?: Uint8Array;
}

const u16At = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);

function readField(fields: Fields, type: number, data: Uint8Array): void {
  switch (type) {
    case 0x02:
    case 0x03:
      for (let i = 0; i + 1 < data.length; i += 2) if (u16At(data, i) === DEVICE_INFORMATION) fields.lists180a = true;
      return;
    case 0x06:
    case 0x07:
      for (let i = 0; i + UUID_BYTES <= data.length; i += UUID_BYTES) {
        fields.services.add(toHex(data.subarray(i, i + UUID_BYTES)));
      }
      return;
    case 0x08:
    case 0x09:
      fields.name = new TextDecoder().decode(data);
      return;
    case 0x16:
      if (u16At(data, 0) === DEVICE_INFORMATION && data.length >= 2 + FACTS_BYTES) fields.facts = data.subarray(2);
      return;
    case 0xff:
      fields.maker = data;
      return;
  }
}

/** Reads the fields of one packet: each a length, a type and its data. Null, or how it is garbled. */
function readFields(fields: Fields, bytes: Uint8Array): GarbledMessage | null {
  if (bytes.length > MAX_NOTIFICATION_BYTES) {
    const expected = `at most ${plural(MAX_NOTIFICATION_BYTES)}`;
    return { kind: 'garbled', why: 'too_long', got: plural(bytes.length), expected };
  }
  for (let at = 0; at < bytes.length; ) {
    const size = bytes[at] ?? 0;
    // A field of no length is padding: the packet ends here.
    if (size === 0) return null;
    const end = at + 1 + size;
    if (end > bytes.length) {
      return { kind: 'garbled', why: 'length', got: plural(bytes.length), expected: `at least ${plural(end)}` };
    }
    readField(fields, bytes[at + 1] ?? 0, bytes.subarray(at + 2, end));
    at = end;
  }
  return null;
}

/** A packet that looks like a die's although its service stands in the scan response only (§1, host identification). */
function looksLikeDie({ lists180a, maker }: Fields): boolean {
  if (!lists180a || maker === undefined) return false;
  if (maker.length === 2 + OLD_PAYLOAD_BYTES) return isBoard(maker[1] ?? 0);
  if (!COMPANIES.includes(u16At(maker, 0))) return false;
  return maker.length === 2 || (maker.length === 2 + PAYLOAD_BYTES && isBoard(maker[2] ?? 0));
}

function designOf(design: number, firmware: number): { dieType: number; colour: string | undefined } {
  if (firmware < ERAS.designType) {
    return { dieType: 0, colour: design === OLD_DESIGN_ONYX ? colourOf(1) : undefined };
  }
  if (design === CUSTOM_DESIGN) return { dieType: 0, colour: colourOf(design) };
  return { dieType: design >> 4, colour: colourOf(design & 0x0f) };
}

function batteryOf(byte: number, firmware: number): PixelsAdvert['battery'] {
  if (firmware < ERAS.percent) return { percent: Math.round((byte * 100) / 255), charging: false };
  return { percent: byte & ~CHARGING_BIT, charging: (byte & CHARGING_BIT) !== 0 };
}

function readPayload(payload: Uint8Array, facts: PixelsFacts, name: string | undefined): PixelsAdvert {
  const { dieType, colour } = designOf(payload[1] ?? 0, facts.firmware);
  return {
    kind: 'advert',
    facts,
    dated: true,
    leds: payload[0] ?? 0,
    dieType,
    ...(colour === undefined ? {} : { colour }),
    ...(name === undefined ? {} : { name }),
    battery: batteryOf(payload[4] ?? 0, facts.firmware),
    rest: { state: payload[2] ?? 0, index: payload[3] ?? 0 },
  };
}

/** The layout before June 2022: the company's two bytes are design and lights, and the id stands in the payload. */
function readOldPayload(maker: Uint8Array, name: string | undefined): AdvertReading {
  const id = u32At(maker, 2);
  if (id === 0) return { kind: 'garbled', why: 'value_range', got: '0', expected: 'a pixelId' };
  const { colour } = designOf(maker[0] ?? 0, ERAS.oldest);
  return {
    kind: 'advert',
    facts: { id: idText(id), firmware: ERAS.oldest },
    dated: false,
    leds: maker[1] ?? 0,
    dieType: 0,
    ...(colour === undefined ? {} : { colour }),
    ...(name === undefined ? {} : { name }),
    battery: batteryOf(maker[8] ?? 0, ERAS.oldest),
    rest: { state: maker[6] ?? 0, index: maker[7] ?? 0 },
  };
}

function factsOf(bytes: Uint8Array | undefined): PixelsFacts | 'none' | undefined {
  if (bytes === undefined) return undefined;
  const id = u32At(bytes, 0);
  return id === 0 ? 'none' : { id: idText(id), firmware: u32At(bytes, 4) };
}

/**
 * Reads one advert with the scan response of the same address (§2). `known` is what an earlier scan response told: a die
 * says who it is only there. Never throws, whatever the bytes are.
 */
export function readAdvert(
  advert: Uint8Array,
  scanResponse: Uint8Array | undefined,
  known: PixelsFacts | undefined,
): AdvertReading {
  const fields: Fields = { services: new Set(), lists180a: false };
  const garbled = readFields(fields, advert) ?? readFields(fields, scanResponse ?? new Uint8Array());
  if (garbled !== null) return garbled;
  const named = SERVICES.some((service) => fields.services.has(service));
  if (!named && !looksLikeDie(fields) && !(known !== undefined && fields.lists180a)) return { kind: 'foreign' };
  const told = factsOf(fields.facts);
  if (told === 'none') return { kind: 'garbled', why: 'value_range', got: '0', expected: 'a pixelId' };
  const facts = told ?? known;
  const { maker, name } = fields;
  const size = (maker?.length ?? 0) - 2;
  if (maker === undefined || size === 0) return { kind: 'pending', ...(facts === undefined ? {} : { facts }) };
  if (size === OLD_PAYLOAD_BYTES && told === undefined)
    return named || known !== undefined ? readOldPayload(maker, name) : { kind: 'pending' };
  if (size !== PAYLOAD_BYTES) {
    const got = plural(Math.max(0, size));
    return { kind: 'garbled', why: 'length', got, expected: plural(PAYLOAD_BYTES) };
  }
  if (facts === undefined) return { kind: 'pending' };
  return readPayload(maker.subarray(2), facts, name);
}
