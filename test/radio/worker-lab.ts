import { fileURLToPath } from 'node:url';
import type { BluetoothDriver } from '../../src/devices/ble/probe.js';
import { BluetoothDice } from '../../src/devices/ble/radio/dice.js';
import { monotonicClock } from '../../src/devices/clock.js';
import type { Heard } from '../../src/devices/device.js';
import type { DieEvent } from './die.js';
import { PseudoTerminal } from './pseudo-terminal.js';
import { type DieSpec, type RadioOptions, VirtualRadio } from './virtual-radio.js';

/** A busy machine, and a die that is tried again after every pause of its back-off. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 20;
const worker = fileURLToPath(new URL('../../dist/devices/ble/radio/worker.js', import.meta.url));

export interface WorkerLabOptions extends RadioOptions {
  readonly driver?: BluetoothDriver;
}

/** The daemon's Bluetooth dice with their built radio process, and a virtual radio behind a real pseudo-terminal. */
export class WorkerLab {
  readonly radio: VirtualRadio;
  readonly heard: Heard[] = [];
  readonly events: DieEvent[] = [];
  readonly dice: BluetoothDice;
  readonly #terminal: PseudoTerminal;

  private constructor({ driver = 'abandonware', ...options }: WorkerLabOptions) {
    this.radio = new VirtualRadio({ ...options, tell: (event) => this.events.push(event) });
    this.#terminal = new PseudoTerminal((line) => this.radio.attach(line));
    this.dice = new BluetoothDice({
      drivers: [driver],
      adapters: [{ name: 'pty', links: 7, uart: this.#terminal.path }],
      run: 1,
      clock: monotonicClock,
      program: worker,
    });
  }

  /** Starts both, with Pixels dice that shall all be linked. */
  static async open(ids: readonly string[], options: WorkerLabOptions = {}): Promise<WorkerLab> {
    const lab = new WorkerLab(options);
    for (const id of ids) lab.radio.add({ make: 'pixels', id, kind: 'd20' } satisfies DieSpec);
    await lab.#terminal.plug();
    lab.dice.want(ids.map((id) => ({ die: `pixels-${id}`, duty: 'rolls' })));
    lab.dice.start((heard) => lab.heard.push(heard));
    return lab;
  }

  /** True if the daemon calls the die linked. */
  isUp(id: string): boolean {
    return this.dice.devices().some((device) => device.id === `pixels-${id}` && device.status().link === 'up');
  }

  async up(...ids: readonly string[]): Promise<void> {
    await this.until(`${ids.join(', ')} linked`, () => ids.every((id) => this.isUp(id)));
  }

  /** The die says that it lies on another face; resolves when the daemon has heard it. */
  async shows(id: string, index: number): Promise<void> {
    const face = index + 1;
    this.radio.die(id).say(Buffer.from([0x03, 0x05, index]));
    await this.until(`${face} of ${id} heard`, () =>
      this.heard.some(
        ({ device, signal }) => device === `pixels-${id}` && signal.kind === 'rested' && signal.face === face,
      ),
    );
  }

  async until(what: string, ready: () => boolean): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!ready()) {
      if (performance.now() > end)
        throw new Error(`${what}: not within ${PATIENCE_MS} ms; ${JSON.stringify(this.dice.state())}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  async close(): Promise<void> {
    await this.dice.stop();
    this.radio.close();
    await this.#terminal.close();
  }
}
