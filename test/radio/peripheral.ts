import type { AttFaults } from './att.js';
import type { Service } from './gatt.js';

/** What a peripheral sends when nobody is linked to it. */
export interface Advertisement {
  readonly advert: Uint8Array;
  readonly scanResponse: Uint8Array | null;
  readonly intervalMs: number;
  readonly connectable: boolean;
}

/** The die's end of a link. */
export interface DieEnd {
  readonly mtu: number;
  /** Milliseconds from one connection event to the next. */
  readonly intervalMs: number;
  listens(uuid: string): boolean;
  /**
   * Queues a notification. False where nobody listens or the die's queue is full: then it is lost, as on a real die.
   * `delivered` is called when the host's controller has handed over the whole of it.
   */
  notify(uuid: string, value: Uint8Array, delivered?: () => void): boolean;
  /** Queues a whole frame of any channel, well formed or not. */
  send(channel: number, payload: Uint8Array): void;
  /** The die ends the link by itself. */
  end(): void;
}

/** Something on the air that advertises and may be linked to. */
export interface Peripheral {
  /** Random static address, `fe:45:a5:40:09:bc`. */
  readonly address: string;
  /** Strength at the table, dBm. */
  readonly rssi: number;
  /** Null while it is silent: linked, asleep or without power. */
  advertisement(): Advertisement | null;
  readonly services: readonly Service[];
  /** Where its table begins: tshark takes the tables of all dice for one, so each make has handles of its own. */
  readonly firstHandle: number;
  readonly maxMtu: number;
  /** Payload bytes of one packet on the air: 27, or more where both sides agree on longer ones. */
  readonly packetBytes: number;
  /** Bytes its stack queues, two for the length of each; what does not fit is lost. */
  readonly queueBytes: number;
  readonly attFaults: AttFaults;
  opened(end: DieEnd): void;
  closed(): void;
  written(uuid: string, value: Buffer): number;
  switched(uuid: string, on: boolean): number;
  /** A frame of the signalling channel. */
  signalled?(payload: Buffer): void;
}
