import type { Chance } from './chance.js';
import * as hci from './hci.js';
import { OP, STATUS } from './hci.js';
import type { Advertisement, Peripheral } from './peripheral.js';

const SPREAD_DB = 3;

/** How a controller looks for advertisements: in either form of the commands, legacy or extended. */
export class Scan {
  /** Scanning is not begun; ending it is allowed. */
  refuse: number | undefined;
  readonly #chance: Chance;
  readonly #reported = new Set<string>();
  #on: { readonly once: boolean; readonly extended: boolean } | null = null;
  /** Share of the time in which it listens. */
  #duty = 1;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  get on(): boolean {
    return this.#on !== null;
  }

  stop(): void {
    this.#on = null;
    this.#reported.clear();
  }

  /** Takes a command of scanning; null for any other. */
  take(opcode: number, params: Buffer): Buffer | null {
    switch (opcode) {
      case OP.scanParameters:
        return this.#parameters(opcode, params.readUInt16LE(1), params.readUInt16LE(3));
      case OP.extendedScanParameters:
        return this.#parameters(opcode, params.readUInt16LE(4), params.readUInt16LE(6));
      case OP.scanEnable:
      case OP.extendedScanEnable:
        return this.#enable(opcode, params);
      default:
        return null;
    }
  }

  /** What is told of an advertising event. */
  reports(peripheral: Peripheral, sent: Advertisement, answered: boolean): readonly Buffer[] {
    if (this.#on === null || !this.#chance.happens(this.#duty)) return [];
    const advert = this.#report(hci.REPORT.connectable, peripheral, sent.advert);
    if (!answered || sent.scanResponse === null) return advert;
    return [...advert, ...this.#report(hci.REPORT.scanResponse, peripheral, sent.scanResponse)];
  }

  #parameters(opcode: number, interval: number, window: number): Buffer {
    this.#duty = Math.min(1, window / interval);
    return hci.completed(opcode, STATUS.ok);
  }

  #enable(opcode: number, params: Buffer): Buffer {
    const on = params[0] === 1;
    if (on && this.refuse !== undefined) return hci.completed(opcode, this.refuse);
    this.stop();
    if (on) this.#on = { once: params[1] === 1, extended: opcode === OP.extendedScanEnable };
    return hci.completed(opcode, STATUS.ok);
  }

  #report(type: number, peripheral: Peripheral, data: Uint8Array): readonly Buffer[] {
    const { address } = peripheral;
    const key = `${address} ${type}`;
    if (this.#on?.once === true && this.#reported.has(key)) return [];
    this.#reported.add(key);
    const rssi = Math.round(peripheral.rssi + SPREAD_DB * this.#chance.normal());
    const report = this.#on?.extended === true ? hci.extendedReported : hci.reported;
    return [report(type, address, data, rssi)];
  }
}
