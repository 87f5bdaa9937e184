import { faceOf } from '../../dice/die.js';
import { err, ok, type Result } from '../../dice/result.js';
import { pixels, unresolvedAt } from '../ble/pixels.js';
import { encodeBlink, encodeWhoAreYou, PIXELS_FIND_ME } from '../ble/pixels-commands.js';
import { type PixelsKind, typeOfKind } from '../ble/pixels-faces.js';
import {
  PIXELS_DWELL_MS,
  PIXELS_MODEL,
  PIXELS_SETTLE_MS,
  type PixelsOptions,
  type PixelsState,
} from '../ble/pixels-state.js';
import type { Clock } from '../clock.js';
import type { Device, DeviceStatus, Heard, Signal } from '../device.js';
import { fromHex } from '../hex.js';
import { FakeLink } from './fake-link.js';
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
  readonly #faces: readonly (readonly [face: number, index: string])[];
  readonly #link: FakeLink<PixelsState, PixelsOptions>;
  /** Place of the face that lies up. */
  #up = 0;
  #throws = 0;

  constructor(options: FakePixelsOptions) {
    const { id, type, epoch, clock } = options;
    this.id = id;
    this.#options = options;
    this.#faces = PIXELS_FACE_BYTES[type];
    this.#link = new FakeLink({
      die: {
        id,
        model: PIXELS_MODEL,
        type: typeOfKind(type),
        settleMs: PIXELS_SETTLE_MS,
        dwellMs: PIXELS_DWELL_MS,
        quality: 'ok',
      },
      epoch,
      clock,
      machine: pixels,
      options: { type, firmware: FAKE_FIRMWARE },
      due: unresolvedAt,
      greet: (at) => this.#greeted(at),
    });
  }

  start(hear: (heard: Heard) => void): void {
    this.#link.start(hear);
  }

  async stop(): Promise<void> {
    this.#link.stop();
  }

  status(): DeviceStatus {
    return this.#link.status();
  }

  async blink(die: string): Promise<boolean> {
    if (die !== this.id || !this.#link.up) return false;
    this.#link.write(encodeBlink(PIXELS_FIND_ME, FAKE_FIRMWARE));
    return true;
  }

  /** Commands the die was sent, oldest first, at most `MAX_WRITTEN`. */
  written(): readonly Uint8Array[] {
    return this.#link.written();
  }

  /** The die sends these bytes now. Answers what came of it. */
  notify(bytes: Uint8Array): readonly Signal[] {
    return this.#link.deliver(bytes, this.#options.clock.now());
  }

  /** The link comes up or is lost. Nothing happens where it already is as asked. */
  link(up: boolean): readonly Signal[] {
    return this.#link.turn(up);
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

  // A movement is told at its end, its messages in the past.
  #play(frames: readonly Frame[]): readonly Signal[] {
    const now = this.#options.clock.now();
    return frames.flatMap(({ hex, before }) => this.#link.deliver(fromHex(hex) ?? new Uint8Array(), now - before));
  }

  // A real die is asked who it is after every connection, and answers with what lies up, however it got there (§0).
  #greeted(at: number): readonly Signal[] {
    this.#link.write(encodeWhoAreYou());
    const answer = I_AM_A_DIE[this.#options.type] + RESTING + this.#indexAt(this.#up) + BATTERY_87;
    return this.#link.deliver(fromHex(answer) ?? new Uint8Array(), at);
  }
}
