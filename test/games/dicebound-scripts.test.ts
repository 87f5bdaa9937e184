import { describe, expect, test } from 'vitest';
import { act, gm, played, referee, roll } from './dicebound-script.js';
import { ADA, ARMED, BEA, base } from './dicebound-scripts-box.js';
import { CAMP_SCRIPTS } from './dicebound-scripts-camp.js';
import { CORNER_SCRIPTS } from './dicebound-scripts-corners.js';
import { FIGHT_SCRIPTS } from './dicebound-scripts-fight.js';

describe('a referee with the rulebook and `tiro play`', () => {
  test.each([...FIGHT_SCRIPTS, ...CAMP_SCRIPTS, ...CORNER_SCRIPTS])('$rule: $title', async (script) => {
    await referee(script);
    expect.hasAssertions();
  });
});

describe('setups that cannot be', () => {
  test.each([
    ['a die twice', base([{ ...ADA, dice: { physical: 12, magic: 12, defence: 10, agility: 8 } }])],
    ['a class of nobody', base([{ id: 'ada', class: 'inesistente' }])],
    ['a tile of nobody', base([{ ...ADA, slots: { physical: '999' } }])],
    ['a tile in another slot', base([{ ...ADA, slots: { physical: '201' } }])],
    ['a slip of the pen in a seat', base([{ ...ADA, slot: { physical: '101' } }])],
    ['counters of a seat', base([{ ...ADA, pv: 30 }])],
    ['a level 11', base([ADA], { level: 11 })],
    ['a house rule of nobody', base([ADA], { declare: 'maybe' })],
    ['an option of nobody', base([ADA], { sconosciuta: 1 })],
    ['an arena for one', base([ADA], { mode: 'arena' })],
    ['one team', base([ADA, BEA], { mode: 'arena', arenaTeams: [['ada', 'bea']] })],
    ['a monster without attacks', base([ADA], { monsters: { x: { cost: 2, pv: 3, pa: 1, defence: 4, agility: 4 } } })],
    ['a perk of nobody', base([ADA], { perks: { guerriero: { '2': { kind: 'volo' } } } })],
  ])('%s', async (_what, setup) => {
    const { exit, answers } = await played(setup, [JSON.stringify(gm('rest'))]);
    expect(answers).toEqual([{ kind: 'error', n: 0, why: expect.stringMatching(/expected: .+/) }]);
    expect(exit).toBe(1);
  });
});

const TURN = [gm('openRoom', { buy: ['sacco'] }), gm('startFight'), roll('ada', 8, 8), roll('gm', 4, 1)];
/** Deeds before which every bad line is put. */
const SCENES = {
  camp: [],
  initiative: TURN.slice(0, 2),
  turn: TURN,
  defence: [...TURN, roll('ada', 12, 9)],
  dodge: [...TURN, roll('ada', 12, 9), roll('gm', 4, 1)],
  check: [gm('check', { who: 'ada', stat: 'magic', difficulty: 9 })],
  effort: [gm('check', { who: 'ada', stat: 'magic', difficulty: 9 }), roll('ada', 4, 1)],
  trap: [gm('openRoom', { buy: ['botola'] }), gm('trap', { who: 'ada' })],
  ambush: [gm('rest')],
  over: [gm('endStory')],
};

const NO_DEEDS = [
  'ciao',
  '[]',
  '{"roll":{"seat":"ada","sides":12}}',
  '{"roll":{"seat":"ada","sides":12,"natural":"7"}}',
  '{"choose":{"seat":"ada"}}',
  '{"choose":{"seat":"ada","action":5}}',
  '{"set":{"seat":"ada","counter":"pv","face":"9"}}',
  '{"wait":{"ms":-1}}',
  '{"view":{"as":"zoe"}}',
];

const BAD_DEEDS = [
  '{"roll":{"seat":"ada","sides":12,"natural":13}}',
  '{"roll":{"seat":"zoe","sides":12,"natural":3}}',
  '{"set":{"seat":"ada","counter":"pv","face":99}}',
  ...[
    act('ada', 'vola'),
    act('ada', 'constructor'),
    act('zoe', 'endTurn'),
    act('ada', 'attack', { weapon: '__proto__', target: '__proto__' }),
    act('ada', 'dodge', { yes: 'si' }),
    act('ada', 'effort', { yes: 1 }),
    act('ada', 'trap', { pay: 'soldi' }),
    act('ada', 'give', { tile: '101', to: 'zoe' }),
    act('ada', 'star', { tile: '101' }),
    act('ada', 'drink', { to: 'zoe' }),
    act('ada', 'draw', {}),
    gm('openRoom', { buy: [5, null, {}] }),
    gm('present', { who: 5, yes: true }),
    gm('join', { who: 'gm' }),
    gm('trap', { trap: {} }),
    gm('endFight'),
    gm('drawDice', { who: 'nessuno', yes: 1 }),
  ].map((deed) => JSON.stringify(deed)),
];

test.each(Object.entries(SCENES))('no bad line moves anything: %s', async (_phase, deeds) => {
  const setup = base([ARMED], { ambushPercent: 100 });
  const good = deeds.map((deed) => JSON.stringify(deed));
  const before = await played(setup, good);
  const after = await played(setup, [...good, ...NO_DEEDS, ...BAD_DEEDS]);
  const told = after.answers.slice(good.length + 1, -1);
  expect(told.slice(0, NO_DEEDS.length).map(({ kind }) => kind)).toEqual(NO_DEEDS.map(() => 'error'));
  const verdicts = told.slice(NO_DEEDS.length).map(({ verdict }) => verdict);
  expect(verdicts).toEqual(BAD_DEEDS.map(() => expect.stringMatching(/^(refused|loose)$/)));
  expect(after.answers.at(-1)).toEqual(before.answers.at(-1));
  expect(after.exit).toBe(1);
});
