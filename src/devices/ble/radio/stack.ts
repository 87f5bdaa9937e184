import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { ADAPTER_STATES, type AdapterState } from './messages.js';
import { packetsOf, type Told } from './rebuilt.js';
import type { Packet } from './sightings.js';

/** A characteristic as the libraries give it: its callbacks may never come. */
export interface Characteristic extends EventEmitter {
  readonly uuid: string;
  subscribe(done: (error?: unknown) => void): void;
  write(data: Buffer, withoutResponse: boolean, done: (error?: unknown) => void): void;
}

export interface Service {
  readonly uuid: string;
  discoverCharacteristics(uuids: string[], done: (error: unknown, found?: Characteristic[]) => void): void;
}

/** A peripheral as the libraries give it. `state` may be wrong after a link that was lost while it came up. */
export interface Peripheral extends EventEmitter {
  readonly address: string;
  readonly advertisement?: Told;
  readonly rssi: number;
  readonly mtu: number | null;
  state: string;
  connect(options: object): void;
  cancelConnect(): void;
  disconnect(): void;
  discoverServices(uuids: string[], done: (error: unknown, found?: Service[]) => void): void;
}

interface Library extends EventEmitter {
  startScanning(services: string[], duplicates: boolean): void;
  stopScanning(): void;
  readonly _bindings?: { readonly _hci?: Controller };
}

/** The libraries' own link to the controller, where they have one: on Linux, and wherever a serial port is the way. */
interface Controller extends EventEmitter {
  onSocketData?: (data: Buffer) => void;
  readonly _socket?: EventEmitter;
}

/** What the radio process uses of a Bluetooth library, whichever it is. */
export interface Stack {
  readonly driver: string;
  /** Begins to listen to the adapter. */
  start(): void;
  startScan(): void;
  stopScan(): void;
  /** The library's peripheral of an address whose packet was heard just now; undefined where it has not met it. */
  peripheral(address: string, kind: string, advert: Uint8Array): Peripheral | undefined;
  readonly met: number;
  /** Lets the library's peripheral of a lost link go, with every listener on it. */
  forget(address: string): void;
}

export interface StackEvents {
  state(state: AdapterState): void;
  address(address: string): void;
  packet(packet: Packet): void;
  /** The controller answered a command to scan or to stop; `status` 0 is yes. */
  scanAnswered(status: number): void;
  /** A packet made the library stumble; the rest of that packet is lost. */
  malformed(error: unknown): void;
}

export type Driver = 'abandonware' | 'stoprocent';

type Ear = (...report: unknown[]) => void;

const SCAN_RESPONSE = 4;
const CONNECTABLE = 0;

/** Loads a Bluetooth library; throws what it throws. Only the radio process may call it. */
export function loadStack(driver: Driver, events: StackEvents): Stack {
  // Every packet is wanted, not only those that complete a scan response.
  process.env.NOBLE_REPORT_ALL_HCI_EVENTS = '1';
  const require = createRequire(import.meta.url);
  return new NobleStack(driver, require(`@${driver}/noble`) as Library, events);
}

const hasWord = (state: unknown): state is AdapterState => (ADAPTER_STATES as readonly unknown[]).includes(state);

class NobleStack implements Stack {
  readonly driver: string;
  readonly #library: Library;
  readonly #events: StackEvents;
  readonly #peripherals = new Map<string, Peripheral>();
  /** The library's own listeners for advertisements: it keeps every address for ever, so it hears only of those to connect. */
  #ears: readonly Ear[] = [];
  #controller: Controller | undefined;

  constructor(driver: string, library: Library, events: StackEvents) {
    this.driver = driver;
    this.#library = library;
    this.#events = events;
  }

  get met(): number {
    return this.#peripherals.size;
  }

  start(): void {
    this.#library.on('discover', (peripheral: Peripheral) => this.#discovered(peripheral));
    // With the first listener for it the library begins, in the next turn.
    this.#library.on('stateChange', (state: unknown) => {
      if (hasWord(state)) this.#events.state(state);
    });
    setImmediate(() => this.#takeController());
  }

  startScan(): void {
    this.#library.startScanning([], true);
  }

  stopScan(): void {
    this.#library.stopScanning();
  }

  peripheral(address: string, kind: string, advert: Uint8Array): Peripheral | undefined {
    for (const ear of this.#ears) ear.call(this.#controller, 0, CONNECTABLE, address, kind, Buffer.from(advert), 0);
    return this.#peripherals.get(address);
  }

  forget(address: string): void {
    this.#peripherals.get(address)?.removeAllListeners();
    if (this.#controller !== undefined) this.#peripherals.delete(address);
  }

  #discovered(peripheral: Peripheral): void {
    this.#peripherals.set(peripheral.address, peripheral);
    if (this.#controller !== undefined || peripheral.advertisement === undefined) return;
    const at = performance.now();
    for (const { response, data } of packetsOf(peripheral.advertisement)) {
      this.#events.packet({ address: peripheral.address, kind: 'random', response, data, rssi: peripheral.rssi, at });
    }
  }

  #takeController(): void {
    const controller = this.#library._bindings?._hci;
    if (controller === undefined) {
      this.#library.on('scanStart', () => this.#events.scanAnswered(0));
      this.#library.on('scanStop', () => this.#events.scanAnswered(0));
      return;
    }
    this.#controller = controller;
    controller.on('addressChange', (address: unknown) => this.#events.address(String(address).toLowerCase()));
    controller.on('leScanEnableSet', (status: unknown) => this.#events.scanAnswered(Number(status)));
    this.#ears = controller.listeners('leAdvertisingReport') as Ear[];
    controller.removeAllListeners('leAdvertisingReport');
    controller.on('leAdvertisingReport', (...report: unknown[]) => this.#heard(report));
    this.#guard(controller);
  }

  #heard([, type, address, addressType, data, rssi]: readonly unknown[]): void {
    if (typeof address !== 'string' || !(data instanceof Uint8Array)) return;
    const kind = addressType === 'public' ? 'public' : 'random';
    const response = type === SCAN_RESPONSE;
    this.#events.packet({ address, kind, response, data, rssi: Number(rssi), at: performance.now() });
  }

  /** A die can send bytes that make the library throw in the middle of a packet: that packet is lost, not the process. */
  #guard(controller: Controller): void {
    const heed = controller.onSocketData;
    const socket = controller._socket;
    if (heed === undefined || socket === undefined) return;
    const guarded = (data: Buffer): void => {
      try {
        heed.call(controller, data);
      } catch (error) {
        this.#events.malformed(error);
      }
    };
    controller.onSocketData = guarded;
    socket.removeAllListeners('data');
    socket.on('data', guarded);
  }
}
