import type { WebSocket } from 'ws';

/** Bytes that may wait for one client, the message about to be sent included (F043). */
export const MAX_WAITING_BYTES = 1024 * 1024;

/** A replay goes on while less than this waits. */
const REPLAY_MARK = 256 * 1024;

const AS_TEXT = { binary: false };

/** What waits for one client, bounded: the socket's own queue is the only one, its length is the measure. */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #limit: number;

  constructor(socket: WebSocket, limit: number = MAX_WAITING_BYTES) {
    this.#socket = socket;
    this.#limit = limit;
  }

  /**
   * Sends prepared UTF-8 text. The buffer is shared between clients and must not be changed afterwards.
   * @returns false if the client is too slow for it; nothing was sent then
   */
  put(text: Buffer): boolean {
    if (this.#socket.bufferedAmount + text.length > this.#limit) return false;
    this.#socket.send(text, AS_TEXT);
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
        const text = texts[next++] ?? '';
        if (this.#socket.readyState !== this.#socket.OPEN) return;
        if (this.#socket.bufferedAmount + text.length <= REPLAY_MARK) this.#socket.send(text);
        else {
          this.#socket.send(text, (error) => {
            if (!error) more();
          });
          return;
        }
      }
      done();
    };
    more();
  }
}
