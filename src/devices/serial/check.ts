const POLYNOMIAL = 0x1021;

const TABLE: readonly number[] = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ POLYNOMIAL) & 0xffff : (crc << 1) & 0xffff;
  return crc;
});

/**
 * CRC-16/CCITT-FALSE (polynomial 1021, start FFFF) over one byte per character, 0…FFFF; "123456789" gives 29B1
 * (firmware-protocol, Check). Characters above FF count by their low byte: callers refuse them before.
 */
export function crc16(text: string): number {
  let crc = 0xffff;
  for (let i = 0; i < text.length; i++) {
    const byte = ((crc >> 8) ^ text.charCodeAt(i)) & 0xff;
    crc = ((crc << 8) ^ (TABLE[byte] ?? 0)) & 0xffff;
  }
  return crc;
}

/** NMEA's XOR over one byte per character, 0…FF; blind to transpositions, so taken only from trays that say `crc=8`. */
export function xor8(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum ^= text.charCodeAt(i) & 0xff;
  return sum;
}

/** A check as it stands in a frame: upper-case hex with leading zeros. */
export const checkHex = (value: number, digits: 2 | 4): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');
