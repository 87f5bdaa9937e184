import type { Config } from '../config/schema.js';
import { fakesWanted } from './device-set.js';

/** Leaves that are read once: a change takes effect at the next start. */
export const NEXT_START: readonly string[] = [
  'data.dir',
  'http.port',
  'http.host',
  'http.trustLoopback',
  'http.gmToken',
  'dice.percentile',
  'devices.fake',
  'ble.enabled',
  'ble.driver',
  'ble.hci',
  'ble.adapter',
  'ble.links',
];

/** True if two values of the configuration say the same. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What a running daemon can change of itself; each part is asked only where its setting changed. */
export interface Changeable {
  level(level: Config['log']['level']): void;
  /** Times of the dice, and all else that is read when it is used. */
  configure(config: Config): void;
  trays(config: Config): Promise<void>;
  mqtt(config: Config): Promise<void>;
}

/** Applies a checked configuration to the parts it concerns. */
export async function applyChanges(next: Config, before: Config, parts: Changeable): Promise<void> {
  if (next.log.level !== before.log.level) parts.level(next.log.level);
  parts.configure(next);
  if (!same(next.devices.serial, before.devices.serial)) await parts.trays(next);
  if (!same(next.mqtt, before.mqtt)) await parts.mqtt(next);
}

/** True where simulated dice would come or go with a new start, because real devices were named or taken out. */
export const fakesWait = (now: Config, boot: Config): boolean => fakesWanted(now) !== fakesWanted(boot);
