import type { Clock } from '../clock.js';
import type { DieHeard, DieInput, Heard, Signal } from '../device.js';
import { encodeRequestRollState } from './pixels-commands.js';
import type { RawFrame, WantedDie } from './radio/ports.js';
import { type Reader, readerOf } from './radio/reading.js';
import { Witness } from './radio/witness.js';

const [STATE_ASKED] = encodeRequestRollState();
const isStateAsked = (bytes: Uint8Array): boolean => bytes.length === 1 && bytes[0] === STATE_ASKED;

/** A Bluetooth die whose frames come from a recording: the same codec and the same doubts as over the air. */
export class RecordedDie {
  /** What it is listened to for; it may change. */
  duty: WantedDie['duty'];
  readonly #id: string;
  readonly #clock: Clock;
  readonly #hear: (heard: Heard) => void;
  readonly #reader: Reader;
  readonly #witness: Witness;
  #frame: RawFrame | null = null;
  /** The last notification of the link at work. */
  #last = 0;
  #linked = false;
  #told = 0;
  #disarm: (() => void) | null = null;

  /** Throws where the name is no Bluetooth die's. */
  constructor({ die, duty, reading = {} }: WantedDie, clock: Clock, hear: (heard: Heard) => void) {
    const reader = readerOf(die, reading, clock.now());
    if (reader === null) throw new RangeError(`${die.slice(0, 40)} is no Bluetooth die`);
    this.#id = die;
    this.duty = duty;
    this.#clock = clock;
    this.#hear = hear;
    this.#reader = reader;
    this.#witness = new Witness({
      reader,
      rolls: () => this.duty === 'rolls',
      tell: (signal, at, advertised) => this.#tell(signal, at, advertised),
    });
  }

  /** The next frame of this die, at its time. */
  take(frame: RawFrame): void {
    const at = this.#clock.now();
    this.#frame = frame;
    this.#told = 0;
    switch (frame.kind) {
      case 'up':
      case 'down':
        this.#last = 0;
        this.#linked = frame.kind === 'up';
        this.#input({ kind: frame.kind, at });
        return;
      case 'notification':
        if (frame.n > this.#last + 1) this.#witness.hole(at);
        this.#last = frame.n;
        this.#input({ kind: 'notification', at, bytes: frame.bytes });
        return;
      case 'advert': {
        const { bytes, scanResponse } = frame;
        const response = scanResponse === undefined ? {} : { scanResponse };
        if (!this.#linked && this.#reader.make === 'Pixels')
          this.#input({ kind: 'advert', at, advert: bytes, ...response });
        return;
      }
      case 'written':
        // A die that was asked for its state answers: that is no throw.
        if (this.#reader.make === 'Pixels' && isStateAsked(frame.bytes)) this.#reader.poll(at);
        return;
      case 'name':
        return;
    }
  }

  #input(input: DieInput): void {
    this.#witness.hear(input);
    this.#disarm?.();
    const due = this.#witness.due();
    this.#disarm =
      due === null
        ? null
        : this.#clock.after(Math.max(0, due - this.#clock.now()), () =>
            this.#input({ kind: 'tick', at: this.#clock.now() }),
          );
  }

  #tell(signal: Signal, at: number, advertised: boolean): void {
    const type = this.#reader.type();
    const die: DieHeard = {
      id: this.#id,
      model: this.#reader.make,
      ...(type === undefined ? {} : { type }),
      settleMs: this.#reader.settleMs,
      dwellMs: this.#reader.dwellMs,
      quality: advertised ? 'unverified' : 'ok',
    };
    this.#hear({ device: this.#id, die, signal, origin: this.#origin(), at, fake: false });
  }

  #origin(): string {
    const { epoch = 0, link = 0, n = 0 } = this.#frame ?? {};
    this.#told += 1;
    return `${this.#id}/${epoch}/${link}/${n}${this.#told === 1 ? '' : `.${this.#told}`}`;
  }
}
