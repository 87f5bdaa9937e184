import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DieEvent } from './die.js';
import type { Motion } from './motions.js';
import type { Order, Outcome } from './orders.js';
import type { DieSpec } from './virtual-radio.js';

/** An event with the time it happened: milliseconds since 1970, with fractions. */
export type RadioEvent = DieEvent & { readonly at: number };
type Landed = Extract<RadioEvent, { event: 'landed' }>;

type Line = Outcome & {
  readonly re?: number;
  readonly event?: string;
  readonly error?: string;
  readonly path?: string;
  readonly paths?: readonly string[];
};
type PlainOrder = Order | { readonly do: 'plug' | 'unplug'; readonly controller?: number; readonly afterMs?: number };

export interface RadioProcessOptions {
  /** Path of the pseudo-terminal to make; by default one of its own. */
  readonly pty?: string;
  /** A unix socket instead of a pseudo-terminal, for a host with `preload.cjs`. */
  readonly socket?: string;
  readonly seed?: number;
  readonly snoop?: string;
  /** Links of each controller. */
  readonly links?: number;
  /** Controllers, each with a pseudo-terminal of its own. */
  readonly controllers?: number;
  readonly firstHandle?: number;
}

const PATIENCE_MS = 30_000;
const script = fileURLToPath(new URL('./run.mjs', import.meta.url));

const argument = (name: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`--${name}`, String(value)];

/** A virtual radio in a process of its own, so that its times do not depend on what a test does (README). */
export class RadioProcess {
  /** What happened so far, in order. */
  readonly events: RadioEvent[] = [];
  path = '';
  /** Of each controller. */
  paths: readonly string[] = [];
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (line: Line) => void>();
  readonly #watchers = new Set<() => void>();
  #ids = 0;

  private constructor(options: RadioProcessOptions) {
    const { pty, socket, seed, snoop, links, controllers, firstHandle } = options;
    const args = [
      ...argument('pty', pty),
      ...argument('socket', socket),
      ...argument('seed', seed),
      ...argument('snoop', snoop),
      ...argument('links', links),
      ...argument('controllers', controllers),
      ...argument('first-handle', firstHandle),
    ];
    this.#child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#child.stdout !== null) {
      createInterface({ input: this.#child.stdout }).on('line', (text) => this.#hear(JSON.parse(text)));
    }
  }

  /** Starts one; its path is there when this resolves. */
  static async start(options: RadioProcessOptions = {}): Promise<RadioProcess> {
    const radio = new RadioProcess(options);
    await radio.until('a radio', () => radio.path !== '');
    return radio;
  }

  /** Gives an order and waits for its outcome; rejects where it could not be carried out. */
  async order(order: PlainOrder): Promise<Outcome> {
    this.#ids += 1;
    const id = this.#ids;
    const answered = new Promise<Line>((resolve) => this.#waiting.set(id, resolve));
    this.#child.stdin?.write(`${JSON.stringify({ ...order, id })}\n`);
    const line = await answered;
    if (line.error !== undefined) throw new Error(`${order.do}: ${line.error}`);
    return line;
  }

  /** Puts a die on the table; resolves with its address. */
  async add(die: DieSpec): Promise<string> {
    const { address } = await this.order({ do: 'add', die });
    return String(address);
  }

  async move(die: string, motion: Motion, face: number): Promise<number> {
    const { move } = await this.order({ do: 'move', die, motion, face });
    return Number(move);
  }

  /** Moves a die and waits until it lies and it is known whether that was heard. */
  async landing(die: string, motion: Motion, face: number): Promise<Landed> {
    const move = await this.move(die, motion, face);
    return this.landed(die, move);
  }

  async landed(die: string, move: number): Promise<Landed> {
    const find = (): Landed | undefined =>
      this.events.find(
        (event): event is Landed => event.event === 'landed' && event.die === die && event.move === move,
      );
    await this.until(`${die} landed`, () => find() !== undefined);
    const found = find();
    if (found === undefined) throw new Error(`${die} never landed`);
    return found;
  }

  /** Waits until `ready` holds; it is looked at after every event. */
  async until(what: string, ready: () => boolean, ms = PATIENCE_MS): Promise<void> {
    if (ready()) return;
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(late);
        this.#watchers.delete(look);
      };
      const look = (): void => {
        if (!ready()) return;
        end();
        resolve();
      };
      const late = setTimeout(() => {
        end();
        reject(new Error(`${what}: not within ${ms} ms`));
      }, ms);
      this.#watchers.add(look);
    });
  }

  /** Ends it; the pseudo-terminal is gone when this resolves. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE_MS);
    await gone;
    clearTimeout(late);
  }

  #hear(line: Line): void {
    if (line.re !== undefined) {
      this.#waiting.get(line.re)?.(line);
      this.#waiting.delete(line.re);
    } else if (line.event === 'ready') {
      this.path = line.path ?? '';
      this.paths = line.paths ?? [];
    } else {
      this.events.push(line as unknown as RadioEvent);
    }
    for (const look of [...this.#watchers]) look();
  }
}
