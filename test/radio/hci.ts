/** Packet types of H4 (Bluetooth core, volume 4, part A). */
export const COMMAND = 0x01;
export const ACL = 0x02;
export const EVENT = 0x04;

/** Commands that a host of dice sends (testing-bluetooth §2); group and number as they stand on the wire. */
export const OP = {
  disconnect: 0x0406,
  setEventMask: 0x0c01,
  reset: 0x0c03,
  readLeHost: 0x0c6c,
  writeLeHost: 0x0c6d,
  readVersion: 0x1001,
  readCommands: 0x1002,
  readFeatures: 0x1003,
  readBuffers: 0x1005,
  readAddress: 0x1009,
  readRssi: 0x1405,
  leEventMask: 0x2001,
  leReadBuffers: 0x2002,
  leFeatures: 0x2003,
  scanParameters: 0x200b,
  scanEnable: 0x200c,
  connect: 0x200d,
  cancel: 0x200e,
  acceptListSize: 0x200f,
  update: 0x2013,
  leStates: 0x201c,
  phy: 0x2031,
  extendedScanParameters: 0x2041,
  extendedScanEnable: 0x2042,
  extendedConnect: 0x2043,
} as const;

/** Errors of the controller (core, volume 1, part F). */
export const STATUS = {
  ok: 0x00,
  unknownCommand: 0x01,
  unknownConnection: 0x02,
  timeout: 0x08,
  disallowed: 0x0c,
  limit: 0x0d,
  remoteEnded: 0x13,
  hostEnded: 0x16,
  notEstablished: 0x3e,
} as const;

/** Kinds of advertising reports. */
export const REPORT = { connectable: 0x00, scanResponse: 0x04 } as const;

const DISCONNECTED = 0x05;
const COMMAND_COMPLETE = 0x0e;
const COMMAND_STATUS = 0x0f;
const PACKETS_COMPLETED = 0x13;
const LE_META = 0x3e;
const CONNECTED = 0x01;
const REPORTED = 0x02;
const UPDATED = 0x03;

/** Two bytes, the lower first. */
export const u16 = (value: number): readonly number[] => [value & 0xff, (value >> 8) & 0xff];
/** Four bytes, the lowest first. */
export const u32 = (value: number): readonly number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];

/** `fe:45:a5:40:09:bc` as it stands in a packet, the last byte first. */
export const addressBytes = (address: string): readonly number[] =>
  address
    .split(':')
    .map((part) => Number.parseInt(part, 16))
    .reverse();

/** The address that stands at `from` of a packet. */
export const addressAt = (packet: Buffer, from: number): string =>
  [...packet.subarray(from, from + 6)]
    .reverse()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(':');

/** An event packet with its parameters. */
export const event = (code: number, params: readonly number[]): Buffer =>
  Buffer.from([EVENT, code, params.length, ...params]);

/** The answer to a command that is done at once. */
export const completed = (opcode: number, status: number, ...params: readonly number[]): Buffer =>
  event(COMMAND_COMPLETE, [1, ...u16(opcode), status, ...params]);

/** The answer to a command that has only begun. */
export const begun = (opcode: number, status: number): Buffer => event(COMMAND_STATUS, [status, 1, ...u16(opcode)]);

export const disconnected = (handle: number, reason: number): Buffer =>
  event(DISCONNECTED, [STATUS.ok, ...u16(handle), reason]);

/** Gives credits back: so many packets of the link have left the controller. */
export const packetsCompleted = (handle: number, count: number): Buffer =>
  event(PACKETS_COMPLETED, [1, ...u16(handle), ...u16(count)]);

/** Interval in units of 1.25 ms, timeout in units of 10 ms. */
export interface LinkTerms {
  readonly interval: number;
  readonly latency: number;
  readonly timeout: number;
}

const terms = ({ interval, latency, timeout }: LinkTerms): readonly number[] => [
  ...u16(interval),
  ...u16(latency),
  ...u16(timeout),
];

/** A link is up, or with another status an attempt has failed. Dice have random addresses (godice §1). */
export const connected = (status: number, handle: number, address: string, link: LinkTerms): Buffer =>
  event(LE_META, [CONNECTED, status, ...u16(handle), 0, 1, ...addressBytes(address), ...terms(link), 0]);

export const updated = (handle: number, link: LinkTerms): Buffer =>
  event(LE_META, [UPDATED, STATUS.ok, ...u16(handle), ...terms(link)]);

/** One report per event: noble reads several interleaved (testing-bluetooth §2). `rssi` in dBm. */
export const reported = (type: number, address: string, data: Uint8Array, rssi: number): Buffer =>
  event(LE_META, [REPORTED, 1, type, 1, ...addressBytes(address), data.length, ...data, rssi & 0xff]);

const EXTENDED_REPORTED = 0x0d;
/** Legacy packets as an extended report tells of them: connectable and scannable; the response to one. */
const EXTENDED_KIND: { readonly [type: number]: number } = { 0: 0x13, 4: 0x1b };

/** The same in the form for extended advertising. */
export const extendedReported = (type: number, address: string, data: Uint8Array, rssi: number): Buffer => {
  const kind = u16(EXTENDED_KIND[type] ?? 0);
  const radio = [1, 0, 0xff, 0x7f, rssi & 0xff, ...u16(0)];
  const nobody = [0, 0, 0, 0, 0, 0, 0];
  const who = [1, ...addressBytes(address)];
  return event(LE_META, [EXTENDED_REPORTED, 1, ...kind, ...who, ...radio, ...nobody, data.length, ...data]);
};

/** A piece of a link's data; `first` begins a frame, the others continue it. */
export const aclToHost = (handle: number, first: boolean, data: Uint8Array): Buffer =>
  Buffer.from([ACL, ...u16(handle | ((first ? 2 : 1) << 12)), ...u16(data.length), ...data]);
