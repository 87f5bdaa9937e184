import type { Device, Signal } from '../devices/device.js';
import type { JsonObject } from '../dice/json.js';
import { garbledWord } from '../table/hearing.js';

/** Devices whose last unreadable message is remembered. */
const MAX_GARBLED = 64;

/** The last unreadable message of each device, for the status. */
export class GarbledWords {
  readonly #words = new Map<string, JsonObject>();

  note(device: string, signal: Extract<Signal, { kind: 'garbled' }>): void {
    this.#words.delete(device);
    this.#words.set(device, { at: new Date().toISOString(), ...garbledWord(signal) });
    const [oldest] = this.#words.keys();
    if (this.#words.size > MAX_GARBLED && oldest !== undefined) this.#words.delete(oldest);
  }

  /** A device as the status tells it. */
  statusOf(device: Device): JsonObject {
    const { id, model, link, code, reason, counters } = device.status();
    const garbled = this.#words.get(id);
    return {
      id,
      model,
      link,
      ...(code === undefined ? {} : { code }),
      ...(reason === undefined ? {} : { reason }),
      counters: { ...counters },
      ...(garbled === undefined ? {} : { garbled }),
    };
  }
}
