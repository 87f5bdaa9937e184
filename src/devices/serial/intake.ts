import type { DieType } from '../../dice/die.js';
import type { Clock } from '../clock.js';
import type { DeviceStatus, DieHeard, Heard, Signal } from '../device.js';
import { type Compat, foreignRoll } from './compat.js';
import type { Frame } from './layouts.js';
import { dieIdOf, idFrom, type NameHolder, type TrayNames } from './names.js';
import { stepTray } from './session.js';
import { closedTray, isRubbish, type TrayInput, type TrayState, type TrayWord } from './session-state.js';
import { LineSplitter } from './splitter.js';
import { encodeFrame } from './ttp1.js';
import { calmed, overdue, type Tumbles, tumbled } from './tumble.js';

export const TRAY_MODEL = 'tray';
/** A tray reports only what has settled. */
export const TRAY_SETTLE_MS = 0;
/** A tracker in a socket must lie still for so long. */
export const TRAY_DWELL_MS = 600;
/** Unreadable lines and log lines told per second; the rest is only counted. */
export const TOLD_RUBBISH_PER_S = 20;
/** Slots remembered by their die's id, for LED. */
const MAX_KNOWN_DICE = 256;

export interface IntakeOptions {
  /** What the tray is called before its HEL, and without one. */
  readonly id: string;
  /** Where it hangs, for people. */
  readonly port: string;
  /** True: the id above stands whatever a HEL says, and every boot counts as live. */
  readonly fake: boolean;
  /** True: without a HEL events are told under `id`, unverified. */
  readonly anonymous: boolean;
  readonly compat?: Compat;
  /** Number of this run of the daemon: part of the identities the host makes for foreign trays. */
  readonly epoch: string | number;
  readonly names: TrayNames;
  readonly clock: Clock;
  hear(heard: Heard): void;
  /** Writes bytes to the tray: one line, LF included. */
  send(line: string): void;
  /** Closes the port and opens it anew. */
  reopen(reason: 'silent'): void;
}

/** Turns the bytes of one tray, real or fake, into signals with their whereabouts, and speaks its session. */
export class TrayIntake {
  readonly #options: IntakeOptions;
  readonly #counters = { bytes: 0, lines: 0, events: 0, garbled: 0, repeats: 0, unshown: 0, connections: 0 };
  readonly #holder: NameHolder;
  readonly #slots = new Map<string, string | undefined>();
  #splitter: LineSplitter;
  #state: TrayState;
  #tumbles: Tumbles = new Map();
  #shared: readonly string[] = [];
  #foreign = 0;
  #whole = false;
  #second = { number: 0, told: 0 };

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#state = closedTray(options.anonymous, options.fake);
    this.#splitter = this.#freshSplitter();
    this.#holder = this.#holderOf(options.port);
  }

  /** The tray's id: its own, made safe, once its HEL was heard. */
  get name(): string {
    const { hello } = this.#state;
    return hello === undefined || this.#options.fake ? this.#options.id : idFrom(hello.id);
  }

  /** True once a HEL was heard, on this connection or an earlier one. */
  get met(): boolean {
    return this.#state.hello !== undefined;
  }

  opened(): void {
    this.#counters.connections += 1;
    this.#splitter = this.#freshSplitter();
    this.#whole = false;
    this.#step({ kind: 'opened', at: this.#now() });
  }

  closed(): void {
    this.#step({ kind: 'closed', at: this.#now() });
    this.#options.names.release(this.#holder);
    this.#shared = [];
  }

  bytes(chunk: Uint8Array): void {
    this.#counters.bytes += chunk.length;
    this.#splitter.feed(chunk);
  }

  /** To be called at least every 500 ms, connected or not. */
  tick(): void {
    const at = this.#now();
    const { open, late } = overdue(this.#tumbles, at);
    this.#tumbles = open;
    for (const lane of late) this.#tell({ kind: 'unresolved' }, this.#die(lane === '' ? undefined : lane));
    this.#step({ kind: 'tick', at });
  }

  /** Writes a blink for the die's slot; false if the die is unknown or the tray has no lights. */
  blink(die: string): boolean {
    const caps = this.#state.hello?.caps ?? [];
    if (this.#state.phase !== 'live' || !caps.includes('led') || !this.#slots.has(die)) return false;
    const slot = this.#slots.get(die);
    this.#send({ type: 'LED', rgb: '80A0FF', blinks: 3, ...(slot === undefined ? {} : { slot }) });
    return true;
  }

  /** What the session has to say about the link while the port is open. */
  status(): Pick<DeviceStatus, 'link' | 'code' | 'reason' | 'counters'> {
    return { ...this.#link(), counters: { ...this.#counters } };
  }

  #link(): { link: DeviceStatus['link']; code?: string; reason?: string } {
    const { phase, hello } = this.#state;
    const { port, compat } = this.#options;
    if (isRubbish(this.#state)) {
      return {
        link: 'connecting',
        code: 'check_baud',
        reason: `unreadable bytes on ${port}: check baud, or this is no tray`,
      };
    }
    switch (phase) {
      case 'closed':
        return { link: 'down', code: 'port_closed', reason: `${port} is not open` };
      case 'greeting':
        if (compat !== undefined || this.#counters.events > 0) return { link: 'up' };
        return { link: 'connecting', code: 'no_hello', reason: `${port} is open, no tray has said HEL yet` };
      case 'named':
      case 'live':
        return { link: 'up' };
      case 'barred': {
        const where = this.#shared.join(' and ');
        const reason = `two trays call themselves ${this.name} (${where}): both are refused; give one another id`;
        return { link: 'refused', code: 'same_id', reason };
      }
      case 'refused': {
        const range = hello === undefined ? '' : ` ${hello.ver.min}-${hello.ver.max}`;
        const reason = `the tray on ${port} speaks TTP versions${range}, this program version 1: update one of them`;
        return { link: 'refused', code: 'version', reason };
      }
    }
  }

  #now = (): number => this.#options.clock.now();

  #freshSplitter(): LineSplitter {
    return new LineSplitter({
      line: (text) => this.#line(text),
      overlong: (text) => this.#step({ kind: 'overlong', at: this.#now(), text }),
    });
  }

  #line(text: string): void {
    this.#counters.lines += 1;
    const { compat } = this.#options;
    // The first line after opening may be the second half of one that says something else.
    const whole = this.#whole;
    this.#whole = true;
    const signal = compat !== undefined && whole && !text.startsWith('$') ? foreignRoll(text, compat) : undefined;
    if (signal === undefined) {
      this.#step({ kind: 'line', at: this.#now(), text });
      return;
    }
    this.#foreign += 1;
    const origin = `${this.name}/${this.#options.epoch}h/${this.#foreign}`;
    this.#tell(signal, { ...this.#die(undefined, typeOf(signal)), quality: 'unverified' }, { origin });
  }

  #step(input: TrayInput): void {
    const step = stepTray(this.#state, input);
    this.#state = step.state;
    for (const frame of step.send) this.#send(frame);
    for (const word of step.heard) this.#word(word);
    if (step.state.phase === 'named') this.#options.names.claim(this.name, this.#holder);
    if (step.reopen !== undefined && this.#options.compat === undefined) this.#options.reopen(step.reopen);
  }

  #holderOf(port: string): NameHolder {
    return {
      port,
      admitted: () => {
        this.#shared = [];
        this.#step({ kind: 'admitted', at: this.#now() });
      },
      barred: (ports) => {
        this.#shared = ports;
        this.#step({ kind: 'barred', at: this.#now() });
      },
    };
  }

  #send(frame: Frame): void {
    this.#options.send(`${encodeFrame(frame)}\n`);
  }

  #word(word: TrayWord): void {
    const { signal, frame, event } = word;
    if (signal.kind === 'garbled') this.#counters.garbled += 1;
    if (signal.kind === 'ignored' && signal.why === 'repeat') this.#counters.repeats += 1;
    if (event === undefined || frame === undefined) {
      if (isNoise(signal) && !this.#mayTell()) this.#counters.unshown += 1;
      else this.#tell(signal, undefined);
      return;
    }
    this.#counters.events += 1;
    const slot = 'slot' in frame ? frame.slot : undefined;
    const resting = signal.kind === 'rested' || signal.kind === 'amended' || signal.kind === 'handling';
    if (resting) this.#tumbles = calmed(this.#tumbles, slot);
    if (signal.kind === 'tumbling') this.#tumbles = tumbled(this.#tumbles, slot, this.#now());
    const rolled = frame.type === 'ROL' || frame.type === 'AMD' ? frame : undefined;
    const piece = rolled?.type === 'ROL' && rolled.of !== undefined ? { piece: String(rolled.of.i) } : {};
    const quality = word.vouched && rolled?.src !== 'rng' ? 'ok' : 'unverified';
    const die: DieHeard = { ...this.#die(slot, rolled?.die), ...piece, quality };
    const age = word.ageMs === undefined ? {} : { ageMs: word.ageMs };
    const origin = `${this.name}/${event.boot}/${event.seq}`;
    this.#tell(signal, signal.kind === 'fault' ? undefined : die, { origin, ...age });
  }

  #die(slot: string | undefined, type?: DieType): DieHeard {
    const id = dieIdOf(this.name, slot);
    if (this.#slots.size < MAX_KNOWN_DICE) this.#slots.set(id, slot);
    return {
      id,
      model: TRAY_MODEL,
      ...(type === undefined ? {} : { type }),
      ...(slot === undefined ? {} : { lane: slot }),
      settleMs: TRAY_SETTLE_MS,
      dwellMs: TRAY_DWELL_MS,
      quality: 'ok',
    };
  }

  #tell(signal: Signal, die: DieHeard | undefined, more: { origin?: string; ageMs?: number } = {}): void {
    const { fake } = this.#options;
    const at = this.#now();
    this.#options.hear({ device: this.name, ...(die === undefined ? {} : { die }), signal, ...more, at, fake });
  }

  #mayTell(): boolean {
    const number = Math.floor(this.#now() / 1000);
    if (number !== this.#second.number) this.#second = { number, told: 0 };
    this.#second.told += 1;
    return this.#second.told <= TOLD_RUBBISH_PER_S;
  }
}

const typeOf = (signal: Signal): DieType | undefined => (signal.kind === 'rested' ? signal.type : undefined);

const isNoise = (signal: Signal): boolean => signal.kind === 'garbled' || signal.kind === 'ignored';
