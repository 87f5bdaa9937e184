/** An advertisement as a library shows it where it does not hand out the packets themselves (macOS, Windows). */
export interface Told {
  readonly localName?: string | undefined;
  readonly manufacturerData?: Uint8Array | undefined;
  readonly serviceData?: readonly { readonly uuid: string; readonly data: Uint8Array }[] | undefined;
  readonly serviceUuids?: readonly string[] | undefined;
}

const COMPLETE_NAME = 0x09;
const MAKER = 0xff;
const SERVICE_DATA = 0x16;
const SHORT_UUIDS = 0x03;
const LONG_UUIDS = 0x07;
const SHORT_DIGITS = 4;

/** Bytes of a UUID as a packet has them, the last first. Short ones lack their leading zeros in some libraries (G17). */
function uuidBytes(uuid: string): number[] {
  const digits = uuid.length <= SHORT_DIGITS ? uuid.padStart(SHORT_DIGITS, '0') : uuid;
  const bytes: number[] = [];
  for (let at = digits.length - 2; at >= 0; at -= 2) bytes.push(Number.parseInt(digits.slice(at, at + 2), 16));
  return bytes;
}

const field = (type: number, data: ArrayLike<number>): number[] => [data.length + 1, type, ...Array.from(data)];

const isShort = (uuid: string): boolean => uuid.length <= SHORT_DIGITS;

/**
 * Packets that say what the library says: who the die is stands in the scan response, how it lies in the advertisement
 * (protocols/pixels §2). Fields too long for a packet are left out.
 */
export function packetsOf(told: Told): readonly { readonly response: boolean; readonly data: Uint8Array }[] {
  const { localName, manufacturerData, serviceData = [], serviceUuids = [] } = told;
  const advert = [
    ...serviceUuids.filter(isShort).flatMap((uuid) => field(SHORT_UUIDS, uuidBytes(uuid))),
    ...(manufacturerData === undefined ? [] : field(MAKER, manufacturerData)),
    ...(localName === undefined ? [] : field(COMPLETE_NAME, new TextEncoder().encode(localName))),
  ];
  const response = [
    ...serviceUuids.filter((uuid) => !isShort(uuid)).flatMap((uuid) => field(LONG_UUIDS, uuidBytes(uuid))),
    ...serviceData
      .filter(({ uuid }) => isShort(uuid))
      .flatMap(({ uuid, data }) => field(SERVICE_DATA, [...uuidBytes(uuid), ...Array.from(data)])),
  ];
  const packets = [
    { response: false, data: Uint8Array.from(advert) },
    { response: true, data: Uint8Array.from(response) },
  ];
  return packets.filter(({ data }) => data.length > 0);
}
