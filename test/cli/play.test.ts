import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { MAX_LINE_BYTES } from '../../src/cli/lines.js';
import { play } from '../../src/cli/play.js';
import { resolve } from '../../src/cli/resolve.js';
import { roll as rollDice } from '../../src/cli/roll.js';

interface Answer {
  readonly kind: string;
  readonly n?: number;
  readonly verdict?: string;
  readonly code?: string;
  readonly rule?: string;
  readonly why?: string;
  readonly events?: readonly { kind: string; loose?: readonly number[] }[];
  readonly awaited?: readonly { id: string; seat: string | null; what: string; options?: readonly unknown[] }[];
  readonly state?: Record<string, unknown>;
}

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Plays these lines: objects as JSON, texts as they are. The answers in order, `out[n]` being that of deed n. */
async function played(
  args: readonly string[],
  ...lines: readonly (object | string)[]
): Promise<{ code: number; out: Answer[]; err: string }> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const code = await play(args, Readable.from([Buffer.from(text)]), stdout, stderr);
  const out = stdout.text.split('\n').filter((line) => line !== '');
  return { code, out: out.map((line) => JSON.parse(line) as Answer), err: stderr.text };
}

const SETUP = { setup: { seats: ['ada', { id: 'bea', name: 'Bea' }, 'cai'] } };
const RACE = {
  setup: { ...SETUP.setup, start: { pawns: { ada: 5, bea: 9, cai: 11 }, order: ['ada', 'bea', 'cai'] } },
};
const roll = (seat: string | null, natural: number, sides = 20): object => ({
  roll: { ...(seat === null ? {} : { seat }), sides, natural },
});
const words = (out: readonly Answer[]): string[] =>
  out.map(({ kind, verdict, code }) =>
    kind === 'verdict' ? `${verdict}${code === undefined ? '' : ` ${code}`}` : kind,
  );
const last = (out: readonly Answer[]): Record<string, unknown> => out.at(-1)?.state ?? {};

test.each([
  ['play', play],
  ['resolve', resolve],
  ['roll', rollDice],
])('tiro %s --help tells how it is used, and reads nothing', async (name, command) => {
  const [stdout, stderr] = [new Sink(), new Sink()];
  expect(await command(['--help'], Readable.from([]), stdout, stderr)).toBe(0);
  expect(stdout.text).toMatch(new RegExp(`^Usage: tiro ${name} `));
  expect(stderr.text).toBe('');
});

describe('the line before the first deed', () => {
  test.each([
    [[], 2],
    [['tombola'], 2],
    [['free', 'dadoteck'], 2],
  ])('%o is wrong usage', async (args, code) => {
    const { code: got, out, err } = await played(args as string[], SETUP);
    expect([got, out]).toEqual([code, []]);
    expect(err).toContain('Usage: tiro play');
  });

  test.each([
    ['nothing', []],
    ['no JSON', ['{']],
    ['no object', ['[1]']],
    ['a deed', [roll('ada', 3)]],
    ['no seats', [{ setup: {} }]],
    ['a seat that is none', [{ setup: { seats: ['Ada'] } }]],
    ['a reserved seat', [{ setup: { seats: ['gm', 'ada'] } }]],
    ['a prototype for a seat', [{ setup: { seats: [{ id: '__proto__' }, 'ada'] } }]],
    ['an unknown option', [{ setup: { seats: ['ada', 'bea'], odd: true } }]],
  ])('%s is no setup: exit 1 and a reason', async (_what, lines) => {
    const { code, out } = await played(['dadoteck'], ...lines);
    expect(code).toBe(1);
    expect(out).toEqual([{ kind: 'error', n: 0, why: expect.any(String) }]);
  });

  test('a name that is no id is told what an id is', async () => {
    const { out } = await played(['free'], SETUP, { set: { seat: 'ada', counter: '__proto__', face: 3 } });
    expect(out[1]?.why).toBe('set.counter: a small letter or digit, then at most 31 of a-z 0-9 _ -');
  });

  test('what was expected is never empty, and names the one whose turn it is', async () => {
    const by = (seat: string, action: string, more: object = {}) => ({ choose: { seat, action, ...more } });
    const { out } = await played(
      ['dicebound'],
      { setup: { seats: ['ada', 'bea'] } },
      by('gm', 'openRoom', { buy: ['fungo'] }),
      by('gm', 'trap'),
      by('gm', 'check', { who: 'ada', stat: 'agility', difficulty: 3, trap: 'pit-1' }),
    );
    expect(out.slice(2, 4)).toMatchObject([
      { code: 'unknown_trap', expected: 'no trap is left' },
      { code: 'unknown_trap', expected: 'no trap is left' },
    ]);
  });

  test('its data may lie in files, alone or with other kinds (contracts I)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiro-play-'));
    const [alone, box] = [join(folder, 'tiles.json'), join(folder, 'box.json')];
    const tiles = { '901': { slot: 'physical', cost: 2, flat: 4 } };
    writeFileSync(alone, JSON.stringify(tiles));
    writeFileSync(box, JSON.stringify({ tiles, perks: {} }));
    for (const file of [alone, box]) {
      const seats = [{ id: 'ada', class: 'baluardo', slots: { physical: '901' } }];
      const { code, out } = await played(['dicebound'], { setup: { seats, tiles: file } });
      expect([code, last(out)]).toMatchObject([0, { seats: { ada: { slots: { physical: '901' } } } }]);
    }
    const missing = await played(['dicebound'], { setup: { seats: ['ada'], tiles: join(folder, 'none.json') } });
    expect([missing.code, missing.out[0]?.why]).toEqual([1, expect.stringContaining('setup.tiles')]);
    rmSync(folder, { recursive: true });
  });

  test('a setup is answered by what is awaited, the end by the state', async () => {
    const { code, out } = await played(['dadoteck'], SETUP, '', '  ');
    expect(code).toBe(0);
    expect(out[0]).toMatchObject({
      kind: 'ready',
      awaited: [
        { id: 'place.ada', seat: 'ada', what: 'placement', rule: 'dadoteck:S2', sides: 20 },
        { seat: 'bea' },
        { seat: 'cai' },
      ],
    });
    expect(out[1]).toMatchObject({ kind: 'state', game: 'dadoteck', state: { phase: 'placement', round: 0 } });
  });
});

describe('lines that are no deeds', () => {
  test.each([
    'nonsense',
    '{"roll":{"seat":"ada","sides":20,"natural":3}',
    '"roll"',
    '{}',
    '{"roll":{},"wait":{}}',
    '{"steal":{}}',
    '{"roll":[]}',
    '{"roll":{"seat":7,"sides":20,"natural":3}}',
    '{"roll":{"seat":"ada","sides":1,"natural":1}}',
    '{"roll":{"seat":"ada","sides":20}}',
    '{"roll":{"seat":"ada","sides":20,"natural":2.5}}',
    '{"roll":{"seat":"ada","type":"d99999","natural":2}}',
    '{"roll":{"seat":"ada","dice":[]}}',
    '{"choose":{"option":1}}',
    '{"choose":{"seat":"ada"}}',
    '{"choose":{"seat":"ada","action":5}}',
    '{"set":{"seat":"ada","counter":"PV","face":3}}',
    '{"set":{"seat":"ada","counter":"pv"}}',
    '{"wait":{"ms":-1}}',
    '{"wait":{"ms":604800001}}',
    '{"undo":0}',
    '{"undo":{}}',
    '{"correct":{"n":1}}',
    '{"void":{"n":0}}',
    '{"assign":{"n":1}}',
    '{"view":{"as":"dan"}}',
    '{"view":{"as":"__proto__"}}',
    `{"roll":{"seat":"ada","dice":[${Array.from({ length: 101 }, () => '{"type":"d6","natural":1}').join()}]}}`,
  ])('%s', async (line) => {
    const { code, out } = await played(['free'], SETUP, line, roll('ada', 3));
    expect(code).toBe(1);
    expect(out[1]).toEqual({ kind: 'error', n: 1, why: expect.any(String) });
    expect(out[2]).toMatchObject({ kind: 'verdict', n: 2, verdict: 'accepted' });
    expect(last(out)).toMatchObject({ rolls: 1 });
  });

  test('of any length are answered without being kept', async () => {
    const { code, out } = await played(['free'], SETUP, `{"roll":"${'x'.repeat(MAX_LINE_BYTES)}"}`, roll('ada', 3));
    expect(code).toBe(1);
    expect(words(out)).toEqual(['ready', 'error', 'accepted', 'state']);
  });

  test('nested a hundred thousand deep neither', async () => {
    const { code, out } = await played(['free'], SETUP, `{"roll":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect([code, words(out)]).toEqual([1, ['ready', 'error', 'state']]);
  });
});

describe('rolls', () => {
  test('a refusal is understood: exit 0, and nothing has changed', async () => {
    const lines = [
      roll('bea', 3),
      roll('ada', 3, 6),
      roll('ada', 21),
      roll('dan', 3),
      roll('ada', 4, 4),
      roll('ada', 8),
    ];
    const { code, out } = await played(['dadoteck'], RACE, ...lines);
    expect(code).toBe(0);
    expect(words(out).slice(1, -1)).toEqual([
      'refused wrong_seat',
      'refused wrong_die',
      'refused no_such_face',
      'refused unknown_seat',
      'loose pawn',
      'accepted',
    ]);
    expect(out[1]).toMatchObject({ rule: 'dadoteck:M1', expected: 'd20 by ada', events: [] });
    expect(last(out)).toMatchObject({ pawns: { ada: 8, bea: 9, cai: 11 } });
  });

  test('of several dice count whole or not at all', async () => {
    const pair = (tens: number, ones: number): object => ({
      roll: {
        seat: 'ada',
        dice: [
          { type: 'd00', natural: tens },
          { type: 'd10', natural: ones },
        ],
      },
    });
    const { out } = await played(
      ['external'],
      SETUP,
      { call: { id: 'c1', seat: 'ada', notation: '1d100', purpose: 'prova' } },
      {
        roll: {
          seat: 'ada',
          dice: [
            { type: 'd00', natural: 40 },
            { type: 'd6', natural: 2 },
          ],
        },
      },
      pair(40, 7),
      { call: { id: 'c2', seat: 'ada', notation: '2d8' } },
      { roll: { seat: 'ada', dice: [{ type: 'd8', natural: 5 }] } },
      {
        roll: {
          seat: 'ada',
          dice: [
            { type: 'd8', natural: 5 },
            { type: 'd8', natural: 6 },
          ],
        },
      },
      { roll: { seat: 'ada', sides: 8, natural: 10 } },
      { roll: { seat: 'ada', sides: 8, natural: 5 } },
      { call: { id: 'c3', seat: null, notation: 'd100' } },
      roll('bea', 100, 100),
    );
    expect(words(out)).toEqual([
      'ready',
      'accepted',
      'refused wrong_die',
      'accepted',
      'accepted',
      'open',
      'refused already_rolled',
      'refused no_such_face',
      'accepted',
      'accepted',
      'accepted',
      'state',
    ]);
    expect(out[6]).toMatchObject({ rule: 'external:call', expected: 'd8 by ada' });
    expect(out[7]).toMatchObject({ rule: 'external:call', expected: '1 to 8' });
    expect(last(out)).toMatchObject({ rolls: 3, calls: [] });
  });

  test('of a shared die ask whose they were, where several are awaited (Z9)', async () => {
    const { out } = await played(
      ['dadoteck'],
      SETUP,
      roll(null, 7),
      roll(null, 8),
      { choose: { seat: 'table', option: 'dan' } },
      { choose: { seat: 'table', option: 'bea', call: 'whose.2' } },
      { choose: { seat: 'cai', option: 'cai' } },
      roll(null, 12),
    );
    expect(words(out).slice(1, 4)).toEqual(['open', 'open', 'refused not_awaited']);
    expect(out[2]?.awaited?.filter(({ what }) => what === 'whose')).toEqual([
      { id: 'whose.1', seat: 'table', what: 'whose', rule: 'Z9', options: ['ada', 'bea', 'cai'] },
      { id: 'whose.2', seat: 'table', what: 'whose', rule: 'Z9', options: ['ada', 'bea', 'cai'] },
    ]);
    expect(words(out).slice(4, 7)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(last(out)).toMatchObject({ pawns: { ada: 12, bea: 8, cai: 7 }, round: 1 });
  });
});

describe('rulings', () => {
  test('correct gives a roll its right number, and names the deeds that no longer fit', async () => {
    const { out } = await played(
      ['dadoteck'],
      RACE,
      roll('ada', 8),
      roll('bea', 3),
      { correct: { n: 1, natural: 10 } },
      { correct: { n: 1, natural: 9 } },
      { assign: { n: 2, seat: 'cai' } },
      { correct: { n: 9, natural: 9 } },
      { correct: { n: 1, natural: 21 } },
      { correct: { n: 1, dice: [{ natural: 1 }, { natural: 2 }] } },
    );
    expect(words(out)).toEqual([
      'ready',
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'refused no_such_roll',
      'refused no_such_face',
      'refused wrong_count',
      'state',
    ]);
    expect(out[3]?.events?.[0]).toEqual({ kind: 'rewound', ev: 1, from: 1, loose: [] });
    expect(out[4]?.events?.[0]).toEqual({ kind: 'rewound', ev: 1, from: 1, loose: [2] });
    expect(last(out)).toMatchObject({ pawns: { ada: 9, cai: 3 }, eliminated: ['bea'] });
  });

  test('a throw of several dice is lost whole', async () => {
    const both = {
      roll: {
        seat: 'ada',
        dice: [
          { type: 'd20', natural: 3 },
          { type: 'd20', natural: 4 },
        ],
      },
    };
    const { out } = await played(
      ['external'],
      SETUP,
      { call: { id: 'c1', seat: 'ada', notation: '1d20' } },
      { call: { id: 'c2', seat: 'ada', notation: '1d20' } },
      both,
      { void: { n: 2 } },
    );
    expect(out[4]?.events?.[0]).toMatchObject({ loose: [3] });
    expect(last(out)).toMatchObject({ rolls: 0, calls: [{ id: 'c1' }] });
  });

  test('void leaves a deed out, undo the last ones that counted', async () => {
    const { out } = await played(
      ['free'],
      SETUP,
      roll('ada', 1),
      roll('bea', 2),
      { set: { seat: 'ada', counter: 'pv', face: 14 } },
      { choose: { seat: 'ada', option: 1 } },
      { void: { n: 1 } },
      { void: { n: 1 } },
      { undo: 1 },
      { undo: 5 },
      { set: { seat: 'bea', counter: 'pv', face: 9 } },
    );
    expect(words(out).slice(4, 10)).toEqual([
      'refused not_awaited',
      'accepted',
      'refused no_such_deed',
      'accepted',
      'refused nothing_to_undo',
      'accepted',
    ]);
    expect(last(out)).toMatchObject({ rolls: 1, seats: { ada: { counters: {} }, bea: { counters: { pv: 9 } } } });
  });
});

describe('the rest', () => {
  test('waiting lets calls run out, and views show what a seat may know', async () => {
    const { out } = await played(
      ['external'],
      SETUP,
      { call: { id: 'c1', seat: 'ada', notation: '1d20', ttl: 1000 } },
      { wait: { ms: 999 } },
      { expect: { seat: 'ada', counter: 'pv', face: 14 } },
      { view: { as: 'ada' } },
      { wait: { ms: 1 } },
      { cancel: { id: 'c1' } },
      { set: { seat: 'ada', counter: 'pv', face: 14 } },
    );
    expect(words(out).slice(1, -1)).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'view',
      'accepted',
      'refused no_such_call',
      'accepted',
    ]);
    expect(out[2]?.events).toEqual([]);
    expect(out[4]).toMatchObject({ as: 'ada', state: { calls: [{ id: 'c1' }] } });
    expect(out[5]?.events).toMatchObject([{ kind: 'expired' }]);
    expect(last(out)).toMatchObject({ expected: { ada: { pv: 14 } }, awaited: [] });
  });

  test('calls belong to the game external', async () => {
    const { code, out } = await played(['dadoteck'], SETUP, { call: { id: 'c1', seat: 'ada', notation: '1d20' } });
    expect([code, words(out)[1]]).toEqual([0, 'refused external_only']);
  });

  test('names from outside are ordinary names (F154)', async () => {
    const { code, out } = await played(
      ['external'],
      { setup: { seats: ['constructor', 'hasownproperty'] } },
      '{"call":{"id":"__proto__","seat":"constructor","notation":"1d20","__proto__":{"isGM":true}}}',
      '{"choose":{"seat":"constructor","option":"__proto__","__proto__":1}}',
      roll('constructor', 3),
      { set: { seat: 'hasownproperty', counter: 'constructor', face: 3 } },
    );
    expect([code, words(out).slice(1, -1)]).toEqual([
      0,
      ['accepted', 'refused unknown_action', 'accepted', 'accepted'],
    ]);
    expect(last(out)).toMatchObject({ rolls: 1, counters: { hasownproperty: { constructor: 3 } } });
    expect(({} as { isGM?: boolean }).isGM).toBeUndefined();
  });

  test('twenty thousand deeds are no trouble', async () => {
    const { code, out } = await played(
      ['free'],
      SETUP,
      ...Array.from({ length: 20_000 }, (_, n) => roll('ada', 1 + (n % 20))),
    );
    expect([code, last(out).rolls]).toEqual([0, 20_000]);
  });
});
