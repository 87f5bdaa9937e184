import type { Config } from '../config/schema.js';
import { type BluetoothState, probeBluetooth } from '../devices/ble/probe.js';
import type { BluetoothPort } from '../devices/ble/radio/ports.js';
import type { Greeting } from './greeting.js';
import { isNative, radioSettings } from './radio-settings.js';
import type { Running } from './running.js';

/** Bluetooth that is not there yet is looked for again after this time: a switch, a dongle, a right may come (F106). */
export const LOOK_AGAIN_MS = 15_000;
/** A look costs a process: it becomes rarer while nothing comes. */
const LOOK_SELDOM_MS = 120_000;
/** The radio on a serial port is told of once it works, or after this time with what ails it. */
const TELL_AFTER_MS = 12_000;
const LOOK_MS = 200;

const OFF: BluetoothState = {
  state: 'unavailable',
  reason: 'ble.enabled is off',
  remedy: 'set ble.enabled to auto or on',
  inItalian: { reason: 'ble.enabled è off', remedy: 'metti ble.enabled su auto o on' },
};

/** Finds out whether there is Bluetooth, says so, and begins to listen when there is; until then it looks again. */
export class BluetoothWatch {
  readonly #ble: Config['ble'];
  readonly #running: Running;
  readonly #greeting: Greeting;
  #stopped = false;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(ble: Config['ble'], running: Running, greeting: Greeting) {
    this.#ble = ble;
    this.#running = running;
    this.#greeting = greeting;
  }

  start(): void {
    if (this.#ble.enabled === 'off') this.#running.bluetooth(OFF);
    else if (isNative(this.#ble)) this.#looking = this.#look(null);
    else this.#tell(this.#running.openBluetooth(radioSettings(this.#ble)));
  }

  /** Ends what is being looked for. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #look(before: BluetoothState | null): Promise<void> {
    const found = await probeBluetooth({ driver: this.#ble.driver });
    if (this.#stopped) return;
    this.#running.bluetooth(found);
    if (found.reason !== before?.reason) this.#greeting.bluetooth(found);
    if (found.state === 'available') {
      this.#running.openBluetooth(radioSettings(this.#ble, found));
      return;
    }
    if (found.passing !== true) return;
    this.#after(Math.min(LOOK_AGAIN_MS * 2 ** this.#looks, LOOK_SELDOM_MS), () => {
      this.#looks += 1;
      this.#looking = this.#look(found);
    });
  }

  /** Says once what came of a radio that could not be asked beforehand. */
  #tell(port: BluetoothPort, since = performance.now()): void {
    const {
      state,
      reason = 'not ready yet',
      remedy = '',
      inItalian = { reason: 'non ancora pronto', remedy: '' },
    } = port.state();
    const works = state === 'on' || state === 'quiet';
    if (!works && performance.now() - since < TELL_AFTER_MS) {
      this.#after(LOOK_MS, () => this.#tell(port, since));
      return;
    }
    this.#greeting.bluetooth({ state: works ? 'available' : 'unavailable', reason, remedy, inItalian });
  }

  #after(ms: number, act: () => void): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(act, ms);
    this.#timer.unref();
  }
}
