import { realpath } from 'node:fs/promises';
import type { Clock } from '../clock.js';
import type { DeviceStatus, Heard } from '../device.js';
import { type FoundPort, findPorts } from './discovery.js';
import { TrayNames } from './names.js';
import type { PortOpener } from './port.js';
import { SerialTray, type SerialTrayOptions } from './tray.js';

/** How often new ports are looked for. */
export const LOOK_MS = 2000;
/** A discovered port on which no tray says HEL in this time is left alone until it is plugged in again. */
export const STRANGER_MS = 15_000;

export interface SerialTraysOptions {
  /** Trays whose path is given by hand. */
  readonly given: readonly Omit<SerialTrayOptions, 'epoch' | 'names' | 'clock' | 'open'>[];
  /** True: ports with a USB device are tried as well. */
  readonly discover: boolean;
  readonly epoch: string | number;
  readonly clock: Clock;
  readonly find?: () => Promise<readonly FoundPort[]>;
  readonly open?: PortOpener;
}

interface Tried {
  readonly tray: SerialTray;
  readonly since: number;
  left: boolean;
}

/** All serial trays of the daemon: those given by path, and those that are found on USB as they come and go. */
export class SerialTrays {
  readonly #options: SerialTraysOptions;
  readonly #given: readonly SerialTray[];
  readonly #found = new Map<string, Tried>();
  readonly #find: () => Promise<readonly FoundPort[]>;
  readonly #names = new TrayNames();
  #hear: ((heard: Heard) => void) | undefined;
  #cancel: (() => void) | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: SerialTraysOptions) {
    this.#options = options;
    this.#find = options.find ?? (() => findPorts());
    this.#given = options.given.map((given) => this.#tray(given));
  }

  start(hear: (heard: Heard) => void): void {
    this.#hear = hear;
    for (const tray of this.#given) tray.start(hear);
    if (this.#options.discover) this.#looking = this.#look();
  }

  /** Closes all ports and ends all timers; never rejects. */
  async stop(): Promise<void> {
    this.#hear = undefined;
    this.#cancel?.();
    await this.#looking;
    this.#cancel?.();
    await Promise.all(this.devices().map((tray) => tray.stop()));
  }

  /** Trays at work: the given ones always, the found ones while they are plugged in and no strangers. */
  devices(): readonly SerialTray[] {
    return [...this.#given, ...[...this.#found.values()].filter((t) => !t.left).map((t) => t.tray)];
  }

  /** One status per tray, each with a readable reason where its link is not up. */
  status(): readonly DeviceStatus[] {
    return this.devices().map((tray) => tray.status());
  }

  #tray(given: SerialTraysOptions['given'][number]): SerialTray {
    const { epoch, clock, open } = this.#options;
    return new SerialTray({ ...given, epoch, clock, names: this.#names, ...(open === undefined ? {} : { open }) });
  }

  async #look(): Promise<void> {
    const ports = await this.#find().catch((): readonly FoundPort[] => []);
    const hear = this.#hear;
    if (hear === undefined) return;
    await this.#forget(ports);
    const given = await Promise.all(this.#given.map((t) => realpath(t.path).catch(() => t.path)));
    for (const port of ports) {
      if (given.includes(port.node) || given.includes(port.path) || this.#found.has(port.node)) continue;
      const tray = this.#tray({ path: port.path, anonymous: false });
      this.#found.set(port.node, { tray, since: this.#options.clock.now(), left: false });
      tray.start(hear);
    }
    this.#cancel = this.#options.clock.after(LOOK_MS, () => {
      this.#looking = this.#look();
    });
  }

  /** Drops what was unplugged, and lets go of ports that are somebody else's. */
  async #forget(ports: readonly FoundPort[]): Promise<void> {
    for (const [node, tried] of this.#found) {
      if (!ports.some((p) => p.node === node)) {
        this.#found.delete(node);
        await tried.tray.stop();
      } else if (!tried.left && !tried.tray.met && this.#options.clock.now() - tried.since > STRANGER_MS) {
        tried.left = true;
        await tried.tray.stop();
      }
    }
  }
}
