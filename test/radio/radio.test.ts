import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { DieEvent } from './die.js';
import { H4Splitter } from './h4.js';
import { ACL, addressBytes, COMMAND, OP, STATUS, u16 } from './hci.js';
import { noNoble, noTshark } from './needs.js';
import { NobleLab } from './noble-host.js';
import { StepTime } from './time.js';
import { malformedIn, packetsIn } from './tshark.js';
import { type RadioOptions, VirtualRadio } from './virtual-radio.js';

const D20 = { make: 'pixels', id: '03ef405d', kind: 'd20' } as const;
const GODICE = { make: 'godice', id: 'BC0940', shell: 'd20' } as const;
const INTERVAL_MS = 15;
const SUPERVISION_MS = 3_000;

/** 17 by each make. */
const RESTS = [/^030110$/, /^5453/];

/** A host that writes commands byte by byte and keeps all it is told, in a time that passes as the test says. */
class Bench {
  readonly time = new StepTime();
  readonly events: DieEvent[] = [];
  readonly told: Buffer[] = [];
  readonly radio: VirtualRadio;
  readonly #line: Duplex;

  constructor(options: RadioOptions = {}) {
    this.radio = new VirtualRadio({ ...options, time: this.time, tell: (event) => this.events.push(event) });
    const splitter = new H4Splitter();
    this.#line = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        this.told.push(...splitter.push(chunk));
        done();
      },
    });
    this.radio.attach(this.#line);
  }

  command(opcode: number, ...params: readonly number[]): void {
    this.#line.emit('data', Buffer.from([COMMAND, ...u16(opcode), params.length, ...params]));
  }

  /** Asks for a link with 15 ms and 3 s, and lets time pass until it is there. Returns its handle. */
  link(address: string): number {
    const terms = [...u16(12), ...u16(12), ...u16(0), ...u16(300), ...u16(0), ...u16(0)];
    this.command(OP.connect, ...u16(96), ...u16(48), 0, 1, ...addressBytes(address), 0, ...terms);
    this.time.pass(1_000);
    const link = this.radio.controller.links.find(({ peripheral }) => peripheral.address === address);
    if (link === undefined) throw new Error('no link');
    return link.handle;
  }

  att(handle: number, ...pdu: readonly number[]): void {
    const frame = [...u16(pdu.length), ...u16(4), ...pdu];
    this.#line.emit('data', Buffer.from([ACL, ...u16(handle), ...u16(frame.length), ...frame]));
  }

  /** Attribute messages the host was handed, in hex. */
  get heard(): readonly string[] {
    const frames: Buffer[] = [];
    for (const packet of this.told) {
      if (packet[0] !== ACL) continue;
      const [first, data] = [packet.readUInt16LE(1) >> 12 === 2, packet.subarray(5)];
      const last = frames.length - 1;
      if (first) frames.push(data);
      else frames[last] = Buffer.concat([frames[last] ?? Buffer.alloc(0), data]);
    }
    return frames.map((frame) => frame.subarray(4).toString('hex'));
  }

  eventsOf(code: number): readonly Buffer[] {
    return this.told.filter((packet) => packet[0] === 4 && packet[1] === code);
  }
}

/** The notify switch of a Pixels die of today stands at handle 8, what it takes at 10. */
const SUBSCRIBE = [0x12, 8, 0, 1, 0] as const;
const ASK = [0x12, 10, 0, 1] as const;
const MTU_256 = [0x02, 0, 1] as const;

describe('the virtual radio', () => {
  test('a lost link is told when the supervision timeout has passed since the last connection event', () => {
    const bench = new Bench();
    const die = bench.radio.add(D20);
    const handle = bench.link(die.address);
    bench.radio.cutLink(D20.id);
    bench.time.pass(SUPERVISION_MS - INTERVAL_MS - 1);
    expect(bench.eventsOf(0x05)).toEqual([]);
    bench.time.pass(INTERVAL_MS + 1);
    expect(bench.eventsOf(0x05).map((packet) => [packet.readUInt16LE(4), packet[6]])).toEqual([
      [handle, STATUS.timeout],
    ]);
    expect(bench.events.map(({ event }) => event)).toEqual(['linked', 'unlinked']);
  });

  test('what a die says while it is out of reach arrives if it is back in time, and in order', () => {
    const bench = new Bench();
    const die = bench.radio.add(D20);
    const handle = bench.link(die.address);
    bench.att(handle, ...SUBSCRIBE);
    bench.time.pass(100);
    bench.radio.cutLink(D20.id);
    for (const index of [1, 2, 3]) die.say(Buffer.from([0x03, 0x05, index]));
    bench.time.pass(SUPERVISION_MS - 100);
    bench.radio.restoreLink(D20.id);
    bench.time.pass(100);
    expect(bench.heard.filter((pdu) => pdu.startsWith('1b'))).toEqual(['1b0700030501', '1b0700030502', '1b0700030503']);
  });

  test('an answer waits for a connection event each way; a lost one costs an interval and no message', () => {
    const bench = new Bench();
    const die = bench.radio.add(D20);
    const handle = bench.link(die.address);
    bench.att(handle, ...SUBSCRIBE);
    bench.time.pass(INTERVAL_MS);
    expect(bench.heard).toEqual([]);
    bench.time.pass(INTERVAL_MS);
    expect(bench.heard).toEqual(['13']);
    const link = bench.radio.link(D20.id);
    if (link !== undefined) link.loss = 0.5;
    for (let index = 0; index < 20; index += 1) die.say(Buffer.from([0x03, 0x05, index]));
    bench.time.pass(1_000);
    expect(bench.heard).toHaveLength(21);
  });

  test('credits: buffers come back as their packets leave; what is sent beyond them is counted', () => {
    const bench = new Bench({ traits: { aclBuffers: 2 } });
    const die = bench.radio.add(D20);
    const handle = bench.link(die.address);
    for (let i = 0; i < 2; i += 1) bench.att(handle, ...ASK);
    expect(bench.radio.controller.overruns).toBe(0);
    bench.att(handle, ...ASK);
    expect(bench.radio.controller.overruns).toBe(1);
    bench.time.pass(INTERVAL_MS);
    expect(bench.eventsOf(0x13).reduce((sum, packet) => sum + packet.readUInt16LE(6), 0)).toBe(3);
    bench.att(handle, ...ASK);
    expect(bench.radio.controller.overruns).toBe(1);
  });

  test('a die speaks only to who has subscribed, cuts to the MTU, and loses what its queue does not hold', () => {
    const bench = new Bench();
    const die = bench.radio.add(D20);
    const handle = bench.link(die.address);
    bench.att(handle, ...ASK);
    bench.time.pass(100);
    expect(bench.heard).toEqual(['13']);
    bench.att(handle, ...SUBSCRIBE);
    bench.att(handle, ...ASK);
    bench.time.pass(100);
    expect(bench.heard.filter((pdu) => pdu.startsWith('1b')).map((pdu) => pdu.length / 2)).toEqual([23]);
    bench.att(handle, ...MTU_256);
    bench.att(handle, ...ASK);
    bench.time.pass(100);
    expect(bench.heard.filter((pdu) => pdu.startsWith('1b')).map((pdu) => pdu.length / 2)).toEqual([23, 25]);
    const said = Array.from({ length: 40 }, (_, index) => die.say(Buffer.from([0x03, 0x05, index % 20])));
    expect(said.filter((queued) => queued)).toHaveLength(32);
  });

  test('35 Pixels lose 13 % of their adverts to each other, 420 foreign advertisers most of the rest', () => {
    const bench = new Bench({ seed: 3 });
    for (let i = 0; i < 35; i += 1) bench.radio.add({ ...D20, id: (0x1000_0000 + i).toString(16) });
    bench.time.pass(20_000);
    const { air } = bench.radio;
    expect(air.lost / air.sent).toBeGreaterThan(0.11);
    expect(air.lost / air.sent).toBeLessThan(0.15);
    bench.radio.foreign(420, 400);
    bench.time.pass(1_000);
    expect(air.collisions).toBeGreaterThan(0.5);
    bench.radio.close();
  });

  test('what a host looks for is reported: adverts with their scan responses, each once without duplicates', () => {
    const bench = new Bench();
    const { address } = bench.radio.add(D20);
    bench.command(OP.scanParameters, 1, ...u16(16), ...u16(16), 0, 0);
    bench.command(OP.scanEnable, 1, 1);
    bench.time.pass(5_000);
    const once = bench.eventsOf(0x3e).map((packet) => packet[5]);
    expect(once).toEqual([0, 4]);
    bench.command(OP.scanEnable, 0, 0);
    bench.command(OP.scanEnable, 1, 0);
    bench.time.pass(10_000);
    // 187.5 ms and half of ten on average.
    const adverts = bench.eventsOf(0x3e).filter((packet) => packet[5] === 0).length - 1;
    expect(adverts).toBeGreaterThan(48);
    expect(adverts).toBeLessThan(56);
    bench.link(address);
    const linked = bench.told.length;
    bench.time.pass(5_000);
    expect(bench.told.slice(linked).filter((packet) => packet[1] === 0x3e)).toEqual([]);
  });

  test('a magnet: the link dies of the timeout, the die is silent until it has booted', () => {
    const bench = new Bench();
    const die = bench.radio.add(D20);
    bench.link(die.address);
    bench.radio.powerLoss(D20.id, 2_000);
    bench.time.pass(2_900);
    expect(die.advertisement()).toBeNull();
    bench.time.pass(200);
    expect(die.advertisement()).not.toBeNull();
    expect(bench.events.map(({ event }) => event)).toEqual(['linked', 'unlinked']);
  });

  test('a die that sleeps is silent; a hand wakes it', () => {
    const bench = new Bench();
    const dice = [D20, GODICE].map((spec) => bench.radio.add(spec));
    for (const die of dice) die.sleep();
    expect(dice.map((die) => die.advertisement())).toEqual([null, null]);
    bench.radio.throw(D20.id, 3);
    bench.radio.throw(GODICE.id, 3);
    bench.time.pass(1_000);
    expect(dice.map((die) => die.advertisement() !== null)).toEqual([true, true]);
  });

  test('terms a die does not like: it asks five times for its own, then ends the link', () => {
    const bench = new Bench();
    const { address } = bench.radio.add(D20);
    const terms = [...u16(6), ...u16(6), ...u16(0), ...u16(300), ...u16(0), ...u16(0)];
    bench.command(OP.connect, ...u16(96), ...u16(48), 0, 1, ...addressBytes(address), 0, ...terms);
    bench.time.pass(6_000);
    expect(bench.heard.filter((frame) => frame.startsWith('12'))).toHaveLength(1);
    bench.time.pass(130_000);
    expect(bench.eventsOf(0x05).map((packet) => packet[6])).toEqual([STATUS.remoteEnded]);
  });

  test('whatever is thrown is told once: delivered, whole, and with the face that came', () => {
    const bench = new Bench();
    const handle = bench.link(bench.radio.add(D20).address);
    bench.att(handle, ...SUBSCRIBE);
    for (const face of [1, 20, 7, 7, 13]) {
      bench.radio.throw(D20.id, face);
      bench.time.pass(4_000);
    }
    const landed = bench.events.filter((event) => event.event === 'landed');
    expect(landed.map(({ face }) => face)).toEqual([1, 20, 7, 7, 13]);
    expect(landed.every(({ delivered, whole, told }) => delivered && whole && told === 'rolled')).toBe(true);
    expect(bench.heard.filter((pdu) => pdu.startsWith('1b07000301'))).toEqual(
      [0, 19, 6, 6, 12].map((index) => `1b07000301${index.toString(16).padStart(2, '0')}`),
    );
    bench.radio.throw(D20.id, 5);
    bench.time.pass(500);
    bench.radio.cutLink(D20.id);
    bench.time.pass(10_000);
    expect(bench.events.filter((event) => event.event === 'landed').at(-1)).toMatchObject({
      face: 5,
      delivered: false,
    });
  });
});

test.skipIf(noTshark() || noNoble())(
  'a reader that is not ours finds nothing malformed in an evening of both makes',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiro-air-'));
    const capture = join(folder, 'air.log');
    const lab = await NobleLab.open({ driver: 'abandonware', snoop: capture });
    try {
      const dice = [D20, { ...D20, id: '03ef405e', firmware: 'chunked' } as const, GODICE].map((spec) =>
        lab.radio.add(spec),
      );
      for (const { address } of dice) {
        const found = await lab.link(address, { minInterval: 12, maxInterval: 12, latency: 0, timeout: 42 });
        const uuid = found.find(({ properties }) => properties.includes('notify'))?.uuid;
        await lab.do({ do: 'subscribe', address, uuid });
      }
      for (const { id } of dice) lab.radio.throw(id, 17);
      await lab.until('three throws heard', () =>
        RESTS.every((hex) => lab.told.some((one) => hex.test(String(one.hex)))),
      );
      lab.radio.cutLink(D20.id);
      await lab.until('lost', () => lab.count('disconnect') === 1);
      await lab.do({ do: 'disconnect', address: dice[2]?.address });
    } finally {
      await lab.close();
    }
    expect(malformedIn(capture)).toBe(0);
    expect(packetsIn(capture, 'btatt.opcode == 0x1b')).toBeGreaterThan(20);
    expect(packetsIn(capture, 'bthci_evt.code == 0x05')).toBe(2);
    rmSync(folder, { recursive: true });
  },
);
