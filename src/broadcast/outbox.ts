import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { textFrame } from './frame.js';

/** Bytes that may wait for one client, the message about to be sent included (F043). */
export const MAX_WAITING_BYTES = 1024 * 1024;

/** A replay goes on while less than this waits. */
const REPLAY_MARK = 256 * 1024;

// What waits for one client is bounded: its connection's own queue is the only one, its length is the measure.

const isOpen = (client: WebSocket): boolean => client.readyState === client.OPEN;

/**
 * Sends a prepared message (`textFrame`), unless the connection is closing. The buffer is shared between clients and must
 * not be changed afterwards.
 * @param wire what `client` speaks through
 * @returns false if the client is too slow for it; nothing was sent then
 */
export function put(client: WebSocket, wire: Duplex, frame: Buffer): boolean {
  if (!isOpen(client)) return true;
  if (wire.writableLength + frame.length > MAX_WAITING_BYTES) return false;
  wire.write(frame);
  return true;
}

/**
 * Sends a list as fast as the client takes it, never keeping more than the limit waiting.
 * @param done called once all is handed to the connection; never, if it closes before
 */
export function replay(client: WebSocket, wire: Duplex, texts: readonly string[], done: () => void): void {
  let next = 0;
  const more = (): void => {
    while (next < texts.length) {
      if (!isOpen(client)) return;
      const frame = textFrame(texts[next++] ?? '');
      if (wire.writableLength + frame.length <= REPLAY_MARK) wire.write(frame);
      else {
        wire.write(frame, (error) => {
          if (!error) more();
        });
        return;
      }
    }
    done();
  };
  more();
}
