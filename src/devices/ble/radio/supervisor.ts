import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../clock.js';
import { type AdapterAccess, type AdapterNumbers, AdapterSearch } from './adapter-search.js';
import { type AdapterState, type Census, type Order, type Report, readReport, type Trouble } from './messages.js';

/** The daemon asks this often whether its radio process is alive. */
export const PING_MS = 1_000;
/** A process that answers nothing for so long is stuck: an absent die may freeze the library for seconds, not longer. */
export const STALL_MS = 6_000;
/** Pauses between starts: at once, then longer while it does not hold. */
export const FIRST_PAUSE_MS = 100;
export const LAST_PAUSE_MS = 30_000;
/** A process that held this long was a good one. */
export const HELD_MS = 30_000;
/** An adapter that is not switched on for so long is looked for anew: the library does not notice another one (§5.4). */
export const POWER_MS = 10_000;
/** A process that is asked to end and does not is ended. */
export const STOP_MS = 2_500;
/** Kept of what the library writes to its terminal. */
const MAX_LAST_WORDS = 2_000;

export interface SupervisorOptions extends AdapterAccess {
  /** Libraries to try, the best one first. */
  readonly drivers: readonly string[];
  /** What the radio processes of this daemon know of the system's adapters. */
  readonly numbers: AdapterNumbers;
  /** A number for a process that begins: no other has had it, on whichever adapter, in this run or an earlier one. */
  nextEpoch(): number;
  readonly clock: Clock;
  /** The program to run; a test may give another. */
  readonly program?: string;
  /** A report of the process at work; never of one before it. */
  report(report: Report): void;
  /** The process at work is gone, and all its links with it. */
  lost(why: string): void;
  changed(): void;
}

export interface RadioProcessState {
  readonly phase: 'off' | 'starting' | 'on' | 'pausing';
  readonly epoch: number;
  readonly restarts: number;
  readonly adapter: AdapterState;
  readonly scanning: boolean;
  readonly driver: string | null;
  readonly trouble: { readonly what: Trouble | 'stalled' | 'died' | 'no_adapter'; readonly text: string } | null;
  readonly census: Census | null;
  /** Reports that the process was not allowed to make. */
  readonly refused: number;
}

/**
 * Runs the radio process: begins it, watches it, ends it when it is stuck, and begins another only when nothing is left of
 * the one before. Every begun process has a number of its own.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #search: AdapterSearch;
  #child: ChildProcess | undefined;
  /** Ended by us, and not yet gone: what it still says counts no more. */
  #doomed: ChildProcess | undefined;
  #state: RadioProcessState;
  #starts = 0;
  #failures = 0;
  #startedAt = 0;
  #answeredAt = 0;
  #poweredAt = 0;
  #pings = 0;
  #lastWords = '';
  #running = false;
  #cancel: (() => void) | undefined;
  #ended: (() => void) | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#search = new AdapterSearch(options.numbers, options);
    this.#state = {
      phase: 'off',
      epoch: 0,
      restarts: 0,
      adapter: 'unknown',
      scanning: false,
      driver: null,
      trouble: null,
      census: null,
      refused: 0,
    };
  }

  get state(): RadioProcessState {
    return this.#state;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#begin();
  }

  /** Ends the process, which lets its dice go; resolves when it is gone. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#cancel?.();
    const child = this.#child;
    if (child !== undefined) {
      await new Promise<void>((resolve) => {
        this.#ended = resolve;
        const late = setTimeout(() => this.#kill(child), STOP_MS);
        late.unref();
        if (child.connected) child.disconnect();
      });
    }
    this.#set({ phase: 'off', scanning: false });
  }

  /** Orders something of the process at work; what is ordered between two processes is lost, as their links are. */
  order(order: Order): void {
    if (this.#child?.connected !== true) return;
    this.#child.send(order, () => undefined);
  }

  #set(change: Partial<RadioProcessState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.changed();
  }

  #begin(): void {
    const { program, drivers, clock } = this.#options;
    this.#starts += 1;
    this.#lastWords = '';
    this.#startedAt = clock.now();
    this.#answeredAt = this.#startedAt;
    this.#poweredAt = this.#startedAt;
    const child = fork(program ?? fileURLToPath(new URL('worker.js', import.meta.url)), [...drivers], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: this.#environment(),
    });
    this.#child = child;
    this.#set({
      phase: 'starting',
      epoch: this.#options.nextEpoch(),
      restarts: this.#starts - 1,
      adapter: 'unknown',
      scanning: false,
    });
    child.on('message', (message) => this.#heard(child, message));
    child.on('error', (error) => {
      this.#trouble('died', error.message);
      // What could not even be begun has no end of its own.
      if (child.pid === undefined) this.#gone(child);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#lastWords = (this.#lastWords + chunk.toString('utf8')).slice(-MAX_LAST_WORDS);
    });
    this.#awaitEnd(child);
    this.#watch();
  }

  /** A process is gone when it has ended and its channel is closed, in whatever order that comes. */
  #awaitEnd(child: ChildProcess): void {
    let left = 2;
    const part = (): void => {
      left -= 1;
      if (left === 0) this.#gone(child);
    };
    child.once('exit', (code, signal) => {
      if (this.#running && this.#state.trouble === null) {
        const words = this.#lastWords.trim().split('\n').at(-1) ?? '';
        this.#trouble('died', `ended by ${signal ?? `code ${code}`}${words === '' ? '' : `: ${words.slice(0, 200)}`}`);
      }
      part();
    });
    child.once('disconnect', part);
  }

  #environment(): NodeJS.ProcessEnv {
    const { uart } = this.#options;
    const adapter = this.#search.begin();
    const { BLUETOOTH_HCI_SOCKET_UART_PORT: _port, HCI_CHANNEL_USER: _channel, ...rest } = process.env;
    return {
      ...rest,
      ...(uart === undefined ? {} : { BLUETOOTH_HCI_SOCKET_UART_PORT: uart }),
      ...(adapter === undefined ? {} : { NOBLE_HCI_DEVICE_ID: String(adapter) }),
    };
  }

  #heard(child: ChildProcess, message: unknown): void {
    if (child !== this.#child || child === this.#doomed) return;
    const report = readReport(message);
    if (report === null) {
      this.#set({ refused: this.#state.refused + 1 });
      return;
    }
    this.#answeredAt = this.#options.clock.now();
    switch (report.tell) {
      case 'ready':
        this.#set({ phase: 'on', driver: report.driver });
        break;
      case 'adapter':
        if (report.state === 'poweredOn') this.#set({ adapter: report.state, trouble: null });
        else this.#set({ adapter: report.state });
        break;
      case 'scan':
        this.#set({ scanning: report.on });
        break;
      case 'address':
        if (this.#isMistaken(child, report.address)) return;
        break;
      case 'beat':
        this.#set({ census: report.census });
        break;
      case 'trouble':
        this.#trouble(report.what, report.text);
        this.#kill(child);
        return;
    }
    this.#options.report(report);
  }

  /** Another adapter than the one that is wanted: the next number is tried, at once while there are untried ones. */
  #isMistaken(child: ChildProcess, address: string): boolean {
    const why = this.#search.met(address);
    if (why === null) return false;
    this.#trouble('no_adapter', why);
    if (!this.#search.isVain) this.#failures = 0;
    this.#kill(child);
    return true;
  }

  #trouble(what: NonNullable<RadioProcessState['trouble']>['what'], text: string): void {
    this.#set({ trouble: { what, text } });
  }

  #watch(): void {
    const { clock } = this.#options;
    this.#cancel = clock.after(PING_MS, () => {
      const child = this.#child;
      if (child === undefined) return;
      const now = clock.now();
      if (this.#state.adapter === 'poweredOn') this.#poweredAt = now;
      if (now - this.#startedAt > HELD_MS && this.#state.adapter === 'poweredOn') this.#failures = 0;
      if (now - this.#answeredAt > STALL_MS) {
        this.#trouble('stalled', `no answer for ${Math.round(now - this.#answeredAt)} ms`);
        this.#kill(child);
      } else if (now - this.#poweredAt > POWER_MS) {
        this.#trouble('no_adapter', `the adapter is ${this.#state.adapter}`);
        this.#kill(child);
      }
      this.#pings += 1;
      this.order({ do: 'ping', id: this.#pings });
      this.#watch();
    });
  }

  #kill(child: ChildProcess): void {
    this.#doomed = child;
    child.kill('SIGKILL');
  }

  #gone(child: ChildProcess): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    this.#cancel?.();
    this.#search.ended();
    this.#options.lost(this.#state.trouble?.text ?? 'the radio ended');
    this.#ended?.();
    // Without a library the next process would end the same way.
    if (this.#state.trouble?.what === 'no_library') this.#running = false;
    if (!this.#running) {
      this.#set({ phase: 'off', scanning: false });
      return;
    }
    const pause = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, this.#failures));
    this.#failures += 1;
    this.#set({ phase: 'pausing', scanning: false, adapter: 'unknown' });
    this.#cancel = this.#options.clock.after(pause, () => this.#begin());
  }
}
