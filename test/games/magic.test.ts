import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DieType, Face } from '../../src/dice/die.js';
import type { Json, JsonObject } from '../../src/dice/json.js';
import { wireAwaited } from '../../src/games/awaited.js';
import type { Deed, Seat } from '../../src/games/game.js';
import { CARDS } from '../../src/games/magic/cards.js';
import { cardIn, findCard, searchCards } from '../../src/games/magic/catalogue.js';
import { magic } from '../../src/games/magic/magic.js';
import type { MagicEvent, MagicState } from '../../src/games/magic/state.js';
import { notationOf } from '../../src/games/magic/wording.js';
import { eventsOf, fold, last, open, type Played, put, thrown } from '../contract/driver.js';

type Table = Played<MagicState, MagicEvent>;

const act = (table: Table, by: Seat, action: string, args: JsonObject = {}): Table =>
  put(table, { kind: 'choice', by, action, args });
const choose = (table: Table, by: Seat, option: Json): Table => put(table, { kind: 'choice', by, option });
const rollAll = (table: Table, seat: Seat, type: DieType, ...naturals: Face[]): Table =>
  naturals.reduce((now, natural) => thrown(now, seat, type, natural), table);
const verdict = (table: Table): string => {
  const answer = last(table);
  return 'code' in answer ? `${answer.verdict} ${answer.code}` : answer.verdict;
};
const report = (table: Table) => table.state.last;
const start = open(magic, ['ada', 'bea']);

describe('a roll by card', () => {
  test.each<[string, JsonObject, DieType, Face[], object]>([
    ['Swarming Goblins', {}, 'd20', [9], { results: [9], reading: { rows: ['1-9'] } }],
    ["Diviner's Portent", { hand: 5 }, 'd20', [12], { results: [17], reading: { rows: ['15+'] } }],
    ['The Deck of Many Things', { hand: 7 }, 'd20', [3], { results: [-4], reading: { rows: [], conditions: ['<=0'] } }],
    ['Inhumaniac', {}, 'd6', [2], { reading: { rows: [] } }],
    ["Berserker's Frenzy", {}, 'd20', [16, 3], { results: [16], ignored: [1], reading: { rows: ['15-20'] } }],
    ['Iron Mastiff', { players: 3 }, 'd20', [5, 20, 12], { results: [20], ignored: [0, 2] }],
    ['Celebr-8000', {}, 'd6', [3, 3], { reading: { rowsEach: [['3'], ['3']], doubles: true } }],
    ['Garbage Elemental (C)', {}, 'd6', [2, 5], { reading: { difference: 3 } }],
    ['Attempted Murder', { x: 4 }, 'd6', [2, 4, 5, 1], { reading: { even: 2, odd: 2 } }],
    ['Sword of Hours', { damage: 20 }, 'd12', [12], { reading: { met: true } }],
    ['Clowning Around', { robots: 5 }, 'd6', [6], { reading: { met: false } }],
    ['Luck Bobblehead', { bobbleheads: 3 }, 'd6', [6, 6, 2], { reading: { count: 2, even: 3, wins: false } }],
    ['Velukan Dragon', {}, 'd6', [6], { results: [6], reading: { amount: 5 } }],
  ])('%s %j', (card, args, type, naturals, told) => {
    const table = rollAll(act(start, 'ada', 'card', { card, ...args }), 'ada', type, ...naturals);
    expect(verdict(table)).toBe('accepted');
    expect(report(table)).toMatchObject(told);
  });

  test('zero dice are no roll: no result and no trigger', () => {
    const table = act(act(start, 'ada', 'play', { card: 'Brazen Dwarf' }), 'ada', 'card', {
      card: 'Hydradoodle',
      x: 0,
    });
    expect(report(table)).toMatchObject({ total: null, results: [], triggers: [] });
    expect(table.state.rolls).toBe(0);
  });

  test('Free-Range Chicken knows every total of this turn, not the last alone', () => {
    const repeated: unknown[] = [];
    const roll = (table: Table, ...faces: Face[]): Table => {
      const next = rollAll(act(table, 'ada', 'card', { card: 'Free-Range Chicken' }), 'ada', 'd6', ...faces);
      repeated.push(report(next)?.reading.repeated);
      return next;
    };
    const turn = roll(roll(roll(start, 2, 4), 3, 4), 1, 5);
    roll(act(turn, 'ada', 'turn', { to: 'ada' }), 1, 5);
    expect(repeated).toEqual([false, false, true, false]);
  });

  test('two results, one chosen', () => {
    const two = rollAll(act(start, 'ada', 'card', { card: 'Valiant Endeavor' }), 'ada', 'd6', 5, 2);
    expect(report(choose(two, 'ada', { die: 1 }))?.reading).toEqual({ chosen: 2, other: 5 });
  });

  test('"roll again" may be declined, or taken with the same dice', () => {
    const first = rollAll(act(start, 'ada', 'card', { card: 'delina, wild mage' }), 'ada', 'd20', 15);
    expect(magic.view(first.state, { role: 'gm' }).state.phase).toBe('again');
    expect(verdict(act(first, 'bea', 'roll', { notation: 'd6' }))).toBe('refused roll_open');
    expect(choose(first, 'ada', 'stop').state.again).toBeNull();
    const second = rollAll(choose(first, 'ada', 'again'), 'ada', 'd20', 3);
    expect(report(second)).toMatchObject({ n: 2, reading: { rows: ['1-14'], again: false } });
  });

  test('a card that repeats on 20 goes on by itself', () => {
    const table = rollAll(act(start, 'ada', 'card', { card: 'Sword of Dungeons & Dragons' }), 'ada', 'd20', 20, 20, 7);
    expect([table.state.rolls, table.state.open.length]).toEqual([3, 0]);
  });

  test('every player rolls: all who tie for the highest, or the tied for the lowest again', () => {
    let table = act(start, 'ada', 'card', { card: 'Chaos Dragon' });
    table = thrown(thrown(table, 'bea', 'd20', 19), 'ada', 'd20', 19);
    expect(eventsOf(last(table)).at(-1)).toMatchObject({ kind: 'compared', selected: ['bea', 'ada'] });
    expect(table.state.contest?.selected).toEqual(['bea', 'ada']);
    table = act(table, 'ada', 'card', { card: 'Ricochet' });
    table = thrown(thrown(table, 'ada', 'd6', 2), 'bea', 'd6', 2);
    expect(table.state.open.map(({ order }) => order.seat)).toEqual(['ada', 'bea']);
    table = thrown(thrown(table, 'ada', 'd6', 4), 'bea', 'd6', 1);
    expect(eventsOf(last(table)).at(-1)).toMatchObject({ kind: 'compared', selected: ['bea'] });
  });
});

describe('cards in play', () => {
  const guided = act(start, 'ada', 'play', { card: 'Pixie Guide' });

  test("Pixie Guide's extra die, with a tie the roller decides; not on another's roll", () => {
    const two = rollAll(act(guided, 'ada', 'roll', { notation: 'd20+1' }), 'ada', 'd20', 4, 4);
    expect(two.game.expects(two.state)).toMatchObject([
      { kind: 'choice', seat: 'ada', rule: '706.6', purpose: 'ignore' },
    ]);
    expect(verdict(choose(two, 'bea', 0))).toBe('refused wrong_seat');
    expect(report(choose(two, 'ada', { die: 1 }))).toMatchObject({ results: [5], ignored: [1] });
    const other = rollAll(act(guided, 'bea', 'roll', { notation: 'd20' }), 'bea', 'd20', 4);
    expect(report(other)).toMatchObject({ results: [4], ignored: [] });
  });

  test('another player pays for my die, once before the next turn', () => {
    let table = act(start, 'bea', 'play', { card: 'Snickering Squirrel' });
    table = rollAll(act(table, 'ada', 'roll', { notation: 'd6' }), 'ada', 'd6', 5);
    table = choose(table, 'bea', { by: 1 });
    expect(report(table)).toMatchObject({ results: [6], paid: [{ by: 'bea', cost: 'tap it' }] });
    table = rollAll(act(table, 'ada', 'roll', { notation: 'd6' }), 'ada', 'd6', 5);
    expect(report(table)).toMatchObject({ results: [5], paid: [] });
    table = rollAll(act(act(table, 'ada', 'turn'), 'ada', 'roll', { notation: 'd6' }), 'ada', 'd6', 5);
    expect(table.game.expects(table.state)).toMatchObject([{ seat: 'bea', purpose: 'adjust', optional: true }]);
  });

  test('counters run out, one-shot effects go', () => {
    let table = act(start, 'ada', 'play', { card: 'Xenosquirrels', counters: 1 });
    table = act(table, 'ada', 'play', { card: 'The Big Idea' });
    table = rollAll(act(table, 'ada', 'roll', { notation: 'd6' }), 'ada', 'd6', 3, 6);
    table = choose(table, 'ada', { die: 0, by: -1 });
    expect(report(table)).toMatchObject({ naturals: [3, 6], results: [8] });
    expect(table.state.inPlay).toMatchObject([{ card: 'Xenosquirrels', counters: 0 }]);
    expect(report(rollAll(act(table, 'ada', 'roll', { notation: 'd6' }), 'ada', 'd6', 3))?.results).toEqual([3]);
  });

  test('what watches dice is listed once the roll is over, each under its rule', () => {
    let table = ['Brazen Dwarf', 'Dee Kay, Finder of the Lost', 'Critical Hit', 'Priority Boarding'].reduce(
      (now, card) => act(now, 'ada', 'play', { card }),
      act(start, 'bea', 'play', { card: 'Chicken a la King' }),
    );
    table = rollAll(act(table, 'ada', 'form', { count: 3, sides: 6 }), 'ada', 'd6', 2, 2, 6);
    expect(report(table)?.triggers.map(({ card, when, times }) => `${card} ${when} ${times}`)).toEqual([
      'Chicken a la King res==6 1',
      'Brazen Dwarf one_or_more 1',
      'Dee Kay, Finder of the Lost res==2 2',
      'Dee Kay, Finder of the Lost res==6 1',
      'Priority Boarding each_die 1',
    ]);
    table = rollAll(act(table, 'ada', 'roll', { notation: 'd20' }), 'ada', 'd20', 20);
    expect(report(table)?.triggers.map(({ card }) => card)).toEqual(['Brazen Dwarf', 'Critical Hit']);
  });

  test('the opponent who set up Bamboozling Beeble takes my natural 20', () => {
    let table = act(start, 'bea', 'play', { card: 'Bamboozling Beeble', target: 'ada' });
    table = rollAll(act(table, 'ada', 'roll', { notation: 'd20' }), 'ada', 'd20', 20, 6);
    table = choose(table, 'bea', { die: 0 });
    expect([report(table)?.results, table.state.inPlay]).toEqual([[6], []]);
  });
});

describe('stored results', () => {
  const faces: Face[] = [1, 1, 3, 3, 4];
  const stored = rollAll(act(start, 'ada', 'card', { card: 'Centaur of Attention' }), 'ada', 'd6', ...faces);

  test('are re-rolled by entry, and each permanent has its own', () => {
    let table = act(stored, 'ada', 'reroll', { on: 'Centaur of Attention', entries: [2, 3, 4] });
    table = rollAll(table, 'ada', 'd6', 1, 1, 6);
    table = rollAll(
      act(table, 'bea', 'card', { card: 'Centaur of Attention', on: 'clone' }),
      'bea',
      'd6',
      6,
      6,
      6,
      2,
      2,
    );
    expect(magic.view(table.state, { role: 'spectator' }).state.stored).toMatchObject([
      { name: 'Centaur of Attention', seat: 'ada', maxSame: 4 },
      { name: 'clone', seat: 'bea', maxSame: 3 },
    ]);
  });

  test("are their owner's alone (706.8c): equal names of two seats are two permanents", () => {
    const on = 'Centaur of Attention';
    const other = act(stored, 'bea', 'reroll', { on, entries: [0] });
    expect(last(other)).toMatchObject({ verdict: 'refused', code: 'wrong_seat', rule: '706.8c', expected: 'ada' });
    const both = rollAll(act(stored, 'bea', 'card', { card: on }), 'bea', 'd6', 6, 6, 6, 2, 2);
    const again = rollAll(act(both, 'gm', 'reroll', { on, entries: [4], player: 'ada' }), 'ada', 'd6', 1);
    expect(magic.view(again.state, { role: 'spectator' }).state.stored).toMatchObject([
      { name: on, seat: 'bea', maxSame: 3 },
      { name: on, seat: 'ada', maxSame: 3 },
    ]);
    const gone = act(again, 'ada', 'remove', { on });
    expect(gone.state.permanents.map(({ seat }) => seat)).toEqual(['bea']);
  });

  test('choosing none is no roll; unknown entries and permanents are refused', () => {
    const on = 'Centaur of Attention';
    expect(act(stored, 'ada', 'reroll', { on, entries: [] }).state.rolls).toBe(1);
    expect(verdict(act(stored, 'ada', 'reroll', { on, entries: [5] }))).toBe('refused bad_choice');
    expect(verdict(act(stored, 'ada', 'reroll', { on, entries: [1, 1] }))).toBe('refused bad_choice');
    expect(verdict(act(stored, 'ada', 'reroll', { on: '__proto__', entries: [0] }))).toBe('refused nothing_stored');
  });
});

describe('the planar die', () => {
  const roll = (table: Table, seat: Seat, face: Face): Table =>
    thrown(act(table, seat, 'planar'), seat, 'planar', face);

  test('costs 0, 1, 2 in a turn, of each player of a team; rolls by effects do not count', () => {
    let table = open(magic, ['ada', 'bea', 'cai'], { teams: [['ada', 'bea']] });
    const costs: unknown[] = [];
    for (const [seat, face] of [
      ['ada', 'blank'],
      ['bea', 'chaos'],
      ['ada', 'planeswalker'],
    ] as const) {
      table = roll(table, seat, face);
      costs.push(report(table)?.planar);
    }
    expect(costs).toEqual([
      { face: 'blank', outcome: 'nothing', cost: 0 },
      { face: 'chaos', outcome: 'chaos_ensues', cost: 0 },
      { face: 'planeswalker', outcome: 'planeswalking_ability', cost: 1 },
    ]);
    table = thrown(act(table, 'ada', 'card', { card: 'Pietra del Potere Spezzata' }), 'ada', 'planar', 'blank');
    expect(report(table)?.planar?.cost).toBeNull();
    expect(report(roll(table, 'ada', 'blank'))?.planar?.cost).toBe(2);
    expect(verdict(act(table, 'cai', 'planar'))).toBe('refused not_active');
    expect(verdict(act(table, 'ada', 'planar', { mana: 1 }))).toBe('refused cost_not_payable');
    expect(verdict(act(table, 'ada', 'planar', { phase: 'combat' }))).toBe('refused wrong_phase');
    expect(report(roll(act(table, 'ada', 'turn', { to: 'cai' }), 'cai', 'blank'))?.planar?.cost).toBe(0);
  });

  test('a team ends its turn together', () => {
    const table = open(magic, ['ada', 'bea', 'cai', 'dan'], {
      teams: [
        ['ada', 'bea'],
        ['cai', 'dan'],
      ],
    });
    const next = act(table, 'bea', 'turn');
    expect(next.state.active).toBe('cai');
    expect(verdict(act(next, 'bea', 'planar'))).toBe('refused not_active');
    expect(act(next, 'dan', 'turn').state.active).toBe('ada');
  });

  test('is a die without a number', () => {
    const cards = ['Brazen Dwarf', 'Pixie Guide', 'Squirrel-Powered Scheme', 'Steel Squirrel'];
    const table = roll(
      cards.reduce((now, card) => act(now, 'ada', 'play', { card }), start),
      'ada',
      'chaos',
    );
    expect(report(table)).toMatchObject({ results: [], total: null, triggers: [{ card: 'Brazen Dwarf' }] });
  });

  test('a d6 stands for it where it is mapped, fairly', () => {
    const faces = ['planeswalker', 'chaos', 'blank', 'blank', 'blank', 'blank'];
    const table = thrown(act(open(magic, ['ada'], { planarDie: faces }), 'ada', 'planar'), 'ada', 'd6', 2);
    expect(report(table)?.planar).toMatchObject({ face: 'chaos' });
    const uneven = magic.setup({ planarDie: [...faces.slice(1), 'chaos'] }, [{ id: 'ada', name: 'Ada' }]);
    expect(uneven).toMatchObject({ verdict: 'refused', code: 'uneven' });
  });
});

describe('a die that stands for another (706.1b)', () => {
  const asked = act(start, 'ada', 'roll', { notation: '2d3' });
  const agreed = act(asked, 'ada', 'substitute', { die: 'd3', by: 'd6' });

  test('each face counts as agreed; what lay is kept', () => {
    expect(magic.expects(agreed.state).map(wireAwaited)[0]?.dice).toEqual([{ type: 'd6' }, { type: 'd6' }]);
    const table = thrown(thrown(agreed, 'ada', 'd6', 5, 'a'), 'ada', 'd3', 1, 'b');
    expect(report(table)).toMatchObject({
      naturals: [3, 1],
      total: 4,
      dice: [
        { type: 'd3', sides: 3, face: 3, thrown: { type: 'd6', face: 5 } },
        { type: 'd3', face: 1 },
      ],
    });
    expect(report(table)?.dice[1]).not.toHaveProperty('thrown');
  });

  test('a face left over is thrown again, which is no roll', () => {
    const six = act(act(start, 'ada', 'roll', { notation: 'd6' }), 'ada', 'substitute', { die: 'd6', by: 'd20' });
    const again = thrown(six, 'ada', 'd20', 19, 'the-d20');
    expect(last(again)).toMatchObject({ verdict: 'refused', code: 'throw_again', expected: 'd20 by ada' });
    expect(again.state).toEqual(six.state);
    expect(report(thrown(again, 'ada', 'd20', 14, 'the-d20'))).toMatchObject({ naturals: [2] });
  });

  test('"roll again" keeps the agreement', () => {
    const form = { count: 1, sides: 3, rows: ['1-2', '3'], again: '3' };
    const roll = act(act(start, 'ada', 'form', form), 'ada', 'substitute', { die: 'd3', by: 'd6' });
    const more = choose(thrown(roll, 'ada', 'd6', 6), 'ada', 'again');
    expect(report(thrown(more, 'ada', 'd6', 1))).toMatchObject({ naturals: [1] });
  });

  test.each<[string, Table, JsonObject]>([
    ['uneven', asked, { die: 'd3', by: 'd2' }],
    ['uneven', asked, { die: 'd3', by: '2d6' }],
    ['uneven', asked, { die: 'd3' }],
    ['not_awaited', asked, { die: 'd8', by: 'd20' }],
    ['not_awaited', start, { die: 'd3', by: 'd6' }],
    ['already_rolled', thrown(asked, 'ada', 'd3', 2), { die: 'd3', by: 'd6' }],
  ])('refused: %s', (code, table, args) => {
    expect(last(act(table, 'ada', 'substitute', args))).toMatchObject({ verdict: 'refused', code, rule: '706.1b' });
  });
});

describe('marks of a notation beside cards in play', () => {
  const guide = act(start, 'ada', 'play', { card: 'Pixie Guide' });

  test('what rule 706 knows too is told to the cards', () => {
    const table = rollAll(act(guide, 'ada', 'roll', { notation: '2d20kh1+2' }), 'ada', 'd20', 4, 17, 9);
    expect(report(table)).toMatchObject({ naturals: [17], results: [19], ignored: [0, 2] });
  });

  test.each(['2d6kl1', '3d6!', '{2d6,2d8}kh1', '2d6kh1+d8kh1', '5d6>4', '4d6dh1'])('%s is refused', (notation) => {
    expect(last(act(guide, 'ada', 'roll', { notation }))).toMatchObject({ code: 'marked_notation', rule: '706.2' });
    expect(verdict(act(guide, 'bea', 'roll', { notation }))).toBe('accepted');
  });
});

describe('refusals', () => {
  test.each<[string, Deed]>([
    ['unknown_card', { kind: 'choice', by: 'ada', action: 'card', args: { card: 'constructor' } }],
    ['no_roll', { kind: 'choice', by: 'ada', action: 'card', args: { card: 'Pixie Guide' } }],
    ['no_effect', { kind: 'choice', by: 'ada', action: 'play', args: { card: 'Swarming Goblins' } }],
    ['contradictory', { kind: 'choice', by: 'ada', action: 'play', args: { card: 'Pixie Guide', target: 'bea' } }],
    ['contradictory', { kind: 'choice', by: 'ada', action: 'play', args: { card: 'Wall of Fortune', counters: 2 } }],
    ['no_target', { kind: 'choice', by: 'ada', action: 'play', args: { card: 'Bamboozling Beeble' } }],
    ['missing_number', { kind: 'choice', by: 'ada', action: 'card', args: { card: "Wyll's Reversal" } }],
    [
      'too_many_dice',
      { kind: 'choice', by: 'ada', action: 'card', args: { card: 'Mr. House, President and CEO', treasures: 100 } },
    ],
    ['bad_notation', { kind: 'choice', by: 'ada', action: 'roll', args: { notation: '2d' } }],
    ['bad_row', { kind: 'choice', by: 'ada', action: 'form', args: { sides: 20, rows: ['9-1'] } }],
    ['overlapping_rows', { kind: 'choice', by: 'ada', action: 'form', args: { sides: 20, rows: ['1-10', '10+'] } }],
    ['no_such_die', { kind: 'choice', by: 'ada', action: 'form', args: { sides: 1 } }],
    ['bad_row', { kind: 'choice', by: 'ada', action: 'form', args: { sides: 20, rows: [] } }],
    ['bad_row', { kind: 'choice', by: 'ada', action: 'form', args: { sides: 20, rows: ['1-9'], again: '10+' } }],
    [
      'contradictory_uses',
      { kind: 'choice', by: 'ada', action: 'form', args: { sides: 6, rows: ['1-6'], use: 'total' } },
    ],
    ['bad_row', { kind: 'choice', by: 'ada', action: 'form', args: { sides: 6, again: '20' } }],
    ['bad_number', { kind: 'choice', by: 'ada', action: 'planar', args: { mana: '1' } }],
    ['wrong_phase', { kind: 'choice', by: 'ada', action: 'planar', args: { phase: 1 } }],
    ['nothing_stored', { kind: 'choice', by: 'ada', action: 'remove', args: { on: 'Centaur of Attention' } }],
    ['bad_condition', { kind: 'choice', by: 'ada', action: 'form', args: { sides: 6, condition: 'y' } }],
    ['unknown_use', { kind: 'choice', by: 'ada', action: 'form', args: { sides: 6, use: 'wish' } }],
    ['not_in_play', { kind: 'choice', by: 'ada', action: 'remove', args: { id: 1 } }],
    ['unknown_action', { kind: 'choice', by: 'ada', action: 'toString' }],
    ['not_active', { kind: 'choice', by: 'bea', action: 'turn' }],
    ['unknown_seat', { kind: 'choice', by: 'cai', action: 'roll', args: { notation: 'd6' } }],
    ['not_allowed', { kind: 'choice', by: 'ada', action: 'cancel' }],
    ['not_awaited', { kind: 'choice', by: 'ada', option: 'pass' }],
  ])('%s', (code, deed) => {
    const table = put(start, deed);
    expect(last(table)).toMatchObject({
      verdict: 'refused',
      code,
      rule: expect.stringMatching(/^(706\.|901\.|magic)/),
      expected: expect.stringMatching(/\w/),
    });
    expect(table.state).toEqual(start.state);
  });

  test('a die thrown without an instruction is no roll; the GM breaks off an open one', () => {
    expect(last(thrown(start, 'ada', 'd6', 6))).toMatchObject({ verdict: 'loose', rule: '706.1' });
    const asked = act(start, 'ada', 'roll', { notation: '2d6' });
    expect(verdict(thrown(asked, 'ada', 'd8', 3))).toBe('refused wrong_die');
    expect(act(thrown(asked, 'ada', 'd6', 3), 'gm', 'cancel').state.open).toEqual([]);
  });
});

test('cards are found however they are written, in both languages where known', () => {
  expect(findCard('  LAE ZELS acrobatics')).toBeUndefined();
  expect(findCard("lae'zel’s ACROBATICS")?.name).toBe("Lae'zel's Acrobatics");
  expect(findCard('pietra del potere spezzata')?.name).toBe('Fractured Powerstone');
  expect(findCard('pixie guida')?.name).toBe('Pixie Guide');
  expect(searchCards('impresa').map(({ name }) => name)).toHaveLength(5);
  const italian = CARDS.flatMap((card) => card.italian ?? []);
  expect(new Set([...italian, ...CARDS.map(({ name }) => name)]).size).toBe(italian.length + CARDS.length);
  expect(searchCards('ancient dragon').map(({ name }) => name)).toHaveLength(5);
  expect(cardIn('Delina: 15, 20, 3')?.name).toBe('Delina, Wild Mage');
  expect(cardIn('3 and 3 are doubles')).toBeUndefined();
});

test.each([
  ['dado a 20 facce', '1d20'],
  ['due dadi a sei facce', '2d6'],
  ['two six-sided dice', '2d6'],
  ['a 20-sided die', '1d20'],
  ['Tira tre d8', '3d8'],
  ['lancia un dado a venti facce + 5', '1d20 + 5'],
  ['a d20 plus 3', '1d20+3'],
  ['due dadi a sei facce meno 1', '2d6-1'],
  ['seven 10-sided dice', '7d10'],
  ['my six-sided die', 'my six-sided die'],
  ['2d6+1', '2d6+1'],
])('%s is %s (706.1a)', (text, notation) => expect(notationOf(text)).toBe(notation));

test('any table: nothing throws, a refusal changes nothing, the events alone give the state', () => {
  const name = fc.oneof(fc.constantFrom(...CARDS.map((card) => card.name)), fc.constantFrom('__proto__', 'x'));
  const seat = fc.constantFrom('ada', 'bea', 'cai', 'gm');
  const small = fc.integer({ min: -1, max: 4 });
  const numbers = fc.record({
    hand: small,
    x: small,
    players: small,
    value: small,
    target: seat,
    damage: small,
    power: small,
  });
  const action = fc.constantFrom(
    'card',
    'card',
    'play',
    'play',
    'roll',
    'form',
    'planar',
    'reroll',
    'turn',
    'remove',
    'cancel',
  );
  const deed = fc.oneof(
    { weight: 2, arbitrary: fc.tuple(seat, action, name, numbers, small) },
    { weight: 6, arbitrary: fc.nat(999) },
  );
  const run = (deeds: readonly (number | [Seat, string, string, JsonObject, number])[]): void => {
    let table = start;
    for (const one of deeds) {
      const before = table.state;
      if (typeof one === 'number') table = answered(table, one);
      else {
        const [by, word, card, args, id] = one;
        table = act(table, by, word, {
          card,
          ...args,
          id,
          on: card,
          notation: '2d6kh1',
          sides: 6,
          count: id,
          entries: [id],
        });
      }
      if (!('events' in last(table))) expect(table.state).toEqual(before);
    }
    const events = [...table.opening, ...table.log.flatMap((entry) => eventsOf(entry.verdict))];
    expect(fold(magic, events)).toEqual(table.state);
  };
  const answered = (table: Table, chance: number): Table => {
    const due = magic.expects(table.state);
    const one = due[chance % due.length];
    if (one?.kind === 'choice' && one.options !== undefined) {
      return choose(table, one.seat ?? 'ada', one.options[chance % one.options.length] ?? null);
    }
    const type = one?.kind === 'roll' ? (one.resolution.asks.dice[0] ?? 'd6') : 'd6';
    const face = type === 'planar' ? 'chaos' : (chance % Number(type.slice(1))) + 1;
    return thrown(table, one?.seat ?? 'ada', type, face);
  };
  fc.assert(fc.property(fc.array(deed, { maxLength: 40 }), run), { numRuns: 60 });
});
