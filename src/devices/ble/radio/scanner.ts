import type { Pace, Trouble } from './messages.js';

/** The controller must answer a command to scan within this time, whoever is or is not on the air. */
export const ANSWER_MS = 3_000;
/** A scan may end by itself without a word: it is begun anew this often (F024). That the answer comes shows a live radio. */
export const ANEW_MS = 15_000;
/** With no die missing the radio looks only part of the time: new dice are still found within seconds. */
export const EASED = { lookMs: 3_000, restMs: 5_000 } as const;
/** Refusals in a row until only a new start of the process helps (abandonware/noble#254). */
export const REFUSALS = 3;
export const RETRY_MS = 200;

export interface ScannerOptions {
  begin(): void;
  end(): void;
  /** Told when the radio really begins or ceases to look. */
  changed(on: boolean): void;
  trouble(what: Trouble, text: string): void;
}

/**
 * Keeps the scan going: pauses for connecting, begins anew from time to time, and tells a radio that is stuck from a table
 * where no die is awake. The one answers no command, the other answers and hears nothing.
 */
export class Scanner {
  readonly #options: ScannerOptions;
  #powered = false;
  #paused = 0;
  #pace: Pace = 'full';
  #on = false;
  #asked: 'begin' | 'end' | null = null;
  #answered: (() => void) | null = null;
  #refusals = 0;
  #timer: NodeJS.Timeout | undefined;
  #deadline: NodeJS.Timeout | undefined;

  constructor(options: ScannerOptions) {
    this.#options = options;
  }

  /** The adapter is there and switched on, or not. */
  power(on: boolean): void {
    if (this.#powered === on) return;
    this.#powered = on;
    clearTimeout(this.#timer);
    clearTimeout(this.#deadline);
    this.#asked = null;
    this.#answered?.();
    this.#set(false);
    if (on) this.#look();
  }

  pace(pace: Pace): void {
    if (this.#pace === pace) return;
    this.#pace = pace;
    // While the controller ceases to look the turn goes on by itself, in the new pace.
    if (this.#powered && this.#paused === 0 && this.#answered === null) this.#look();
  }

  /** Stops looking while `work` runs; resolves with it. Connecting while scanning is refused by some adapters (F059). */
  async without(work: () => Promise<void>): Promise<void> {
    this.#paused += 1;
    try {
      await this.#rest();
      await work();
    } finally {
      this.#paused -= 1;
      if (this.#paused === 0 && this.#powered) this.#look();
    }
  }

  /** The controller answered a command: 0 is yes. */
  answered(status: number): void {
    if (this.#asked === null) return;
    if (status !== 0 && this.#asked === 'begin') {
      this.#refused(status);
      return;
    }
    clearTimeout(this.#deadline);
    if (this.#asked === 'begin') this.#set(true);
    else this.#set(false);
    this.#answered?.();
  }

  stop(): void {
    this.#powered = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#deadline);
  }

  #refused(status: number): void {
    this.#refusals += 1;
    clearTimeout(this.#deadline);
    this.#set(false);
    this.#asked = null;
    if (this.#refusals >= REFUSALS) {
      const text = `the adapter refuses to scan (0x${status.toString(16)})`;
      this.#options.trouble('scan_refused', text);
      return;
    }
    this.#after(RETRY_MS, () => this.#look());
  }

  #look(): void {
    if (!this.#powered || this.#paused > 0) return;
    clearTimeout(this.#timer);
    // One of the libraries asks the controller for nothing while it scans: no answer would come.
    if (!this.#on || this.#asked !== 'begin') {
      this.#ask('begin');
      this.#options.begin();
    }
    this.#after(this.#pace === 'full' ? ANEW_MS : EASED.lookMs, () => void this.#turn());
  }

  /** Ceases and begins again: at once at full pace, after a rest else. */
  async #turn(): Promise<void> {
    if (!this.#powered || this.#paused > 0) return;
    this.#refusals = 0;
    await this.#rest();
    if (!this.#powered || this.#paused > 0) return;
    this.#after(this.#pace === 'full' ? 0 : EASED.restMs, () => this.#look());
  }

  #rest(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#powered) return Promise.resolve();
    return new Promise((resolve) => {
      this.#answered = () => {
        this.#answered = null;
        resolve();
      };
      this.#ask('end');
      this.#options.end();
    });
  }

  #ask(what: 'begin' | 'end'): void {
    this.#asked = what;
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      const text = `the adapter did not answer for ${ANSWER_MS} ms`;
      this.#answered?.();
      this.#options.trouble('scan_silent', text);
    }, ANSWER_MS);
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }

  #set(on: boolean): void {
    if (this.#on === on) return;
    this.#on = on;
    this.#options.changed(on);
  }
}
