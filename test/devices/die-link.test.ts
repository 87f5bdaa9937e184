import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { DieLink, RELEASE_MS, SILENT_WRITES, WRITE_MS } from '../../src/devices/ble/radio/die-link.js';
import type { Report } from '../../src/devices/ble/radio/messages.js';
import type { Characteristic, Peripheral, Service } from '../../src/devices/ble/radio/stack.js';

const NORDIC = 'b5a3f393e0a9e50e24dcca9e';
type Done = (error?: unknown) => void;

/** A GoDice as a library shows it, which tells what is done to it and answers as a test says. */
class Paper extends EventEmitter implements Peripheral {
  readonly address = 'c0:00:00:00:00:01';
  readonly rssi = -50;
  mtu: number | null = 512;
  state = 'disconnected';
  readonly deeds: string[] = [];
  readonly written: Done[] = [];
  hangsUp = true;
  readonly hears: Characteristic;
  readonly #writes: Characteristic;

  constructor() {
    super();
    const subscribe = (done: Done): void => {
      this.deeds.push('subscribe');
      done();
    };
    const write = (data: Buffer, _: boolean, done: Done): void => {
      this.deeds.push(`write ${data.toString('hex')}`);
      this.written.push(done);
    };
    const shaped = (uuid: string): Characteristic =>
      Object.assign(new EventEmitter(), { uuid, subscribe, write }) as Characteristic;
    this.hears = shaped(`6e400003${NORDIC}`);
    this.#writes = shaped(`6e400002${NORDIC}`);
  }

  connect(): void {
    this.deeds.push('connect');
    this.state = 'connected';
    this.emit('connect');
  }

  cancelConnect(): void {
    this.deeds.push('cancel');
  }

  disconnect(): void {
    this.deeds.push('disconnect');
    if (this.hangsUp) this.emit('disconnect', 22);
  }

  discoverServices(uuids: string[], done: (error: unknown, found?: Service[]) => void): void {
    const found = [this.hears, this.#writes];
    const service: Service = {
      uuid: uuids[0] ?? '',
      discoverCharacteristics: (_, told) => told(null, found),
    };
    done(null, [service]);
  }
}

function linked() {
  const peripheral = new Paper();
  const told: Report[] = [];
  let ended = 0;
  const link = new DieLink({
    die: 'godice-bc0940',
    make: 'GoDice',
    link: 4,
    peripheral,
    tell: (report) => told.push(report),
    ended: () => {
      ended += 1;
    },
  });
  return { peripheral, told, link, ended: () => ended };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const until = async (ready: () => boolean): Promise<void> => {
  while (!ready()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe.concurrent('one link to one die', () => {
  test('hears before it writes, and writes one thing after the other (F109)', async () => {
    const { peripheral, told, link } = linked();
    await link.open();
    expect(told).toEqual([{ tell: 'up', die: 'godice-bc0940', link: 4, mtu: 256 }]);
    link.write(1, Uint8Array.of(0x19));
    link.write(2, Uint8Array.of(0x03));
    await turn();
    expect(peripheral.deeds).toEqual(['connect', 'subscribe', 'write 19']);
    peripheral.written[0]?.();
    await turn();
    expect(peripheral.deeds.at(-1)).toBe('write 03');
    peripheral.written[1]?.(new Error('no'));
    await turn();
    const wrote = told.filter((report) => report.tell === 'wrote').map(({ id, ok }) => [id, ok]);
    expect(wrote).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  test('numbers what it hears from 1, with one listener, and nothing after its end', async () => {
    const { peripheral, told, link, ended } = linked();
    await link.open();
    expect(link.listeners).toBe(1);
    peripheral.hears.emit('data', Buffer.from('52', 'hex'));
    peripheral.hears.emit('data', Buffer.from('52', 'hex'));
    peripheral.emit('disconnect', 8);
    peripheral.hears.emit('data', Buffer.from('52', 'hex'));
    expect(told.flatMap((report) => (report.tell === 'notification' ? [report.n] : []))).toEqual([1, 2]);
    expect(told.at(-1)).toMatchObject({ tell: 'down', link: 4 });
    expect([link.listeners, peripheral.listenerCount('disconnect'), ended()]).toEqual([0, 0, 1]);
  });

  test('is over although the die never says so (F058)', async () => {
    const { peripheral, told, link } = linked();
    peripheral.hangsUp = false;
    await link.open();
    const began = performance.now();
    await link.release();
    expect(performance.now() - began).toBeGreaterThan(RELEASE_MS - 100);
    expect(told.at(-1)).toMatchObject({ tell: 'down', why: 'released' });
  });

  test('lets go of what is not connected without a word: an unknown handle would cut another die (G7, G22c)', async () => {
    const { peripheral, told, link } = linked();
    peripheral.connect = () => {
      peripheral.emit('disconnect', 0x3e);
      peripheral.state = 'connected';
      peripheral.emit('connect');
    };
    await link.open();
    expect(told).toMatchObject([{ tell: 'failed', die: 'godice-bc0940' }]);
    expect(peripheral.deeds).not.toContain('disconnect');
  });

  test('ends when no write is answered any more, and answers every one', { timeout: 60_000 }, async () => {
    const { told, link } = linked();
    await link.open();
    for (let id = 1; id <= SILENT_WRITES + 2; id += 1) link.write(id, Uint8Array.of(0x03));
    await until(() => told.some(({ tell }) => tell === 'down'));
    await until(() => told.filter(({ tell }) => tell === 'wrote').length === SILENT_WRITES + 2);
    expect(WRITE_MS * SILENT_WRITES).toBeLessThan(10_000);
  });
});
