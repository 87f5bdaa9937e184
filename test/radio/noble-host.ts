import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BluetoothDriver as Driver } from '../../src/devices/ble/probe.js';
import { STATUS } from './hci.js';
import { type RadioOptions, VirtualRadio } from './virtual-radio.js';

/** What became of a promise of the library; `never`: nothing within the patience of the question. */
export interface Settled {
  readonly settled: 'resolved' | 'rejected' | 'threw' | 'never';
  readonly value?: unknown;
  readonly error?: string;
}

type Told = { readonly event: string; readonly address?: string; readonly [field: string]: unknown };
type Message = Settled & Partial<Told> & { readonly id?: number };
/** A characteristic as the library tells of it. */
export interface Found {
  readonly uuid: string;
  readonly properties: readonly string[];
}

type Deed = { readonly do: string; readonly [field: string]: unknown };

/** Long for something that comes, even on a busy machine; and how long one that never comes is waited for. */
const PATIENCE_MS = 30_000;
export const NEVER_MS = 1_200;

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface LabOptions extends RadioOptions {
  readonly driver: Driver;
  readonly env?: { readonly [name: string]: string };
  /** Commands that the controller refuses from the start. */
  readonly refused?: readonly number[];
}

/** A virtual radio and a process with the unmodified library that speaks to it over a unix socket. */
export class NobleLab {
  readonly radio: VirtualRadio;
  readonly told: Told[] = [];
  /** How the process ended, if it has. */
  ended: { readonly code: number | null; readonly words: string } | null = null;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tiro-noble-'));
  readonly #socket = join(this.#folder, 'hci');
  readonly #server: Server;
  readonly #host: ChildProcess;
  readonly #answers = new Map<number, (settled: Settled) => void>();
  readonly #watchers = new Set<() => void>();
  #line: Socket | null = null;
  #words = '';
  #ids = 0;

  private constructor({ driver, env = {}, refused = [], ...options }: LabOptions) {
    this.radio = new VirtualRadio(options);
    for (const opcode of refused) this.radio.controller.faults.refuse.set(opcode, STATUS.disallowed);
    this.#server = createServer((line) => {
      this.#line = line;
      this.radio.attach(line);
    }).listen(this.#socket);
    this.#host = fork(beside('noble-host.cjs'), [], {
      execArgv: ['--require', beside('preload.cjs')],
      env: { ...process.env, NOBLE_DRIVER: driver, VIRTUAL_RADIO_SOCKET: this.#socket, ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#host.stderr?.on('data', (chunk: Buffer) => {
      this.#words += chunk.toString();
    });
    this.#host.on('message', (message) => this.#hear(message as Message));
    this.#host.once('close', (code) => {
      this.ended = { code, words: this.#words };
      this.#look();
    });
  }

  /** Starts both; the library is powered on when this resolves. */
  static async open(options: LabOptions): Promise<NobleLab> {
    const lab = new NobleLab(options);
    await lab.until('poweredOn', () => lab.count('state', { state: 'poweredOn' }) > 0);
    return lab;
  }

  /** Asks the library for something; `never` after `ms` without an outcome. */
  async ask(deed: Deed, ms = PATIENCE_MS): Promise<Settled> {
    this.#ids += 1;
    const id = this.#ids;
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve({ settled: 'never' }), ms);
      this.#answers.set(id, (settled) => {
        clearTimeout(late);
        resolve(settled);
      });
      if (this.#host.connected) this.#host.send({ id, ...deed });
    });
  }

  /** Asks, and takes anything but success for a failure of the test. */
  async do(deed: Deed): Promise<unknown> {
    const { settled, value, error } = await this.ask(deed);
    if (settled !== 'resolved') throw new Error(`${deed.do}: ${settled} ${error ?? ''}`);
    return value;
  }

  /** Scans until a peripheral is met. */
  async meet(...addresses: readonly string[]): Promise<void> {
    await this.do({ do: 'scan', duplicates: true });
    await this.until('met', () => addresses.every((address) => this.count('discover', { address }) > 0));
  }

  /** Meets a peripheral, links to it and looks at what it has. */
  async link(address: string, terms?: object): Promise<readonly Found[]> {
    await this.meet(address);
    await this.do({ do: 'connect', address, terms });
    return (await this.do({ do: 'discover', address })) as readonly Found[];
  }

  /** How often something was told with these fields. */
  count(event: string, fields: { readonly [field: string]: unknown } = {}): number {
    return this.told.filter(
      (one) => one.event === event && Object.entries(fields).every(([name, value]) => one[name] === value),
    ).length;
  }

  /** Waits until `ready` holds; it is looked at after everything the process tells. */
  async until(what: string, ready: () => boolean, ms = PATIENCE_MS): Promise<void> {
    for (let left = ms; !ready(); left -= 10) {
      if (left <= 0) throw new Error(`${what}: not within ${ms} ms; ${this.#words}`);
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, 10);
        this.#watchers.add(() => {
          clearTimeout(late);
          resolve();
        });
      });
      this.#watchers.clear();
    }
  }

  /** Switches the adapter off. */
  powerOff(): void {
    this.radio.controller.reset();
    this.#server.close();
    this.#line?.destroy();
  }

  powerOn(): void {
    this.#server.listen(this.#socket);
  }

  async close(): Promise<void> {
    this.radio.close();
    this.#server.close();
    if (this.ended === null) {
      const gone = new Promise((resolve) => this.#host.once('close', resolve));
      this.#host.kill('SIGKILL');
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #hear(message: Message): void {
    const { id, event } = message;
    if (id !== undefined) this.#answers.get(id)?.(message);
    else if (event !== undefined) this.told.push({ ...message, event });
    this.#look();
  }

  #look(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}
