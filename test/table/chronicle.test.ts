import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { AnyGame, Audience } from '../../src/games/game.js';
import type { Journal, JournalRecord, JournalState, Write } from '../../src/journal/journal.js';
import { MAX_WAITING_RECORDS } from '../../src/journal/journal.js';
import { put, startCourse } from '../../src/table/course.js';
import type { Table } from '../../src/table/table.js';
import { envelopeSchema, snapshotSchema } from '../../src/wire/envelope.js';
import { child, ended, freshFolder, opened, removeFolders } from '../journal/built.js';
import { BIDS, duel } from './duel.js';
import { bound, Client, GM, GM_SEES, gameOf, House, player, rest, SPECTATOR, seated, sees, viewOf } from './house.js';

afterAll(removeFolders);

let house: House | undefined;
afterEach(() => house?.close());
const begin = async (dir: string, more: Parameters<typeof House.open>[1] = {}): Promise<House> => {
  house = await House.open(dir, { games: [duel], ...more });
  return house;
};

const AUDIENCES: readonly Audience[] = [GM_SEES, SPECTATOR, sees('ada'), sees('bea')];
const DICE = [
  bound('a20', 'd20', 'ada'),
  bound('b20', 'd20', 'bea'),
  bound('a6', 'd6', 'ada'),
  bound('b6', 'd6', 'bea'),
  bound('s6', 'd6', null),
  bound('hp', 'd20', 'ada', 'pv'),
  bound('o1', 'd1000', 'gm'),
];

/** What a restart must not change: all but what lives only in memory (dice heard, trackers that count, timers). */
function remembered(table: Table): unknown {
  const views = AUDIENCES.map((audience) => {
    const { view, ...rest } = table.snapshot(audience);
    const {
      dice: _dice,
      timers_paused: _paused,
      previews: _previews,
      seats,
      ...kept
    } = view as Record<string, unknown>;
    const still = (seats as { trackers?: object[] }[]).map(({ trackers, ...seat }) => ({
      ...seat,
      trackers: trackers?.map((tracker) => ({ ...tracker, armed: null })),
    }));
    return { ...rest, view: { ...kept, seats: still } };
  });
  const { course, bindings, blocked, undone, offers, rolls, veiled } = table.state();
  const known = [...bindings, ...blocked, ...veiled];
  return { views, steps: course?.steps, states: course?.runs, known, undone, offers, rolls };
}

/** Every standing roll has its deeds in the course, and judging the deeds that count again gives the same state. */
function isSound(table: Table, opening: { game: AnyGame; events: readonly never[] } | undefined): void {
  const { course, rolls } = table.state();
  if (course === undefined) throw new Error('no course');
  const standing = new Set(course.steps.filter(({ verdict }) => 'events' in verdict).map(({ id }) => id));
  for (const { wire, parts } of rolls.filter((roll) => roll.wire.verdict === 'accepted'))
    expect(
      parts.every((id) => standing.has(id)),
      wire.id,
    ).toBe(wire.standing !== 'void');
  if (opening === undefined) return;
  const { outside } = course.runs;
  const calls = outside.game.setup({ percentile: 'zero' }, seated('ada', 'bea'));
  let again = startCourse(opening.game, opening.events, outside.game, 'events' in calls ? calls.events : []);
  for (const { id, run, deed } of course.steps.filter(({ id }) => standing.has(id))) {
    const judged = put(again, id, run, deed);
    expect('events' in judged.verdict, `deed ${id}`).toBe(true);
    again = judged.course;
  }
  expect(again.runs.game.state).toEqual(course.runs.game.state);
  expect(again.runs.outside.state).toEqual(course.runs.outside.state);
}

/** Few by default: every deed waits for the disk. */
const RUNS = Number(process.env.TIRO_RUNS ?? 10);
const GAMES = ['duel', 'dadoteck', 'free', 'external'];

/** One thing that may happen at a table; numbers choose among what is there. */
async function happen(at: House, table: Table, [what, a, b]: readonly [number, number, number]): Promise<void> {
  const rolls = table.snapshot(GM_SEES).rolls;
  const roll = rolls[a % Math.max(1, rolls.length)]?.id ?? 'prova-1';
  const seat = a % 2 === 0 ? 'ada' : 'bea';
  const awaited = table.snapshot(GM_SEES).awaited;
  const due = awaited[b % Math.max(1, awaited.length)];
  const previews = (viewOf(table) as { previews?: { id: string }[] }).previews ?? [];
  const command = (verb: string, args: object) => at.command(table, GM, verb, args);
  switch (what % 24) {
    case 0:
    case 1:
    case 2:
      await at.throws(
        ['a20', 'b20', 'a6', 'b6', 's6', 'o1'][a % 6] ?? 'a20',
        a % 6 < 2 ? 'd20' : a % 6 < 5 ? 'd6' : 'd1000',
        1 + (b % 6),
      );
      return;
    case 3:
    case 4:
    case 5:
      await at.command(table, GM, 'digital', due?.seat == null ? {} : { seat: due.seat });
      return;
    case 6:
    case 7:
    case 8:
      await command('choose', {
        seat: due?.seat ?? seat,
        option: due?.options?.[a % Math.max(1, due.options.length)] ?? BIDS[0],
      });
      return;
    case 9:
      await command('type', { seat, sides: b % 2 === 0 ? 20 : 6, natural: 1 + (b % 6) });
      return;
    case 10:
    case 11:
      await command('correct', { roll, natural: 1 + (b % 20) });
      return;
    case 12:
      await command('void', { roll });
      return;
    case 13:
      await command('assign', { roll, seat });
      return;
    case 14:
      await command('undo', { n: 1 + (b % 3) });
      return;
    case 15:
      await command('redo', {});
      return;
    case 16:
      await command('confirm', { preview: previews[b % Math.max(1, previews.length)]?.id ?? 'x' });
      return;
    case 17:
      await at.turns('hp', 'd20', 1 + (b % 20), b % 3 === 0 ? 'thrown' : 'placed', { turned: b % 90 });
      return;
    case 18:
      await command(b % 2 === 0 ? 'pause' : 'close', {});
      await at.throws('a20', 'd20', 1 + (b % 20));
      await command('open', {});
      return;
    case 19:
      await command('call', { id: `k${b % 5}`, seat: b % 3 === 0 ? null : seat, notation: '2d6', ttl: 2_000 });
      return;
    case 20:
      await at.pass(300 * (1 + (b % 8)));
      return;
    case 21:
      await at.hear({ id: 'a20', type: 'd20' }, rest('d20', 1 + (b % 20), b % 2 === 0 ? 'leaning' : 'unsure'));
      return;
    case 22:
      await command(b % 2 === 0 ? 'claim' : 'lend', { roll, seat });
      return;
    case 23:
      if (b % 3 === 0) await command('set', { seat, counter: 'pv', face: b % 20 });
      else if (b % 3 === 1) await command('accept', { seat: 'ada', counter: 'pv' });
      else await command('expect', { seat: 'ada', counter: 'pv', face: b % 20 });
      return;
  }
}

test('whatever happens, a restart remembers it, rolls stand with their deeds, and the chain is whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: GAMES.length - 1 }),
      fc.array(fc.tuple(fc.nat({ max: 719 }), fc.nat({ max: 719 }), fc.nat({ max: 719 })), {
        minLength: 10,
        maxLength: 60,
      }),
      async (chosen, happenings) => {
        const dir = freshFolder();
        const at = await House.open(dir, {
          games: [duel],
          drawn: Array.from({ length: 99 }, (_, index) => 1 + index * 7),
        });
        const game = GAMES[chosen] ?? 'free';
        const table = await at.table({ id: 'prova', game, seats: seated('ada', 'bea'), bindings: DICE });
        const clients = AUDIENCES.map((audience) => ({ audience, client: new Client(table, audience) }));
        for (const happening of happenings) await happen(at, table, happening);
        await table.settled();
        for (const { audience, client } of clients) {
          let last = client.start;
          for (const envelope of client.got) {
            expect(envelopeSchema.safeParse(JSON.parse(JSON.stringify(envelope))).error?.issues).toBeUndefined();
            expect(envelope.prev).toBe(last);
            last = envelope.seq;
          }
          expect(snapshotSchema.safeParse(JSON.parse(JSON.stringify(table.snapshot(audience)))).success).toBe(true);
        }
        const setup = table.state().course?.runs.game.game.setup({ percentile: 'zero' }, seated('ada', 'bea'));
        const played = table.state().course?.runs.game.game;
        isSound(
          table,
          setup === undefined || played === undefined || !('events' in setup)
            ? undefined
            : { game: played, events: setup.events as readonly never[] },
        );
        const before = remembered(table);
        const pages = await Promise.all(AUDIENCES.map((audience) => table.events(audience, 0, 1_000)));
        const again = await at.again(dir);
        const same = again.tables.get('prova') as Table;
        expect(JSON.parse(JSON.stringify(remembered(same)))).toEqual(JSON.parse(JSON.stringify(before)));
        const strip = (page: { events: readonly object[] }) => page.events.map((event) => ({ ...event, view: null }));
        const later = await Promise.all(AUDIENCES.map((audience) => same.events(audience, 0, 1_000)));
        expect(later.map(strip)).toEqual(JSON.parse(JSON.stringify(pages.map(strip))));
        expect(again.lost).toEqual([]);
        await again.close();
      },
    ),
    { numRuns: RUNS },
  );
}, 600_000);

describe('a command that comes again', () => {
  test('gets its first answer and does nothing, also after a restart (contracts D)', async () => {
    const dir = freshFolder();
    const at = await begin(dir);
    const table = await at.table({ id: 'prova', seats: seated('ada', 'bea') });
    const first = await at.command(table, player('ada'), 'type', { sides: 20, natural: 5 }, 'same');
    const wrong = await at.command(table, player('ada'), 'type', { sides: 20, natural: 50 }, 'odd');
    expect(await at.command(table, player('ada'), 'type', { sides: 20, natural: 6 }, 'same')).toEqual(first);
    expect(await at.command(table, player('bea'), 'type', { sides: 20, natural: 7 }, 'same')).not.toEqual(first);
    const twice = ['x', 'x'].map((id) => at.command(table, GM, 'type', { seat: 'ada', sides: 20, natural: 8 }, id));
    expect((await Promise.all(twice)).map((answer) => answer.kind === 'ack' && answer.seq)).toEqual([4, 4]);
    house = await at.again(dir);
    const same = house.tables.get('prova') as Table;
    expect(await house.command(same, player('ada'), 'type', { sides: 20, natural: 6 }, 'same')).toEqual(first);
    expect(await house.command(same, player('ada'), 'type', { sides: 20, natural: 6 }, 'odd')).toEqual(wrong);
    expect(gameOf(same).rolls).toBe(3);
  });

  test('whose answer was not written before the daemon ended does nothing either', async () => {
    const dir = freshFolder();
    const at = await begin(dir);
    const table = await at.table({ id: 'prova', seats: seated('ada') });
    const first = await at.command(table, player('ada'), 'type', { sides: 20, natural: 5 }, 'same');
    const loose = await at.command(table, GM, 'set', { seat: 'ada', counter: 'pv', face: 5 }, 'other');
    await at.close();
    const journal = await opened(dir);
    const silent: Journal = Object.assign(Object.create(journal), { answers: async () => [] });
    house = await House.open(dir, { clock: at.clock, journal: silent });
    const same = house.tables.get('prova') as Table;
    expect(await house.command(same, player('ada'), 'type', { sides: 20, natural: 6 }, 'same')).toEqual(first);
    expect(await house.command(same, GM, 'set', { seat: 'ada', counter: 'pv', face: 9 }, 'other')).toEqual(loose);
    expect(gameOf(same)).toMatchObject({ rolls: 1, seats: { ada: { counters: { pv: 5 } } } });
  });

  test('a day later is another command', async () => {
    const dir = freshFolder();
    const at = await begin(dir);
    const table = await at.table({ id: 'prova', seats: seated('ada') });
    for (const natural of [5, 6, 7]) {
      await at.command(table, player('ada'), 'type', { sides: 20, natural }, 'same');
      at.clock.jump(24 * 3600 * 1000 + 1);
    }
    expect(gameOf(table).rolls).toBe(3);
    house = await at.again(dir);
    expect(gameOf(house.tables.get('prova') as Table).rolls).toBe(3);
    expect(at.lost).toEqual([]);
  });
});

describe('the clock', () => {
  test('that jumps fires nothing and reorders nothing (F047)', async () => {
    const at = await begin(freshFolder());
    const table = await at.table({ id: 'prova', game: 'duel', seats: seated('ada') });
    await at.ack(table, GM, 'type', { seat: 'ada', sides: 6, natural: 3 });
    const gm = new Client(table, GM_SEES);
    at.clock.jump(8 * 3600 * 1000);
    await at.pass(400);
    at.clock.jump(-10 * 3600 * 1000);
    await at.pass(400);
    expect(gm.got).toEqual([]);
    await at.pass(200);
    expect(gm.kinds).toEqual(['timer']);
    expect(gameOf(table)).toMatchObject({ phase: 'secret', hits: 0 });
  });

  test('behind the newest record is not trusted, and order is by number (F048)', async () => {
    const dir = freshFolder();
    const at = await begin(dir);
    const table = await at.table({ id: 'prova', seats: seated('ada') });
    await at.ack(table, GM, 'type', { seat: 'ada', sides: 6, natural: 3 });
    at.clock.jump(-14 * 24 * 3600 * 1000);
    house = await at.again(dir);
    const same = house.tables.get('prova') as Table;
    const gm = new Client(same, GM_SEES);
    await house.ack(same, GM, 'type', { seat: 'ada', sides: 6, natural: 4 });
    expect(gm.got[0]).toMatchObject({ clock: 'untrusted', seq: 3, prev: 2 });
    const { events } = await same.events(GM_SEES, 0, 10);
    expect(events.map(({ seq, clock }) => [seq, clock])).toEqual([
      [1, 'trusted'],
      [2, 'trusted'],
      [3, 'untrusted'],
    ]);
    house.clock.jump(15 * 24 * 3600 * 1000);
    await house.ack(same, GM, 'type', { seat: 'ada', sides: 6, natural: 4 });
    expect(gm.got[1]).toMatchObject({ clock: 'trusted' });
  });
});

describe('timers', () => {
  const atChoice = async (at: House): Promise<Table> => {
    const table = await at.table({ id: 'prova', game: 'duel', seats: seated('ada') });
    await at.ack(table, GM, 'type', { seat: 'ada', sides: 6, natural: 3 });
    return table;
  };

  test('stand still while paused, and go on with what was left', async () => {
    const at = await begin(freshFolder());
    const table = await atChoice(at);
    await at.pass(600);
    await at.ack(table, GM, 'pause');
    await at.pass(5_000);
    expect(viewOf(table)).toMatchObject({ timers_paused: true });
    await at.ack(table, GM, 'resume');
    await at.pass(399);
    expect(gameOf(table)).toMatchObject({ phase: 'choice' });
    await at.pass(1);
    expect(gameOf(table)).toMatchObject({ phase: 'secret' });
  });

  test('stand still after a restart and while a ruling waits, until the GM resumes', async () => {
    const dir = freshFolder();
    const at = await begin(dir);
    await atChoice(at);
    house = await at.again(dir);
    const same = house.tables.get('prova') as Table;
    await house.pass(5_000);
    expect(gameOf(same)).toMatchObject({ phase: 'choice' });
    await house.ack(same, GM, 'resume');
    await house.ack(same, GM, 'choose', { seat: 'ada', option: 'hit' });
    const roll = same.snapshot(GM_SEES).rolls[0]?.id;
    await house.ack(same, GM, 'correct', { roll, natural: 4 });
    await house.ack(same, GM, 'undo');
    expect((await house.ack(same, GM, 'correct', { roll, natural: 5 })).preview).toBeUndefined();
    await house.ack(same, GM, 'choose', { seat: 'ada', option: 'hit' });
    const first = await house.ack(same, GM, 'void', { roll });
    await house.pass(5_000);
    expect(first.preview?.loose).toHaveLength(2);
    expect(viewOf(same)).toMatchObject({ timers_paused: true });
  });

  test('that leave and return under the same id go on with what was left; another game begins afresh', async () => {
    const at = await begin(freshFolder());
    const table = await atChoice(at);
    await at.pass(700);
    await at.ack(table, GM, 'undo');
    expect(gameOf(table)).toMatchObject({ phase: 'rolls' });
    await at.pass(5_000);
    await at.ack(table, GM, 'redo');
    await at.pass(299);
    expect(gameOf(table)).toMatchObject({ phase: 'choice' });
    await at.ack(table, GM, 'game', { game: 'duel' });
    await at.ack(table, GM, 'type', { seat: 'ada', sides: 6, natural: 3 });
    await at.pass(999);
    expect(gameOf(table)).toMatchObject({ phase: 'choice' });
    await at.pass(1);
    expect(gameOf(table)).toMatchObject({ phase: 'secret' });
  });

  test('of a call that is made again under its old id begin afresh', async () => {
    const at = await begin(freshFolder());
    const table = await at.table({ id: 'prova', seats: seated('ada') });
    const call = () => at.ack(table, GM, 'call', { id: 'c1', seat: 'ada', notation: '1d20', ttl: 1_000 });
    await call();
    await at.pass(900);
    await at.ack(table, player('ada'), 'digital');
    await call();
    await at.pass(900);
    expect(table.snapshot(GM_SEES).awaited.map(({ what }) => what)).toContain('ttl');
    await at.pass(100);
    expect(table.snapshot(GM_SEES).awaited).toEqual([]);
    at.tables.stop();
    expect(at.clock.waiting).toBe(0);
  });
});

describe('a chronicle of a later version (F085)', () => {
  const strange = (body: object, kind = 'roll'): Partial<JournalRecord> => ({
    kind,
    body: body as JournalRecord['body'],
  });
  const event = { kind: 'sorted', ev: 1 };
  const deed = { kind: 'choice', by: 'ada', option: 1 };
  const vote = { kind: 'vote', by: 'ada' };
  const kept = { verdict: 'accepted', events: [] };

  test.each([
    ['an unknown kind of record', strange({ v: 1 }, 'banquet')],
    ['an unknown form', strange({ v: 2 })],
    ['an unknown event of the table', strange({ v: 1, table: [event] })],
    [
      'an unknown event of the game',
      strange({ v: 1, steps: [{ id: 3, run: 'game', gv: 1, deed, verdict: { ...kept, events: [event] } }] }),
    ],
    [
      'a later meaning of an event',
      strange({
        v: 1,
        steps: [{ id: 3, run: 'game', gv: 1, deed, verdict: { ...kept, events: [{ kind: 'rolled', ev: 9 }] } }],
      }),
    ],
    ['an unknown kind of deed', strange({ v: 1, steps: [{ id: 3, run: 'game', gv: 1, deed: vote, verdict: kept }] })],
    ['rubbish', strange({ v: 1, steps: 7 })],
  ])('with %s is kept, and refereed play waits for the GM', async (_what, record) => {
    const dir = freshFolder();
    const at = await begin(dir);
    const table = await at.table({ id: 'prova', seats: seated('ada'), bindings: DICE });
    await at.ack(table, GM, 'type', { seat: 'ada', sides: 20, natural: 5 });
    await at.journal.append({
      records: [{ table: 'prova', seq: 3, at: 0, clock: 'trusted', kind: 'roll', body: {}, ...record }],
    });
    house = await at.again(dir);
    const same = house.tables.get('prova') as Table;
    expect(viewOf(same)).toMatchObject({ incomplete: true });
    expect(envelopeSchema.safeParse((await same.events(GM_SEES, 2, 1)).events[0]).success).toBe(true);
    expect(await house.throws('a20', 'd20', 7)).toMatchObject({ verdict: 'loose', code: 'incomplete' });
    const refusals = [
      await house.refusal(same, player('ada'), 'type', { sides: 20, natural: 5 }),
      await house.refusal(same, GM, 'choose', { option: 1 }),
      await house.refusal(same, GM, 'set', { seat: 'ada', counter: 'pv', face: 3 }),
      await house.refusal(same, GM, 'correct', { roll: 'prova-2', natural: 3 }),
      await house.refusal(same, GM, 'undo'),
      await house.refusal(same, GM, 'claim', { roll: 'prova-4', seat: 'ada' }),
    ];
    expect(new Set(refusals)).toEqual(new Set(['incomplete']));
    expect(gameOf(same).rolls).toBe(1);
    const [found] = await house.journal.read('prova', 2, 1);
    expect(found).toMatchObject(record);
    await house.ack(same, GM, 'game', { game: 'free' });
    expect(viewOf(same)).not.toHaveProperty('incomplete');
    expect(await house.throws('a20', 'd20', 7)).toMatchObject({ verdict: 'accepted' });
  });

  test('with unknown fields is read as if they were not there', async () => {
    const dir = freshFolder();
    const at = await begin(dir);
    const table = await at.table({ id: 'prova', seats: seated('ada') });
    await at.ack(table, GM, 'type', { seat: 'ada', sides: 20, natural: 5 });
    const [first] = await at.journal.read('prova', 1, 1);
    const body = { ...(first?.body ?? {}), perfume: 'rose' };
    await at.journal.append({ records: [{ table: 'altro', seq: 1, at: 0, clock: 'trusted', kind: 'roll', body }] });
    house = await at.again(dir);
    expect(viewOf(house.tables.get('prova') as Table)).not.toHaveProperty('incomplete');
    expect(house.tables.get('altro')?.state().rolls).toHaveLength(1);
  });
});

describe('a table that cannot be written', () => {
  /** A journal whose disk can be stopped: it keeps the interface's word, in memory. */
  class StoppedJournal implements Journal {
    readonly epoch = 1;
    readonly written: JournalRecord[] = [];
    readonly #queue: { write: Write; done: () => void }[] = [];
    readonly #listeners: ((state: JournalState) => void)[] = [];
    #stopped = false;
    #waiting = 0;

    append(write: Write): Promise<void> {
      return new Promise((done) => {
        this.#queue.push({ write, done });
        this.#waiting += write.records.length;
        if (!this.#stopped) queueMicrotask(() => this.#go());
      });
    }
    #go(): void {
      if (this.#stopped) return;
      for (const { write, done } of this.#queue.splice(0)) {
        this.written.push(...write.records);
        this.#waiting -= write.records.length;
        done();
      }
    }
    stop(stopped: boolean): void {
      this.#stopped = stopped;
      this.#go();
      for (const listener of this.#listeners) listener(this.state());
    }
    waiting = (): number => this.#waiting;
    state = (): JournalState =>
      this.#stopped ? { state: 'degraded', reason: 'stopped', waiting: this.waiting() } : { state: 'writing' };
    onState = (listener: (state: JournalState) => void): number => this.#listeners.push(listener);
    tables = async (): Promise<string[]> => [];
    read = async (): Promise<JournalRecord[]> => [];
    hasOrigin = async (): Promise<boolean> => false;
    recentOrigins = async (): Promise<string[]> => [];
    newestAt = async (): Promise<undefined> => undefined;
    answers = async (): Promise<[]> => [];
    getMeta = async (): Promise<undefined> => undefined;
    setMeta = async (): Promise<void> => undefined;
    backup = async (): Promise<void> => undefined;
    close = async (): Promise<number> => this.waiting();
  }

  test('plays on from memory, says so, refuses commands past its limit, and writes all in order when it can again', async () => {
    const journal = new StoppedJournal();
    const at = await begin('', { journal });
    const table = await at.table({ id: 'prova', seats: seated('ada'), bindings: DICE });
    const gm = new Client(table, GM_SEES);
    await at.throws('a20', 'd20', 5);
    expect(gm.got[0]).not.toHaveProperty('durable');
    journal.stop(true);
    await at.throws('a20', 'd20', 6);
    expect(await at.command(table, player('ada'), 'type', { sides: 20, natural: 7 })).toMatchObject({
      kind: 'ack',
      durable: false,
    });
    expect(gm.got.slice(1)).toMatchObject([
      { durable: false, roll: { natural: 6 }, view: { degraded: true } },
      { durable: false, roll: { natural: 7 } },
    ]);
    expect(table.snapshot(SPECTATOR)).toMatchObject({ durable: false });
    gm.leave();
    while (journal.waiting() < MAX_WAITING_RECORDS) await at.throws('a20', 'd20', 1 + (journal.waiting() % 20));
    expect(await at.command(table, player('ada'), 'type', { sides: 20, natural: 7 }, 'again')).toMatchObject({
      code: 'journal_full',
    });
    const { seq } = table.state();
    expect(await at.throws('a20', 'd20', 3)).toBeUndefined();
    expect(table.state().seq).toBe(seq);
    journal.stop(false);
    await table.settled();
    expect(await at.command(table, player('ada'), 'type', { sides: 20, natural: 7 }, 'again')).toMatchObject({
      kind: 'ack',
      durable: true,
    });
    expect(table.snapshot(SPECTATOR)).not.toHaveProperty('durable');
    expect(journal.written.map((record) => record.seq)).toEqual(
      Array.from({ length: seq + 1 }, (_, index) => index + 1),
    );
  });

  test('tells nothing before it is on disk, and then in order', async () => {
    const journal = new StoppedJournal();
    const at = await begin('', { journal });
    const table = await at.table({ id: 'prova', seats: seated('ada'), bindings: DICE });
    const gm = new Client(table, GM_SEES);
    const pending = at.hear({ id: 'a20', type: 'd20' }, rest('d20', 5));
    const second = at.hear({ id: 'a20', type: 'd20' }, rest('d20', 6));
    expect([gm.got, table.snapshot(GM_SEES).seq, table.state().seq]).toEqual([[], 1, 3]);
    expect(table.roll('prova-2', GM_SEES)).toBeNull();
    await Promise.all([pending, second]);
    expect(gm.rolls.map(({ natural }) => natural)).toEqual([5, 6]);
  });

  test('by a lock of another process comes back by itself with everything (F133)', async () => {
    const dir = freshFolder();
    const at = await begin(dir);
    const table = await at.table({ id: 'prova', seats: seated('ada'), bindings: DICE });
    const holder = child('lock-holder.mjs', join(dir, 'journal.db'), '1500');
    await new Promise((resolve) => holder.stdout?.once('data', resolve));
    const gm = new Client(table, GM_SEES);
    const thrown = [1, 2, 3].map((face) => at.throws('a20', 'd20', face));
    await Promise.all(thrown);
    await ended(holder);
    await at.ack(table, GM, 'type', { seat: 'ada', sides: 20, natural: 4 });
    expect(gm.rolls.map(({ natural }) => natural)).toEqual([1, 2, 3, 4]);
    house = await at.again(dir);
    expect(gameOf(house.tables.get('prova') as Table).rolls).toBe(4);
  });
});

test('a client that was away for more than a thousand records gets a snapshot, and pages through the rest', async () => {
  const dir = freshFolder();
  const at = await begin(dir);
  const table = await at.table({ id: 'prova', seats: seated('ada'), bindings: DICE });
  const thrown = Array.from({ length: 1_700 }, (_, n) => at.throws('a20', 'd20', 1 + (n % 20)));
  await Promise.all(thrown);
  const last = table.seq(SPECTATOR);
  expect(table.since(SPECTATOR, last - 1_000)).toHaveLength(1_000);
  expect(table.since(SPECTATOR, last - 1_001)).toBeNull();
  expect(table.since(SPECTATOR, last + 1)).toBeNull();
  const seqs: number[] = [];
  for (let since: number | null = 0; since !== null; ) {
    const page = await table.events(SPECTATOR, since, 1_000);
    seqs.push(...page.events.map(({ seq }) => seq));
    since = page.next;
  }
  expect(seqs).toEqual(Array.from({ length: last }, (_, n) => n + 1));
});
