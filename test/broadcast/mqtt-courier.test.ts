import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Courier } from '../../src/broadcast/mqtt-courier.js';
import { type Delivery, MAX_PAYLOAD_BYTES, type MqttMessage } from '../../src/broadcast/mqtt-outlet.js';
import { MAX_FLYING, Post } from '../../src/broadcast/mqtt-post.js';
import { TableVoice } from '../../src/broadcast/mqtt-voice.js';
import { BenchTable } from './bench-table.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets promises settle; the chronicle of the bench is in memory. */
const settle = async (): Promise<void> => {
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve));
};

/** A broker made of nothing: it keeps what comes until it is told to answer. */
class Shelf {
  readonly waiting: { message: MqttMessage; answer: (delivery: Delivery) => void }[] = [];
  readonly taken: number[] = [];
  readonly late: boolean[] = [];
  readonly logged: string[] = [];
  readonly saved: number[] = [];
  readonly table = new BenchTable('prova');
  most = 0;
  up = true;

  courier(known?: number): Courier {
    const remote = {
      deliver: (message: MqttMessage): Promise<Delivery> => {
        if (!this.up) return Promise.resolve('lost');
        return new Promise((answer) => {
          this.waiting.push({ message, answer });
          this.most = Math.max(this.most, this.waiting.length);
        });
      },
      connected: true,
      onUp: () => undefined,
    };
    const courier = new Courier({
      table: this.table,
      outlet: { publish: () => undefined, flush: async () => undefined, remote },
      remote,
      book: {
        read: async () => known,
        write: async (_table, seq) => {
          this.saved.push(seq);
        },
      },
      messages: (envelope, late) => [
        { topic: 'r', payload: JSON.stringify({ seq: envelope.seq, late }), qos: 1, retain: false },
      ],
      log: (message) => this.logged.push(message),
    });
    this.table.subscribe({ told: (told) => courier.told(told), live: () => undefined });
    return courier;
  }

  async answer(count: number, delivery: Delivery = 'taken'): Promise<void> {
    for (const { message, answer } of this.waiting.splice(0, count)) {
      const { seq, late } = JSON.parse(message.payload);
      if (delivery === 'taken') {
        this.taken.push(seq);
        this.late.push(late);
      }
      answer(delivery);
    }
    await settle();
  }

  /** The connection ends with whatever has no answer. */
  async cut(): Promise<void> {
    this.up = false;
    await this.answer(this.waiting.length, 'lost');
    this.up = true;
  }
}

const upTo = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);

test('without a cursor nothing is owed, with one everything since; only that is late', async () => {
  const fresh = new Shelf();
  for (let n = 0; n < 5; n++) fresh.table.addRoll(3);
  const courier = fresh.courier();
  await settle();
  expect(fresh.saved).toEqual([5]);
  fresh.table.addRoll(4);
  courier.up(false);
  await settle();
  fresh.table.addRoll(5);
  await fresh.answer(1);
  fresh.table.addRoll(6);
  await fresh.answer(9);
  await fresh.answer(9);
  expect(fresh.taken).toEqual([6, 7, 8]);
  expect(fresh.late).toEqual([true, false, false]);
  expect(courier.cursor).toBe(8);

  const known = new Shelf();
  for (let n = 0; n < 5; n++) known.table.addRoll(3);
  known.courier(2).up(false);
  await settle();
  await known.answer(9);
  expect(known.taken).toEqual([3, 4, 5]);
});

test('a broker that takes nothing holds a window in memory, and gets everything in order when it does', async () => {
  const shelf = new Shelf();
  const courier = shelf.courier();
  courier.up(false);
  await settle();
  for (let n = 0; n < 3000; n++) shelf.table.addRoll(1);
  await settle();
  expect(shelf.most).toBe(64);
  for (let n = 0; n < 3000 && shelf.taken.length < 3000; n++) {
    await shelf.answer(50);
    if (n === 20) shelf.table.addRoll(2);
  }
  await shelf.answer(99);
  expect(shelf.taken).toEqual(upTo(1, 3001));
  expect(shelf.late).not.toContain(true);
  expect(shelf.most).toBe(64);
  expect(courier.cursor).toBe(3001);
  await vi.advanceTimersByTimeAsync(600);
  expect(shelf.saved.at(-1)).toBe(3001);
  expect(shelf.saved.length).toBeLessThan(5);
});

test('what had no answer is told again after the connection came back, late, after a moment for others', async () => {
  const shelf = new Shelf();
  const courier = shelf.courier();
  courier.up(false);
  await settle();
  for (let n = 0; n < 10; n++) shelf.table.addRoll(1);
  await settle();
  await shelf.answer(4);
  await shelf.cut();
  shelf.table.addRoll(2);
  courier.up(true);
  await settle();
  expect(shelf.waiting).toHaveLength(0);
  shelf.table.addRoll(3);
  await vi.advanceTimersByTimeAsync(2000);
  await settle();
  await shelf.answer(99);
  expect(shelf.taken).toEqual(upTo(1, 12));
  expect(shelf.late).toEqual([...Array(4).fill(false), ...Array(7).fill(true), false]);
});

test('a refused record is asked again and holds its place; an impossible one is passed over', async () => {
  const shelf = new Shelf();
  const courier = shelf.courier();
  courier.up(false);
  await settle();
  for (let n = 0; n < 3; n++) shelf.table.addRoll(1);
  await shelf.answer(1, 'refused');
  expect(courier.cursor).toBe(0);
  await shelf.answer(9, 'lost');
  await vi.advanceTimersByTimeAsync(5000);
  await settle();
  await shelf.answer(1);
  await shelf.answer(1, 'impossible');
  await shelf.answer(1);
  expect(shelf.taken).toEqual([1, 3]);
  expect(courier.cursor).toBe(3);
});

test('a record that ends the connection five times does not stop those behind it', async () => {
  const shelf = new Shelf();
  const courier = shelf.courier();
  courier.up(false);
  await settle();
  for (let n = 0; n < 4; n++) shelf.table.addRoll(1);
  await shelf.answer(1);
  for (let times = 0; times < 5; times++) {
    expect(courier.cursor).toBe(1);
    await shelf.cut();
    courier.up(false);
    await settle();
  }
  expect(courier.cursor).toBe(2);
  expect(shelf.logged.filter((line) => line.includes('record 2 of prova; it is left out'))).toHaveLength(1);
  await shelf.answer(9);
  expect(shelf.taken).toEqual([1, 3, 4]);
});

test('after the last word nothing more is sent, and the cursor is written down', async () => {
  const shelf = new Shelf();
  const courier = shelf.courier();
  courier.up(false);
  await settle();
  for (let n = 0; n < 100; n++) shelf.table.addRoll(1);
  courier.halt();
  await shelf.answer(99);
  shelf.table.addRoll(1);
  await shelf.answer(99);
  expect(shelf.taken).toEqual(upTo(1, 64));
  await courier.save();
  expect(shelf.saved.at(-1)).toBe(64);
});

const message = (topic: string, payload: string, retain = false): MqttMessage => ({ topic, payload, qos: 1, retain });

test('the post keeps order, flies no more than the broker answers, and of a retained topic the newest', async () => {
  const post = new Post();
  const flown: { message: MqttMessage; done: (outcome: Delivery) => void }[] = [];
  post.open((sent, done) => flown.push({ message: sent, done }));
  for (let n = 0; n < MAX_FLYING; n++) post.add(message('s', String(n), n % 2 === 0));
  for (let n = 0; n < 500; n++) post.add(message('state', String(n), true));
  const fate = post.deliver(message('roll', 'r'));
  post.add(message('state', 'last', true));
  expect(flown).toHaveLength(MAX_FLYING);
  expect(post.size).toBe(MAX_FLYING + 2);
  for (let n = 0; n < flown.length; n++) flown[n]?.done('taken');
  expect(flown.slice(MAX_FLYING).map(({ message: sent }) => sent.payload)).toEqual(['last', 'r']);
  expect(await fate).toBe('taken');
  await post.idle();
  // Who waits for what there is now does not wait for what comes.
  post.add(message('s', 'now'));
  const idle = post.idle();
  post.add(message('s', 'then'));
  flown.at(-2)?.done('taken');
  await idle;
  expect(post.size).toBe(1);
});

test('the post keeps few answers for a broker that stopped, at most 1 MB under way, and nothing without a connection', async () => {
  const post = new Post();
  const flown: MqttMessage[] = [];
  post.open((sent) => flown.push(sent), 5);
  for (let n = 0; n < 5000; n++) post.add(message('reply', `${n}`.padEnd(1000)));
  expect(flown).toHaveLength(5);
  expect(post.size).toBeLessThanOrEqual(5 + 257);
  expect(await post.deliver(message('roll', 'x'.repeat(MAX_PAYLOAD_BYTES + 1)))).toBe('impossible');
  const fate = post.deliver(message('roll', 'r'));
  post.shut();
  expect(await fate).toBe('lost');
  expect(post.size).toBe(0);
  for (let n = 0; n < 5000; n++) post.add(message('reply', 'x', n % 2 === 0));
  expect(post.size).toBe(0);
  expect(await post.deliver(message('roll', 'r'))).toBe('lost');
  const large = new Post();
  const heavy: MqttMessage[] = [];
  large.open((sent) => heavy.push(sent));
  for (let n = 0; n < 20; n++) large.add(message(`t${n}`, 'x'.repeat(250_000), true));
  expect(heavy).toHaveLength(4);
});

test('while the broker is away no message is made, and what changed meanwhile is told on the next connection', async () => {
  const table = new BenchTable('prova');
  const published: MqttMessage[] = [];
  let up: (again: boolean) => void = () => undefined;
  const remote = {
    connected: true,
    deliver: async (): Promise<Delivery> => (remote.connected ? 'taken' : 'lost'),
    onUp: (listener: typeof up) => {
      up = listener;
    },
  };
  const outlet = {
    publish: (message: MqttMessage) => void published.push(message),
    flush: async () => undefined,
    remote,
  };
  const book = { read: async () => undefined, write: async () => undefined };
  const voice = new TableVoice({ table, outlet, book, log: () => undefined });
  const newest = (): string | undefined => published.findLast(({ topic }) => topic === 'tiro/prova/state')?.payload;
  up(false);
  await settle();
  table.addRoll(5);
  expect(JSON.parse(newest() ?? '{}').seq).toBe(1);
  remote.connected = false;
  published.length = 0;
  table.addRoll(5);
  table.addRoll(5);
  await settle();
  expect(published).toEqual([]);
  remote.connected = true;
  up(true);
  await settle();
  expect(JSON.parse(newest() ?? '{}').seq).toBe(3);
  remote.connected = false;
  await voice.end();
});
