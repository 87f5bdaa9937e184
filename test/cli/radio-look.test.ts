import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AdapterNews } from '../../src/cli/adapter-news.js';
import { type Radio, RadioLook, TELL_EVERY_MS } from '../../src/cli/radio-look.js';
import type { AdapterReport, Followed, RadioState, UnknownDie, WantedDie } from '../../src/devices/ble/radio/ports.js';
import { stateOf } from '../../src/devices/ble/radio/state.js';
import type { Binding } from '../../src/table/record.js';
import type { Table } from '../../src/table/table.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, GM_SEES, House, seated, viewOf } from '../table/house.js';

afterAll(removeFolders);

/** The radio as the daemon sees it: what is on the air, and whom it was asked to hear. */
class Air implements Radio {
  air: UnknownDie[] = [];
  followed: Followed[] = [];
  adapters: Partial<AdapterReport>[] = [{}];
  wanted: readonly WantedDie[] = [];

  want(dice: readonly WantedDie[]): void {
    this.wanted = dice;
  }

  unknown(): readonly UnknownDie[] {
    return this.air.filter(({ die }) => !this.wanted.some((wanted) => wanted.die === die));
  }

  plan() {
    return { links: 7, dice: this.followed };
  }

  state(): RadioState {
    const facts = { epoch: 1, restarts: 0, dropped: 0, scanning: true };
    const each = this.adapters.map(
      (own) => ({ name: 'hci0', links: 7, linked: 0, state: 'on', ...facts, ...own }) as const,
    );
    return { ...stateOf(each, []), state: 'on' };
  }
}

const stranger = (die: string, more: Partial<UnknownDie> = {}): UnknownDie => ({
  die,
  model: die.startsWith('godice') ? 'GoDice' : 'Pixels',
  rssi: -60,
  silentMs: 100,
  ...more,
});

let house: House;
let table: Table;
let air: Air;
let look: RadioLook;
beforeEach(async () => {
  house = await House.open(freshFolder());
  const bindings: Binding[] = [
    { ...bound('godice-1', 'd20', 'ada'), shell: 'd20', faces: [[7, 12]] },
    { ...bound('pixels-2', 'd12', 'bea', 'pv'), model: 'Pixels', kind: 'd12' },
    { ...bound('tray', 'd6', null), model: 'tray' },
    { ...bound('fake', 'd6', 'ada'), fake: true },
  ];
  table = await house.table({ id: 'prova', seats: seated('ada', 'bea'), bindings });
  air = new Air();
  look = new RadioLook(air, house.tables, () => house.clock.now());
  look.want();
});
afterEach(() => house.close());

const diceOf = () => (viewOf(table) as { dice: { id: string; state: string }[] }).dice;
const unknownOf = () => diceOf().filter(({ state }) => state === 'unknown');

describe('between the radio and the tables', () => {
  test('the radio hears the enrolled Bluetooth dice, each as its owner says it is to be read', () => {
    expect(air.wanted).toEqual([
      { die: 'godice-1', duty: 'rolls', reading: { shell: 'd20', values: [[7, 12]] } },
      { die: 'pixels-2', duty: 'counts', reading: { kind: 'd12' } },
    ]);
  });

  test('a die that changes hands is asked for as before: its link stays', async () => {
    const before = air.wanted;
    await house.ack(table, GM, 'bind', { die: 'godice-1', seat: 'bea' });
    look.want();
    expect(air.wanted).toEqual(before);
  });

  test('unknown dice are listed while they are on the air, and never asked for', () => {
    air.air = [stranger('pixels-9', { type: 'd20', colour: 'onyx', rssi: -41 }), stranger('godice-9', { battery: 80 })];
    look.look();
    expect(unknownOf()).toMatchObject([
      { id: 'pixels-9', type: 'd20', colour: 'onyx', rssi: -41, model: 'Pixels' },
      { id: 'godice-9', type: null, battery: 80, model: 'GoDice' },
    ]);
    expect(air.wanted).toHaveLength(2);
    air.air = [stranger('godice-9')];
    look.look();
    expect(unknownOf().map(({ id }) => id)).toEqual(['godice-9']);
  });

  test('while a seat claims its dice the unknown ones are heard, the excluded ones not, and let go after it', async () => {
    air.air = [stranger('pixels-9'), stranger('godice-9'), stranger('pixels-8')];
    await house.ack(table, GM, 'block', { die: 'pixels-8' });
    await house.ack(table, GM, 'collect', { seat: 'ada' });
    look.look();
    look.look();
    expect(air.wanted.slice(2)).toEqual([
      { die: 'pixels-9', duty: 'claim' },
      { die: 'godice-9', duty: 'claim' },
    ]);
    expect(unknownOf().map(({ id }) => id)).toEqual(['pixels-9', 'godice-9']);
    await house.pass(20_000);
    look.want();
    expect(air.wanted).toHaveLength(2);
  });

  test('the GM is shown each of several adapters, which die is linked by which, and which one is away', () => {
    const away = { reason: 'off', remedy: 'plug it in' };
    air.adapters = [{ linked: 1 }, { name: 'hci1', links: 5, state: 'restarting', trouble: { it: away, en: away } }];
    air.followed = [
      { die: 'godice-1', duty: 'rolls', by: 'link', adapter: 'hci0' },
      { die: 'pixels-2', duty: 'counts', by: 'none', why: 'no_link_left' },
    ];
    for (const [id, model] of [['godice-1', 'GoDice'] as const, ['pixels-2', 'Pixels'] as const])
      house.tables.announce({ id, device: id, model, type: null, fake: false, link: 'up' });
    look.look();
    expect(viewOf(table).radio).toMatchObject({
      state: 'on',
      links: 7,
      adapters: [
        { name: 'hci0', state: 'on', links: 7, linked: 1 },
        { name: 'hci1', state: 'restarting', links: 5, linked: 0 },
      ],
      en: { reason: 'hci1: off', remedy: 'plug it in' },
    });
    expect(diceOf().slice(0, 2)).toMatchObject([
      { following: { by: 'link', adapter: 'hci0' } },
      { following: { by: 'none', why: 'no_link_left' } },
    ]);
  });

  test('the GM is shown before play how each die is followed and how many the adapter links', () => {
    const listening = { heard: 12, expected: 50, percent: 24, reliable: false };
    air.followed = [
      { die: 'godice-1', duty: 'rolls', by: 'link' },
      { die: 'pixels-2', duty: 'counts', by: 'adverts', listening },
    ];
    house.tables.announce({ id: 'godice-1', device: 'godice-1', model: 'GoDice', type: null, fake: false, link: 'up' });
    house.tables.announce({ id: 'pixels-2', device: 'pixels-2', model: 'Pixels', type: null, fake: false, link: 'up' });
    look.look();
    expect(viewOf(table).radio).toEqual({ state: 'on', links: 7 });
    expect(viewOf(table, { role: 'spectator' }).radio).toBeUndefined();
    expect(diceOf()).toMatchObject([
      { id: 'godice-1', following: { by: 'link' } },
      { id: 'pixels-2', following: { by: 'adverts', percent: 24, unreliable: true } },
      { id: 'tray' },
      { id: 'fake' },
    ]);
  });

  test('the pages are told of news on the air at most every two seconds, and not without news', async () => {
    const page = new Client(table, GM_SEES);
    const told = (): number => page.lives.filter(({ signal }) => signal.kind === 'dice').length;
    look.look();
    for (let n = 0; n < 20; n += 1) {
      air.air = [...air.air, stranger(`pixels-${n}9`)];
      await house.pass(TELL_EVERY_MS / 10);
      look.look();
    }
    const news = told();
    expect(news).toBeLessThanOrEqual(3);
    await house.pass(TELL_EVERY_MS);
    look.look();
    await house.pass(TELL_EVERY_MS);
    look.look();
    expect(told()).toBe(news);
  });
});

test('the log tells once that an adapter goes, and once that it is back', () => {
  const news = new AdapterNews();
  const facts = { name: 'hci1', links: 7, linked: 0, epoch: 1, restarts: 0, dropped: 0, scanning: true };
  const on: AdapterReport = { ...facts, state: 'on' };
  const words = { reason: 'off', remedy: 'plug it in' };
  const away: AdapterReport = { ...facts, state: 'unavailable', trouble: { it: words, en: words } };
  const told = [on, away, { ...away, state: 'restarting' } as const, { ...facts, state: 'starting' } as const, on, on];
  expect(told.map((one) => news.note([one]).map(({ text }) => text))).toEqual([
    [],
    ['adapter hci1: off; plug it in'],
    [],
    [],
    ['adapter hci1 is back'],
    [],
  ]);
});
