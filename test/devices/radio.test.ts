import { describe, expect, test } from 'vitest';
import { BluetoothDie } from '../../src/devices/ble/radio/die.js';
import { Heardness, LookedTime } from '../../src/devices/ble/radio/listening.js';
import { MAX_PACKET_BYTES, type Order, readOrder, readReport } from '../../src/devices/ble/radio/messages.js';
import { type Planned, planLinks } from '../../src/devices/ble/radio/plan.js';
import { packetsOf } from '../../src/devices/ble/radio/rebuilt.js';
import { MAX_ADDRESSES, Sightings } from '../../src/devices/ble/radio/sightings.js';
import { Strangers } from '../../src/devices/ble/radio/strangers.js';
import type { Clock } from '../../src/devices/clock.js';
import type { Heard } from '../../src/devices/device.js';
import { fromHex } from '../../src/devices/hex.js';

const bytes = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array();

const ADVERT = '02010603030a1808ffffff14710113570e09506978656c3033656634303564';
const RESPONSE = '11079ecadc240ee5a9e093f3a3b50100406e0b160a185d40ef03fcba2c67';

/** A clock that stands still until a test moves it. */
class HeldClock implements Clock {
  #now = 0;
  readonly #due = new Set<{ readonly at: number; readonly run: () => void }>();

  now = (): number => this.#now;

  after(ms: number, run: () => void): () => void {
    const due = { at: this.#now + ms, run };
    this.#due.add(due);
    return () => this.#due.delete(due);
  }

  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = [...this.#due].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#due.delete(next);
      this.#now = next.at;
      next.run();
    }
    this.#now = until;
  }
}

/** A die with a radio of paper: a test says what the radio reports and reads what was ordered. */
class Bench {
  readonly clock = new HeldClock();
  readonly orders: Order[] = [];
  readonly heard: Heard[] = [];
  readonly die: BluetoothDie;
  epoch = 700_001;
  #links = 0;

  constructor(id = 'godice-bc0940') {
    this.die = new BluetoothDie({
      die: id,
      duty: 'rolls',
      reading: { shell: 'd20' },
      clock: this.clock,
      epoch: () => this.epoch,
      nextLink: () => {
        this.#links += 1;
        return this.#links;
      },
      order: (order) => this.orders.push(order),
      frame: () => undefined,
    });
    this.die.start((heard) => this.heard.push(heard));
    this.die.follow('link');
  }

  get link(): number {
    return this.#links;
  }

  seen(): void {
    const report = { tell: 'advert', die: this.die.id, make: 'GoDice', address: 'a', rssi: -50, heard: 1 } as const;
    this.die.advert({ ...report, advert: new Uint8Array(), name: 'GoDice_BC0940_K_v04' }, true);
  }

  /** A Pixels tells its state and the place of its face while it has no link. */
  advertises(state: string): void {
    const report = { tell: 'advert', die: this.die.id, make: 'Pixels', address: 'a', rssi: -50, heard: 1 } as const;
    const advert = bytes(ADVERT.replace('0113', state));
    this.die.advert({ ...report, advert, scanResponse: bytes(RESPONSE) }, true);
  }

  /** A link that has been up for long. */
  up(): void {
    this.seen();
    this.die.up(this.#links, 247);
    this.clock.pass(2_100);
  }

  /** The first throw on a link, heard whole. */
  throws(link: number, rest: Uint8Array): void {
    this.die.notification(link, 1, ROLLING);
    this.die.notification(link, 2, rest);
  }

  /** After so long the die is seen, and linked anew. */
  back(link: number, ms: number): void {
    this.clock.pass(ms);
    this.seen();
    this.die.up(link, 247);
  }

  told(): string[] {
    return this.heard
      .map(({ signal }) => signal)
      .filter(({ kind }) => kind === 'rested' || kind === 'unresolved')
      .map((signal) => (signal.kind === 'rested' ? `${signal.how} ${signal.face}` : signal.kind));
  }
}

const ROLLING = bytes('52');
const TWENTY = bytes('5453400016');
const EIGHT = bytes('54534000EA');

describe('a throw on the radio', () => {
  test('is thrown where its tumbling and its rest came one after the other on one link', () => {
    const bench = new Bench();
    bench.up();
    bench.throws(1, TWENTY);
    expect(bench.told()).toEqual(['thrown 20']);
    expect(bench.heard.at(-1)?.origin).toBe('godice-bc0940/700001/1/2');
  });

  test('is told as lost at a hole, and what comes behind the hole is no throw', () => {
    const bench = new Bench();
    bench.up();
    bench.die.notification(1, 1, ROLLING);
    bench.die.notification(1, 3, TWENTY);
    expect(bench.told()).toEqual(['unresolved', 'unsure 20']);
    expect(bench.die.status().counters.holes).toBe(1);
  });

  test('counts once though it is heard twice, or again from a link that is over', () => {
    const bench = new Bench();
    bench.up();
    bench.throws(1, TWENTY);
    bench.die.notification(1, 2, TWENTY);
    bench.die.ended(1, 'down', 'link lost');
    bench.die.notification(1, 3, ROLLING);
    bench.die.notification(1, 4, EIGHT);
    expect(bench.told()).toEqual(['thrown 20']);
    expect(bench.die.status().counters.repeated).toBe(3);
  });

  test('whose link is lost under way is told ten seconds after it began, where nothing more comes (F029)', () => {
    const bench = new Bench();
    bench.up();
    bench.die.notification(1, 1, ROLLING);
    bench.clock.pass(1_000);
    bench.die.ended(1, 'down', 'link lost');
    bench.clock.pass(8_900);
    expect(bench.told()).toEqual([]);
    bench.clock.pass(200);
    expect(bench.told()).toEqual(['unresolved']);
    bench.clock.pass(60_000);
    expect(bench.told()).toEqual(['unresolved']);
  });

  test('whose link is lost under way is told before what the die remembers, which is no throw', () => {
    const bench = new Bench();
    bench.up();
    bench.die.notification(1, 1, ROLLING);
    bench.die.ended(1, 'down', 'link lost');
    bench.back(2, 600);
    bench.die.notification(2, 1, TWENTY);
    expect(bench.told()).toEqual(['unresolved', 'resync 20']);
    bench.clock.pass(60_000);
    expect(bench.told()).toEqual(['unresolved', 'resync 20']);
  });

  test('that is lost on the heels of another lost one is told too', () => {
    const bench = new Bench();
    bench.up();
    bench.die.notification(1, 1, ROLLING);
    bench.die.ended(1, 'down', 'link lost');
    bench.back(2, 600);
    bench.clock.pass(2_500);
    bench.die.notification(2, 1, ROLLING);
    expect(bench.told()).toEqual(['unresolved']);
    bench.die.ended(2, 'down', 'link lost');
    bench.clock.pass(10_000);
    expect(bench.told()).toEqual(['unresolved', 'unresolved']);
    const origins = bench.heard.flatMap(({ signal, origin }) => (signal.kind === 'unresolved' ? [origin] : []));
    expect(new Set(origins).size).toBe(2);
  });

  test('that is lost unheard, on the heels of another lost one, leaves the first one told', () => {
    const bench = new Bench();
    bench.up();
    bench.die.notification(1, 1, TWENTY);
    bench.die.notification(1, 2, ROLLING);
    bench.die.ended(1, 'down', 'link lost');
    bench.back(2, 600);
    bench.clock.pass(2_500);
    bench.die.ended(2, 'down', 'link lost');
    bench.back(3, 1_200);
    bench.die.notification(3, 1, EIGHT);
    expect(bench.told().filter((word) => word === 'unresolved')).toHaveLength(2);
  });

  test('that began unheard and ends after the die has told its old face is told', () => {
    const bench = new Bench();
    bench.up();
    bench.throws(1, TWENTY);
    bench.die.radioLost();
    bench.back(2, 900);
    bench.die.notification(2, 1, TWENTY);
    bench.clock.pass(1_000);
    bench.die.notification(2, 2, EIGHT);
    expect(bench.told()).toEqual(['thrown 20', 'resync 20', 'unresolved', 'resync 8']);
  });

  test('that was heard to begin is told once, though the die first tells its old face', () => {
    const bench = new Bench();
    bench.up();
    bench.throws(1, TWENTY);
    bench.clock.pass(2_000);
    bench.die.notification(1, 3, ROLLING);
    bench.die.radioLost();
    bench.back(2, 900);
    bench.die.notification(2, 1, TWENTY);
    bench.clock.pass(1_000);
    bench.die.notification(2, 2, EIGHT);
    bench.clock.pass(60_000);
    expect(bench.told()).toEqual(['thrown 20', 'resync 20', 'unresolved', 'resync 8']);
  });

  test('that ends on the face it left is told once, when its time is over', () => {
    const bench = new Bench();
    bench.up();
    bench.throws(1, TWENTY);
    bench.clock.pass(2_000);
    bench.die.notification(1, 3, ROLLING);
    bench.die.radioLost();
    bench.back(2, 900);
    bench.die.notification(2, 1, TWENTY);
    expect(bench.told()).toEqual(['thrown 20', 'resync 20']);
    bench.clock.pass(60_000);
    expect(bench.told()).toEqual(['thrown 20', 'resync 20', 'unresolved']);
  });

  test('that was told when its time was over is not told again by where the die lies', () => {
    const bench = new Bench();
    bench.up();
    bench.throws(1, TWENTY);
    bench.clock.pass(2_000);
    bench.die.notification(1, 3, ROLLING);
    bench.die.ended(1, 'down', 'link lost');
    bench.clock.pass(20_000);
    expect(bench.told()).toEqual(['thrown 20', 'unresolved']);
    for (const [link, rest] of [
      [2, EIGHT],
      [3, TWENTY],
    ] as const) {
      bench.seen();
      bench.die.up(link, 247);
      bench.die.notification(link, 1, rest);
      bench.clock.pass(3_000);
      bench.die.ended(link, 'down', 'link lost');
      bench.clock.pass(6_000);
    }
    expect(bench.told()).toEqual(['thrown 20', 'unresolved', 'resync 8', 'unresolved', 'resync 20']);
  });

  test('that is whole, but comes so soon after the link that it may be memory, is told as lost', () => {
    const bench = new Bench();
    bench.seen();
    bench.die.up(1, 247);
    bench.clock.pass(200);
    bench.die.notification(1, 1, ROLLING);
    bench.clock.pass(1_000);
    bench.die.notification(1, 2, TWENTY);
    expect(bench.told()).toEqual(['unresolved', 'resync 20']);
  });

  test('of a Pixels whose radio is lost is told once, though it goes on rolling for the next one', () => {
    const bench = new Bench('pixels-03ef405d');
    bench.advertises('0113');
    bench.die.up(1, 247);
    bench.clock.pass(2_100);
    bench.die.notification(1, 1, bytes('030305'));
    bench.die.notification(1, 2, bytes('030303'));
    bench.die.notification(1, 3, bytes('030307'));
    bench.die.radioLost();
    bench.clock.pass(500);
    bench.advertises('0305');
    bench.advertises('0307');
    bench.die.up(2, 247);
    bench.die.notification(2, 1, bytes('030309'));
    bench.clock.pass(400);
    bench.die.notification(2, 2, bytes('03010b'));
    bench.clock.pass(60_000);
    expect(bench.told().filter((word) => word === 'unresolved')).toHaveLength(1);
    expect(bench.told().at(-1)).toBe('resync 12');
  });

  test('of a Pixels that bounces without a link is told once, wherever it ends', () => {
    for (const [last, face] of [
      ['010b', 12],
      ['0107', 8],
    ] as const) {
      const bench = new Bench('pixels-03ef405d');
      bench.advertises('0113');
      bench.die.up(1, 247);
      bench.clock.pass(2_100);
      bench.die.radioLost();
      for (const state of ['0305', '0107', '0302', '0303', last]) {
        bench.clock.pass(250);
        bench.advertises(state);
      }
      bench.clock.pass(60_000);
      expect(bench.told().filter((word) => word === 'unresolved')).toHaveLength(1);
      expect(bench.told().at(-1)).toBe(`resync ${face}`);
      bench.advertises('0103');
      expect(bench.told().slice(-2)).toEqual(['unresolved', 'resync 4']);
    }
  });

  test('is not made of a die that a hand takes up as soon as its link is back', () => {
    const bench = new Bench('pixels-03ef405d');
    bench.advertises('0113');
    for (const link of [1, 2]) {
      bench.advertises('0113');
      bench.die.up(link, 247);
      bench.clock.pass(1_500);
      bench.die.notification(link, 1, bytes('030512'));
      bench.clock.pass(200);
      bench.die.notification(link, 2, bytes('030305'));
      bench.clock.pass(700);
      bench.die.notification(link, 3, bytes('030307'));
      bench.die.notification(link, 4, bytes('030309'));
      bench.die.notification(link, 5, bytes('030113'));
      bench.die.ended(link, 'down', 'link lost');
      bench.clock.pass(1_200);
    }
    expect(bench.told().filter((word) => !word.startsWith('resync'))).toEqual(['thrown 20', 'thrown 20']);
  });

  test('that still rolls when the link is back is no throw, however late it rests', () => {
    const bench = new Bench();
    bench.up();
    bench.die.notification(1, 1, ROLLING);
    bench.die.ended(1, 'down', 'link lost');
    bench.back(2, 600);
    bench.clock.pass(2_500);
    bench.die.notification(2, 1, TWENTY);
    expect(bench.told()).toEqual(['unresolved', 'unsure 20']);
  });

  test('that nobody heard shows by where the die lies when its link is back', () => {
    const bench = new Bench();
    bench.up();
    bench.throws(1, TWENTY);
    for (const [link, rest] of [
      [2, TWENTY],
      [3, EIGHT],
    ] as const) {
      bench.die.ended(link - 1, 'down', 'link lost');
      bench.back(link, 6_000);
      bench.die.notification(link, 1, rest);
    }
    expect(bench.told()).toEqual(['thrown 20', 'resync 20', 'unresolved', 'resync 8']);
  });

  test('goes on over a new radio process under a new epoch', () => {
    const bench = new Bench();
    bench.up();
    bench.die.radioLost();
    expect(bench.die.status().link).toBe('down');
    bench.epoch += 1;
    bench.up();
    bench.throws(2, TWENTY);
    expect(bench.heard.at(-1)?.origin).toBe('godice-bc0940/700002/2/2');
    expect(bench.told()).toEqual(['thrown 20']);
  });
});

describe('the link to a die', () => {
  test('is greeted once it is up, again where nothing came of it, and never before', () => {
    const bench = new Bench();
    bench.seen();
    expect(bench.orders).toEqual([{ do: 'connect', die: 'godice-bc0940', link: 1 }]);
    bench.die.up(1, 23);
    expect(bench.orders.at(-1)).toMatchObject({ do: 'write', link: 1, id: 1 });
    bench.die.wrote(1, false);
    expect(bench.orders.at(-1)).toMatchObject({ do: 'write', link: 1, id: 2 });
    bench.die.wrote(2, false);
    expect(bench.orders).toHaveLength(3);
  });

  test('that says nothing is asked, and within a minute told as dead and made anew', () => {
    const bench = new Bench();
    bench.up();
    bench.orders.length = 0;
    bench.clock.pass(58_000);
    expect(bench.orders.map((order) => order.do)).toEqual(['write', 'write', 'release']);
    expect(bench.die.status()).toMatchObject({ link: 'down', code: 'stale' });
    bench.seen();
    expect(bench.orders.at(-1)).toMatchObject({ do: 'connect', link: 2 });
  });

  test('that is made too late is let go', () => {
    const bench = new Bench();
    bench.seen();
    bench.clock.pass(11_000);
    bench.seen();
    bench.orders.length = 0;
    bench.die.up(1, 247);
    expect(bench.orders).toEqual([{ do: 'release', die: 'godice-bc0940', link: 1 }]);
    expect(bench.die.link).not.toBe('up');
  });

  test('says what a silent die may be doing: sleep, or hang on a phone (F095, F113)', () => {
    const bench = new Bench();
    expect(bench.die.status()).toMatchObject({ link: 'down', code: 'not_heard' });
    bench.seen();
    bench.die.ended(1, 'failed', 'no answer');
    expect(bench.die.status()).toMatchObject({ code: 'link_refused' });
    bench.clock.pass(20_000);
    expect(bench.die.status()).toMatchObject({ code: 'asleep' });
    bench.clock.pass(600_000);
    expect(bench.die.status()).toMatchObject({ code: 'in_use' });
  });
});

describe('who gets a link', () => {
  const planned = (die: string, more: Partial<Planned> = {}): Planned => ({
    die,
    make: die.startsWith('g') ? 'GoDice' : 'Pixels',
    duty: 'rolls',
    poorly: false,
    ...more,
  });
  const by = (dice: readonly Planned[], links: number): string[] => planLinks(dice, links).map((one) => one.by);

  test('GoDice first, then Pixels that roll; those that count are followed by what they advertise', () => {
    const dice = [planned('p1'), planned('p2', { duty: 'counts' }), planned('p3'), planned('g1'), planned('g2')];
    expect(by(dice, 3)).toEqual(['link', 'adverts', 'adverts', 'link', 'link']);
    expect(by(dice, 7)).toEqual(['link', 'adverts', 'link', 'link', 'link']);
  });

  test('a tracker that is heard badly gets a link that is left, never one of a die that rolls', () => {
    const dice = [planned('p1', { duty: 'counts', poorly: true }), planned('p2'), planned('p3', { duty: 'pawn' })];
    expect(by(dice, 1)).toEqual(['adverts', 'link', 'adverts']);
    expect(by(dice, 2)).toEqual(['link', 'link', 'adverts']);
  });

  test('a GoDice for which no link is left says so: it tells nothing without one', () => {
    expect(planLinks([planned('g1'), planned('g2')], 1)).toEqual([
      { die: 'g1', duty: 'rolls', by: 'link' },
      { die: 'g2', duty: 'rolls', by: 'none', why: 'no_link_left' },
    ]);
  });
});

describe('how well a die is heard', () => {
  test('is counted in the time in which the radio looked; a die that sleeps is heard neither well nor badly', () => {
    const looked = new LookedTime();
    const heard = new Heardness();
    looked.note(true, 0);
    for (let at = 0; at < 20_000; at += 1_000) heard.note(2, at);
    expect(heard.quality(looked, 20_000)).toMatchObject({ expected: 51, percent: 39, reliable: false });
    looked.note(false, 20_000);
    looked.note(true, 24_000);
    heard.note(25, 24_500);
    expect(heard.quality(looked, 24_900)?.reliable).toBe(true);
    expect(heard.quality(looked, 40_000)).toBeUndefined();
  });
});

const NAME = '140947 6f446963655f4243303934305f4b5f763034'.replace(' ', '');

describe('what is on the air', () => {
  const packet = (address: string, hex: string, at: number, response = false) => ({
    address,
    kind: 'random',
    response,
    data: bytes(hex),
    rssi: -50,
    at,
  });

  test('is put together by address, told four times a second, and never loses the newest', () => {
    const air = new Sightings();
    expect(air.take(packet('a', ADVERT, 0))).toBeNull();
    expect(air.due(0)).toEqual([]);
    expect(air.take(packet('a', RESPONSE, 10, true))).toEqual({ die: 'pixels-03ef405d', make: 'Pixels' });
    expect(air.due(10)).toMatchObject([{ die: 'pixels-03ef405d', scanResponse: bytes(RESPONSE) }]);
    for (let at = 20; at < 200; at += 20) air.take(packet('a', ADVERT.replace('0113', '0105'), at));
    expect(air.due(200)).toEqual([]);
    expect(air.due(260)).toMatchObject([{ heard: 9, advert: bytes(ADVERT.replace('0113', '0105')) }]);
    expect(air.due(1_000)).toEqual([]);
    expect(air.fresh('pixels-03ef405d', 900)).toMatchObject({ address: 'a', make: 'Pixels' });
    expect(air.fresh('pixels-03ef405d', 1_200)).toBeNull();
  });

  test('names a GoDice by its own id, and no stranger', () => {
    const air = new Sightings();
    expect(air.take(packet('b', NAME, 0))).toEqual({ die: 'godice-bc0940', make: 'GoDice' });
    expect(air.take(packet('c', '0909526164696f2031', 0))).toBeNull();
    expect(air.take(packet('d', 'ff', 0))).toBeNull();
  });

  test('is forgotten beyond a number, whatever comes (F107)', () => {
    const air = new Sightings();
    air.take(packet('a', NAME, 0));
    for (let place = 0; place < 20_000; place += 1) air.take(packet(`x${place}`, '020106', place / 100));
    expect(air.size).toBeLessThanOrEqual(MAX_ADDRESSES + 1);
    expect(air.take(packet('a', NAME, 201))).toMatchObject({ die: 'godice-bc0940' });
    air.forget(100_000);
    expect(air.size).toBe(0);
  });

  test('is listed with model, type, colour and signal while it is there', () => {
    const strangers = new Strangers();
    const report = { tell: 'advert', heard: 1, address: 'a' } as const;
    strangers.note(
      {
        ...report,
        die: 'pixels-03ef405d',
        make: 'Pixels',
        rssi: -70,
        advert: bytes(ADVERT),
        scanResponse: bytes(RESPONSE),
      },
      0,
    );
    const name = 'GoDice_BC0940_K_v04';
    strangers.note({ ...report, die: 'godice-bc0940', make: 'GoDice', rssi: -40, advert: bytes(NAME), name }, 0);
    expect(strangers.list(() => false, 500)).toEqual([
      { die: 'godice-bc0940', model: 'GoDice', rssi: -40, silentMs: 500, name, colour: 'black' },
      {
        die: 'pixels-03ef405d',
        model: 'Pixels',
        rssi: -70,
        silentMs: 500,
        type: 'd20',
        colour: 'onyxBlack',
        battery: 87,
      },
    ]);
    expect(strangers.list((die) => die.startsWith('godice'), 500)).toHaveLength(1);
    expect(strangers.list(() => false, 61_000)).toEqual([]);
  });

  test('reads the same where a library hands out fields in place of packets (G17)', () => {
    const air = new Sightings();
    const told = {
      localName: 'Pixel03ef405d',
      manufacturerData: bytes('ffff1471011357'),
      serviceUuids: ['180a', '6e400001b5a3f393e0a9e50e24dcca9e'],
      serviceData: [{ uuid: '180a', data: bytes('5d40ef03fcba2c67') }],
    };
    const whos = packetsOf(told).map(({ response, data }) => {
      return air.take({ address: 'm', kind: 'random', response, data, rssi: -50, at: 0 });
    });
    expect(whos.at(-1)).toEqual({ die: 'pixels-03ef405d', make: 'Pixels' });
  });
});

describe('between the daemon and its radio process', () => {
  const die = 'godice-bc0940';

  test.each([
    ['nothing', undefined],
    ['a text', 'up'],
    ['an unknown word', { tell: 'shout' }],
    ['a name that is none', { tell: 'up', die: '../etc', link: 1, mtu: 23 }],
    ['a prototype', { tell: 'up', die: '__proto__', link: 1, mtu: 23 }],
    ['a negative number', { tell: 'notification', die, link: 1, n: -1, bytes: new Uint8Array(1) }],
    ['no bytes', { tell: 'notification', die, link: 1, n: 1, bytes: [82] }],
    ['too many bytes', { tell: 'notification', die, link: 1, n: 1, bytes: new Uint8Array(513) }],
    ['too long a reason', { tell: 'down', die, link: 1, why: 'x'.repeat(600) }],
    [
      'a packet no radio sends',
      {
        tell: 'advert',
        die,
        make: 'GoDice',
        address: 'a',
        rssi: -1,
        heard: 1,
        advert: new Uint8Array(MAX_PACKET_BYTES + 1),
      },
    ],
    [
      'a make nobody knows',
      { tell: 'advert', die, make: 'Dice', address: 'a', rssi: -1, heard: 1, advert: new Uint8Array(1) },
    ],
    ['half a census', { tell: 'beat', id: 1, census: { dropped: 0 } }],
  ])('%s is refused', (_, message) => {
    expect(readReport(message)).toBeNull();
    expect(readOrder(message)).toBeNull();
  });

  test('what may be said comes through', () => {
    const notification = { tell: 'notification', die, link: 1, n: 1, bytes: bytes('52') };
    expect(readReport({ ...notification, more: 1 })).toEqual(notification);
    expect(readOrder({ do: 'write', die, link: 1, id: 1, bytes: bytes('03') })).toMatchObject({ do: 'write' });
    expect(readOrder({ do: 'write', die, link: 1, id: 1 })).toBeNull();
  });
});
