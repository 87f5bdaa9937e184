import { randomInt } from 'node:crypto';
import type { Daemon, FakeAnswer, FakeDeed, Fault, Readiness, TableOrder } from '../broadcast/daemon.js';
import type { Settings } from '../broadcast/settings.js';
import type { Config } from '../config/schema.js';
import type { BluetoothState } from '../devices/ble/probe.js';
import type { RadioSettings } from '../devices/ble/radio/dice.js';
import type { BluetoothPort } from '../devices/ble/radio/ports.js';
import { type Clock as DeviceClock, monotonicClock } from '../devices/clock.js';
import type { Heard } from '../devices/device.js';
import type { JsonObject } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import { gameById } from '../games/registry.js';
import type { Journal } from '../journal/journal.js';
import type { Heeded } from '../table/hearing.js';
import type { Sighting } from '../table/known-dice.js';
import type { DieListing, TablePort } from '../table/port.js';
import type { Binding } from '../table/record.js';
import { Tables } from '../table/tables.js';
import type { Clock } from '../table/timers.js';
import { AdapterNews } from './adapter-news.js';
import { bluetoothStatus } from './bluetooth-status.js';
import { DeviceSet, FIRST_FAKES, type Hearer } from './device-set.js';
import { firstTable } from './first-table.js';
import { GarbledWords } from './garbled.js';
import { RadioLook } from './radio-look.js';
import type { Happening, Outside } from './recording.js';

/** Where a person at the terminal reads what happens. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, about?: JsonObject) => void;

/** Where the configuration keeps the times of a model. */
const MAKES: ReadonlyMap<string, 'godice' | 'pixels'> = new Map([
  ['GoDice', 'godice'],
  ['Pixels', 'pixels'],
]);

/** How often the links of dice and trays are looked at. */
const LINK_LOOK_MS = 500;

/** The running daemon: its tables, its devices, and what the broadcast may ask of them. */
export class Running implements Daemon {
  readonly version: string;
  readonly log: Log;
  readonly #journal: Journal;
  readonly #tables: Tables;
  readonly #devices: DeviceSet;
  readonly #happened: (happening: Happening) => void;
  /** The configuration as the pages may change it. */
  settings?: Settings;
  #config: Config;
  #bluetooth: BluetoothState | null = null;
  #radio: RadioLook | null = null;
  #ready = false;
  #looking: NodeJS.Timeout | undefined;
  readonly #garbled = new GarbledWords();
  readonly #news = new AdapterNews();

  private constructor(
    version: string,
    config: Config,
    journal: Journal,
    tables: Tables,
    { log, happened }: { readonly log: Log } & Required<Pick<Outside, 'happened'>>,
    devices: (hear: Hearer) => DeviceSet,
  ) {
    this.version = version;
    this.log = log;
    this.#config = config;
    this.#journal = journal;
    this.#tables = tables;
    this.#happened = happened;
    this.#devices = devices((heard) => this.hear(heard));
    journal.onState((state) => {
      if (state.state === 'degraded')
        log('error', `the chronicle cannot be written: ${state.reason}`, { waiting: state.waiting });
      else log('info', 'the chronicle is being written again');
    });
  }

  /** Folds the journal and readies the devices; a journal without tables gets the first one. */
  static async open(
    version: string,
    config: Config,
    journal: Journal,
    log: Log,
    time: DeviceClock = monotonicClock,
    outside: Outside = {},
  ): Promise<Running> {
    const { chance = (sides) => randomInt(1, sides + 1), epoch = journal.epoch, happened = () => undefined } = outside;
    const clock: Clock = { now: time.now, after: time.after, wall: () => Date.now() };
    let devices: DeviceSet | undefined;
    let opened: Running | undefined;
    const tables = await Tables.open({
      journal,
      clock,
      shelf: gameById,
      percentile: config.dice.percentile,
      draw: (sides) => {
        const value = chance(sides);
        happened({ kind: 'drawn', value });
        return value;
      },
      commanded: (table, caller, command) => happened({ kind: 'command', table, caller, command }),
      blink: async (die) => (await devices?.blink(die)) ?? false,
      wanted: () => opened?.wanted(),
      lost: (table, reason) => log('error', `a record of table ${table} was not taken by the chronicle: ${reason}`),
    });
    const running = new Running(version, config, journal, tables, { log, happened }, (hear) => {
      devices = new DeviceSet(config, epoch, hear, time);
      return devices;
    });
    opened = running;
    if (tables.list().length === 0) await tables.create(firstTable(running.fakes));
    return running;
  }

  /** Begins to listen to dice. */
  start(): void {
    this.#devices.start();
    for (const device of this.#devices.fakes()) {
      const { id, model, link } = device.status();
      const type = FIRST_FAKES.find((fake) => fake.id === id)?.type ?? null;
      this.#tables.announce({ id, device: id, model, type, fake: true, link });
    }
    this.#looking = setInterval(() => this.#lookAtLinks(), LINK_LOOK_MS);
    this.#ready = true;
  }

  /** Another configuration: what is read at use holds from the next throw on. */
  configure(config: Config): void {
    this.#config = config;
  }

  /** Takes the trays of another configuration in place of those at work. */
  async renewTrays(config: Config): Promise<void> {
    const before = this.#devices.trays().map((tray) => tray.id);
    await this.#devices.renewTrays(config);
    for (const id of before) this.#tables.linked(id, 'down');
    this.#lookAtLinks();
  }

  bluetooth(state: BluetoothState): void {
    this.#bluetooth = state;
  }

  /** Begins to listen to Bluetooth dice. */
  openBluetooth(settings: RadioSettings): BluetoothPort {
    const port = this.#devices.openBluetooth(settings);
    port.tap((frame) => this.#happened({ kind: 'frame', frame }));
    const sighted = (die: Sighting): void => this.#happened({ kind: 'sighted', die });
    this.#radio = new RadioLook(port, this.#tables, () => performance.now(), sighted);
    this.#radio.want();
    return port;
  }

  /** The tables say that others are to be listened to. */
  wanted(): void {
    this.#radio?.want();
  }

  /** Takes what a device says. */
  hear(heard: Heard): Heeded {
    this.#adopt(heard);
    if (heard.signal.kind === 'garbled') this.#garbled.note(heard.device, heard.signal);
    return this.#tables.hear(this.#timed(heard));
  }

  /** Links change without a word of the die; a tray that is met can be enrolled before its first throw. */
  #lookAtLinks(): void {
    this.#radio?.look();
    const adapters = this.#devices.bluetooth()?.state().adapters ?? [];
    for (const { level, text } of this.#news.note(adapters)) this.log(level, text);
    for (const { id, model, fake, link } of this.#devices.status()) {
      if (link === 'up') this.#tables.announce({ id, device: id, model, type: null, fake, link });
      this.#tables.linked(id, link);
    }
  }

  /** A tray that the owner named in the configuration is nobody's stranger: the only table takes it, shared. */
  #adopt(heard: Heard): void {
    const [table, second] = this.#tables.list();
    const known = this.#tables.owned(heard.device) || (heard.die !== undefined && this.#tables.owned(heard.die.id));
    if (heard.fake || heard.die === undefined || known || table === undefined || second !== undefined) return;
    const { model } = heard.die;
    if (!this.#config.devices.serial.some((port) => port.path !== 'auto')) return;
    const binding: Binding = { die: heard.device, device: heard.device, model, seat: null, duty: 'rolls' };
    table.commit('binding', { v: 1, table: [{ kind: 'die_enrolled', ev: 1, binding }] });
  }

  /** Settling and dwell are the table's to choose (configuration `dice`). */
  #timed(heard: Heard): Heard {
    const make = heard.die === undefined ? undefined : MAKES.get(heard.die.model);
    if (heard.die === undefined || make === undefined) return heard;
    const { settle, dwell } = this.#config.dice;
    return { ...heard, die: { ...heard.die, settleMs: settle[make], dwellMs: dwell[make] } };
  }

  tables(): readonly TablePort[] {
    return this.#tables.list();
  }

  onTable(listener: (table: TablePort) => void): () => void {
    return this.#tables.onTable(listener);
  }

  async createTable(order: TableOrder): Promise<Result<TablePort, Fault>> {
    const seats = (order.seats ?? []).map((seat) => ({ id: seat.id, name: seat.name ?? seat.id }));
    const { seats: _seats, ...rest } = order;
    this.#happened({ kind: 'table', order: { ...rest, seats } });
    const made = await this.#tables.create({ ...rest, seats });
    if (made.ok) return ok(made.value);
    const status = made.error.code === 'table_exists' || made.error.code === 'too_many_tables' ? 409 : 400;
    const { code, reason: message, expected } = made.error;
    return err({ status, code, message, ...(expected && { remedy: `expected: ${expected}` }) });
  }

  status(): JsonObject {
    const { fake, serial } = this.#config.devices;
    return {
      ble: bluetoothStatus(this.#bluetooth, this.#devices.bluetooth()),
      serial: {
        state: serial.length === 0 ? 'off' : 'on',
        reason: serial.length === 0 ? 'no tray is configured: set devices.serial' : null,
        trays: this.#devices.trays().map((device) => this.#garbled.statusOf(device)),
      },
      fake: {
        state: this.#devices.fakes().length > 0 ? 'on' : 'off',
        setting: fake,
        devices: this.#devices.fakes().map((device) => this.#garbled.statusOf(device)),
      },
      journal: { ...this.#journal.state(), queued: this.#journal.waiting() } as JsonObject,
      ...(this.settings === undefined ? {} : { configuration: { ...this.settings.brief() } }),
    };
  }

  /** True where there are simulated dice. */
  get fakes(): boolean {
    return this.#devices.fakes().length > 0;
  }

  /** The tables themselves, for a recording and its replay. */
  get house(): Tables {
    return this.#tables;
  }

  dice(): readonly DieListing[] {
    return this.#tables.listings();
  }

  async fake(device: string, deed: FakeDeed): Promise<Result<FakeAnswer, Fault>> {
    this.#happened({ kind: 'fake', device, deed });
    const done = this.#devices.drive(device, deed);
    this.#lookAtLinks();
    return done;
  }

  readiness(): Readiness {
    const state = this.#journal.state();
    const reasons = [
      ...(this.#ready ? [] : ['starting']),
      ...(state.state === 'degraded' ? [`the chronicle cannot be written: ${state.reason}`] : []),
    ];
    return { ready: reasons.length === 0, reasons };
  }

  gauges(): Readonly<Record<string, number>> {
    const counters = this.#devices.status().map((status) => status.counters);
    const sum = (name: string): number => counters.reduce((total, own) => total + (own[name] ?? 0), 0);
    return {
      tables: this.#tables.list().length,
      journal_waiting: this.#journal.waiting(),
      journal_degraded: this.#journal.state().state === 'degraded' ? 1 : 0,
      garbled_total: sum('garbled'),
      devices: counters.length,
    };
  }

  /** Ends devices and timers; what is queued for the journal stays queued. */
  async stop(): Promise<void> {
    this.#ready = false;
    clearInterval(this.#looking);
    await this.#devices.stop();
    this.#tables.stop();
    await Promise.all(this.#tables.list().map((table) => (table.degraded() ? undefined : table.settled())));
  }

  /** One line per thing that a person should know at the start. */
  summary(): {
    readonly fakes: readonly string[];
    readonly trays: readonly string[];
    readonly tables: readonly string[];
  } {
    return {
      fakes: this.#devices.fakes().map((device) => device.id),
      trays: this.#devices.trays().map((device) => device.id),
      tables: this.#tables.list().map((table) => table.id),
    };
  }
}
