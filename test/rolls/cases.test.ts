import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES } from '../../src/cli/lines.js';
import { resolveCase } from '../../src/cli/resolve/case.js';
import { differences } from '../../src/cli/resolve/check.js';
import { resolve } from '../../src/cli/resolve.js';
import type { Json, JsonObject } from '../../src/dice/json.js';
import { CARDS } from '../../src/games/magic/cards.js';

interface Case {
  readonly id: string;
  readonly title: string;
  readonly given: JsonObject;
  readonly expected: JsonObject;
  readonly status: string;
}

const file = readFileSync(new URL('cases.json', import.meta.url), 'utf8');
const { cases, cards } = JSON.parse(file) as { cases: Case[]; cards: { name: string }[] };
const decided = cases.filter((one) => one.status === 'decided');

/** Runs `tiro resolve` on a text. */
async function run(input: string, ...args: string[]): Promise<{ exit: number; lines: string[] }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const out = text(stdout);
  stderr.resume();
  const exit = await resolve(args, stdin, stdout, stderr);
  stdout.end();
  return { exit, lines: (await out).trim().split('\n') };
}

describe('rule 706, decided case', () => {
  it.each(decided.map((one): [string, Case] => [`${one.id} ${one.title}`, one]))('%s', (_name, one) => {
    const { id, outcome } = resolveCase(one as unknown as Json);
    expect(id).toBe(one.id);
    const wrong = differences(one.expected, outcome);
    expect(wrong.map((key) => [key, outcome[key]])).toEqual([]);
  });

  it('has all 169', () => expect(decided).toHaveLength(169));
});

describe('tiro resolve', () => {
  it('checks the whole file, the contested counted apart', async () => {
    const { exit, lines } = await run(file, '--check');
    expect({ exit, lines }).toEqual({ exit: 0, lines: ['169 passed, 0 failed, 6 contested'] });
  });

  it('prints an outcome a line, of a case a line too', async () => {
    const whole = await run(file);
    const single = await run(cases.map((one) => JSON.stringify(one)).join('\n'));
    expect(whole.lines).toHaveLength(cases.length);
    expect(single).toEqual(whole);
    expect(JSON.parse(whole.lines[0] ?? '')).toMatchObject({ id: 'R706-001', outcome: { naturals: [20] } });
  });

  it('finds every case that expects something else', async () => {
    const spoilt = decided.map((one) => ({ ...one, expected: { ...one.expected, results: [-99], total: -99 } }));
    const { exit, lines } = await run(JSON.stringify({ cases: spoilt }), '--check');
    expect([exit, lines.length, lines.at(-1)]).toEqual([1, 170, '0 passed, 169 failed, 0 contested']);
  });

  it('goes on after a line that is no JSON, and tells what is no case', async () => {
    const { exit, lines } = await run(`{"id":"a"}\nnonsense\n${JSON.stringify(cases[0])}`);
    expect(exit).toBe(1);
    expect(lines.map((line) => JSON.parse(line).outcome.error)).toEqual(['no_case', 'not_json', undefined]);
  });

  it('goes on after a line that is too long, and says that it was', async () => {
    const long = `{"id":"${'a'.repeat(MAX_LINE_BYTES)}"}`;
    const { exit, lines } = await run(`${long}\n${JSON.stringify(cases[0])}`);
    expect(exit).toBe(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: null, line: 1, outcome: { error: 'too_long', expected: `a line of at most ${MAX_LINE_BYTES} bytes` } },
      { id: 'R706-001', outcome: { valid: true } },
    ]);
    expect((await run(long, '--check')).lines).toEqual([
      '{"id":null,"line":1,"differs":["too_long"]}',
      '0 passed, 1 failed, 0 contested',
    ]);
  });

  const d6 = { count: 2, sides: 6, use: 'total' };
  const advantage = { kind: 'advantage', source: 'Pixie Guide', controller: 'roller' };
  it.each<[string, JsonObject]>([
    ['missing_dice', { instruction: d6, thrown: [1] }],
    ['extra_dice', { instruction: d6, thrown: [1, 2, 3] }],
    ['face_out_of_range', { instruction: d6, thrown: [1, 7] }],
    ['face_out_of_range', { instruction: d6, thrown: [1, 'x'] }],
    ['unknown_card', { instruction: d6, thrown: [1, 2], effects: ['Black Lotus'] }],
    ['bad_effect', { instruction: d6, thrown: [1, 2], effects: [{ kind: 'explode' }] }],
    ['contradictory_effects', { instruction: d6, effects: [{ ...advantage, mandatory: true, optional: true }] }],
    ['contradictory_effects', { instruction: d6, effects: [{ kind: 'reroll', mandatory: true }] }],
    ['unknown_use', { instruction: { ...d6, use: 'wish' }, thrown: [1, 2] }],
    ['bad_row', { instruction: { ...d6, use: 'table', table: ['9-1'] }, thrown: [1, 2] }],
    ['bad_condition', { instruction: { ...d6, use: 'cond', cond: 'x=>' }, thrown: [1, 2] }],
    ['unknown_listener', { instruction: d6, thrown: [1, 2], listeners: ['constructor'] }],
    ['too_many_dice', { instruction: { ...d6, count: 101 }, thrown: [] }],
    ['bad_count', { instruction: { ...d6, count: -1 }, thrown: [] }],
    ['no_such_die', { instruction: { ...d6, sides: 0 }, thrown: [1, 2] }],
    ['not_lowest', { instruction: d6, thrown: [1, 2, 2], effects: [advantage], choices: { ignore: [1] } }],
    ['bad_choice', { instruction: d6, thrown: [1, 2, 3], choices: { reroll: [[0, 2]] } }],
    ['bad_choice', { stored: { initial: [{ sides: 6, value: 1 }], reroll: [1], thrown: [1] } }],
    ['bad_number', { instruction: { ...d6, modifier: '2' }, thrown: [1, 2] }],
    ['bad_number', { instruction: { ...d6, modifier: 1e18 }, thrown: [1, 2] }],
    ['bad_count', { instruction: { ...d6, count: '2' }, thrown: [1, 2] }],
    ['bad_count', { instruction: { ...d6, ignoreLowest: -1 }, thrown: [1, 2] }],
    ['bad_row', { instruction: { ...d6, use: 'table', table: [1, '2-12'] }, thrown: [1, 2] }],
    ['bad_condition', { instruction: { ...d6, use: 'table', table: ['1'], conditions: ['<'] }, thrown: [1, 2] }],
    ['bad_instruction', { instruction: 'd6', thrown: [1] }],
    ['bad_effect', { instruction: d6, thrown: [1, 2], effects: 'Pixie Guide' }],
    ['bad_effect', { instruction: d6, thrown: [1, 2], effects: [{ kind: 'adjustEach', amount: '2' }] }],
    ['bad_effect', { instruction: d6, thrown: [1, 2], effects: [{ kind: 'exchange' }] }],
    ['bad_choice', { instruction: d6, thrown: [1, 2, 2], effects: [advantage], choices: { ignore: ['1'] } }],
    ['bad_choice', { instruction: d6, thrown: [1, 2], choices: { adjust: [[0]] } }],
    ['not_lowest', { instruction: d6, thrown: [2, 2, 6], effects: [advantage], choices: { ignore: [0, 1] } }],
    [
      'bad_stored',
      {
        stored: {
          initial: [
            { sides: 6, value: '1' },
            { sides: 6, value: 2 },
          ],
          reroll: [0],
          thrown: [1],
        },
      },
    ],
    ['no_such_die', { stored: { store: [{ sides: '6', thrown: [1] }] } }],
    ['bad_action', { planar: { actions: [{ do: 'special', mana: '1' }] } }],
    ['bad_action', { planar: { actions: ['special'] } }],
    ['unknown_form', { planar: true }],
    ['bad_number', { planar: { face: 'chaos', counters: '5' } }],
    ['unknown_use', { instruction: { ...d6, use: 7 }, thrown: [1, 2] }],
    ['bad_effect', { instruction: d6, thrown: [1, 2], effects: [{ kind: 'advantage', source: 7 }] }],
    ['bad_substitute', { substitute: { target: 6, from: ['d6', 6], map: 'sum' }, inputs: [] }],
    ['face_out_of_range', { substitute: { target: 3, from: ['d6'], map: 'ceil(f/2)' }, inputs: [['1']] }],
    ['unknown_contest', { contest: 'highest', players: ['A', 12] }],
    ['unknown_form', {}],
  ])('refuses with %s: %j', (error, given) => {
    expect(resolveCase({ id: 'x', given }).outcome).toEqual({
      valid: false,
      error,
      rule: expect.stringMatching(/^(706|901)\.\d/),
      expected: expect.stringMatching(/\w/),
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'a tie left to the roller where the case names only what must go', // 706.6
      {
        instruction: { count: 1, sides: 20 },
        effects: [advantage, advantage],
        thrown: [4, 7, 7],
        choices: { ignore: [0] },
      },
      { results: [7], ignored: [0, 1] },
    ],
    [
      'a row that rolls again, whatever its dash',
      {
        instruction: { count: 1, sides: 20, use: 'table', table: ['1–14', '15–20'], rollAgain: '15-20' },
        thrown: [15],
      },
      { rows: ['15–20'], again: true },
    ],
    [
      'doubled dice of which the kept are named in any order',
      {
        instruction: { count: 2, sides: 6, use: 'total' },
        effects: [{ kind: 'doubleEachDie', source: "Krark's Other Thumb", controller: 'roller' }],
        thrown: [3, 6, 2, 5],
        choices: { keep: [2, 1] },
      },
      { results: [6, 2], total: 8, ignored: [0, 3] },
    ],
    ['no planar action at all', { planar: { actions: [] } }, { costs: [], accepted: [] }],
    [
      'planar attempts of a player who is not the active one',
      { planar: { active: 'A', attempts: [{ player: 'A' }, { player: 'B' }] } },
      { accepted: [true, false] },
    ],
    [
      'a substitute that takes the smaller number', // 706.1b
      { substitute: { target: 4, from: ['d6'], map: 'min(f, 4)' }, inputs: [[6]] },
      { values: [], allowed: false },
    ],
  ])('resolves %s', (_name, given, expected) => {
    expect(resolveCase({ id: 'x', given }).outcome).toMatchObject(expected);
  });

  it('warns of overlapping rows (F151)', () => {
    const given = { instruction: { ...d6, count: 1, use: 'table', table: ['1-4', '4–6'] }, thrown: [4] };
    expect(resolveCase({ given }).outcome).toMatchObject({ rows: ['1-4', '4–6'], warnings: ['overlapping_rows'] });
  });
});

it('the catalogue has the cards of the file, by their names', () => {
  expect(CARDS.map(({ name }) => name).sort()).toEqual(cards.map(({ name }) => name).sort());
});
