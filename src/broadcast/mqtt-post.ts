import { type Delivery, MAX_PAYLOAD_BYTES, type MqttMessage } from './mqtt-outlet.js';

/** Messages without the broker's answer at once; brokers are set to 20 or more (Mosquitto's `max_inflight_messages`). */
export const MAX_FLYING = 20;

/** Bytes without the broker's answer at once; one message may always fly. */
const MAX_FLYING_BYTES = 1024 * 1024;

/** Messages that wait and belong to nobody's cursor, such as answers to commands; the oldest gives way. */
const MAX_LOOSE = 256;

/** Brings a message to the broker; `done` is called with the broker's answer, or not at all if the connection ends. */
export type Carry = (message: MqttMessage, done: (outcome: Delivery) => void) => void;

interface Parcel {
  readonly number: number;
  message: MqttMessage;
  readonly settle: ((outcome: Delivery) => void) | null;
}

/**
 * What is on its way to the broker over one connection. It keeps order, sends no more than the broker answers, and of a
 * retained topic keeps the newest value only. When the connection ends, nothing stays.
 */
export class Post {
  readonly #waiting: Parcel[] = [];
  readonly #flying = new Set<Parcel>();
  readonly #idle: { readonly upTo: number; readonly resolve: () => void }[] = [];
  #count = 0;
  #bytes = 0;
  #loose = 0;
  #carry: Carry | null = null;
  #maxFlying = MAX_FLYING;

  /** Messages waiting or without an answer. */
  get size(): number {
    return this.#waiting.length + this.#flying.size;
  }

  /** When the broker owes an answer. */
  get owed(): boolean {
    return this.#flying.size > 0;
  }

  /** A connection stands. `most`: as many unanswered messages as the broker allows. */
  open(carry: Carry, most: number = MAX_FLYING): void {
    this.shut();
    this.#maxFlying = Math.max(1, Math.min(MAX_FLYING, most));
    this.#carry = carry;
  }

  /** The connection ended: whatever has no answer is lost. */
  shut(): void {
    this.#carry = null;
    const all = [...this.#flying, ...this.#waiting.splice(0)];
    this.#flying.clear();
    this.#bytes = 0;
    this.#loose = 0;
    for (const { settle } of all) settle?.('lost');
    this.#rest();
  }

  /** Sends a message that may be lost. */
  add(message: MqttMessage): void {
    if (this.#carry === null) return;
    const same = message.retain ? this.#waiting.find((parcel) => parcel.message.topic === message.topic) : undefined;
    if (same !== undefined) same.message = message;
    else {
      if (!message.retain && ++this.#loose > MAX_LOOSE) this.#dropOldest();
      this.#waiting.push({ number: ++this.#count, message, settle: null });
    }
    this.#pump();
  }

  /** Sends a message whose fate is asked for. */
  deliver(message: MqttMessage): Promise<Delivery> {
    if (this.#carry === null) return Promise.resolve('lost');
    if (Buffer.byteLength(message.payload) > MAX_PAYLOAD_BYTES) return Promise.resolve('impossible');
    return new Promise((settle) => {
      this.#waiting.push({ number: ++this.#count, message, settle });
      this.#pump();
    });
  }

  /** Resolves when all that has been given so far is answered, or the connection ended. */
  idle(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push({ upTo: this.#count, resolve }));
  }

  #dropOldest(): void {
    const at = this.#waiting.findIndex(({ message, settle }) => settle === null && !message.retain);
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#loose -= 1;
  }

  #pump(): void {
    while (this.#carry !== null && this.#flying.size < this.#maxFlying) {
      const next = this.#waiting[0];
      if (next === undefined) break;
      const bytes = Buffer.byteLength(next.message.payload);
      if (this.#flying.size > 0 && this.#bytes + bytes > MAX_FLYING_BYTES) break;
      this.#waiting.shift();
      if (next.settle === null && !next.message.retain) this.#loose -= 1;
      this.#bytes += bytes;
      this.#flying.add(next);
      this.#carry(next.message, (outcome) => this.#answered(next, bytes, outcome));
    }
  }

  #answered(parcel: Parcel, bytes: number, outcome: Delivery): void {
    if (!this.#flying.delete(parcel)) return;
    this.#bytes -= bytes;
    parcel.settle?.(outcome);
    this.#pump();
    this.#rest();
  }

  #rest(): void {
    const oldest = this.#flying.values().next().value ?? this.#waiting[0];
    while (this.#idle[0] !== undefined && this.#idle[0].upTo < (oldest?.number ?? Number.POSITIVE_INFINITY))
      this.#idle.shift()?.resolve();
  }
}
