import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Signal } from '../../src/devices/device.js';
import type { Table } from '../../src/table/table.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, GM_SEES, gameOf, House, rest, seated, viewOf } from './house.js';

afterAll(removeFolders);

let house: House;
let table: Table;
beforeEach(async () => {
  house = await House.open(freshFolder());
  const bindings = [bound('x', 'd20', 'ada'), bound('hp', 'd20', 'bea', 'pv')];
  table = await house.table({ id: 'prova', seats: seated('ada', 'bea'), bindings });
});
afterEach(() => house.close());

const TUMBLING: Signal = { kind: 'tumbling' };
/** A signal as the radio numbers it: epoch, link within it, notification within that. */
const over = (epoch: number, link: number, n: number, signal: Signal) =>
  house.hear({ id: 'x', type: 'd20' }, signal, { origin: `x/${epoch}/${link}/${n}` });
const noticesOf = () => (viewOf(table) as { notices: { code: string; face?: number; roll?: string }[] }).notices;
const codes = (): string[] => noticesOf().map(({ code }) => code);

describe('a throw heard on two links', () => {
  test.each([
    ['after the die came back', [7, 2]],
    ['after the radio was started anew', [8, 1]],
  ])(
    '%s is no throw: it is re-read, told so, and counts only if the player says so',
    async (_, [epoch = 0, link = 0]) => {
      await over(7, 1, 1, TUMBLING);
      await over(epoch, link, 1, rest('d20', 14));
      expect(gameOf(table).rolls).toBe(0);
      expect(noticesOf()).toMatchObject([{ code: 'resync', face: 14 }]);
      const [offer] = noticesOf();
      await house.ack(table, GM, 'claim', { roll: offer?.roll, seat: 'ada' });
      expect(gameOf(table).rolls).toBe(1);
      expect(table.state().rolls.at(-1)?.wire).toMatchObject({ natural: 14, seat: 'ada' });
      expect(table.state().rolls.at(-1)?.wire.dice).toMatchObject([{ quality: 'unverified' }]);
    },
  );

  test('leaves the next one untouched: tumbling and rest on one link count', async () => {
    await over(7, 1, 1, TUMBLING);
    await over(7, 2, 1, rest('d20', 14, 'resync'));
    await over(7, 2, 2, TUMBLING);
    await over(7, 2, 3, rest('d20', 5));
    expect(gameOf(table).rolls).toBe(1);
    expect(codes()).toEqual(['resync']);
  });

  test('that never ends is told as lost, and the number typed instead counts (F029)', async () => {
    await over(7, 1, 1, TUMBLING);
    await over(7, 1, 2, { kind: 'unresolved' });
    expect(noticesOf()).toMatchObject([{ code: 'unresolved', die: 'x', seat: 'ada' }]);
    await house.ack(table, GM, 'type', { seat: 'ada', die: 'x', type: 'd20', natural: 11 });
    expect(table.state().rolls.at(-1)?.wire.dice).toMatchObject([{ source: 'manual', natural: 11 }]);
    await over(7, 2, 1, rest('d20', 3, 'resync'));
    expect(gameOf(table).rolls).toBe(1);
  });
});

describe('a tracker followed by its advertisements', () => {
  /** An advertisement tells where the die stands and the die's own word on how it came there. */
  const stands = (face: number, vendor = 'onFace', ms = 200): Promise<unknown> => {
    house.clock.pass(ms);
    const told = rest('d20', face, 'resync', { snapshot: 'advert', vendor });
    return house.hear({ id: 'hp', type: 'd20', model: 'Pixels', dwellMs: 600 }, told);
  };
  const counter = (): unknown =>
    (gameOf(table) as { seats: { bea: { counters: { pv?: number } } } }).seats.bea.counters.pv;

  test('is believed where it was turned by hand, once it has lain still', async () => {
    await stands(20);
    await house.pass(600);
    for (const face of [4, 20, 16]) await stands(face);
    await house.pass(599);
    expect(counter()).toBe(20);
    await house.pass(1);
    expect(counter()).toBe(16);
  });

  test('that only says again how it lies tells nobody', async () => {
    const page = new Client(table, GM_SEES);
    for (let n = 0; n < 40; n += 1) {
      house.clock.pass(250);
      await house.hear({ id: 'hp', type: 'd20', model: 'Pixels' }, { kind: 'ignored', why: 'repeat' });
    }
    await house.hear({ id: 'hp', type: 'd20', model: 'Pixels' }, { kind: 'ignored', why: 'charging' });
    expect(page.lives.map(({ signal }) => signal.why)).toEqual(['charging']);
    expect(page.got).toEqual([]);
  });

  test('is asked where it lies when it is met first: what one packet tells is told at once', async () => {
    await house.ack(table, GM, 'set', { seat: 'bea', counter: 'pv', face: 12 });
    const met = { id: 'hp', type: 'd20', model: 'Pixels', dwellMs: 600 } as const;
    await house.hear(met, { kind: 'identity', model: 'Pixels' });
    await house.hear(met, rest('d20', 7, 'resync', { snapshot: 'advert', vendor: 'onFace' }));
    await house.pass(600);
    expect(counter()).toBe(12);
    expect(codes()).toEqual(['tracker_unarmed']);
  });

  test('is asked where it rolled, and where it was not heard for long', async () => {
    await stands(20);
    await house.pass(600);
    await stands(7, 'rolled');
    await house.pass(600);
    expect(codes()).toEqual(['tracker_tumble']);
    await house.ack(table, GM, 'accept', { seat: 'bea', counter: 'pv' });
    expect(counter()).toBe(7);
    await stands(12, 'onFace', 60_000);
    await house.pass(600);
    expect(codes()).toEqual(['tracker_tumble', 'tracker_mismatch']);
    expect(counter()).toBe(7);
  });
});
