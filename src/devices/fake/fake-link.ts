import { type LinkInput, type LinkState, linkStep, linkWord, risenLink } from '../ble/link.js';
import type { Clock } from '../clock.js';
import type { DeviceStatus, DieHeard, DieInput, DieMachine, Heard, Signal } from '../device.js';

/** Written commands that are kept for whoever wants to look at them. */
export const MAX_WRITTEN = 64;
/** A fake's link counts as long up at the start (contracts G). */
const LONG_UP_MS = 60_000;

export interface FakeLinkOptions<S, O> {
  readonly die: DieHeard;
  /** Number of this run of the daemon: with it origins are never used twice. */
  readonly epoch: string | number;
  readonly clock: Clock;
  /** The codec of the real die, and what it is told of this one. */
  readonly machine: DieMachine<S, O>;
  readonly options: O;
  /** When the codec must hear a tick at the latest; null where time alone changes nothing. */
  due(state: S): number | null;
  /** What host and die say to each other once the link is up again. */
  greet(at: number): readonly Signal[];
}

/** The link of a fake Bluetooth die: its bytes go through the codec and the link machine of the real ones. */
export class FakeLink<S, O> {
  readonly #options: FakeLinkOptions<S, O>;
  readonly #counters = { notifications: 0, lost: 0, garbled: 0, links: 1 };
  readonly #written: Uint8Array[] = [];
  #state: S;
  #link: LinkState;
  #hear: ((heard: Heard) => void) | null = null;
  #told = 0;
  #heardAt = Number.NEGATIVE_INFINITY;
  #disarm: (() => void) | null = null;

  constructor(options: FakeLinkOptions<S, O>) {
    this.#options = options;
    const now = options.clock.now();
    this.#state = options.machine.start(options.options, now, LONG_UP_MS);
    this.#link = risenLink(now - LONG_UP_MS);
  }

  start(hear: (heard: Heard) => void): void {
    this.#hear = hear;
  }

  stop(): void {
    this.#hear = null;
    this.#disarm?.();
    this.#disarm = null;
  }

  status(): DeviceStatus {
    const { id, model } = this.#options.die;
    return { id, model, fake: true, link: linkWord(this.#link), counters: { ...this.#counters } };
  }

  get up(): boolean {
    return this.#link.actual === 'up';
  }

  /** How many links there have been: what was sent on an earlier one never arrives on a later. */
  get links(): number {
    return this.#counters.links;
  }

  /** Commands the die was sent, oldest first, at most `MAX_WRITTEN`. */
  written(): readonly Uint8Array[] {
    return [...this.#written];
  }

  write(command: Uint8Array): void {
    this.#written.push(command);
    if (this.#written.length > MAX_WRITTEN) this.#written.shift();
  }

  /** A notification is lost on its way. */
  lose(): void {
    this.#counters.lost += 1;
  }

  /** A notification of the die, heard at `at` but never before what was heard already. Lost where the link is not up. */
  deliver(bytes: Uint8Array, at: number): readonly Signal[] {
    if (!this.up) {
      this.lose();
      return [];
    }
    this.#counters.notifications += 1;
    return this.#input({ kind: 'notification', at: Math.max(at, this.#heardAt), bytes: Uint8Array.from(bytes) });
  }

  /** The link comes up or is lost. Nothing happens where it already is as asked. */
  turn(up: boolean): readonly Signal[] {
    if (up === this.up) return [];
    return this.#feed({ kind: up ? 'connected' : 'dropped', at: this.#options.clock.now() });
  }

  #feed(input: LinkInput): readonly Signal[] {
    const { state, acts } = linkStep(this.#link, input);
    this.#link = state;
    const signals: Signal[] = [];
    if (acts.includes('tell_down')) signals.push(...this.#input({ kind: 'down', at: input.at }));
    if (acts.includes('tell_up')) {
      this.#counters.links += 1;
      this.#told = 0;
      signals.push(...this.#input({ kind: 'up', at: input.at }), ...this.#options.greet(input.at));
    }
    this.#arm();
    return signals;
  }

  #input(input: DieInput): readonly Signal[] {
    this.#heardAt = Math.max(this.#heardAt, input.at);
    const { state, signals } = this.#options.machine.hear(this.#state, input);
    this.#state = state;
    this.#arm();
    for (const signal of signals) this.#tell(signal, input.at);
    return signals;
  }

  #tell(signal: Signal, at: number): void {
    const { die, epoch } = this.#options;
    if (signal.kind === 'garbled') this.#counters.garbled += 1;
    this.#told += 1;
    const origin = `${die.id}/${epoch}/${this.#counters.links}/${this.#told}`;
    this.#hear?.({ device: die.id, die, signal, origin, at, fake: true });
  }

  // One timer for what only time can bring: an unresolved tumble, the end of a pause of the link.
  #arm(): void {
    this.#disarm?.();
    this.#disarm = null;
    const { clock } = this.#options;
    const dues = [this.#options.due(this.#state), this.#link.until].filter((due) => due !== null);
    if (dues.length === 0 || this.#hear === null) return;
    this.#disarm = clock.after(Math.max(0, Math.min(...dues) - clock.now()), () => {
      const at = clock.now();
      this.#input({ kind: 'tick', at });
      this.#feed({ kind: 'tick', at });
    });
  }
}
