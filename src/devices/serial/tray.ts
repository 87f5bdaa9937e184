import type { Clock } from '../clock.js';
import { monotonicClock } from '../clock.js';
import type { Device, DeviceStatus, Heard } from '../device.js';
import type { Compat } from './compat.js';
import { TRAY_MODEL, TrayIntake } from './intake.js';
import { SerialLink } from './link.js';
import { idFrom, TrayNames } from './names.js';
import { openNative, type PortOpener } from './port.js';

export const DEFAULT_BAUD = 115_200;

export interface SerialTrayOptions {
  /** `/dev/serial/by-id/…`, `/dev/ttyACM0`, `COM3`. */
  readonly path: string;
  /** What the tray is called until its HEL says so, and for good if it never does. Default: from the path. */
  readonly id?: string;
  readonly baud?: number;
  /** True for a path given by hand: events without a HEL count as unverified. False for a discovered one. */
  readonly anonymous?: boolean;
  readonly compat?: Compat;
  /** Number of this run of the daemon (journal epoch). */
  readonly epoch: string | number;
  /** Shared by all trays of the daemon: two with one id are both refused. */
  readonly names?: TrayNames;
  readonly clock?: Clock;
  readonly open?: PortOpener;
}

/** A real tray on a serial port (protocols/tray). Trays come and go with their cable; this one waits for its port. */
export class SerialTray implements Device {
  readonly #path: string;
  readonly #intake: TrayIntake;
  readonly #link: SerialLink;
  #hear: ((heard: Heard) => void) | undefined;

  constructor(options: SerialTrayOptions) {
    const { path, compat } = options;
    this.#path = path;
    this.#intake = new TrayIntake({
      id: options.id ?? idFrom(`tray-${path.split(/[\\/]/).at(-1) ?? ''}`),
      port: path,
      fake: false,
      anonymous: options.anonymous ?? true,
      ...(compat === undefined ? {} : { compat }),
      epoch: options.epoch,
      names: options.names ?? new TrayNames(),
      clock: options.clock ?? monotonicClock,
      hear: (heard) => this.#hear?.(heard),
      send: (line) => this.#link.write(line),
      reopen: () => this.#link.reopen(),
    });
    this.#link = new SerialLink({
      path,
      baud: options.baud ?? DEFAULT_BAUD,
      open: options.open ?? openNative,
      opened: () => this.#intake.opened(),
      data: (chunk) => this.#intake.bytes(chunk),
      closed: () => this.#intake.closed(),
      tick: () => this.#intake.tick(),
    });
  }

  /** The id of its HEL once heard: a tray keeps its name on whatever port it hangs (F061). */
  get id(): string {
    return this.#intake.name;
  }

  get path(): string {
    return this.#path;
  }

  /** True once a tray has introduced itself here. */
  get met(): boolean {
    return this.#intake.met;
  }

  start(hear: (heard: Heard) => void): void {
    this.#hear = hear;
    this.#link.start();
  }

  async stop(): Promise<void> {
    await this.#link.stop();
    this.#hear = undefined;
  }

  status(): DeviceStatus {
    const { word } = this.#link;
    const heard = this.#intake.status();
    const base = { id: this.id, model: TRAY_MODEL, fake: false };
    if (word.state === 'open' || word.fault === undefined) return { ...base, ...heard };
    const { code, reason } = word.fault;
    const refused = code === 'port_permission' || code === 'no_serial' || code === 'port_unusable';
    return { ...base, link: refused ? 'refused' : 'down', code, reason, counters: heard.counters };
  }

  async blink(die: string): Promise<boolean> {
    return this.#intake.blink(die);
  }
}
