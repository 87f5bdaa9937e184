import { expect } from 'vitest';
import { dicebound } from '../../src/games/dicebound/dicebound.js';
import { external } from '../../src/games/external/external.js';
import type { AnyGame } from '../../src/games/game.js';
import { type Course, put, startCourse } from '../../src/table/course.js';
import { aim, type Throw } from '../../src/table/throw.js';
import { Play, SEATS } from './dicebound-play.js';
import { armed, not, type Row, taken } from './dicebound-rows-board.js';

/** Ada was hit by the orc for 8; her Difesa is awaited. */
const hit = (): Play =>
  new Play()
    .fight(['orc'], ['orc-1', 'ada', 'bea'])
    .act('gm', 'attack', { weapon: 'physical', target: 'ada' })
    .roll('gm', [8, 8]);

/** The game at a table, where one physical die may be thrown again. */
function seatedCourse(play: Play): Course {
  const game: AnyGame = dicebound as AnyGame;
  return startCourse(game, play.events, external as AnyGame, eventsOf(external.setup({}, [])));
}

const eventsOf = (verdict: { readonly verdict: string }) => ('events' in verdict ? (verdict.events as []) : []);

/** Throws one and the same die so often; the verdicts in order. `others`: dice of its kind the seat could throw instead. */
function throwsAgain(play: Play, natural: readonly number[], others: number): readonly string[] {
  let course = seatedCourse(play);
  return natural.map((face, at) => {
    const thrown: Throw = {
      seat: 'bea',
      die: 'bea-d12',
      type: 'd12',
      face,
      source: 'physical',
      quality: 'ok',
      others,
    };
    const target = aim(course, thrown);
    if (target.kind === 'whose') return 'whose';
    const step = put(course, at + 1, target.run, target.deed);
    course = step.course;
    return 'code' in step.verdict ? `${step.verdict.verdict} ${step.verdict.code}` : step.verdict.verdict;
  });
}

/** Bea's turn at level 2: her Attacco Magico has an advantage. */
const twofold = (): Play => new Play({ level: 2 }, armed({}, { magic: '112' })).fight(['orc'], ['bea', 'ada', 'orc-1']);

export const COMMON_ROWS: readonly Row[] = [
  taken('Z1', 'a lone d10 of 0 is 10; with the tens 00 and 0 are 100; a tens die of 00 shows level 10', () => {
    const play = new Play().act('gm', 'check', { who: 'ada', stat: 'defence', difficulty: 10 }).roll('ada', [10, 0]);
    expect(play.phase).toBe('camp');
    const rest = new Play({ ambushRoll: 'dice', ambushPercent: 99 }).act('gm', 'rest');
    expect(rest.roll('gm', [10, 0], ['d00', 0]).kinds().at(-1)).toBe('calm');
    expect(new Play({ level: 10 }).view().seats).toMatchObject({ ada: { level: 10, expected: { level: 0 } } });
  }),
  taken('Z2', 'nothing awaited from anybody, or a die of who is out: loose, and it changes nothing', () => {
    expect(new Play().roll('ada', [12, 3]).verdict).toBe('loose not_awaited Z2');
    expect(new Play().act('gm', 'adjust', { who: 'ada', pv: 0 }).roll('ada', [12, 3]).verdict).toMatch(
      /^loose seat_ko/,
    );
    expect(hit().roll('ada', [10, 1]).roll('bea', [8, 3]).verdict).toBe('loose not_awaited Z2');
  }),
  not('Z2', 'awaited but wrong: the die, the seat, one die too many, put to a call that is closed', () => {
    expect(hit().roll('ada', [12, 3]).verdict).toBe('refused wrong_die dicebound:C4');
    expect(hit().roll('bea', [8, 3]).verdict).toBe('refused wrong_seat dicebound:C4');
    const play = hit();
    const late = play.awaited().find((one) => one.kind === 'roll')?.id ?? null;
    play.roll('ada', [10, 8]).put({
      kind: 'natural',
      call: late,
      seat: 'ada',
      die: { die: 'late', type: 'd10', quality: 'ok' },
      face: 9,
      source: 'physical',
    });
    expect(play.verdict).toMatch(/^refused call_closed/);
  }),
  taken('Z3', 'where several are awaited any order is right', () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['orc'] }).act('gm', 'startFight');
    play.roll('bea', [10, 3]).roll('gm', [8, 5]).roll('ada', [8, 7]);
    expect(play.state.fight?.order).toEqual(['ada', 'orc-1', 'bea']);
  }),
  not('Z3', "one seat's die in another's place", () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['orc'] }).act('gm', 'startFight');
    expect(play.roll('bea', [8, 7]).verdict).toBe('refused wrong_die dicebound:C1');
  }),
  taken('Z4', 'the tied alone roll again with the same die, and keep their place among the others', () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['orc'] }).act('gm', 'startFight');
    play.roll('ada', [8, 4]).roll('bea', [10, 4]).roll('gm', [8, 3]);
    expect(play.waiting().slice(0, 2)).toEqual(['ada:initiative', 'bea:initiative']);
    expect(play.roll('gm', [8, 8]).verdict).toMatch(/^refused/);
    play.roll('ada', [8, 1]).roll('bea', [10, 2]);
    expect(play.state.fight?.order).toEqual(['bea', 'ada', 'orc-1']);
  }),
  taken('Z5', 'what is awaited from who leaves or falls is cancelled at once, and play goes on', () => {
    const play = hit().act('gm', 'present', { who: 'ada', yes: false });
    expect([play.phase, play.state.fight?.attack, play.state.fight?.turn]).toEqual(['turn', null, 'orc-1']);
    const check = new Play().act('gm', 'check', { who: 'ada', stat: 'magic', difficulty: 3 });
    expect(check.act('gm', 'present', { who: 'ada', yes: false }).phase).toBe('camp');
  }),
  taken('Z6', 'a seat with one die of a kind throws it again where several of that kind are asked', () => {
    expect(throwsAgain(twofold(), [3, 9], 0)).toEqual(['open', 'accepted']);
  }),
  not('Z6', 'the same die again where the seat has another of its kind to throw', () => {
    expect(throwsAgain(twofold(), [3, 9], 1)).toEqual(['open', 'refused already_rolled']);
  }),
  taken('Z7', 'a choice waits without limit, and the GM may make it for its owner', () => {
    const play = hit().roll('ada', [10, 1]);
    expect(play.awaited().filter((one) => one.kind === 'timer' && one.purpose !== 'late')).toEqual([]);
    play.put({ kind: 'choice', by: 'ada', via: 'gm', action: 'dodge', args: { yes: false } });
    expect([play.verdict, play.hero('ada').pv]).toEqual(['accepted', 13]);
  }),
  taken('Z8', 'amounts never go below 0', () => {
    const play = new Play({}, armed({ physical: '101' })).fight(['orc'], ['ada', 'bea', 'orc-1']);
    play.act('gm', 'adjust', { who: 'orc-1', pv: 2 }).roll('ada', [12, 12]).roll('gm', [6, 1]);
    expect(play.act('gm', 'dodge', { yes: false }).kinds()).toContain('fallen');
    expect(hit().roll('ada', [10, 10]).hero('ada').pv).toBe(20);
  }),
  taken('Z9', 'a shared die counts for the one seat that is awaited', () => {
    const twins = [SEATS[0] ?? {}, { ...SEATS[0], id: 'bea' }];
    const play = new Play({}, twins).act('gm', 'openRoom', { buy: ['swarm'] }).act('gm', 'startFight');
    expect(play.roll('ada', [8, 3]).roll(null, [8, 5]).state.fight?.rolls).toMatchObject({ ada: [3], bea: [5] });
  }),
  not('Z9', 'a shared die where several are awaited: it asks who rolled and counts for nobody before', () => {
    const twins = [SEATS[0] ?? {}, { ...SEATS[0], id: 'bea' }];
    const play = new Play({}, twins).act('gm', 'openRoom', { buy: ['swarm'] }).act('gm', 'startFight');
    expect(play.roll(null, [8, 5]).verdict).toBe('loose whose Z9');
  }),
];
