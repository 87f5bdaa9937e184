import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Audience, Deed, GameEvent, Seat } from '../../src/games/game.js';
import { ambush } from './ambush.js';
import { attack } from './attack.js';
import { branch, Clock, last, open, type Played, put, rewritten, seenEvents, thrown } from './driver.js';
import { forked } from './forked.js';
import { hands } from './hands.js';
import { ignored } from './ignored.js';
import { contest } from './simultaneous.js';
import { tracker } from './tracker.js';

const choose = (by: Seat, option: string): Deed => ({ kind: 'choice', by, option });
const verdictOf = <S, E extends GameEvent>(played: Played<S, E>): string => last(played).verdict;
const codeOf = <S, E extends GameEvent>(played: Played<S, E>): string | undefined => {
  const verdict = last(played);
  return 'code' in verdict ? verdict.code : undefined;
};
const idsOf = <S, E extends GameEvent>({ game, state }: Played<S, E>): readonly string[] =>
  game.expects(state).map((one) => one.id);
/** Every byte an audience could get: the view and the events. */
const bytesFor = <S, E extends GameEvent>(played: Played<S, E>, audience: Audience): string =>
  JSON.stringify([played.game.view(played.state, audience), seenEvents(played, audience)]);

test('the fixtures are the seven of the issue, each at most 80 lines', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !/driver|test/.test(name));
  expect(files).toHaveLength(7);
  for (const name of files) {
    expect(readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n').length, name).toBeLessThanOrEqual(80);
  }
});

describe('simultaneous calls', () => {
  const start = open(contest, ['ada', 'bea', 'cai']);

  test('any order of arrival gives the same outcome', () => {
    const naturals: Record<Seat, number> = { ada: 4, bea: 19, cai: 7 };
    const ends = [
      ['ada', 'bea', 'cai'],
      ['cai', 'bea', 'ada'],
      ['bea', 'ada', 'cai'],
    ].map((order) => order.reduce((now, seat) => thrown(now, seat, 'd20', naturals[seat] ?? 0), start).state);
    expect(ends.map((state) => state.winner)).toEqual(['bea', 'bea', 'bea']);
    expect(ends[1]).toEqual(ends[0]);
  });

  test("nobody's die fills another's place, and ties roll again under new ids", () => {
    let now = thrown(thrown(start, 'ada', 'd20', 12), 'ada', 'd20', 20);
    expect(codeOf(now)).toBe('wrong_seat');
    now = thrown(thrown(thrown(now, 'bea', 'd6', 3), 'bea', 'd20', 12), 'cai', 'd20', 2);
    expect(now.log.map((entry) => entry.verdict.verdict)).toEqual([
      'accepted',
      'refused',
      'refused',
      'accepted',
      'accepted',
    ]);
    expect(idsOf(now)).toEqual(['pass2.ada', 'pass2.bea']);
    const late = put(now, {
      kind: 'natural',
      call: 'pass1.ada',
      seat: 'ada',
      die: { die: 'x', type: 'd20', quality: 'ok' },
      face: 20,
      source: 'physical',
    });
    expect(codeOf(late)).toBe('call_closed');
    expect(late.state).toEqual(now.state);
  });
});

describe('rule 706 with a tie decision and a modifier another seat pays', () => {
  const script = (start: Played<ReturnType<typeof ignored.evolve>, Parameters<typeof ignored.evolve>[1]>) => [
    (now: typeof start) => thrown(now, 'ada', 'd6', 2, 'red'),
    (now: typeof start) => thrown(now, 'ada', 'd6', 5, 'blue'),
    (now: typeof start) => thrown(now, 'ada', 'd6', 2, 'green'),
    (now: typeof start) => put(now, choose('ada', 'green')),
    (now: typeof start) => put(now, choose('bea', 'red')),
  ];

  test('cut and resumed at every point, it ends the same', () => {
    const start = open(ignored, ['ada', 'bea'], { life: 2 });
    const steps = script(start);
    for (let cut = 0; cut <= steps.length; cut += 1) {
      const before = steps.slice(0, cut).reduce((now, step) => step(now), start);
      const resumed = { ...open(ignored, ['ada', 'bea'], { life: 2 }), state: rewritten(before.state) };
      const end = steps.slice(cut).reduce((now, step) => step(now), resumed);
      expect(end.game.view(end.state, { role: 'gm' }).state).toEqual({ total: 8, life: 1 });
    }
  });

  test('only tied dice are offered, only the payer decides, what cannot be paid is not offered', () => {
    const start = open(ignored, ['ada', 'bea'], { life: 1 });
    let now = script(start)
      .slice(0, 3)
      .reduce((played, step) => step(played), start);
    expect(verdictOf(now)).toBe('open');
    expect(codeOf(put(now, choose('ada', 'blue')))).toBe('unknown_option');
    now = put(now, choose('ada', 'red'));
    expect(codeOf(put(now, choose('ada', 'blue')))).toBe('not_awaited');
    expect(codeOf(put(now, choose('bea', 'red')))).toBe('unknown_option');
    expect(verdictOf(put(now, choose('bea', 'pass')))).toBe('accepted');
    const poor = open(ignored, ['ada', 'bea'], { life: 0 });
    const end = [1, 3, 6].reduce((played, natural) => thrown(played, 'ada', 'd6', natural), poor);
    expect(verdictOf(end)).toBe('accepted');
    expect(end.game.view(end.state, { role: 'gm' }).state).toEqual({ total: 9, life: 0 });
  });

  test('the same die never lands twice in one roll', () => {
    const start = open(ignored, ['ada', 'bea'], { life: 0 });
    const now = thrown(thrown(start, 'ada', 'd6', 4, 'red'), 'ada', 'd6', 6, 'red');
    expect(codeOf(now)).toBe('already_rolled');
  });
});

describe('a pending attack', () => {
  const start = open(attack, ['bea', 'cai']);

  test('passes close it', () => {
    const end = put(put(start, choose('bea', 'pass')), choose('cai', 'pass'));
    expect(end.state.damage).toBe(10);
    expect(idsOf(end)).toEqual([]);
  });

  test('an answer and a second one keep it open until all have passed again', () => {
    let now = put(put(start, choose('bea', 'pass')), choose('cai', 'shield'));
    now = thrown(now, 'cai', 'd6', 4);
    now = thrown(put(now, choose('bea', 'shield')), 'bea', 'd6', 5);
    expect(verdictOf(now)).toBe('open');
    now = put(put(now, choose('bea', 'pass')), choose('cai', 'pass'));
    expect(now.state.damage).toBe(1);
    expect(codeOf(put(now, choose('bea', 'shield')))).toBe('not_awaited');
  });

  test('the timer stands still while a shield is rolled, and goes on with what was left', () => {
    const clock = new Clock();
    expect(clock.pass(attack.expects(start.state), 20_000)).toEqual([]);
    let now = put(start, choose('bea', 'shield'));
    expect(clock.pass(attack.expects(now.state), 60_000)).toEqual([]);
    expect(codeOf(put(now, { kind: 'elapsed', timer: 'window' }))).toBe('not_awaited');
    now = thrown(now, 'bea', 'd6', 3);
    expect(clock.pass(attack.expects(now.state), 9_999)).toEqual([]);
    expect(clock.pass(attack.expects(now.state), 1)).toEqual(['window']);
    now = put(now, { kind: 'elapsed', timer: 'window' });
    expect(now.state.damage).toBe(7);
  });
});

describe('an ambush', () => {
  const rested = put(open(ambush, ['ada']), choose('gm', 'rest'));
  const drawn = (value: number) => put(rested, { kind: 'drawn', draw: 'ambush.1', values: [value] });

  test('the draw is known to the GM alone, its consequence to everybody', () => {
    const end = drawn(17);
    expect(end.game.view(end.state, { role: 'spectator' }).state).toEqual({ rests: 1, ambushed: true });
    for (const audience of [{ role: 'spectator' }, { role: 'seat', seat: 'ada' }] as const) {
      expect(rested.game.view(rested.state, audience).awaited).toEqual([]);
      expect(bytesFor(end, audience)).not.toContain('17');
    }
    expect(bytesFor(end, { role: 'gm' })).toContain('17');
    expect(drawn(26).state.ambushed).toBe(false);
  });

  test('a number that was not drawn for this rest is refused', () => {
    expect(codeOf(put(drawn(90), { kind: 'drawn', draw: 'ambush.1', values: [1] }))).toBe('not_awaited');
    expect(codeOf(put(open(ambush, ['ada']), choose('ada', 'rest')))).toBe('not_awaited');
  });
});

test("secret hands: no byte of another's hand, before or after a card is played", () => {
  let now = open(hands, ['ada', 'bea']);
  for (const value of [8, 1, 8, 1]) {
    const [draw] = idsOf(now);
    now = put(now, { kind: 'drawn', draw: draw ?? '', values: [value] });
  }
  expect(now.state.hands).toEqual({ ada: ['fante', 'asso'], bea: ['re', 'due'] });
  const cards = { ada: now.state.hands.ada ?? [], bea: now.state.hands.bea ?? [] };
  const secret = (audience: Audience, held: readonly string[]) => {
    for (const card of held) expect(bytesFor(now, audience)).not.toContain(`"${card}"`);
  };
  secret({ role: 'seat', seat: 'ada' }, cards.bea);
  secret({ role: 'seat', seat: 'bea' }, cards.ada);
  secret({ role: 'spectator' }, [...cards.ada, ...cards.bea]);
  expect(bytesFor(now, { role: 'seat', seat: 'ada' })).toContain('"fante"');
  expect(now.game.view(now.state, { role: 'spectator' }).awaited).toMatchObject([
    { id: 'play', seat: 'ada', options: [] },
  ]);
  expect(codeOf(put(now, choose('ada', 're')))).toBe('unknown_option');
  now = put(now, choose('ada', 'fante'));
  expect(now.game.view(now.state, { role: 'spectator' }).state.played).toBe('fante');
  secret({ role: 'seat', seat: 'bea' }, ['asso']);
});

test('a tracker must follow, is compared with the latest value only, and never holds up play', () => {
  const set = (face: number): Deed => ({ kind: 'set', seat: 'ada', counter: 'pa', face });
  let now = thrown(open(tracker, ['ada']), 'ada', 'd20', 11);
  expect(tracker.expects(now.state)).toMatchObject([{ id: 'roll.1' }, { kind: 'set', counter: 'pa', face: 5 }]);
  now = thrown(now, 'ada', 'd20', 3);
  expect(verdictOf(now)).toBe('accepted');
  const wrong = put(now, set(5));
  expect(last(wrong)).toMatchObject({ verdict: 'refused', code: 'mismatch', expected: 'pa 4' });
  expect(wrong.state).toEqual(now.state);
  now = put(now, set(4));
  expect(idsOf(now)).toEqual(['roll.2']);
});

describe('a correction', () => {
  const start = open(forked, ['ada', 'bea']);
  const played = thrown(put(thrown(start, 'ada', 'd6', 5), choose('ada', 'orso')), 'bea', 'd6', 2);

  test('after which a later deed does not fit leaves it loose, and the rest stands', () => {
    const deed = played.log[0]?.deed;
    if (deed?.kind !== 'natural') throw new Error('the first deed is a roll');
    const after = branch(played, 0, { ...deed, face: 3 });
    expect(after.loose).toEqual([1]);
    expect(after.played.state).toMatchObject({ turn: 2, choosing: false, prizes: {} });
  });

  test('after which all fits equals the game played with the final value', () => {
    const deed = played.log[0]?.deed;
    if (deed?.kind !== 'natural') throw new Error('the first deed is a roll');
    const after = branch(played, 0, { ...deed, face: 6 });
    const direct = thrown(put(thrown(start, 'ada', 'd6', 6), choose('ada', 'orso')), 'bea', 'd6', 2);
    expect(after.loose).toEqual([]);
    expect(after.played.state).toEqual(direct.state);
  });

  test('that voids a deed leaves what rested on it loose', () => {
    const after = branch(played, 0, null);
    expect(after.loose).toEqual([1, 2]);
    expect(after.played.state).toEqual(start.state);
  });
});
