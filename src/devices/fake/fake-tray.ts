import { type DieType, faceOf, isFaceOf } from '../../dice/die.js';
import { err, ok, type Result } from '../../dice/result.js';
import type { Clock } from '../clock.js';
import type { Device, DeviceStatus, Heard, Signal } from '../device.js';
import { TRAY_MODEL, TrayIntake } from '../serial/intake.js';
import { TrayNames } from '../serial/names.js';
import { Cable, type CableFault } from './cable.js';
import { commandOf, framed } from './tray-frames.js';

/** Events the tray stores (TTP/1 asks for 256 at least). */
export const STORED_EVENTS = 256;
/** Commands that are kept for whoever wants to look at them. */
export const MAX_COMMANDS = 64;
const BEAT_MS = 2000;
const TICK_MS = 500;
/** Boots of one run of the daemon: with its epoch in front no boot number is ever used twice. */
const BOOTS_PER_EPOCH = 1000;

export interface FakeTrayOptions {
  readonly id: string;
  /** Number of this run of the daemon (journal epoch). */
  readonly epoch: number;
  readonly clock: Clock;
  /** The die that is rolled and set. Default d20. */
  readonly die?: DieType;
  /** Its slot. Default none: the die goes by the tray's id. */
  readonly slot?: string;
  /** Bytes arrive in pieces of so many. Default 7. */
  readonly chunk?: number;
  readonly names?: TrayNames;
}

interface Stored {
  readonly seq: number;
  readonly line: string;
}

/**
 * A tray without a tray: it keeps boot, sequence and a store like the real one, answers the host's commands, and its bytes
 * go through the splitter, the session and the codec of the real ones.
 */
export class FakeTray implements Device {
  readonly id: string;
  readonly #options: FakeTrayOptions;
  readonly #intake: TrayIntake;
  readonly #cable: Cable;
  readonly #stops = new Set<() => void>();
  readonly #commands: string[] = [];
  #hear: ((heard: Heard) => void) | null = null;
  #caught: Signal[] | null = null;
  #answers: string[] = [];
  #answering = false;
  #store: Stored[] = [];
  #reboots = 0;
  #bootedAt: number;
  #next = 1;
  #throws = 0;
  #up = false;
  #beating = true;

  constructor(options: FakeTrayOptions) {
    this.id = options.id;
    this.#options = options;
    this.#bootedAt = options.clock.now();
    this.#cable = new Cable({
      clock: options.clock,
      chunk: options.chunk ?? 7,
      arrive: (bytes) => {
        if (this.#up) this.#intake.bytes(bytes);
      },
    });
    this.#intake = new TrayIntake({
      id: options.id,
      port: options.id,
      fake: true,
      anonymous: true,
      epoch: options.epoch,
      names: options.names ?? new TrayNames(),
      clock: options.clock,
      hear: (heard) => this.#tell(heard),
      send: (line) => this.#obey(line),
      reopen: () => this.#reopen(),
    });
  }

  start(hear: (heard: Heard) => void): void {
    this.#hear = hear;
    this.#every(TICK_MS, () => this.#intake.tick());
    this.#every(BEAT_MS, () => this.#beat());
    this.link(true);
  }

  async stop(): Promise<void> {
    this.#hear = null;
    for (const stop of this.#stops) stop();
    this.#stops.clear();
    this.#cable.cut();
  }

  status(): DeviceStatus {
    return { id: this.id, model: TRAY_MODEL, fake: true, ...this.#intake.status() };
  }

  async blink(die: string): Promise<boolean> {
    return this.#intake.blink(die);
  }

  /** Lines the host wrote, oldest first, at most `MAX_COMMANDS`. */
  commands(): readonly string[] {
    return [...this.#commands];
  }

  /** Lets a fault befall the next line that the tray says of itself or by `line`; false if too many wait. */
  fault(fault: CableFault): boolean {
    return this.#cable.fault(fault);
  }

  /** The tray goes on or stops beating; without beats the host opens the port anew after 6 s. */
  beats(on: boolean): void {
    this.#beating = on;
  }

  /** The tray says this line as it is (contracts E). Answers what came of it at once. */
  line(text: string): readonly Signal[] {
    return this.#catch(() => this.#cable.carry(text));
  }

  /** Raw bytes on the cable. */
  notify(bytes: Uint8Array): readonly Signal[] {
    return this.#catch(() => {
      if (this.#up) this.#intake.bytes(bytes);
    });
  }

  /** The cable is plugged in or out. The tray has its own power: it stores meanwhile and replays then. */
  link(up: boolean): readonly Signal[] {
    if (up === this.#up) return [];
    return this.#catch(() => {
      this.#up = up;
      if (up) {
        this.#intake.opened();
        return;
      }
      this.#cable.cut();
      this.#intake.closed();
    });
  }

  /** The tray starts anew: next boot, sequence from 1, clock from 0, and says HEL by itself. */
  reboot(): readonly Signal[] {
    this.#reboots = (this.#reboots + 1) % BOOTS_PER_EPOCH;
    this.#bootedAt = this.#options.clock.now();
    this.#next = 1;
    this.#store = [];
    return this.#catch(() => this.#cable.carry(this.#hello()));
  }

  /** A throw: rolling, then the rest. An error names a natural result the die cannot give. */
  roll(natural: number): Result<readonly Signal[], string> {
    const face = faceOf(this.#type, natural);
    if (!face.ok) return face;
    this.#throws += 1;
    return ok(
      this.#catch(() => {
        this.#event((seq) => `TTEVT,${seq},${this.#boot},${this.#ms},rolling${this.#slot}`);
        this.#event((seq) => `TTROL,${seq},${this.#when(face.value)},kind=roll,q=97,throw=${this.#throws}`);
      }),
    );
  }

  /** Somebody turns the die to this printed face by hand. */
  set(face: number): Result<readonly Signal[], string> {
    if (!isFaceOf(this.#type, face)) return err(`a ${this.#type} has no face ${face}`);
    return ok(this.#catch(() => this.#event((seq) => `TTROL,${seq},${this.#when(face)},kind=set,q=95`)));
  }

  get #type(): DieType {
    return this.#options.die ?? 'd20';
  }

  get #slot(): string {
    return this.#options.slot === undefined ? '' : `,slot=${this.#options.slot}`;
  }

  get #boot(): number {
    return this.#options.epoch * BOOTS_PER_EPOCH + this.#reboots;
  }

  get #ms(): number {
    return Math.max(0, Math.floor(this.#options.clock.now() - this.#bootedAt));
  }

  #when(face: number | string): string {
    return `${this.#boot},${this.#ms},${this.#type},${face}${this.#slot}`;
  }

  #hello(): string {
    const oldest = this.#store[0]?.seq ?? this.#next;
    const about = `fw=fake,boot=${this.#boot},oldest=${oldest},next=${this.#next},ms=${this.#ms}`;
    return framed(`TTHEL,1-1,${this.id},${about},caps=roll+set+led+nv,crc=16`);
  }

  /** Stored before it is sent, as TTP/1 asks. */
  #event(body: (seq: number) => string): void {
    const line = framed(body(this.#next));
    this.#store.push({ seq: this.#next, line });
    if (this.#store.length > STORED_EVENTS) this.#store.shift();
    this.#next += 1;
    this.#cable.carry(line);
  }

  #beat(): void {
    if (this.#beating) this.#cable.carry(framed(`TTBEA,${this.#boot},${this.#ms},${this.#next - 1}`));
  }

  #obey(written: string): void {
    const line = written.slice(0, -1);
    this.#commands.push(line);
    if (this.#commands.length > MAX_COMMANDS) this.#commands.shift();
    const [type, first, second] = commandOf(line) ?? [];
    if (type === 'HEL?') this.#answers.push(this.#hello());
    else if (type === 'PIN') this.#answers.push(framed(`TTPON,${first},${this.#ms}`));
    else if (type === 'RES' && first === String(this.#boot)) {
      this.#answers.push(...this.#store.filter((e) => e.seq > Number(second)).map((e) => e.line));
    }
    if (this.#caught === null) this.#answer();
  }

  /** What the tray answers goes out after the line that was asked about, never in the midst of it. */
  #answer(): void {
    if (this.#answering) return;
    this.#answering = true;
    for (let line = this.#answers.shift(); line !== undefined; line = this.#answers.shift()) this.#cable.carry(line);
    this.#answering = false;
  }

  #catch(act: () => void): readonly Signal[] {
    const caught: Signal[] = [];
    this.#caught = caught;
    act();
    this.#caught = null;
    this.#answer();
    return caught;
  }

  #tell(heard: Heard): void {
    this.#caught?.push(heard.signal);
    this.#hear?.(heard);
  }

  #reopen(): void {
    this.#later(0, () => {
      if (!this.#up) return;
      this.link(false);
      this.link(true);
    });
  }

  #later(ms: number, then: () => void): void {
    const stop = this.#options.clock.after(ms, () => {
      this.#stops.delete(stop);
      then();
    });
    this.#stops.add(stop);
  }

  #every(ms: number, act: () => void): void {
    this.#later(ms, () => {
      this.#every(ms, act);
      act();
    });
  }
}
