import { describe, expect, test } from 'vitest';
import { GODICE_SHELLS, type GodiceShell } from '../../src/devices/ble/godice-faces.js';
import type { Clock } from '../../src/devices/clock.js';
import { monotonicClock } from '../../src/devices/clock.js';
import type { Heard, Signal } from '../../src/devices/device.js';
import { FakeGodice, MAX_DELAYED, MAX_FAULTS } from '../../src/devices/fake/fake-godice.js';
import { MAX_WRITTEN } from '../../src/devices/fake/fake-link.js';
import { FACE_BYTES } from '../../src/devices/fake/godice-bytes.js';
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

function fake(shell: GodiceShell, more: { answersInit?: boolean } = {}) {
  const clock = new HandClock();
  const die = new FakeGodice({ id: `fake-godice-${shell}`, shell, epoch: 7, clock, ...more });
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

describe('the fake GoDice', () => {
  test('its bytes go through the codec: a throw of 17, and a fake stop that is none', () => {
    const { notify, heard } = fake('d20');
    expect(short([...notify('52'), ...notify('545300EAC0')])).toEqual(['tumbling', '17 thrown']);
    expect(short(notify('4653400016'))).toEqual(['20 placed']);
    expect(heard.map(({ signal }) => signal.kind)).toEqual(['tumbling', 'rested', 'rested']);
    expect(heard[1]).toMatchObject({
      device: 'fake-godice-d20',
      die: { id: 'fake-godice-d20', model: 'GoDice', type: 'd20', settleMs: 250, dwellMs: 800, quality: 'ok' },
      origin: 'fake-godice-d20/7/1/2',
      fake: true,
    });
  });

  test.each(GODICE_SHELLS)('a %s: every printed face, thrown and set', (shell) => {
    for (const face of FACE_BYTES[shell].keys()) {
      const { die } = fake(shell);
      const thrown = die.roll(face === 0 && shell === 'd10' ? 10 : face);
      expect(thrown.ok && short(thrown.value)).toEqual(['tumbling', `${face} thrown`]);
      const set = die.set(face);
      expect(set.ok && short(set.value)).toEqual([`${face} placed`]);
    }
  });

  test('the literal faces are as many as the die has', () => {
    expect(GODICE_SHELLS.map((shell) => FACE_BYTES[shell].size)).toEqual([4, 6, 8, 10, 10, 12, 20]);
  });

  test('a face the die does not have is refused by name', () => {
    const { die, heard } = fake('d6');
    expect(die.roll(7)).toEqual({ ok: false, error: 'a d6 has no face 7' });
    expect(die.set(0)).toEqual({ ok: false, error: 'a d6 has no face 0' });
    expect(fake('d10x').die.set(5).ok).toBe(false);
    expect(heard).toEqual([]);
  });

  test('equal throws are two, each with an origin of its own', () => {
    const { die, heard } = fake('d20');
    die.roll(17);
    die.roll(17);
    expect(short(heard.map(({ signal }) => signal))).toEqual(['tumbling', '17 thrown', 'tumbling', '17 thrown']);
    expect(new Set(heard.map(({ origin }) => origin)).size).toBe(4);
  });

  test('F029 the link drops in mid-roll: unresolved by the timer after 10 s, a late rest is resync', () => {
    const { die, clock, heard, notify } = fake('d20');
    notify('52');
    die.link(false);
    expect(die.status().link).toBe('down');
    expect(notify('545300EAC0')).toEqual([]);
    clock.pass(9_999);
    expect(short(heard.map(({ signal }) => signal))).toEqual(['tumbling']);
    clock.pass(1);
    expect(short(heard.map(({ signal }) => signal))).toEqual(['tumbling', 'unresolved']);
    die.link(true);
    clock.pass(500);
    expect(short(notify('545300EAC0'))).toEqual(['17 resync']);
    expect(heard.at(-1)?.origin).toBe('fake-godice-d20/7/2/1');
  });

  test('the link counts as long up at the start and comes back as a young one', () => {
    const { die, clock, notify } = fake('d20');
    expect(die.status()).toMatchObject({ link: 'up', fake: true, model: 'GoDice', counters: { links: 1 } });
    expect(short(notify('5453400016'))).toEqual(['20 unsure']);
    expect([die.link(true), die.link(false), die.link(false), die.link(true)]).toEqual([[], [], [], []]);
    expect(die.status().counters.links).toBe(2);
    clock.pass(2_001);
    expect(short(notify('5453400016'))).toEqual(['20 unsure']);
  });

  test('asked to, it answers the init of a new link as the real die does', () => {
    const { die } = fake('d20', { answersInit: true });
    die.roll(17);
    die.link(false);
    expect(short(die.link(true))).toEqual(['battery', 'battery', '17 resync']);
    expect(die.written().map(toHex)).toEqual(['191E03323200FF000100']);
  });

  test('faults: duplicated, corrupted and cut notifications never make a second throw', () => {
    const { die, notify } = fake('d20');
    notify('52');
    die.fault({ kind: 'duplicate' });
    expect(short(notify('545300EAC0'))).toEqual(['17 thrown', 'ignored repeat']);
    notify('52');
    die.fault({ kind: 'corrupt', offset: 0, mask: 0xff });
    die.fault({ kind: 'cut', bytes: 3 });
    expect(short(notify('545300EAC0'))).toEqual(['garbled unknown']);
    expect(short(notify('545300EAC0'))).toEqual(['garbled unknown']);
    expect(short(notify('545300EAC0'))).toEqual(['17 thrown']);
    expect(die.status().counters).toMatchObject({ garbled: 2 });
  });

  test('fault: a delayed notification arrives later, and what follows waits behind it', () => {
    const { die, clock, heard, notify } = fake('d20');
    die.fault({ kind: 'delay', ms: 300 });
    expect([notify('52'), notify('545300EAC0')]).toEqual([[], []]);
    clock.pass(299);
    expect(heard).toEqual([]);
    clock.pass(1);
    expect(short(heard.map(({ signal }) => signal))).toEqual(['tumbling', '17 thrown']);
  });

  test('fault: a drop loses the link and what was on its way', () => {
    const { die, clock, heard, notify } = fake('d20');
    notify('52');
    die.fault({ kind: 'delay', ms: 300 });
    notify('545300EAC0');
    die.fault({ kind: 'drop' });
    notify('545300EAC0');
    die.link(true);
    clock.pass(1_000);
    expect(short(heard.map(({ signal }) => signal))).toEqual(['tumbling']);
    expect(die.status().counters).toMatchObject({ lost: 2, links: 2 });
  });

  test('everything that waits has its limit', () => {
    const { die, notify } = fake('d20');
    for (let i = 0; i < MAX_FAULTS; i += 1) expect(die.fault({ kind: 'delay', ms: 5 })).toBe(true);
    expect(die.fault({ kind: 'drop' })).toBe(false);
    for (let i = 0; i < MAX_DELAYED + 10; i += 1) notify('52');
    expect(die.status().counters.lost).toBe(10);
  });

  test('blinking writes the command, only while the link is up and only to this die', async () => {
    const { die } = fake('d6');
    expect(await die.blink('fake-godice-d6')).toBe(true);
    expect(die.written().map(toHex)).toEqual(['1003323200FF000100']);
    expect(await die.blink('constructor')).toBe(false);
    for (let i = 0; i < 2 * MAX_WRITTEN; i += 1) await die.blink('fake-godice-d6');
    expect(die.written()).toHaveLength(MAX_WRITTEN);
    die.link(false);
    expect(await die.blink('fake-godice-d6')).toBe(false);
  });

  test('200 drops and returns leave one timer at most and one notification per roll; stop leaves none', async () => {
    const { die, clock, heard, notify } = fake('d20');
    for (let i = 0; i < 200; i += 1) {
      notify('52');
      die.link(false);
      die.link(true);
      clock.pass(2_500);
    }
    expect(clock.armed).toBeLessThanOrEqual(1);
    const before = heard.length;
    die.roll(17);
    expect(short(heard.slice(before).map(({ signal }) => signal))).toEqual(['tumbling', '17 thrown']);
    notify('52');
    die.fault({ kind: 'delay', ms: 5 });
    notify('53');
    await die.stop();
    expect(clock.armed).toBe(0);
  });

  test("the process's own clock: monotonic, and a timer can be taken back", async () => {
    const start = monotonicClock.now();
    const rung: string[] = [];
    const takeBack = monotonicClock.after(1, () => rung.push('never'));
    takeBack();
    await new Promise<void>((resolve) => {
      monotonicClock.after(5, () => {
        rung.push('once');
        resolve();
      });
      setTimeout(resolve, 2_000).unref();
    });
    expect(rung).toEqual(['once']);
    expect(monotonicClock.now()).toBeGreaterThan(start);
  });
});
