import { stat } from 'node:fs/promises';
import type { OpenPort, PortFault, PortOpener } from './port.js';

/** Waits between attempts to open: quick at first, and never so long that a path that is back waits for 5 s (F062). */
export const REOPEN_MS = [100, 250, 500, 1000, 2000] as const;
/** How often the session is wound on and the node is looked for. */
export const TICK_MS = 500;

export interface LinkOptions {
  readonly path: string;
  readonly baud: number;
  readonly open: PortOpener;
  opened(): void;
  data(chunk: Uint8Array): void;
  closed(): void;
  /** Every 500 ms, connected or not. */
  tick(): void;
}

export type LinkWord = { readonly state: 'open' } | { readonly state: 'opening' | 'down'; readonly fault?: PortFault };

/**
 * Keeps one port open: opens, watches, closes and opens anew. A handle is never used twice, and a new one is opened only
 * when the last one is gone. That the system says "open" proves nothing: the node is looked for as well.
 */
export class SerialLink {
  readonly #options: LinkOptions;
  #running = false;
  #word: LinkWord = { state: 'down' };
  #port: OpenPort | undefined;
  #ended: ((why: string) => void) | undefined;
  #wake: (() => void) | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #looking = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get word(): LinkWord {
    return this.#word;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#ticker.unref();
    this.#loop = this.#keep();
  }

  /** Resolves when the handle is closed and no timer is left. */
  async stop(): Promise<void> {
    this.#running = false;
    clearInterval(this.#ticker);
    this.#ended?.('stopped');
    this.#wake?.();
    await this.#loop;
  }

  /** Writes if the port is open; what is said while it is closed is never said to whoever comes next. */
  write(text: string): void {
    this.#port?.write(text);
  }

  /** Closes this connection and opens a new one. */
  reopen(): void {
    this.#ended?.('reopen');
  }

  async #keep(): Promise<void> {
    let failures = 0;
    while (this.#running) {
      const connected = await this.#connection();
      failures = connected ? 0 : failures + 1;
      if (this.#running) await this.#pause(REOPEN_MS[Math.min(failures, REOPEN_MS.length - 1)] ?? 2000);
    }
    this.#word = { state: 'down' };
  }

  /** One connection from opening to closing; false if it could not be opened. */
  async #connection(): Promise<boolean> {
    const { path, baud, open } = this.#options;
    const ended = new Promise<string>((resolve) => {
      this.#ended = resolve;
    });
    this.#word = { ...this.#word, state: 'opening' };
    const events = {
      data: (chunk: Uint8Array) => this.#options.data(chunk),
      closed: (why: string) => this.#ended?.(why),
    };
    const result = await open(path, baud, events).catch((error: unknown): { fault: PortFault } => ({
      fault: { code: 'port_unusable', reason: `${path}: ${String(error)}` },
    }));
    if ('fault' in result) {
      this.#word = { state: 'down', fault: result.fault };
      return false;
    }
    this.#port = result.port;
    this.#word = { state: 'open' };
    this.#options.opened();
    await ended;
    this.#port = undefined;
    this.#ended = undefined;
    await result.port.close();
    this.#word = { state: 'down' };
    this.#options.closed();
    return true;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #tick(): void {
    this.#options.tick();
    if (this.#word.state !== 'open' || this.#looking) return;
    this.#looking = true;
    stat(this.#options.path)
      .catch(() => this.#ended?.('the device is gone'))
      .finally(() => {
        this.#looking = false;
      });
  }
}
