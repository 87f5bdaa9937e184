import { faceOf } from '../../dice/die.js';
import { err, ok, type Result } from '../../dice/result.js';
import { type LinkInput, type LinkState, linkStep, linkWord, risenLink } from '../ble/link.js';
import { pixels, unresolvedAt } from '../ble/pixels.js';
import { encodeBlink, encodeWhoAreYou, PIXELS_FIND_ME } from '../ble/pixels-commands.js';
import { type PixelsKind, typeOfKind } from '../ble/pixels-faces.js';
import { PIXELS_DWELL_MS, PIXELS_MODEL, PIXELS_SETTLE_MS, type PixelsState } from '../ble/pixels-state.js';
import type { Clock } from '../clock.js';
import type { Device, DeviceStatus, DieHeard, DieInput, Heard, Signal } from '../device.js';
import { fromHex } from '../hex.js';
import {
  BATTERY_87,
  CALM_MS,
  FAKE_FIRMWARE,
  FEWEST_ROLLING,
  HANDLING,
  I_AM_A_DIE,
  MOST_ROLLING,
  ON_FACE,
  PIXELS_FACE_BYTES,
  RESTING,
  ROLLED,
  ROLLING,
  SAMPLE_MS,
} from './pixels-bytes.js';

/** Written commands that are kept for whoever wants to look at them. */
export const MAX_PIXELS_WRITTEN = 64;
/** A fake's link counts as long up at the start (contracts G). */
const LONG_UP_MS = 60_000;
/** The faces a tumbling die passes lie so many indices apart: no number of faces divides by it. */
const STRIDE = 7;

export interface FakePixelsOptions {
  /** Id of the device and of its die. */
  readonly id: string;
  readonly type: PixelsKind;
  /** Number of this run of the daemon: with it origins are never used twice. */
  readonly epoch: string | number;
  readonly clock: Clock;
}

/** One message of a movement, told so many milliseconds before its end. */
interface Frame {
  readonly hex: string;
  readonly before: number;
}

/** A Pixels without a die: its bytes are literals and go through the codec and the link machine of the real ones. */
export class FakePixels implements Device {
  readonly id: string;
  readonly #options: FakePixelsOptions;
  readonly #die: DieHeard;
  readonly #faces: readonly (readonly [face: number, index: string])[];
  readonly #counters = { notifications: 0, lost: 0, garbled: 0, links: 1 };
  readonly #written: Uint8Array[] = [];
  #state: PixelsState;
  #link: LinkState;
  #hear: ((heard: Heard) => void) | null = null;
  /** Place of the face that lies up. */
  #up = 0;
  #throws = 0;
  #told = 0;
  #heardAt = Number.NEGATIVE_INFINITY;
  #disarm: (() => void) | null = null;

  constructor(options: FakePixelsOptions) {
    this.id = options.id;
    this.#options = options;
    this.#faces = PIXELS_FACE_BYTES[options.type];
    const now = options.clock.now();
    this.#state = pixels.start({ type: options.type, firmware: FAKE_FIRMWARE }, now, LONG_UP_MS);
    this.#link = risenLink(now - LONG_UP_MS);
    this.#die = {
      id: options.id,
      model: PIXELS_MODEL,
      type: typeOfKind(options.type),
      settleMs: PIXELS_SETTLE_MS,
      dwellMs: PIXELS_DWELL_MS,
      quality: 'ok',
    };
  }

  start(hear: (heard: Heard) => void): void {
    this.#hear = hear;
  }

  async stop(): Promise<void> {
    this.#hear = null;
    this.#disarm?.();
    this.#disarm = null;
  }

  status(): DeviceStatus {
    const { id } = this;
    return { id, model: PIXELS_MODEL, fake: true, link: linkWord(this.#link), counters: { ...this.#counters } };
  }

  async blink(die: string): Promise<boolean> {
    if (die !== this.id || this.#link.actual !== 'up') return false;
    this.#write(encodeBlink(PIXELS_FIND_ME, FAKE_FIRMWARE));
    return true;
  }

  /** Commands the die was sent, oldest first, at most `MAX_PIXELS_WRITTEN`. */
  written(): readonly Uint8Array[] {
    return [...this.#written];
  }

  /** The die sends these bytes now. Answers what came of it. */
  notify(bytes: Uint8Array): readonly Signal[] {
    return this.#deliver(bytes, this.#options.clock.now());
  }

  /** The link comes up or is lost. Nothing happens where it already is as asked. */
  link(up: boolean): readonly Signal[] {
    const at = this.#options.clock.now();
    if (up === (this.#link.actual === 'up')) return [];
    return this.#feedLink({ kind: up ? 'connected' : 'dropped', at });
  }

  /**
   * A throw that ends now: handling, faces tumbling by, and half a second of calm before `rolled`, each message stamped
   * with its time (protocols/pixels §10). An error names a natural result the die cannot give.
   */
  roll(natural: number): Result<readonly Signal[], string> {
    const face = faceOf(typeOfKind(this.#options.type), natural);
    if (!face.ok) return face;
    const place = this.#placeOf(Number(face.value));
    if (place < 0) return err(`no bytes for face ${face.value}`);
    const tumbling = FEWEST_ROLLING + (this.#throws % (MOST_ROLLING - FEWEST_ROLLING + 1));
    this.#throws += 1;
    const started = CALM_MS + tumbling * SAMPLE_MS;
    const frames: Frame[] = [{ hex: HANDLING + this.#indexAt(this.#up), before: started }];
    for (let left = tumbling - 1; left >= 0; left -= 1) {
      frames.push({ hex: ROLLING + this.#indexAt(place + left * STRIDE), before: CALM_MS + left * SAMPLE_MS });
    }
    frames.push({ hex: ROLLED + this.#indexAt(place), before: 0 });
    this.#up = place;
    return ok(this.#play(frames));
  }

  /** Somebody turns the die to this printed face by hand: picked up, a face in passing, put down. */
  set(face: number): Result<readonly Signal[], string> {
    const place = this.#placeOf(face);
    if (place < 0) return err(`a ${typeOfKind(this.#options.type)} has no face ${face}`);
    const frames: Frame[] = [
      { hex: HANDLING + this.#indexAt(this.#up), before: CALM_MS + SAMPLE_MS },
      { hex: HANDLING + this.#indexAt(place + STRIDE), before: CALM_MS },
      { hex: ON_FACE + this.#indexAt(place), before: 0 },
    ];
    this.#up = place;
    return ok(this.#play(frames));
  }

  /** Somebody bumps the table: the die says that it rolled, and shows what it showed. */
  bump(): readonly Signal[] {
    const index = this.#indexAt(this.#up);
    return this.#play([
      { hex: ROLLING + index, before: CALM_MS },
      { hex: ROLLED + index, before: 0 },
    ]);
  }

  #placeOf(face: number): number {
    return this.#faces.findIndex(([own]) => own === face);
  }

  #indexAt(place: number): string {
    return this.#faces[place % this.#faces.length]?.[1] ?? '';
  }

  #play(frames: readonly Frame[]): readonly Signal[] {
    const now = this.#options.clock.now();
    return frames.flatMap(({ hex, before }) => this.#deliver(fromHex(hex) ?? new Uint8Array(), now - before));
  }

  // A movement is told at its end, its messages in the past: never before what was told already.
  #deliver(bytes: Uint8Array, at: number): readonly Signal[] {
    if (this.#link.actual !== 'up') {
      this.#counters.lost += 1;
      return [];
    }
    this.#counters.notifications += 1;
    return this.#input({ kind: 'notification', at: Math.max(at, this.#heardAt), bytes: Uint8Array.from(bytes) });
  }

  #feedLink(input: LinkInput): readonly Signal[] {
    const { state, acts } = linkStep(this.#link, input);
    this.#link = state;
    const signals: Signal[] = [];
    if (acts.includes('tell_down')) signals.push(...this.#input({ kind: 'down', at: input.at }));
    if (acts.includes('tell_up')) signals.push(...this.#risen(input.at));
    this.#arm();
    return signals;
  }

  // A real die is asked who it is after every connection, and answers with what lies up, however it got there (§0).
  #risen(at: number): readonly Signal[] {
    this.#counters.links += 1;
    this.#told = 0;
    const signals = [...this.#input({ kind: 'up', at })];
    this.#write(encodeWhoAreYou());
    const answer = I_AM_A_DIE[this.#options.type] + RESTING + this.#indexAt(this.#up) + BATTERY_87;
    signals.push(...this.#deliver(fromHex(answer) ?? new Uint8Array(), at));
    return signals;
  }

  #write(command: Uint8Array): void {
    this.#written.push(command);
    if (this.#written.length > MAX_PIXELS_WRITTEN) this.#written.shift();
  }

  #input(input: DieInput): readonly Signal[] {
    this.#heardAt = Math.max(this.#heardAt, input.at);
    const { state, signals } = pixels.hear(this.#state, input);
    this.#state = state;
    this.#arm();
    for (const signal of signals) this.#tell(signal, input.at);
    return signals;
  }

  #tell(signal: Signal, at: number): void {
    if (signal.kind === 'garbled') this.#counters.garbled += 1;
    this.#told += 1;
    const origin = `${this.id}/${this.#options.epoch}/${this.#counters.links}/${this.#told}`;
    this.#hear?.({ device: this.id, die: this.#die, signal, origin, at, fake: true });
  }

  // One timer for what only time can bring: an unresolved tumble, the end of a pause of the link.
  #arm(): void {
    this.#disarm?.();
    this.#disarm = null;
    const dues = [unresolvedAt(this.#state), this.#link.until].filter((due) => due !== null);
    if (dues.length === 0 || this.#hear === null) return;
    const wait = Math.max(0, Math.min(...dues) - this.#options.clock.now());
    this.#disarm = this.#options.clock.after(wait, () => {
      const at = this.#options.clock.now();
      this.#input({ kind: 'tick', at });
      this.#feedLink({ kind: 'tick', at });
    });
  }
}
