import { u16, u32 } from './hci.js';
import type { PixelsWord } from './pixels-detector.js';

/** Which of the two dialects a die's firmware speaks (protocols/pixels §0, §1). */
export type PixelsDialect = 'legacy' | 'chunked';

/** Builds of firmware, UNIX seconds (protocols/pixels §7). */
export const BUILD = { old: 1_711_398_360, legacy: 1_730_984_700, chunked: 1_735_941_840 } as const;
/** From this build on a throw has a word of its own. */
const ROLLED_FROM = 1_730_464_976;

export const PIXELS_UUIDS: {
  readonly [D in PixelsDialect]: { readonly service: string; readonly notify: string; readonly write: string };
} = {
  legacy: {
    service: '6e400001b5a3f393e0a9e50e24dcca9e',
    notify: '6e400001b5a3f393e0a9e50e24dcca9e',
    write: '6e400002b5a3f393e0a9e50e24dcca9e',
  },
  chunked: {
    service: 'a6b900017a5a43f2a962350c8edc9b5b',
    notify: 'a6b900027a5a43f2a962350c8edc9b5b',
    write: 'a6b900037a5a43f2a962350c8edc9b5b',
  },
};

const ONYX = 1;
const DATA_SET = 0xdeadbeef;
const FLASH = 0x1234;
const CHARGING = 2;
const OK = 0;
const NAME_BYTES = 32;

/** What a die says of itself in whatever it sends. */
export interface PixelsFacts {
  /** Pixel id. */
  readonly id: number;
  readonly typeNumber: number;
  readonly lights: number;
  readonly build: number;
  readonly name: string;
  readonly percent: number;
  readonly charging: boolean;
  readonly word: PixelsWord;
  readonly index: number;
}

/** The number of a state in this build; of old, every rest is 1. */
export function stateNumber(word: PixelsWord, build: number): number {
  switch (word) {
    case 'handling':
      return 2;
    case 'rolling':
      return 3;
    case 'rolled':
      return 1;
    case 'crooked':
      return 4;
    case 'onFace':
      return build >= ROLLED_FROM ? 5 : 1;
  }
}

const batteryState = ({ charging }: PixelsFacts): number => (charging ? CHARGING : OK);
const padded = (text: string): readonly number[] => [...Buffer.concat([Buffer.from(text), Buffer.alloc(NAME_BYTES)])];

/** RollState (§3.2). */
export const rollState = ({ word, index, build }: PixelsFacts): Buffer =>
  Buffer.from([0x03, stateNumber(word, build), index]);

/** BatteryLevel (§3.2). */
export const batteryLevel = (facts: PixelsFacts): Buffer => Buffer.from([0x22, facts.percent, batteryState(facts)]);

const chunk = (...bytes: readonly number[]): readonly number[] => [bytes.length + 1, ...bytes];

function chunks(facts: PixelsFacts): readonly number[] {
  const { id, typeNumber, lights, build, name, percent, word, index } = facts;
  const one = u16(0x100);
  return [
    ...chunk(...one, ...u32(build), ...one, ...one, ...one, ...one),
    ...chunk(...u32(id), 1, typeNumber, lights, ONYX, 0),
    ...padded('').slice(0, NAME_BYTES),
    ...padded(name).slice(0, NAME_BYTES),
    ...chunk(...u32(DATA_SET), ...u32(FLASH), ...u32(FLASH)),
    ...chunk(percent, batteryState(facts), stateNumber(word, build), index),
  ];
}

/** IAmADie in either dialect (§3.2). */
export function iAmADie(facts: PixelsFacts, dialect: PixelsDialect): Buffer {
  if (dialect === 'chunked') return Buffer.from([0x02, ...chunks(facts)]);
  const { id, typeNumber, lights, build, percent, word, index } = facts;
  const who = [lights, ONYX, typeNumber, ...u32(DATA_SET), ...u32(id), ...u16(FLASH), ...u32(build)];
  return Buffer.from([0x02, ...who, stateNumber(word, build), index, percent, batteryState(facts)]);
}

const field = (type: number, data: Iterable<number>): readonly number[] => {
  const bytes = [...data];
  return [bytes.length + 1, type, ...bytes];
};

const FLAGS = [0x02, 0x01, 0x06];
const DEVICE_INFORMATION = u16(0x180a);

/** The advertising packet (§2.1). */
export function pixelsAdvert(facts: PixelsFacts, dialect: PixelsDialect): Buffer {
  const { typeNumber, lights, build, name, percent, charging, word, index } = facts;
  const company = dialect === 'legacy' ? 0xffff : 0x0d39;
  const payload = [lights, (typeNumber << 4) | ONYX, stateNumber(word, build), index, percent | (charging ? 0x80 : 0)];
  return Buffer.from([
    ...FLAGS,
    ...field(0x03, DEVICE_INFORMATION),
    ...field(0xff, [...u16(company), ...payload]),
    ...field(0x09, Buffer.from(name)),
  ]);
}

/** The scan response: who the die is (§2.1). */
export const pixelsScanResponse = ({ id, build }: PixelsFacts, dialect: PixelsDialect): Buffer =>
  Buffer.from([
    ...field(0x07, Buffer.from(PIXELS_UUIDS[dialect].service, 'hex').reverse()),
    ...field(0x16, [...DEVICE_INFORMATION, ...u32(id), ...u32(build)]),
  ]);
