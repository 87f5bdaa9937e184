import { describe, expect, test } from 'vitest';
import { PIXELS_KINDS, type PixelsKind, sidesOfKind } from '../../src/devices/ble/pixels-faces.js';
import type { Clock } from '../../src/devices/clock.js';
import type { Heard, Signal } from '../../src/devices/device.js';
import { MAX_WRITTEN } from '../../src/devices/fake/fake-link.js';
import { FakePixels } from '../../src/devices/fake/fake-pixels.js';
import { PIXELS_FACE_BYTES } from '../../src/devices/fake/pixels-bytes.js';
import { fromHex, toHex } from '../../src/devices/hex.js';

/** A clock that goes on only when told. */
class HandClock implements Clock {
  #now = 1_000_000;
  #timers: { due: number; then: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, then: () => void): () => void {
    const timer = { due: this.#now + ms, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.due);
      next.then();
    }
    this.#now = end;
  }

  get armed(): number {
    return this.#timers.length;
  }
}

function fake(type: PixelsKind) {
  const clock = new HandClock();
  const die = new FakePixels({ id: `fake-pixels-${type}`, type, epoch: 7, clock });
  const heard: Heard[] = [];
  die.start((one) => heard.push(one));
  return { clock, die, heard, notify: (hex: string) => die.notify(fromHex(hex) ?? Uint8Array.of()) };
}

const short = (signals: readonly Signal[]): readonly string[] =>
  signals.map((signal) => {
    if (signal.kind === 'rested') return `${signal.face} ${signal.how}`;
    if (signal.kind === 'garbled' || signal.kind === 'ignored') return `${signal.kind} ${signal.why}`;
    return signal.kind;
  });

const done = (result: ReturnType<FakePixels['roll']>): readonly Signal[] => {
  if (!result.ok) throw new Error(result.error);
  return result.value;
};

describe('the fake Pixels', () => {
  test('its bytes go through the codec: a throw of 8 and a hand turn', () => {
    const { notify, heard } = fake('d20');
    const roll = ['03020c', '03030c', '030305', '030307', '030107'].flatMap(notify);
    expect(short(roll)).toEqual(['handling', 'tumbling', 'tumbling', 'tumbling', '8 thrown']);
    expect(short(notify('030509'))).toEqual(['10 placed']);
    expect(heard.at(-1)).toMatchObject({
      device: 'fake-pixels-d20',
      die: { id: 'fake-pixels-d20', model: 'Pixels', type: 'd20', settleMs: 0, dwellMs: 600, quality: 'ok' },
      origin: 'fake-pixels-d20/7/1/6',
      fake: true,
    });
  });

  test.each(PIXELS_KINDS)('a %s: every printed face, thrown, bumped and set', (type) => {
    expect(PIXELS_FACE_BYTES[type]).toHaveLength(sidesOfKind(type));
    for (const [face] of PIXELS_FACE_BYTES[type]) {
      const { die } = fake(type);
      const thrown = done(die.roll(face === 0 && type === 'd10' ? 10 : face));
      expect(short(thrown).at(-1)).toBe(`${face} thrown`);
      expect(short(die.bump())).toEqual(['tumbling', `${face} unsure`]);
      expect(short(done(die.set(face)))).toEqual(['handling', 'handling', `${face} placed`]);
      // The same face again is a throw of its own.
      expect(short(done(die.roll(face))).at(-1)).toBe(`${face} thrown`);
    }
  });

  test('the cadence of §10: handling, 5 to 9 changing faces 160 ms apart, rolled after 480 ms of calm', () => {
    const { die, clock, heard } = fake('d20');
    const lengths: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      clock.pass(60_000);
      heard.length = 0;
      die.roll((i % 20) + 1);
      const times = heard.map(({ at }) => at);
      const pauses = times.slice(1).map((at, n) => at - (times[n] ?? 0));
      expect(pauses.at(-1)).toBe(480);
      expect(new Set(pauses.slice(0, -1))).toEqual(new Set([160]));
      expect(times.at(-1)).toBe(clock.now());
      const rest = heard.at(-1)?.signal;
      const faces = rest?.kind === 'rested' ? rest.evidence.faces : 0;
      expect(faces).toBe(heard.length - 2);
      lengths.push(heard.length - 2);
    }
    expect([...new Set(lengths)].sort()).toEqual([5, 6, 7, 8, 9]);
  });

  test('no message of a movement is stamped before what was told already', () => {
    const { die, clock, heard, notify } = fake('d6');
    die.roll(3);
    clock.pass(100);
    notify('225500');
    die.roll(4);
    const times = heard.map(({ at }) => at);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  test('a face the die does not have is refused by name', () => {
    const { die, heard } = fake('d6');
    expect(die.roll(7)).toEqual({ ok: false, error: 'a d6 has no face 7' });
    expect(die.set(0)).toEqual({ ok: false, error: 'a d6 has no face 0' });
    expect(fake('d00').die.set(5).ok).toBe(false);
    expect(fake('d6pipped').die.set(7)).toEqual({ ok: false, error: 'a d6 has no face 7' });
    expect(heard).toEqual([]);
  });

  test('equal throws are two, each signal with an origin of its own', () => {
    const { die, heard } = fake('d20');
    die.roll(17);
    die.roll(17);
    expect(short(heard.map(({ signal }) => signal)).filter((word) => word === '17 thrown')).toHaveLength(2);
    expect(new Set(heard.map(({ origin }) => origin)).size).toBe(heard.length);
  });

  test('a new link asks who it is: the answer is a snapshot of what lies up, never a roll', () => {
    const { die, clock, heard, notify } = fake('d20');
    die.roll(17);
    die.link(false);
    expect(die.status()).toMatchObject({ link: 'down', fake: true, model: 'Pixels' });
    expect(notify('030107')).toEqual([]);
    expect(die.roll(3)).toEqual({ ok: true, value: [] });
    expect(short(die.link(true))).toEqual(['identity', 'battery', '3 resync']);
    expect(die.written().map(toHex)).toEqual(['01']);
    expect(heard.at(-1)?.origin).toBe('fake-pixels-d20/7/2/3');
    expect(short(done(die.roll(9))).at(-1)).toBe('9 resync');
    clock.pass(2_001);
    expect(short(done(die.roll(9))).at(-1)).toBe('9 thrown');
    expect(die.status().counters).toMatchObject({ links: 2 });
    expect([die.link(true), die.link(false), die.link(false)]).toEqual([[], [], []]);
  });

  test.each(PIXELS_KINDS)('a %s says what it is', (type) => {
    const { die } = fake(type);
    die.link(false);
    const [identity, battery, rest] = die.link(true);
    const [face] = PIXELS_FACE_BYTES[type][0] ?? [];
    const printed = type === 'd6pipped' ? 'd6' : type;
    expect(identity).toMatchObject({ kind: 'identity', model: 'Pixels', type: printed, firmware: '1730984700' });
    expect(battery).toEqual({ kind: 'battery', percent: 87, charging: false });
    expect(rest).toMatchObject({ kind: 'rested', type: printed, face, how: 'resync' });
  });

  test('F029 the link drops in mid-roll: unresolved by the timer after 10 s', () => {
    const { die, clock, heard, notify } = fake('d20');
    notify('030303');
    die.link(false);
    clock.pass(9_999);
    expect(short(heard.map(({ signal }) => signal))).toEqual(['tumbling']);
    clock.pass(1);
    expect(short(heard.map(({ signal }) => signal))).toEqual(['tumbling', 'unresolved']);
  });

  test('rubbish is counted, and is no roll', () => {
    const { die, notify } = fake('d20');
    expect(short([...notify(''), ...notify('0301'), ...notify('030114'), ...notify('c8')])).toEqual([
      'garbled length',
      'garbled length',
      'garbled face_range',
      'ignored unknown',
    ]);
    expect(die.status().counters).toMatchObject({ garbled: 3, notifications: 4 });
  });

  test('blinking writes the command, only while the link is up and only to this die', async () => {
    const { die } = fake('d6');
    expect(await die.blink('fake-pixels-d6')).toBe(true);
    expect(die.written().map(toHex)).toEqual(['1D03B80B00B20000FFFFFFFF0001']);
    expect(await die.blink('constructor')).toBe(false);
    for (let i = 0; i < 2 * MAX_WRITTEN; i += 1) await die.blink('fake-pixels-d6');
    expect(die.written()).toHaveLength(MAX_WRITTEN);
    die.link(false);
    expect(await die.blink('fake-pixels-d6')).toBe(false);
  });

  test('200 drops and returns leave one timer at most; stop leaves none', async () => {
    const { die, clock, heard, notify } = fake('d20');
    for (let i = 0; i < 200; i += 1) {
      notify('030303');
      die.link(false);
      die.link(true);
      clock.pass(2_500);
    }
    expect(clock.armed).toBeLessThanOrEqual(1);
    const before = heard.length;
    die.roll(17);
    expect(short(heard.slice(before).map(({ signal }) => signal)).filter((word) => word === '17 thrown')).toHaveLength(
      1,
    );
    notify('030303');
    await die.stop();
    expect(clock.armed).toBe(0);
  });
});
