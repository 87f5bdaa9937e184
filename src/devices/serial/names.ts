import { ID_PATTERN } from '../../dice/ids.js';
import { checkHex, crc16 } from './check.js';

const MAX_ID = 32;
const MARK_CHARS = 5;

/**
 * The id of a tray or of its die as topics and paths may carry it: the text in small letters if it is an id, else a
 * tamed form with four hex digits of the original, so that two different texts do not become one id.
 */
export function idFrom(text: string): string {
  const small = text.toLowerCase();
  if (ID_PATTERN.test(small)) return small;
  const tame = small
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, MAX_ID - MARK_CHARS);
  return `${tame === '' ? 'tray' : tame}-${checkHex(crc16(text), 4).toLowerCase()}`;
}

/** The id of the die in a tray's slot; without a slot the tray's own id. */
export const dieIdOf = (tray: string, slot: string | undefined): string =>
  slot === undefined ? tray : idFrom(`${tray}-${slot}`);

/** One connected tray that wants to go by a name. */
export interface NameHolder {
  /** Where it hangs, for people. */
  readonly port: string;
  admitted(): void;
  /** Another tray has the same name: neither counts until one is gone or renamed. */
  barred(ports: readonly string[]): void;
}

/** Who goes by which tray id in this daemon. Two with one id are both refused: a roll must never change its owner (F061). */
export class TrayNames {
  readonly #holders = new Map<string, Set<NameHolder>>();

  claim(name: string, holder: NameHolder): void {
    this.release(holder, name);
    const holders = this.#holders.get(name) ?? new Set();
    holders.add(holder);
    this.#holders.set(name, holders);
    this.#settle(holders);
  }

  /** Gives up whatever name this tray had, except `kept`. */
  release(holder: NameHolder, kept?: string): void {
    for (const [name, holders] of this.#holders) {
      if (name === kept || !holders.delete(holder)) continue;
      if (holders.size === 0) this.#holders.delete(name);
      else this.#settle(holders);
    }
  }

  #settle(holders: ReadonlySet<NameHolder>): void {
    const ports = [...holders].map((h) => h.port);
    for (const holder of [...holders]) {
      if (holders.size === 1) holder.admitted();
      else holder.barred(ports);
    }
  }
}
