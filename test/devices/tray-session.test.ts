import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/devices/clock.js';
import type { Heard, Signal } from '../../src/devices/device.js';
import { FakeTray, type FakeTrayOptions } from '../../src/devices/fake/fake-tray.js';
import { framed } from '../../src/devices/fake/tray-frames.js';
import { TrayNames } from '../../src/devices/serial/names.js';
import { stepTray } from '../../src/devices/serial/session.js';
import {
  closedTray,
  isRubbish,
  MAX_HELD_EVENTS,
  type TrayInput,
  type TrayWord,
} from '../../src/devices/serial/session-state.js';
import { encodeFrame } from '../../src/devices/serial/ttp1.js';

const worded = (signal: Signal): string => ('why' in signal ? `${signal.kind} ${signal.why}` : signal.kind);

/** Drives the pure session: a name is admitted at once, as an intake does. */
class Bench {
  state = closedTray(false);
  sent: string[] = [];
  heard: TrayWord[] = [];
  reopened = 0;

  constructor(anonymous = false) {
    this.state = closedTray(anonymous);
  }

  give(input: TrayInput): this {
    const step = stepTray(this.state, input);
    this.state = step.state;
    this.sent.push(...step.send.map((frame) => encodeFrame(frame).slice(3, -5)));
    this.heard.push(...step.heard);
    if (step.reopen !== undefined) this.reopened += 1;
    return step.state.phase === 'named' ? this.give({ kind: 'admitted', at: input.at }) : this;
  }

  line(at: number, body: string): this {
    return this.give({ kind: 'line', at, text: framed(body) });
  }

  /** What was sent and told since the last call. */
  take(): { sent: string[]; told: string[] } {
    const told = this.heard.map((w) => `${worded(w.signal)}${w.ageMs === undefined ? '' : ` age ${w.ageMs}`}`);
    const sent = this.sent;
    this.sent = [];
    this.heard = [];
    return { sent, told };
  }
}

const HELLO = 'TTHEL,1-1,tray-a,boot=9,next=100,ms=50000,caps=roll+led';
const roll = (seq: number, boot = 9, ms = 50_000 + seq * 10): string => `TTROL,${seq},${boot},${ms},d20,17`;

const live = (): Bench => {
  const bench = new Bench().give({ kind: 'opened', at: 0 }).line(10, HELLO);
  bench.take();
  return bench;
};

describe('handshake', () => {
  test('HEL? is asked until a HEL comes, then USE, RES from before the next event, and a first PIN', () => {
    const bench = new Bench().give({ kind: 'opened', at: 0 });
    bench.give({ kind: 'tick', at: 500 }).give({ kind: 'tick', at: 1000 }).line(1400, HELLO);
    expect(bench.take()).toEqual({ sent: ['HEL?', 'HEL?', 'USE,1', 'RES,9,99', 'PIN,1'], told: ['hello'] });
  });

  test('the highest common version is used', () => {
    const bench = new Bench().give({ kind: 'opened', at: 0 }).line(5, 'TTHEL,1-7,t,boot=1,next=1');
    expect(bench.take().sent).toContain('USE,1');
  });

  test('version refusal: no common version, nothing counts, and a firmware that learns it is let in', () => {
    const bench = new Bench().give({ kind: 'opened', at: 0 }).line(5, 'TTHEL,2-3,t,boot=1,next=1').line(6, roll(1, 1));
    expect(bench.state.phase).toBe('refused');
    expect(bench.take()).toEqual({ sent: ['HEL?'], told: ['hello', 'ignored foreign'] });
    bench.line(20, 'TTHEL,1-3,t,boot=2,next=1').line(21, roll(1, 2));
    expect(bench.take().told).toEqual(['hello', 'rested']);
  });

  test('events before the HEL wait for it and are told once; of too many the surplus is left to the replay', () => {
    const bench = new Bench().give({ kind: 'opened', at: 0 });
    for (let seq = 100; seq < 100 + MAX_HELD_EVENTS + 1; seq++) bench.line(seq, roll(seq));
    expect(bench.take().told).toEqual([]);
    bench.line(300, HELLO);
    expect(bench.take().told).toEqual(['hello', ...Array.from({ length: MAX_HELD_EVENTS }, () => 'rested')]);
    bench.line(310, roll(100)).line(311, roll(100 + MAX_HELD_EVENTS));
    expect(bench.take().told).toEqual(['ignored repeat', 'rested']);
  });

  test('without a HEL a path given by hand tells events unvouched, a discovered port never', () => {
    const given = new Bench(true).give({ kind: 'opened', at: 0 }).line(10, roll(1)).give({ kind: 'tick', at: 700 });
    expect(given.heard.map((w) => w.vouched)).toEqual([false]);
    const found = new Bench(false).give({ kind: 'opened', at: 0 }).line(10, roll(1)).give({ kind: 'tick', at: 700 });
    expect(found.heard).toEqual([]);
  });

  test('events dropped with a connection that never said HEL are welcome when they are replayed', () => {
    const bench = new Bench().give({ kind: 'opened', at: 0 }).line(10, roll(100)).give({ kind: 'closed', at: 20 });
    bench.give({ kind: 'opened', at: 30 }).line(40, HELLO).line(50, roll(100));
    expect(bench.take().told).toEqual(['hello', 'rested']);
  });
});

describe('sequence', () => {
  test('F094 two equal results are two rolls; a duplicate is one', () => {
    const bench = live().line(100, roll(100)).line(200, roll(101)).line(300, roll(101));
    expect(bench.take().told).toEqual(['rested', 'rested', 'ignored repeat']);
  });

  test('F064 the sequence wraps, a new boot begins at 1: all accepted once, in order', () => {
    const bench = new Bench().give({ kind: 'opened', at: 0 });
    bench.line(5, 'TTHEL,1-1,t,boot=9,next=4294967295,ms=10');
    bench
      .line(10, roll(4294967295, 9, 20))
      .line(20, roll(0, 9, 30))
      .line(30, roll(1, 9, 40))
      .line(31, roll(0, 9, 30));
    bench
      .line(40, 'TTHEL,1-1,t,boot=10,next=1,ms=5')
      .line(50, roll(1, 10, 15))
      .line(60, roll(1, 9, 40));
    const { sent, told } = bench.take();
    expect(told.filter((w) => w !== 'hello')).toEqual([
      'rested',
      'rested',
      'rested',
      'ignored repeat',
      'rested',
      'ignored repeat',
    ]);
    expect(sent.filter((s) => s.startsWith('RES'))).toEqual(['RES,9,4294967294', 'RES,9,1']);
  });

  test('a hole: RES from the last good one, at most once in 250 ms, until it is filled', () => {
    const bench = live().line(300, roll(102)).line(310, roll(103)).give({ kind: 'tick', at: 500 });
    expect(bench.take().sent).toEqual(['RES,9,99']);
    bench.give({ kind: 'tick', at: 560 });
    expect(bench.take().sent).toEqual(['RES,9,99']);
    bench.line(570, roll(100)).line(571, roll(101)).line(572, roll(102)).give({ kind: 'tick', at: 900 });
    expect(bench.take()).toEqual({ sent: [], told: ['rested', 'rested', 'ignored repeat'] });
  });

  test('a tray without a store is asked five times and then left in peace', () => {
    const bench = live().line(300, roll(102));
    for (let at = 600; at < 6000; at += 300) bench.give({ kind: 'tick', at });
    expect(bench.take().sent.filter((s) => s.startsWith('RES'))).toEqual(Array.from({ length: 5 }, () => 'RES,9,99'));
  });

  test('a beat tells of a lost last event; a GAP says it is gone for good', () => {
    const bench = live().line(1000, 'TTBEA,9,60000,101');
    expect(bench.take()).toEqual({ sent: ['RES,9,99'], told: ['beat'] });
    bench.line(1010, 'TTGAP,9,90,101,overflow').give({ kind: 'tick', at: 2000 });
    expect(bench.take()).toEqual({ sent: [], told: ['gap'] });
  });

  test('a bad check is dropped and asks for what was lost', () => {
    const bench = live().give({ kind: 'line', at: 1000, text: framed(roll(100)).replace('d20,17', 'd20,18') });
    expect(bench.take()).toEqual({ sent: ['RES,9,99'], told: ['garbled check'] });
  });

  test('an unknown type and an unknown key change nothing', () => {
    const bench = live()
      .line(100, 'TTNEW,1,2')
      .line(110, `${roll(100)},later=1`);
    expect(bench.take().told).toEqual(['ignored foreign', 'rested']);
  });
});

describe('replay and time', () => {
  test('F065 what a tray stored while it was away is marked with its true age, the live roll is not', () => {
    const bench = live()
      .line(1000, roll(100, 9, 51_000))
      .give({ kind: 'closed', at: 2000 });
    bench.take();
    bench.give({ kind: 'opened', at: 60_000 }).line(60_010, 'TTHEL,1-1,tray-a,boot=9,next=103,ms=110000');
    expect(bench.take().sent).toContain('RES,9,100');
    bench
      .line(60_020, roll(101, 9, 52_000))
      .line(60_030, roll(102, 9, 100_000))
      .line(60_500, roll(103, 9, 110_500));
    const { told } = bench.take();
    expect(told).toEqual(['rested age 58010', 'rested age 10020', 'rested']);
  });

  test('an event of an older boot is at least as old as the new boot', () => {
    const bench = live().line(100, roll(100)).give({ kind: 'closed', at: 200 }).give({ kind: 'opened', at: 5000 });
    bench.line(5010, 'TTHEL,1-1,tray-a,boot=10,next=1,ms=3000');
    bench.take();
    bench.line(5020, roll(101, 9)).line(5030, roll(1, 10, 3020));
    expect(bench.take().told).toEqual(['rested age 3010', 'rested']);
  });

  test('the quickest of the last round trips maps the clock', () => {
    const bench = live();
    const pin = (at: number, rtt: number, ms: number, nonce: number) => {
      bench.give({ kind: 'tick', at }).line(at + rtt, `TTPON,${nonce},${ms}`);
    };
    bench.line(14, 'TTPON,1,50001');
    bench.line(29_000, 'TTBEA,9,79000,99');
    pin(30_010, 400, 80_100, 2);
    bench.line(30_500, 'TTHEL,1-1,tray-a,boot=9,next=102,ms=80500').line(30_510, roll(100, 9, 70_500));
    // The first trip took 4 ms: tray 50001 is host 12, so 70500 was 9999 ms ago.
    expect(bench.take().told.at(-1)).toBe('rested age 9999');
  });

  test('ms wrap: a tray that counts 32 bits against the rules loses its old clock, not its rolls', () => {
    const bench = new Bench().give({ kind: 'opened', at: 0 }).line(5, 'TTHEL,1-1,t,boot=1,next=1,ms=4294967000');
    bench
      .line(10, roll(1, 1, 4294967290))
      .line(20, roll(2, 1, 4))
      .line(30, 'TTHEL,1-1,t,boot=1,next=4,ms=14')
      .line(40, roll(3, 1, 12));
    expect(bench.take().told).toEqual(['hello', 'rested', 'rested', 'hello', 'rested']);
  });
});

describe('liveness', () => {
  test('after 3 s of silence a PIN is written, after 6 s the port is opened anew', () => {
    const bench = live();
    for (let at = 500; at <= 6000; at += 500) bench.give({ kind: 'tick', at });
    expect(bench.take().sent).toEqual(['PIN,2']);
    expect(bench.reopened).toBe(0);
    bench.give({ kind: 'tick', at: 6010 });
    expect(bench.reopened).toBe(1);
  });

  test('beats keep it alive, and clocks are compared every 30 s', () => {
    const bench = live();
    for (let at = 2000; at <= 40_000; at += 2000)
      bench.line(at, `TTBEA,9,${50_000 + at},99`).give({ kind: 'tick', at });
    expect(bench.reopened).toBe(0);
    expect(bench.take().sent).toEqual(['PIN,2']);
  });

  test('unreadable bytes in a row mean another baud rate, one frame ends that', () => {
    const bench = live();
    for (let n = 0; n < 5; n++) bench.give({ kind: 'line', at: 100 + n, text: `\u0000\u00ff${n}` });
    expect(isRubbish(bench.state)).toBe(true);
    bench.line(200, 'TTBEA,9,50200,99');
    expect(isRubbish(bench.state)).toBe(false);
  });

  test('readable boot noise is no rubbish', () => {
    const bench = live();
    for (let n = 0; n < 50; n++) bench.give({ kind: 'line', at: 100 + n, text: `calibrating ${n}` });
    expect(isRubbish(bench.state)).toBe(false);
  });
});

class HandClock implements Clock {
  time = 1000;
  #timers: { at: number; then: () => void }[] = [];
  now = (): number => this.time;
  after(ms: number, then: () => void): () => void {
    const timer = { at: this.time + ms, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((t) => t !== timer);
    };
  }
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((t) => t !== next);
      this.time = Math.max(this.time, next.at);
      next.then();
    }
    this.time = end;
  }
  get waiting(): number {
    return this.#timers.length;
  }
}

function fakeTray(options: Partial<FakeTrayOptions> = {}) {
  const clock = new HandClock();
  const tray = new FakeTray({ id: 'fake-tray', epoch: 3, clock, ...options });
  const heard: Heard[] = [];
  tray.start((h) => heard.push(h));
  return { clock, tray, heard, rolls: () => heard.filter((h) => h.signal.kind === 'rested') };
}

const SAMPLE = '$TTROL,1042,9,183220,d20,17,slot=2,kind=roll,q=98,throw=311,of=1/3*BF29';

describe('the fake tray speaks bytes', () => {
  test('it shakes hands by itself and beats', () => {
    const { clock, tray, heard } = fakeTray();
    expect(tray.status()).toMatchObject({ id: 'fake-tray', fake: true, link: 'up' });
    expect(tray.commands()).toEqual([framed('TTHEL?'), framed('TTUSE,1'), framed('TTRES,3000,0'), framed('TTPIN,1')]);
    clock.pass(20_000);
    expect(tray.status().link).toBe('up');
    expect(heard.filter((h) => h.signal.kind === 'beat')).toHaveLength(10);
  });

  test('roll: tumbling, then a throw with its whereabouts', () => {
    const { tray, rolls } = fakeTray({ die: 'd10' });
    const said = tray.roll(10);
    expect(said).toMatchObject({ ok: true, value: [{ kind: 'tumbling' }, { kind: 'rested', face: 0, how: 'thrown' }] });
    expect(rolls()).toEqual([
      expect.objectContaining({
        device: 'fake-tray',
        origin: 'fake-tray/3000/2',
        fake: true,
        die: { id: 'fake-tray', model: 'tray', type: 'd10', settleMs: 0, dwellMs: 600, quality: 'ok' },
      }),
    ]);
    expect(tray.roll(11)).toMatchObject({ ok: false });
  });

  test('set: placed, never thrown', () => {
    const { tray } = fakeTray({ slot: 'hp' });
    expect(tray.set(14)).toMatchObject({ ok: true, value: [{ kind: 'rested', face: 14, how: 'placed' }] });
    expect(tray.set(21)).toMatchObject({ ok: false });
  });

  test('line: a sample of the protocol comes out with lane, piece and origin, and is live whatever its boot', () => {
    const { tray, rolls } = fakeTray();
    expect(tray.line(SAMPLE)).toEqual([expect.objectContaining({ kind: 'rested', face: 17, how: 'thrown' })]);
    expect(rolls()[0]).toMatchObject({ origin: 'fake-tray/9/1042', die: { id: 'fake-tray-2', lane: '2', piece: '1' } });
    expect(rolls()[0]).not.toHaveProperty('ageMs');
    expect(tray.line(SAMPLE).map(worded)).toEqual(['ignored repeat']);
    expect(tray.line('hello').map(worded)).toEqual(['ignored log']);
    expect(tray.line('$'.repeat(300)).map(worded)).toEqual(['garbled too_long']);
    expect(tray.line(SAMPLE.replace('d20,17', 'd20,71'))).toEqual([
      expect.objectContaining({ kind: 'garbled', why: 'check', got: 'BF29' }),
    ]);
  });

  test('line: a HEL by hand answers itself alone and does not rename the fake', () => {
    const { tray, rolls } = fakeTray();
    const hello =
      '$TTHEL,1-1,tray-7f3a,fw=1.4.0,boot=9,oldest=1031,next=1043,ms=180000,caps=roll+set+led+nv,crc=16*5708';
    expect(tray.line(hello).map(worded)).toEqual(['hello']);
    expect(tray.line(SAMPLE).map(worded)).toEqual(['rested']);
    expect(tray.roll(4)).toMatchObject({ ok: true });
    expect(rolls().map((h) => [h.device, h.ageMs])).toEqual([
      ['fake-tray', undefined],
      ['fake-tray', undefined],
    ]);
  });

  test('a duplicated line is one roll, a corrupted one none until it is sent again', () => {
    const { clock, tray, rolls } = fakeTray();
    tray.fault({ kind: 'duplicate' });
    tray.fault({ kind: 'duplicate' });
    tray.roll(5);
    expect(rolls()).toHaveLength(1);
    clock.pass(400);
    tray.fault({ kind: 'drop' });
    tray.fault({ kind: 'corrupt', offset: 20, mask: 1 });
    tray.roll(6);
    // The bad check made the host ask from its last good event on, and the store answered.
    expect(rolls().map((h) => (h.signal.kind === 'rested' ? h.signal.face : 0))).toEqual([5, 6]);
  });

  test('a delayed line comes later; one in the cable when it is cut never comes, but is replayed', () => {
    const { clock, tray, rolls } = fakeTray();
    tray.fault({ kind: 'delay', ms: 300 });
    tray.fault({ kind: 'delay', ms: 300 });
    expect(tray.roll(7)).toEqual({ ok: true, value: [] });
    clock.pass(300);
    expect(rolls()).toHaveLength(1);
  });

  test('unplugged while it rolls: replayed with its age after the cable is back, in order', () => {
    const { clock, tray, rolls } = fakeTray();
    tray.roll(3);
    tray.link(false);
    expect(tray.status().link).toBe('down');
    expect(tray.roll(8)).toEqual({ ok: true, value: [] });
    clock.pass(4000);
    tray.roll(9);
    clock.pass(5000);
    tray.link(true);
    expect(rolls().map((h) => [h.signal.kind === 'rested' ? h.signal.face : 0, h.ageMs])).toEqual([
      [3, undefined],
      [8, 9000],
      [9, 5000],
    ]);
  });

  test("an unplugged tray's tumble is unresolved after 10 s, told once", () => {
    const { clock, tray, heard } = fakeTray({ slot: '2' });
    tray.line(framed('TTEVT,1,3000,5,rolling,slot=2'));
    tray.link(false);
    clock.pass(9000);
    expect(heard.some((h) => h.signal.kind === 'unresolved')).toBe(false);
    clock.pass(30_000);
    const told = heard.filter((h) => h.signal.kind === 'unresolved');
    expect(told).toEqual([expect.objectContaining({ die: expect.objectContaining({ id: 'fake-tray-2' }) })]);
  });

  test('a reboot starts a new boot at 1; its roll is a new one', () => {
    const { tray, rolls } = fakeTray();
    tray.roll(3);
    tray.reboot();
    tray.roll(3);
    expect(rolls().map((h) => h.origin)).toEqual(['fake-tray/3000/2', 'fake-tray/3001/2']);
  });

  test('beat timeout: a tray that falls silent is opened anew after 6 s', () => {
    const { clock, tray } = fakeTray();
    tray.beats(false);
    // The tray still answers PIN, so silence needs a cut answer as well.
    for (let n = 0; n < 60; n++) tray.fault({ kind: 'drop' });
    clock.pass(7000);
    expect(tray.status().counters.connections).toBe(2);
  });

  test('F061 two trays with one id are both refused with a message, and the one that stays is let in again', () => {
    const names = new TrayNames();
    const clock = new HandClock();
    const heard: Heard[] = [];
    const [a, b] = ['a', 'b'].map((epoch) => new FakeTray({ id: 'twin', epoch: epoch.charCodeAt(0), clock, names }));
    a?.start((h) => heard.push(h));
    a?.roll(3);
    b?.start((h) => heard.push(h));
    expect([a?.status(), b?.status()]).toEqual([
      expect.objectContaining({
        link: 'refused',
        code: 'same_id',
        reason: expect.stringContaining('two trays call themselves twin'),
      }),
      expect.objectContaining({ link: 'refused', code: 'same_id' }),
    ]);
    a?.roll(4);
    b?.roll(5);
    expect(heard.filter((h) => h.signal.kind === 'rested')).toHaveLength(1);
    b?.link(false);
    expect(a?.status().link).toBe('up');
    expect(heard.filter((h) => h.signal.kind === 'rested')).toHaveLength(2);
  });

  test('blink writes an LED frame for the slot; an unknown die cannot blink', async () => {
    const { tray } = fakeTray({ slot: '2' });
    tray.roll(3);
    expect(await tray.blink('fake-tray-2')).toBe(true);
    expect(tray.commands().at(-1)).toBe(framed('TTLED,2,80A0FF,3'));
    expect(await tray.blink('other')).toBe(false);
  });

  test('stop leaves no timer', async () => {
    const { clock, tray } = fakeTray();
    tray.fault({ kind: 'delay', ms: 5000 });
    tray.roll(3);
    await tray.stop();
    expect(clock.waiting).toBe(0);
  });
});
