import type { FakeAnswer, FakeDeed, Fault } from '../broadcast/daemon.js';
import type { Config } from '../config/schema.js';
import { BluetoothDice, type RadioSettings } from '../devices/ble/radio/dice.js';
import type { BluetoothPort } from '../devices/ble/radio/ports.js';
import { type Clock, monotonicClock } from '../devices/clock.js';
import type { Device, DeviceStatus, Heard, Signal } from '../devices/device.js';
import { FakeGodice } from '../devices/fake/fake-godice.js';
import { FakePixels } from '../devices/fake/fake-pixels.js';
import { FakeTray } from '../devices/fake/fake-tray.js';
import { fromHex } from '../devices/hex.js';
import { SerialTrays } from '../devices/serial/trays.js';
import { err, ok, type Result } from '../dice/result.js';
import type { Heeded } from '../table/hearing.js';
import { plainSignal } from '../table/tables.js';

/** Dice that are there on a first start, so that a newcomer sees rolls before owning a smart die (contracts G). */
export const FIRST_FAKES = [
  { id: 'fake-godice-d20', model: 'GoDice', type: 'd20', seat: 'ada' },
  { id: 'fake-godice-d6', model: 'GoDice', type: 'd6', seat: 'ada', counter: 'pa' },
  { id: 'fake-pixels-d20', model: 'Pixels', type: 'd20', seat: 'bea' },
  { id: 'fake-pixels-d6', model: 'Pixels', type: 'd6', seat: 'bea', counter: 'pa' },
] as const;
export const FAKE_TRAY = 'fake-tray';

type Fake = FakeGodice | FakePixels | FakeTray;

/** Hands a signal on. @returns what comes of it */
export type Hearer = (heard: Heard) => Heeded;

/** All devices of the daemon, real and fake. */
export class DeviceSet {
  readonly #fakes = new Map<string, Fake>();
  readonly #epoch: number;
  readonly #clock: Clock;
  readonly #hear: Hearer;
  #trays: SerialTrays;
  #bluetooth: BluetoothDice | null = null;
  #renewals = 0;
  #started = false;
  #caught: Heeded[] | null = null;

  constructor(config: Config, epoch: number, hear: Hearer, clock: Clock = monotonicClock) {
    this.#hear = hear;
    if (fakesWanted(config)) {
      for (const { id, model, type } of FIRST_FAKES) {
        const made =
          model === 'Pixels'
            ? new FakePixels({ id, type, epoch, clock })
            : new FakeGodice({ id, shell: type, epoch, clock });
        this.#fakes.set(id, made);
      }
      this.#fakes.set(FAKE_TRAY, new FakeTray({ id: FAKE_TRAY, epoch, clock }));
    }
    this.#epoch = epoch;
    this.#clock = clock;
    this.#trays = traysOf(config, epoch, clock);
  }

  start(): void {
    this.#started = true;
    for (const fake of this.#fakes.values()) fake.start(this.#heard);
    this.#trays.start(this.#heard);
    this.#bluetooth?.start(this.#heard);
  }

  readonly #heard = (heard: Heard): void => {
    const outcome = this.#hear(heard);
    this.#caught?.push(outcome);
  };

  /**
   * Lets go of all serial ports and takes those of another configuration. What a tray says from then on is told apart from
   * before; the fakes stay as they are.
   */
  async renewTrays(config: Config): Promise<void> {
    await this.#trays.stop();
    this.#renewals += 1;
    this.#trays = traysOf(config, `${this.#epoch}r${this.#renewals}`, this.#clock);
    if (this.#started) this.#trays.start(this.#heard);
  }

  /** Begins to listen to Bluetooth dice; a second time it changes nothing. */
  openBluetooth(settings: RadioSettings): BluetoothPort {
    if (this.#bluetooth !== null) return this.#bluetooth;
    this.#bluetooth = new BluetoothDice({ ...settings, run: this.#epoch, clock: this.#clock });
    if (this.#started) this.#bluetooth.start(this.#heard);
    return this.#bluetooth;
  }

  /** The Bluetooth dice; null where there is no Bluetooth. */
  bluetooth(): BluetoothPort | null {
    return this.#bluetooth;
  }

  async stop(): Promise<void> {
    this.#started = false;
    await this.#bluetooth?.stop();
    await Promise.all([...this.#fakes.values()].map((fake) => fake.stop()));
    await this.#trays.stop();
  }

  fakes(): readonly Device[] {
    return [...this.#fakes.values()];
  }

  trays(): readonly Device[] {
    return this.#trays.devices();
  }

  status(): readonly DeviceStatus[] {
    return this.#devices().map((device) => device.status());
  }

  #devices(): readonly Device[] {
    return [...this.fakes(), ...this.trays(), ...(this.#bluetooth?.devices() ?? [])];
  }

  /** Makes a die blink; false where no device knows it or the model cannot. */
  async blink(die: string): Promise<boolean> {
    for (const device of this.#devices()) {
      if ((await device.blink?.(die)) === true) return true;
    }
    return false;
  }

  /** Drives a fake device and waits until what came of it is on disk (contracts E). */
  async drive(id: string, deed: FakeDeed): Promise<Result<FakeAnswer, Fault>> {
    const fake = this.#fakes.get(id);
    if (fake === undefined) {
      const known = [...this.#fakes.keys()].join(', ');
      const remedy = known === '' ? 'set devices.fake to "on"' : `one of ${known}`;
      return err({
        status: 404,
        code: 'no_such_device',
        message: `there is no fake device "${id.slice(0, 40)}"`,
        remedy,
      });
    }
    this.#caught = [];
    const signals = act(fake, deed);
    const outcomes = this.#caught;
    this.#caught = null;
    if (!signals.ok) return signals;
    // Whoever sets a tracker waits until it has lain still; bytes may be meant to pass over faces.
    const waited = outcomes.flatMap(({ outcome, dwelt }) =>
      deed.verb === 'set' && dwelt !== undefined ? [outcome, dwelt] : [outcome],
    );
    const judged = (await Promise.all(waited)).filter((outcome) => outcome !== null);
    const last = judged.at(-1);
    const roll = judged
      .map((outcome) => outcome.roll?.id)
      .filter((known) => known !== undefined)
      .at(-1);
    return ok({ signals: signals.value.map(plainSignal), roll: roll ?? null, seq: last?.seq ?? null });
  }
}

function traysOf(config: Config, epoch: string | number, clock: Clock): SerialTrays {
  const { serial } = config.devices;
  return new SerialTrays({
    given: serial
      .filter((port) => port.path !== 'auto')
      .map((port) => ({
        path: port.path,
        baud: port.baud,
        ...(port.id === undefined ? {} : { id: port.id }),
        ...(port.compat === true ? { compat: { die: 'd20' as const } } : {}),
      })),
    discover: serial.some((port) => port.path === 'auto'),
    epoch,
    clock,
  });
}

/** Fakes go by themselves when a real device is configured; `on` and `off` say it outright. */
export function fakesWanted(config: Config): boolean {
  if (config.devices.fake !== 'auto') return config.devices.fake === 'on';
  return config.devices.serial.length === 0;
}

const wrong = (message: string, where: string): Result<never, Fault> =>
  err({ status: 400, code: 'bad_request', message, where });

function act(fake: Fake, deed: FakeDeed): Result<readonly Signal[], Fault> {
  switch (deed.verb) {
    case 'notify': {
      const bytes = fromHex(deed.hex);
      return bytes === undefined || bytes === null
        ? wrong('not hex: two digits a byte', 'hex')
        : ok(fake.notify(bytes));
    }
    case 'link':
      return ok(fake.link(deed.up));
    case 'roll': {
      const signals = typeof deed.natural === 'number' ? fake.roll(deed.natural) : err('a natural result is a number');
      return signals.ok ? signals : wrong(signals.error, 'natural');
    }
    case 'set': {
      const signals = typeof deed.face === 'number' ? fake.set(deed.face) : err('a face is a number');
      return signals.ok ? signals : wrong(signals.error, 'face');
    }
    case 'line':
      return fake instanceof FakeTray ? ok(fake.line(deed.text)) : wrong('only a tray speaks in lines', 'text');
  }
}
