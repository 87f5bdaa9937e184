import type { AdapterReport } from '../devices/ble/radio/ports.js';

/** A line for the log. */
export interface News {
  readonly level: 'info' | 'warn';
  readonly text: string;
}

/** Notices when a Bluetooth adapter goes and when it is back: each is worth one line, however long it lasts. */
export class AdapterNews {
  readonly #away = new Set<string>();

  /** @param adapters as they are now */
  note(adapters: readonly AdapterReport[]): readonly News[] {
    return adapters.flatMap(({ name, state, trouble }): readonly News[] => {
      if (trouble !== undefined && !this.#away.has(name)) {
        this.#away.add(name);
        const { reason, remedy } = trouble.en;
        return [{ level: 'warn', text: `adapter ${name}: ${reason}; ${remedy}` }];
      }
      return state === 'on' && this.#away.delete(name) ? [{ level: 'info', text: `adapter ${name} is back` }] : [];
    });
  }
}
