import { describe, expect, test } from 'vitest';
import { AdapterNumbers, AdapterSearch, MAX_ADAPTERS } from '../../src/devices/ble/radio/adapter-search.js';
import { EAR_MS, Ears, type Hearing, REACH_MS } from '../../src/devices/ble/radio/ears.js';
import { epochsOf } from '../../src/devices/ble/radio/epochs.js';
import { KeptDie } from '../../src/devices/ble/radio/kept-die.js';
import { LookedTime } from '../../src/devices/ble/radio/listening.js';
import { NEAR_DB, type Place, type Spread, spreadLinks } from '../../src/devices/ble/radio/spread.js';
import { adapterReport, stateOf } from '../../src/devices/ble/radio/state.js';
import { Strangers } from '../../src/devices/ble/radio/strangers.js';
import type { RadioProcessState } from '../../src/devices/ble/radio/supervisor.js';
import { fromHex } from '../../src/devices/hex.js';

const NEAR = -50;

const place = (name: string, links: number, works = true): Place => ({ name, links, works });

/** A die that both adapters hear alike; `g…` is a GoDice, `p…` a Pixels. */
const heard = (die: string, more: Partial<Spread> = {}): Spread => ({
  die,
  make: die.startsWith('g') ? 'GoDice' : 'Pixels',
  duty: 'rolls',
  poorly: false,
  reach: new Map([
    ['a', NEAR],
    ['b', NEAR],
  ]),
  ...more,
});
const by = (...names: readonly string[]): Spread['reach'] => new Map(names.map((name) => [name, NEAR]));

/** What the plan says of each die, in a word: the adapter, `waits` for one, or how it is followed without a link. */
const told = (dice: readonly Spread[], places: readonly Place[]): string[] =>
  spreadLinks(dice, places).map((one) => one.adapter ?? (one.by === 'link' ? 'waits' : one.by));
const count = (words: readonly string[], word: string): number => words.filter((one) => one === word).length;

describe('links over several adapters', () => {
  const two = [place('a', 7), place('b', 7)];

  test('are spread by the limits: fourteen dice of fifteen, GoDice first, then Pixels that roll', () => {
    const dice = [
      ...Array.from({ length: 10 }, (_, number) => heard(`p${number}`)),
      ...Array.from({ length: 5 }, (_, number) => heard(`g${number}`)),
    ];
    const words = told(dice, two);
    expect([count(words, 'a'), count(words, 'b'), words[9]]).toEqual([7, 7, 'adverts']);
    const unequal = told(dice, [place('a', 3), place('b', 5)]);
    expect([count(unequal, 'a'), count(unequal, 'b')]).toEqual([3, 5]);
    expect(unequal.slice(10)).not.toContain('none');
  });

  test('go to the adapter that hears a die clearly better, else to the one with more of them left', () => {
    const far = new Map([
      ['a', NEAR],
      ['b', NEAR - NEAR_DB],
    ]);
    const alike = new Map([
      ['a', NEAR],
      ['b', NEAR - NEAR_DB + 1],
    ]);
    expect(
      told([heard('p1', { reach: far }), heard('p2', { reach: far }), heard('p3', { reach: alike })], two),
    ).toEqual(['a', 'a', 'b']);
  });

  test('stay where they are: a die keeps its adapter while it is linked, whoever comes', () => {
    const dice = [heard('p1', { held: 'a' }), heard('p2', { held: 'a' }), heard('g1'), heard('g2')];
    expect(told(dice, [place('a', 2), place('b', 2)])).toEqual(['a', 'a', 'b', 'b']);
    // A GoDice that only the full adapter hears does not push a linked die over to the other one.
    expect(told([...dice.slice(0, 2), heard('g1', { reach: by('a') })], [place('a', 2), place('b', 2)])).toEqual([
      'a',
      'a',
      'none',
    ]);
  });

  test('are taken from a Pixels for a GoDice where none is left', () => {
    const dice = [heard('p1', { held: 'a' }), heard('p2', { held: 'b' }), heard('g1')];
    expect(told(dice, [place('a', 1), place('b', 1)])).toEqual(['a', 'adverts', 'b']);
  });

  test('are none of a die that only full adapters hear: its link goes to the next one in turn', () => {
    const dice = [heard('g1', { reach: by('a') }), heard('g2', { reach: by('a') }), heard('p1', { reach: by('b') })];
    expect(told(dice, [place('a', 1), place('b', 1)])).toEqual(['a', 'none', 'b']);
  });

  test('are kept for a die that sleeps, wherever it will wake', () => {
    const dice = [heard('g1', { reach: new Map() }), heard('p1'), heard('p2')];
    expect(told(dice, [place('a', 1), place('b', 1)])).toEqual(['waits', 'a', 'adverts']);
  });

  test('of an adapter that is away for a moment are waited for; of one that is lost the others take what they can', () => {
    const dice = [
      heard('g1', { held: 'b' }),
      heard('p1', { held: 'b' }),
      heard('g2', { reach: by('b') }),
      heard('p2', { reach: by('b') }),
    ];
    expect(told(dice, [place('a', 2, false), place('b', 3)])).toEqual(['b', 'b', 'b', 'waits']);
    expect(told(dice, [place('b', 3)])).toEqual(['b', 'b', 'b', 'adverts']);
    expect(told(dice, [place('b', 2)])).toEqual(['b', 'adverts', 'b', 'adverts']);
  });

  test('of one adapter need no signal: whether it hears a die shows when it is connected', () => {
    expect(told([heard('g1', { reach: new Map() })], [place('a', 1)])).toEqual(['a']);
  });

  test('are never more than an adapter carries, nor two of one die, whatever is heard where', () => {
    let state = 7;
    const upTo = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 300; round += 1) {
      const places = ['a', 'b', 'c'].map((name) => place(name, upTo(5), upTo(4) > 0));
      const free = new Map(places.map(({ name, links }) => [name, links]));
      const dice = Array.from({ length: upTo(16) }, (_, number) => {
        const held = places[upTo(6)];
        const left = held === undefined ? 0 : (free.get(held.name) ?? 0);
        if (held !== undefined && left > 0) free.set(held.name, left - 1);
        return heard(`${upTo(2) === 0 ? 'g' : 'p'}${number}`, {
          duty: upTo(3) === 0 ? 'counts' : 'rolls',
          reach: new Map(places.filter(() => upTo(2) === 0).map(({ name }) => [name, -40 - upTo(50)])),
          ...(held !== undefined && left > 0 ? { held: held.name } : {}),
        });
      });
      const plan = spreadLinks(dice, places);
      expect(plan.map(({ die }) => die)).toEqual(dice.map(({ die }) => die));
      for (const { name, links } of places)
        expect(plan.filter(({ adapter }) => adapter === name).length).toBeLessThanOrEqual(links);
      const moved = plan.filter(({ adapter }, at) => {
        const held = dice[at]?.held;
        return held !== undefined && adapter !== undefined && adapter !== held;
      });
      expect(moved).toEqual([]);
    }
  });
});

describe('a die that several adapters hear', () => {
  const adapter = (name: string): Hearing => {
    const looked = new LookedTime();
    looked.note(true, 0);
    return { name, looked };
  };
  const report = (rssi = NEAR, count = 1) => ({ heard: count, rssi });

  test('is read over one of them; another takes its place when that one has been silent for a second', () => {
    const [a, b] = [adapter('a'), adapter('b')];
    const ears = new Ears();
    expect([ears.note(a, report(), 0), ears.note(b, report(), 10), ears.note(a, report(), 250)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(ears.note(b, report(), 250 + EAR_MS - 1)).toBe(false);
    expect(ears.note(b, report(), 250 + EAR_MS)).toBe(true);
    expect(ears.note(a, report(), 260 + EAR_MS)).toBe(false);
    ears.forget(b);
    expect(ears.note(a, report(), 270 + EAR_MS)).toBe(true);
  });

  test('is heard as well as by the best of them, not as by both together', () => {
    const [a, b] = [adapter('a'), adapter('b')];
    const ears = new Ears();
    for (let at = 0; at < 20_000; at += 1_000) {
      ears.note(a, report(NEAR, 2), at);
      ears.note(b, report(NEAR - 20, 3), at);
    }
    expect(ears.quality(20_000)).toMatchObject({ heard: 30, expected: 51, percent: 59 });
    ears.forget(b);
    expect(ears.quality(20_000)).toMatchObject({ heard: 20, percent: 39, reliable: false });
  });

  test('is not heard well by one that has hardly listened', () => {
    const [a, b] = [adapter('a'), adapter('b')];
    const ears = new Ears();
    for (let at = 0; at < 20_000; at += 1_000) ears.note(a, report(NEAR, 2), at);
    ears.note(b, report(), 19_990);
    expect(ears.quality(20_000)).toMatchObject({ percent: 39 });
  });

  test('is in reach of those that heard it lately, each with its signal', () => {
    const [a, b] = [adapter('a'), adapter('b')];
    const ears = new Ears();
    ears.note(a, report(-40), 0);
    ears.note(b, report(-70), 5_000);
    expect([...ears.reach(6_000)]).toEqual([
      ['a', -40],
      ['b', -70],
    ]);
    expect([...ears.reach(REACH_MS)]).toEqual([['b', -70]]);
  });

  test('is one stranger, with the signal of the nearest adapter', () => {
    const strangers = new Strangers();
    const met = { tell: 'advert', die: 'godice-bc0940', make: 'GoDice', address: 'x', heard: 1 } as const;
    const advert = { ...met, advert: new Uint8Array(), name: 'GoDice_BC0940_K_v04' };
    strangers.note({ ...advert, rssi: -40 }, 0, 'a');
    strangers.note({ ...advert, rssi: -70 }, 200, 'b');
    expect(strangers.list(() => false, 300)).toMatchObject([{ rssi: -40, adapter: 'a' }]);
    strangers.note({ ...advert, rssi: -70 }, 1_500, 'b');
    expect(strangers.list(() => false, 1_600)).toMatchObject([{ rssi: -70, adapter: 'b' }]);
  });
});

describe('the numbers of radio processes and of adapters', () => {
  test('no two processes of a daemon have one epoch, nor does one of an earlier daemon', () => {
    const [run, next] = [epochsOf(7), epochsOf(8)];
    const numbers = Array.from({ length: 1_000 }, () => run());
    expect(new Set(numbers).size).toBe(1_000);
    expect(next()).toBeGreaterThan(Math.max(...numbers));
  });

  test('two that look for each other’s number change places, and neither takes one that is held', () => {
    const numbers = new AdapterNumbers();
    const fixed = new AdapterSearch(numbers, { adapter: 2 });
    const [first, second] = [
      new AdapterSearch(numbers, { address: 'bb' }),
      new AdapterSearch(numbers, { address: 'aa' }),
    ];
    expect([fixed.begin(), first.begin(), second.begin()]).toEqual([2, 0, 1]);
    expect(first.met('aa')).toBe('hci0 is aa, not bb');
    expect(second.met('bb')).toBe('hci1 is bb, not aa');
    first.ended();
    second.ended();
    expect([second.begin(), first.begin()]).toEqual([0, 1]);
    expect([second.met('aa'), first.met('bb')]).toEqual([null, null]);
  });

  test('a number at which nothing answers is left, for its adapter may come back under another', () => {
    const search = new AdapterSearch(new AdapterNumbers(), { address: 'aa' });
    const turn = (address?: string): number | undefined => {
      const number = search.begin();
      if (address !== undefined) search.met(address);
      search.ended();
      return number;
    };
    expect(Array.from({ length: MAX_ADAPTERS + 1 }, () => turn())).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0]);
    expect([turn('bb'), turn('aa'), turn('aa')]).toEqual([1, 2, 2]);
    // It may be switched off where it was, or be back elsewhere: both are tried in turn.
    expect(Array.from({ length: 5 }, () => turn())).toEqual([2, 3, 2, 4, 2]);
    expect([turn('cc'), turn('aa'), turn('aa')]).toEqual([5, 2, 2]);
  });

  test('an adapter of its own number, or on a serial port, is not looked for', () => {
    const numbers = new AdapterNumbers();
    const given = new AdapterSearch(numbers, { adapter: 3 });
    expect([given.begin(), given.met('zz'), given.ended(), given.begin()]).toEqual([3, null, undefined, 3]);
    const port = new AdapterSearch(numbers, { uart: '/dev/ttyACM0', address: 'aa' });
    expect([port.begin(), port.met('zz')]).toEqual([undefined, null]);
  });
});

describe('what is told of the adapters', () => {
  const WORKS = { phase: 'on', adapter: 'poweredOn', trouble: null } as const;
  const report = (name: string, radio: Partial<RadioProcessState>, hasWorked = true) => {
    const facts = { epoch: 7, restarts: 1, scanning: true, driver: 'abandonware', census: null, refused: 0 };
    return adapterReport({ name, links: 7, hasWorked, radio: { ...facts, ...WORKS, ...radio } }, 3);
  };
  const die = (link: 'up' | 'down') =>
    ({ id: 'x', model: 'Pixels', fake: false, link, counters: { holes: 2 } }) as const;

  test('is all of them in one while each works', () => {
    expect(stateOf([report('hci0', {}), report('hci1', { epoch: 9 })], [die('up'), die('down')])).toMatchObject({
      state: 'on',
      epoch: 9,
      restarts: 2,
      holes: 4,
      adapters: [
        { name: 'hci0', links: 7, linked: 3 },
        { name: 'hci1', epoch: 9 },
      ],
    });
    expect(stateOf([report('hci0', {})], [die('down')]).state).toBe('quiet');
  });

  test('names the one that is away, in both languages, while the others go on', () => {
    const pulled = report('hci1', { adapter: 'poweredOff' });
    const told = stateOf([report('hci0', {}), pulled], [die('up')]);
    expect(told).toMatchObject({
      state: 'on',
      reason: 'hci1: the Bluetooth adapter is off or missing',
      inItalian: { reason: "hci1: l'adattatore Bluetooth è spento o manca" },
    });
    expect(stateOf([pulled], []).reason).toBe('the Bluetooth adapter is off or missing');
  });

  test('of one that has never worked yet is that it starts, until something is known to be wrong', () => {
    expect(report('hci1', { adapter: 'poweredOff' }, false).state).toBe('starting');
    const missing = { what: 'no_adapter', text: 'hci3 is aa, not bb' } as const;
    const sought = report('hci1', { phase: 'pausing', adapter: 'unknown', trouble: missing }, false);
    expect(sought).toMatchObject({
      state: 'restarting',
      trouble: { en: { reason: expect.stringContaining('aa, not bb') } },
    });
    expect(stateOf([sought, report('hci2', { phase: 'starting', adapter: 'unknown' }, false)], []).state).toBe(
      'starting',
    );
  });
});

describe('what a Pixels advertises', () => {
  const advert = fromHex('02010603030a1808ffffff14710113570e09506978656c3033656634303564') ?? new Uint8Array();
  const scanResponse = fromHex('11079ecadc240ee5a9e093f3a3b50100406e0b160a185d40ef03fcba2c67') ?? new Uint8Array();

  test('has a number of its own in an epoch, though the die is let go and wanted again', () => {
    let at = 1_000;
    const origins: string[] = [];
    const clock = { now: () => at, after: () => () => undefined };
    for (let time = 0; time < 3; time += 1) {
      const kept = new KeptDie(
        { die: 'pixels-03ef405d', duty: 'counts' },
        { clock, epoch: () => 7_000_001, nextLink: () => 1, frame: () => undefined },
      );
      kept.die.start(({ origin = 'none' }) => origins.push(origin));
      kept.die.follow('adverts');
      const report = {
        tell: 'advert',
        die: 'pixels-03ef405d',
        make: 'Pixels',
        address: 'a',
        rssi: -50,
        heard: 1,
      } as const;
      kept.die.advert({ ...report, advert, scanResponse }, false);
      at += 250;
    }
    expect(origins.length).toBeGreaterThanOrEqual(3);
    expect(new Set(origins).size).toBe(origins.length);
  });
});
