import { afterAll, expect, test } from 'vitest';
import { freshFolder, removeFolders } from '../journal/built.js';
import { Evening, enlisted } from './evening.js';
import { folded } from './golden.js';

afterAll(removeFolders);

/** What a table types in from its own box: no file is touched. */
const CLASSES = {
  cavaliere: { name: 'Cavaliere', dice: { physical: 12, magic: 4, defence: 10, agility: 8 } },
  maga: { name: 'Maga', dice: { physical: 4, magic: 12, defence: 8, agility: 10 } },
  ladra: { name: 'Ladra', dice: { physical: 10, magic: 8, defence: 4, agility: 12 } },
};
const TILES = {
  '101': { slot: 'physical', class: 'cavaliere', cost: 2, flat: 2 },
  '111': { slot: 'magic', class: 'maga', cost: 3, die: 6 },
  '121': { slot: 'armour', cost: 0, flat: 3 },
  '131': { slot: 'accessory', cost: 2, heal: 5 },
};
const PREPARED = {
  monsters: {
    orco: { cost: 5, pv: 8, pa: 4, defence: 6, agility: 8, pawn: 'd12', attacks: { physical: { sides: 8, cost: 2 } } },
    ogre: {
      cost: 15,
      pv: 14,
      pa: 6,
      defence: 10,
      agility: 10,
      attacks: { physical: { sides: 12, dice: 2, flat: 3, cost: 3 } },
    },
  },
  traps: { botola: { cost: 3, pa: 2, damage: 4 } },
};
const PERKS = { maga: { '2': { kind: 'advantage', stat: 'magic' } } };

async function setUp(evening: Evening): Promise<void> {
  await evening.gm('game', { game: 'dicebound', options: { campaign: 'fast' } });
  await evening.gm('collect', { seat: 'ada' });
  for (const type of ['d4', 'd6', 'd8', 'd10', 'd12', 'd20']) await evening.throws(`ada-${type}`, 1);
  await evening.throws('ada-d00', 10);
  await evening.gm('enlist', { dice: [...enlisted('bea'), ...enlisted('cleo')] });
  await evening.chooses('dan', 'box', { classes: CLASSES, tiles: TILES });
  await evening.master('box', { ...PREPARED, perks: PERKS, remove: 'samples' });
  const board = { ada: 'cavaliere', bea: 'maga', cleo: 'ladra', dan: 'cavaliere' };
  for (const [seat, own] of Object.entries(board)) await evening.chooses(seat, 'class', { class: own });
  await evening.setsRight('ada', 'bea', 'cleo');
}

/** Everybody rolls Agilità: Bea, Ada, Cleo, Dan, then the monster. */
async function initiative(evening: Evening, monster: readonly [string, number]): Promise<void> {
  await evening.throws('cleo-d12', 5);
  await evening.rolls(monster);
  await evening.throws('bea-d10', 9);
  await evening.by('dan', 'type', { sides: 8, natural: 2 });
  await evening.throws('ada-d8', 7);
}

/** A trap, a tracker that is knocked, an attack whose die lies askew, a victory. */
async function firstRoom(evening: Evening): Promise<void> {
  await evening.master('openRoom', { buy: ['orco', 'botola'] });
  await evening.master('trap', { who: 'bea' });
  await evening.chooses('bea', 'trap', { pay: 'pa' });
  expect(evening.due).toEqual(['bea.pa=4']);
  await evening.sets('bea-d6', 4);
  await evening.sets('cleo-d20', 8);
  expect([evening.notices('cleo').at(-1), evening.wrong('cleo')]).toEqual(['tracker_knock', ['pv knock']]);
  await evening.sets('cleo-d20', 20);
  expect(evening.wrong('cleo')).toEqual([]);
  await evening.master('startFight');
  await initiative(evening, ['d8', 1]);
  await evening.throws('bea-d4', 3);
  await evening.rolls(['d6', 2]);
  await evening.master('dodge', { yes: false });
  await evening.sets('bea-d6', 3);
  await evening.chooses('bea', 'endTurn');
  await evening.cocks('ada-d12', 12);
  expect(evening.notices('ada')).toContain('cocked');
  expect(evening.game.attack).toBeNull();
  await evening.throws('ada-d12', 11);
  await evening.rolls(['d6', 1]);
  await evening.master('dodge', { yes: false });
  expect(evening.game).toMatchObject({ phase: 'camp', room: null, xp: { have: 20, next: 40 } });
  await evening.sets('ada-d6', 5);
}

async function pizzaAndRest(evening: Evening): Promise<void> {
  await evening.gm('pause');
  await evening.throws('ada-d12', 12);
  expect(evening.loose.at(-1)).toMatchObject({ code: 'paused' });
  await evening.sets('cleo-d6', 1);
  await evening.gm('resume');
  await evening.setsRight('ada', 'bea', 'cleo');
  await evening.master('rest');
  expect(evening.game).toMatchObject({ phase: 'camp', seats: { ada: { pa: 6 }, bea: { pa: 6 } } });
  expect(evening.due).toEqual(['ada.pa=6', 'bea.pa=6']);
  await evening.setsRight('ada', 'bea');
}

/** The ogre strikes Cleo down; a link is lost in mid-roll, and the power goes. */
async function secondRoom(evening: Evening): Promise<void> {
  await evening.master('openRoom', { buy: ['ogre'] });
  await evening.master('startFight');
  await initiative(evening, ['d10', 10]);
  await evening.master('attack', { weapon: 'physical', target: 'cleo' });
  await evening.rolls(['d12', 12], ['d12', 12]);
  await evening.throws('cleo-d4', 1);
  await evening.chooses('cleo', 'dodge', { yes: false });
  expect(evening.game).toMatchObject({ seats: { cleo: { pv: 0, pa: 0, ko: true, expected: { pv: null, pa: null } } } });
  await evening.master('endTurn');
  await evening.throws('bea-d4', 4);
  await evening.rolls(['d10', 10]);
  await evening.sets('bea-d6', 5);
  await evening.chooses('bea', 'endTurn');
  await evening.losesLink('ada-d12', 9);
  expect(evening.notices('ada')).toContain('resync');
  await evening.by('ada', 'claim', { roll: evening.offered });
  await evening.rolls(['d10', 4]);
  await evening.master('dodge', { yes: false });
  expect(evening.game).toMatchObject({ monsters: { 'ogre-1': { pv: 9 } } });
  await evening.restarts();
  expect(evening.game).toMatchObject({ turn: 'ada', monsters: { 'ogre-1': { pv: 9 } } });
  await evening.gm('resume');
  await evening.setsRight('ada', 'bea');
  await evening.chooses('ada', 'endTurn');
  await borrowed(evening);
}

/** Dan throws Ada's die in his own turn; what the ogre's Difesa was read as is corrected. */
async function borrowed(evening: Evening): Promise<void> {
  await evening.throws('ada-d12', 8);
  expect(evening.loose.at(-1)).toMatchObject({ code: 'wrong_seat' });
  await evening.by('ada', 'lend', { roll: evening.lastRoll, seat: 'dan' });
  await evening.rolls(['d10', 3]);
  const defence = evening.lastRoll;
  await evening.master('dodge', { yes: false });
  expect(evening.game).toMatchObject({ monsters: { 'ogre-1': { pv: 4 } } });
  await evening.gm('correct', { roll: defence, natural: 2 });
  await evening.confirms();
  expect(evening.game).toMatchObject({ monsters: { 'ogre-1': { pv: 3 } } });
  expect(await evening.refusal('bea', 'choose', { action: 'endTurn' })).toBe('wrong_seat');
  await evening.by('dan', 'type', { sides: 12, natural: 12 });
  await evening.rolls(['d10', 1]);
  await evening.master('dodge', { yes: false });
  expect(evening.game).toMatchObject({ phase: 'camp', level: 2, seats: { cleo: { pv: 1, pa: 0, ko: false } } });
}

async function loot(evening: Evening): Promise<void> {
  await evening.setsRight('ada', 'bea', 'cleo');
  expect(evening.due.filter((one) => !one.startsWith('dan'))).toEqual([]);
  for (const [seat, tile] of Object.entries({ ada: '101', bea: '111', cleo: '131', dan: '121' }))
    await evening.chooses(seat, 'draw', { tile });
  await evening.by('dan', 'set', { counter: 'level', face: 20 });
  await evening.chooses('cleo', 'give', { tile: '131', to: 'dan' });
  await evening.master('rest');
  expect(evening.game).toMatchObject({ phase: 'ambush', seats: { cleo: { pa: 6 } } });
  await evening.setsRight('ada', 'bea', 'cleo');
  await evening.chooses('dan', 'drink', { to: 'cleo' });
  await evening.sets('cleo-d20', 6);
}

/** The ambush: Bea's tome takes the highest of two throws and her PA die as its bonus die. */
async function ambush(evening: Evening): Promise<void> {
  await evening.master('openRoom', { buy: ['orco'] });
  await evening.master('startFight');
  await initiative(evening, ['d8', 1]);
  await evening.throws('bea-d12', 2);
  await evening.throws('bea-d12', 8);
  await evening.throws('bea-d6', 6);
  expect(evening.table.state().rolls.at(-1)?.wire).toMatchObject({ total: 14, seat: 'bea' });
  expect(evening.due).toContain('bea.pa=3');
  await evening.rolls(['d6', 6]);
  await evening.master('dodge', { yes: false });
  await evening.setsRight('bea');
  expect(evening.game).toMatchObject({ phase: 'camp', xp: { have: 72, next: 104 } });
  await evening.gm('close');
}

async function nextWeek(evening: Evening): Promise<void> {
  await evening.pass(7 * 24 * 3_600_000);
  await evening.gm('open');
  await evening.gm('seat', { id: 'eva', name: 'Eva' });
  await evening.master('class', { who: 'eva', class: 'ladra' });
  await evening.master('present', { who: 'dan', yes: false });
  expect(evening.game).toMatchObject({ budget: { total: 32 }, xp: { have: 72, next: 104 } });
  await evening.sets('ada-d20', 3);
  expect(evening.wrong('ada')).toContain('pv unarmed');
  await evening.setsRight('ada', 'bea', 'cleo');
  expect(['ada', 'bea', 'cleo'].flatMap((seat) => evening.wrong(seat))).toEqual([]);
  await evening.master('check', { who: 'eva', stat: 'agility', difficulty: 9 });
  await evening.by('eva', 'type', { sides: 12, natural: 5 });
  await evening.by('eva', 'type', { sides: 12, natural: 4 });
  expect(evening.game).toMatchObject({ phase: 'camp', seats: { eva: { pa: 5 }, dan: { present: false } } });
}

test('an evening of Dicebound, from the box to the next week, over bytes and taps', async () => {
  const evening = await Evening.open(freshFolder(), [99, 10]);
  await setUp(evening);
  await firstRoom(evening);
  await pizzaAndRest(evening);
  await secondRoom(evening);
  await loot(evening);
  await ambush(evening);
  await nextWeek(evening);
  const played = JSON.stringify(folded(evening.table.state())).replaceAll('"armed":true', '"armed":false');
  await evening.restarts();
  expect(JSON.stringify(folded(evening.table.state()))).toBe(played);
  await evening.close();
});
