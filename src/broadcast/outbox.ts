import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { textFrame } from './frame.js';

/** Bytes that may wait for one client, the message about to be sent included (F043). */
export const MAX_WAITING_BYTES = 1024 * 1024;

/** A replay goes on while less than this waits. */
const REPLAY_MARK = 256 * 1024;

/** What waits for one client, bounded: the socket's own queue is the only one, its length is the measure. */
export class Outbox {
  readonly #client: WebSocket;
  readonly #socket: Duplex;
  readonly #limit: number;

  /** @param socket what `client` speaks through, as the HTTP server handed it over */
  constructor(client: WebSocket, socket: Duplex, limit: number = MAX_WAITING_BYTES) {
    this.#client = client;
    this.#socket = socket;
    this.#limit = limit;
  }

  /**
   * Sends a prepared message (`textFrame`), unless the connection is closing. The buffer is shared between clients and
   * must not be changed afterwards.
   * @returns false if the client is too slow for it; nothing was sent then
   */
  put(frame: Buffer): boolean {
    if (!this.#open()) return true;
    if (this.#socket.writableLength + frame.length > this.#limit) return false;
    this.#socket.write(frame);
    return true;
  }

  /**
   * Sends a list as fast as the client takes it, never keeping more than the limit waiting.
   * @param done called once all is handed to the socket; never, if the socket closes before
   */
  replay(texts: readonly string[], done: () => void): void {
    let next = 0;
    const more = (): void => {
      while (next < texts.length) {
        if (!this.#open()) return;
        const frame = textFrame(texts[next++] ?? '');
        if (this.#socket.writableLength + frame.length <= REPLAY_MARK) this.#socket.write(frame);
        else {
          this.#socket.write(frame, (error) => {
            if (!error) more();
          });
          return;
        }
      }
      done();
    };
    more();
  }

  #open(): boolean {
    return this.#client.readyState === this.#client.OPEN;
  }
}
