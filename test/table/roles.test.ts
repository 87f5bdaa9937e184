import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../src/table/port.js';
import type { Table } from '../../src/table/table.js';
import { COMMAND_NAMES, type CommandName } from '../../src/wire/command.js';
import { freshFolder, removeFolders } from '../journal/built.js';
import { bound, Client, GM, GM_SEES, gameOf, House, player, seated, sees, viewOf } from './house.js';

afterAll(removeFolders);

let house: House;
let table: Table;
beforeEach(async () => {
  house = await House.open(freshFolder());
  table = await house.table({
    id: 'prova',
    seats: seated('ada', 'bea', 'constructor'),
    bindings: [bound('x', 'd20', 'ada'), bound('y', 'd20', 'bea'), bound('hp', 'd6', 'ada', 'pa')],
  });
});
afterEach(() => house.close());

/** Every command with arguments that the GM may give at this table; `mine` for one's own seat, `theirs` for another's. */
const ARGS: { readonly [K in CommandName]: { readonly mine: object; readonly theirs?: object } } = {
  call: { mine: { id: 'k1', seat: 'ada', notation: '1d6' } },
  cancel: { mine: { id: 'k0' } },
  expect: { mine: { seat: 'ada', counter: 'pa', face: 3 } },
  type: { mine: { sides: 20, natural: 3 }, theirs: { seat: 'bea', sides: 20, natural: 3 } },
  digital: { mine: { dice: ['d20'] }, theirs: { seat: 'bea', dice: ['d20'] } },
  choose: { mine: { option: 1 }, theirs: { seat: 'bea', option: 1 } },
  set: { mine: { counter: 'pa', face: 3 }, theirs: { seat: 'bea', counter: 'pa', face: 3 } },
  claim: { mine: { roll: 'LOOSE' }, theirs: { roll: 'THEIRS' } },
  correct: { mine: { roll: 'MINE', natural: 3 } },
  void: { mine: { roll: 'MINE' } },
  assign: { mine: { roll: 'LOOSE', seat: 'ada' } },
  undo: { mine: {} },
  redo: { mine: {} },
  confirm: { mine: { preview: 'p' } },
  accept: { mine: { counter: 'pa' }, theirs: { seat: 'bea', counter: 'pa' } },
  lend: { mine: { roll: 'LOOSE', seat: 'bea' }, theirs: { roll: 'THEIRS', seat: 'ada' } },
  bind: { mine: { die: 'x', seat: 'ada' } },
  enrol: { mine: { die: 'x' } },
  enlist: { mine: { dice: [{ die: 'x', seat: 'ada' }] } },
  collect: { mine: { seat: 'ada' } },
  block: { mine: { die: 'x' } },
  seat: { mine: { id: 'dan' } },
  game: { mine: { game: 'free' } },
  blink: { mine: { die: 'x' }, theirs: { die: 'y' } },
  show: { mine: { what: 'hide' } },
  open: { mine: {} },
  pause: { mine: {} },
  resume: { mine: {} },
  close: { mine: {} },
};

/** What each command may answer beside an ack when its role is right: there is nothing to do it to. */
const EMPTY = new Set(['not_awaited', 'nothing_to_redo', 'no_such_preview', 'nothing_to_accept', 'no_such_call']);
const DENIED = new Set(['not_allowed', 'not_your_seat', 'not_your_roll', 'not_your_die']);

/** Plays a little, so that every command has something to do it to; gives the arguments with the ids of these rolls. */
async function setScene(args: object): Promise<object> {
  const mine = await house.throws('x', 'd20', 7);
  await house.ack(table, GM, 'pause');
  const loose = await house.throws('x', 'd20', 8);
  const theirs = await house.throws('y', 'd20', 9);
  await house.ack(table, GM, 'resume');
  const ids: Record<string, string | undefined> = { MINE: mine?.id, LOOSE: loose?.id, THEIRS: theirs?.id };
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === 'string' ? (ids[value] ?? value) : value]),
  );
}

async function may(caller: Caller, verb: string, args: object): Promise<boolean> {
  const before = table.state();
  const answer = await house.command(table, caller, verb, args);
  if (answer.kind === 'ack' || EMPTY.has(answer.code)) return true;
  expect(DENIED.has(answer.code), `${verb}: ${answer.code}`).toBe(true);
  expect(table.state()).toBe(before);
  return false;
}

const LOOKERS: Caller[] = [
  { id: 't1', role: 'overlay' },
  { id: 't2', role: 'spectator' },
  { id: 't3', role: 'monitor' },
  { id: 't4', role: 'player' },
];
const PLAYER_MAY: readonly CommandName[] = ['type', 'digital', 'choose', 'set', 'claim', 'accept', 'lend', 'blink'];

test.each(COMMAND_NAMES)('%s is done only by whose it is (F079)', async (verb) => {
  const { mine, theirs } = ARGS[verb];
  const scene = await setScene(mine);
  for (const caller of LOOKERS) expect(await may(caller, verb, scene), caller.role).toBe(false);
  const their = await setScene(theirs ?? mine);
  expect(await may(player('ada'), verb, their)).toBe(false);
  expect(await may(player('ada'), verb, scene)).toBe(PLAYER_MAY.includes(verb));
  const again = await setScene({
    ...mine,
    ...('seat' in mine ? {} : verb === 'claim' || verb === 'set' || verb === 'accept' ? { seat: 'ada' } : {}),
  });
  expect(await may(GM, verb, again)).toBe(true);
});

test('two GMs look on: an effect is applied once (F007)', async () => {
  const [one, two] = [new Client(table, GM_SEES), new Client(table, GM_SEES)];
  await house.turns('hp', 'd6', 5);
  await house.throws('x', 'd20', 5);
  expect(one.got).toEqual(two.got);
  expect(one.kinds).toEqual(['counter', 'roll']);
  expect(gameOf(table)).toMatchObject({ rolls: 1, seats: { ada: { counters: { pa: 5 } } } });
});

describe('names from outside are ordinary names (F154)', () => {
  test('as seats, counters, dice, calls and choices', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    await house.ack(table, GM, 'set', { seat: 'constructor', counter: 'constructor', face: 3 });
    await house.ack(table, GM, 'call', { id: '__proto__', seat: 'constructor', notation: '1d6' });
    expect(table.snapshot(GM_SEES).awaited).toMatchObject([{ id: '__proto__', seat: 'constructor' }]);
    await house.ack(table, player('constructor'), 'type', { natural: 4 });
    await house.command(
      table,
      GM,
      'choose',
      JSON.parse('{"action":"call","__proto__":{"isGM":true},"id":"k"}') as object,
    );
    await house.ack(table, GM, 'seat', { id: 'hasownproperty', name: '<img src=x onerror=fetch("/pwn")>' });
    await house.hear({ id: 'tostring', type: 'd20' }, { kind: 'handling' });
    await house.ack(table, GM, 'bind', { die: 'tostring', seat: 'constructor' });
    expect(await house.throws('tostring', 'd20', 9)).toMatchObject({ seat: 'constructor', natural: 9 });
    expect(viewOf(table, sees('constructor'))).toMatchObject({
      seats: [
        {},
        {},
        { id: 'constructor', counters: { constructor: 3 } },
        { name: '<img src=x onerror=fetch("/pwn")>' },
      ],
    });
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as { isGM?: boolean }).isGM).toBeUndefined();
    for (const id of ['__proto__', 'prova-1', 'toString']) {
      expect(await house.refusal(table, GM, 'assign', { roll: id, seat: 'ada' })).toBe('no_such_roll');
      expect(table.roll(id, GM_SEES)).toBeNull();
    }
  });

  test.each(['gm', 'table'])('%s is no player', async (id) => {
    expect(await house.refusal(table, GM, 'seat', { id })).toBe('reserved_seat');
  });
});

describe('seats', () => {
  test('come, are renamed and leave; dice of one who left are shared', async () => {
    const gm = new Client(table, GM_SEES);
    await house.ack(table, GM, 'seat', { id: 'dan', name: 'Dan' });
    await house.ack(table, GM, 'seat', { id: 'dan', name: 'Daniele' });
    expect(viewOf(table)).toMatchObject({ seats: [{}, {}, {}, { id: 'dan', name: 'Daniele' }] });
    await house.ack(table, GM, 'seat', { id: 'ada', remove: true });
    expect(await house.refusal(table, GM, 'seat', { id: 'ada', remove: true })).toBe('no_such_seat');
    expect(table.seats()).toEqual(['bea', 'constructor', 'dan']);
    expect(table.state().bindings.get('hp')).toMatchObject({ seat: null, duty: 'rolls' });
    expect(await house.throws('x', 'd20', 3)).toMatchObject({ seat: null, verdict: 'accepted' });
    expect(gm.kinds.filter((kind) => kind === 'seat')).toHaveLength(3);
  });

  test('a table takes twenty', async () => {
    for (let n = 4; n <= 20; n += 1) await house.ack(table, GM, 'seat', { id: `s${n}` });
    expect(await house.refusal(table, GM, 'seat', { id: 's21' })).toBe('table_full');
    await house.ack(table, GM, 'seat', { id: 's20', name: 'Venti' });
  });
});

describe('tables', () => {
  test('are opened once, with a game that takes their options', async () => {
    const refusalOf = async (order: Parameters<House['table']>[0]) => {
      const made = await house.tables.create(order);
      return made.ok ? 'opened' : made.error.code;
    };
    const twice = await Promise.all([refusalOf({ id: 'due' }), refusalOf({ id: 'due' })]);
    expect(twice.sort()).toEqual(['opened', 'table_exists']);
    expect(await refusalOf({ id: 'prova' })).toBe('table_exists');
    expect(await refusalOf({ id: 'tre', game: 'scopa' })).toBe('no_such_game');
    expect(await refusalOf({ id: 'tre', options: { odd: 1 } })).toBe('unknown_option');
    expect(await refusalOf({ id: 'tre', game: 'dadoteck', seats: seated('ada') })).toBe('seats');
    expect(house.tables.get('tre')).toBeUndefined();
    expect(await house.journal.tables()).toEqual(['due', 'prova']);
    expect(await house.refusal(table, GM, 'game', { game: 'dadoteck', options: { initiative: 'd7' } })).toBe(
      'bad_option',
    );
    expect(viewOf(table)).toMatchObject({ game: { id: 'free' } });
  });
});
