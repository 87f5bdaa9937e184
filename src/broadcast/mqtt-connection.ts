import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Largest MQTT packet a client may send: a payload of 64 KiB, its topic and header (F072, F074). */
export const MAX_PACKET_BYTES = 64 * 1024 + 1024;

/** Bytes that may wait for one subscriber; then it is let go (F073). */
export const MAX_WAITING_BYTES = 1024 * 1024;

/** Larger than what can wait, so that the broker never sees a full stream and never waits for one subscriber. */
const NEVER_FULL = 64 * 1024 * 1024;

/** Follows the frames of MQTT in a stream of bytes, so that a too large packet is refused by its header. */
export class PacketGauge {
  readonly #most: number;
  #left = 0;
  #length = 0;
  #factor = 0;

  constructor(most: number = MAX_PACKET_BYTES) {
    this.#most = most;
  }

  /** @returns false once a packet is announced that is larger than allowed, or whose length is no length */
  take(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.length; ) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, bytes.length - at);
        this.#left -= step;
        at += step;
      } else if (!this.#header(bytes[at++] ?? 0)) return false;
    }
    return true;
  }

  /** First byte of a packet, then its remaining length: 7 bits a byte, least first (MQTT 3.1.1, 2.2.3). */
  #header(byte: number): boolean {
    if (this.#factor === 0) {
      this.#factor = 1;
      this.#length = 0;
      return true;
    }
    this.#length += (byte & 0x7f) * this.#factor;
    this.#factor *= 128;
    if (this.#length > this.#most || this.#factor > 128 ** 4) return false;
    if ((byte & 0x80) === 0) {
      this.#left = this.#length;
      this.#factor = 0;
    }
    return true;
  }
}

/**
 * A client's connection as the broker sees it: it takes every write at once, and it ends itself when too much waits for
 * the client or the client sends too much. The broker by itself would wait for a stalled subscriber with all others.
 */
export class MqttConnection extends Duplex {
  readonly #socket: Socket;
  readonly #gauge = new PacketGauge();

  constructor(socket: Socket) {
    super({ writableHighWaterMark: NEVER_FULL });
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => {
      if (!this.#gauge.take(bytes)) this.destroy();
      else if (!this.push(bytes)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', () => this.destroy());
    socket.on('close', () => this.destroy());
  }

  /** Bytes the client has not taken yet. */
  get waiting(): number {
    return this.#socket.writableLength;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(bytes);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.cork();
    for (const { chunk } of chunks) this.#send(chunk);
    this.#socket.uncork();
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #send(bytes: Buffer): void {
    if (this.#socket.destroyed) return;
    if (this.#socket.writableLength + bytes.length > MAX_WAITING_BYTES) this.destroy();
    else this.#socket.write(bytes);
  }
}
