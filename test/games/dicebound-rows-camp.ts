import { expect } from 'vitest';
import type { JsonObject } from '../../src/dice/json.js';
import { Play, SEATS } from './dicebound-play.js';
import { armed, not, type Row, taken } from './dicebound-rows-board.js';

/** A campaign at its fastest: two rooms of one orc bring level 2. */
const levelled = (options: JsonObject = {}, seats = SEATS): Play => {
  const play = new Play({ campaign: 'fast', ...options }, seats);
  for (let room = 0; room < 2; room += 1) {
    play.fight(['orc'], ['ada', 'bea', 'orc-1']).act('gm', 'endFight', { how: 'won' });
  }
  return play;
};

const checked = (stat: string, difficulty: number, options: JsonObject = {}, seats = SEATS): Play =>
  new Play(options, seats).act('gm', 'check', { who: 'ada', stat, difficulty });

export const CAMP_ROWS: readonly Row[] = [
  taken('T6', 'a drawn tile goes into its slot at once; the old one may be kept, given, or go back to the bag', () => {
    const play = levelled({}, armed({ physical: '101' }));
    play.act('ada', 'draw', { tile: '102' });
    expect(play.hero('ada')).toMatchObject({ slots: { physical: '102' }, hand: ['101'], chests: 0 });
    play.act('ada', 'equip', { tile: '101' });
    expect(play.hero('ada')).toMatchObject({ slots: { physical: '101' }, hand: ['102'] });
    play.act('ada', 'give', { tile: '102', to: 'bea' });
    expect([play.hero('bea').slots.physical, play.hero('ada').hand]).toEqual(['102', []]);
    play.act('bea', 'give', { tile: '102', to: 'bag' }).act('bea', 'draw', { tile: 111 });
    expect(play.hero('bea').slots).toMatchObject({ physical: null, magic: '111' });
  }),
  taken(
    'T6',
    'without a backpack what has no slot is gone when the next room opens; a digital bag draws by itself',
    () => {
      const play = levelled({}, armed({ physical: '101' })).act('ada', 'draw', { tile: '102' });
      expect(play.act('gm', 'openRoom', { buy: [] }).hero('ada').hand).toEqual([]);
      const packed = levelled({ backpack: 1 }, armed({ physical: '101' })).act('ada', 'draw', { tile: '102' });
      expect(packed.act('gm', 'openRoom', { buy: [] }).hero('ada').hand).toEqual(['101']);
      const digital = levelled({ bag: 'digital' }).act('ada', 'draw');
      expect(digital.awaited()[0]).toMatchObject({ kind: 'draw', sides: [13], purpose: 'bag' });
      digital.draw(1);
      expect(digital.hero('ada').slots.physical).toBe('101');
      expect(digital.last).toMatchObject({ events: [{ kind: 'drew', source: 'digital' }] });
    },
  ),
  not('T6', 'in a fight, for a tile one has not, to nobody', () => {
    const play = levelled({}, armed({ physical: '101' }));
    expect(play.act('ada', 'give', { tile: '101', to: 'zoe' }).verdict).toBe('refused unknown_seat dicebound:T6');
    expect(play.act('ada', 'equip', { tile: '102' }).verdict).toBe('refused no_such_tile dicebound:T6');
    expect(levelled({ bag: 'digital' }).act('ada', 'draw', { tile: '101' }).verdict).toBe(
      'refused digital_bag dicebound:T6',
    );
    play.fight(['orc'], ['ada', 'bea', 'orc-1']);
    expect(play.act('ada', 'draw', { tile: '101' }).verdict).toBe('refused in_fight dicebound:T6');
    expect(play.act('ada', 'give', { tile: '101', to: 'bea' }).verdict).toBe('refused in_fight dicebound:T6');
  }),
  taken('T7', 'nobody starts with tiles unless the setup lists them; a destroyed weapon goes to the bag', () => {
    expect(Object.values(new Play().hero('ada').slots)).toEqual([null, null, null, null]);
    const play = new Play({ startingTiles: { ada: ['101', '131'] } });
    expect(play.hero('ada').slots).toMatchObject({ physical: '101', accessory: '131' });
    expect(play.act('gm', 'destroy', { who: 'ada', tile: '101' }).hero('ada').slots.physical).toBeNull();
  }),
  not('T7', 'drawing without a chest', () => {
    expect(new Play().act('ada', 'draw', { tile: '101' }).verdict).toBe('refused no_chest dicebound:T7');
    expect(new Play().act('gm', 'destroy', { who: 'ada', tile: '101' }).verdict).toBe(
      'refused no_such_tile dicebound:T7',
    );
    expect(levelled().act('ada', 'draw', { tile: '101' }).act('ada', 'draw', { tile: '102' }).verdict).toBe(
      'refused no_chest dicebound:T7',
    );
  }),
  taken('E1', 'each statistic has its die; at least the difficulty passes', () => {
    for (const [stat, die] of [
      ['physical', 12],
      ['magic', 4],
      ['defence', 10],
      ['agility', 8],
    ] as const) {
      const play = checked(stat, 4);
      expect(play.waiting()[0]).toBe('ada:check');
      play.roll('ada', [die, 4]);
      expect([play.last, play.phase]).toMatchObject([{ events: [{}, { sum: 4 }, { passed: true }] }, 'camp']);
    }
  }),
  not('E1', 'another die, another seat, one who is not there, no statistic, no number', () => {
    const play = checked('agility', 6);
    expect(play.roll('ada', [12, 9]).verdict).toBe('refused wrong_die dicebound:E1');
    expect(play.roll('bea', [8, 9]).verdict).toBe(
      'refused no_such_face dicebound:E1'.replace('no_such_face', 'wrong_seat'),
    );
    const idle = new Play();
    expect(idle.act('gm', 'check', { who: 'zoe', stat: 'magic', difficulty: 3 }).verdict).toBe(
      'refused unknown_seat dicebound:E1',
    );
    expect(idle.act('gm', 'check', { who: 'ada', stat: 'luck', difficulty: 3 }).verdict).toBe(
      'refused unknown_stat dicebound:E1',
    );
    expect(idle.act('gm', 'check', { who: 'ada', stat: 'magic', difficulty: 0 }).verdict).toBe(
      'refused bad_difficulty dicebound:E1',
    );
    expect(idle.act('ada', 'check', { who: 'ada', stat: 'magic', difficulty: 3 }).verdict).toBe(
      'refused wrong_seat dicebound:E1',
    );
  }),
  taken('E2', 'effort: 1 PA, the same die again, added to the sum; by a word or by throwing again', () => {
    const play = checked('agility', 9).roll('ada', [8, 3]);
    expect([play.verdict, play.phase]).toEqual(['open', 'effort']);
    play.act('ada', 'effort', { yes: true }).roll('ada', [8, 2]);
    expect([play.hero('ada').pa, play.state.check?.sum]).toEqual([5, 5]);
    play.roll('ada', [8, 4]);
    expect([play.phase, play.hero('ada').pa, play.kinds().at(-1)]).toEqual(['camp', 4, 'check_ended']);
    const set = checked('agility', 5).roll('ada', [8, 1]).set('ada', 'pa', 5);
    expect([set.verdict, set.roll('ada', [8, 4]).rules().includes('dicebound:D3')]).toEqual(['open', false]);
  }),
  taken('E2', 'until passed or out of PA; declining ends the check as failed', () => {
    const play = checked('agility', 50);
    for (let n = 0; n < 7; n += 1) play.roll('ada', [8, 1]);
    expect([play.phase, play.hero('ada').pa, play.last]).toMatchObject([
      'camp',
      0,
      { events: [{}, {}, {}, { passed: false }] },
    ]);
    const declined = checked('agility', 5).roll('ada', [8, 1]).act('ada', 'effort', { yes: false });
    expect(declined.last).toMatchObject({ events: [{ kind: 'check_ended', passed: false, rule: 'dicebound:E2' }] });
  }),
  not('E2', 'without a failed check, by another, by another die, by throwing where declaring comes before', () => {
    const play = checked('agility', 9);
    expect(play.act('ada', 'effort', { yes: true }).verdict).toBe('refused not_awaited dicebound:E2');
    play.roll('ada', [8, 3]);
    expect(play.act('bea', 'effort', { yes: true }).verdict).toBe('refused wrong_seat dicebound:E2');
    expect(play.act('ada', 'effort', { yes: 1 }).verdict).toBe('refused yes_or_no dicebound:E2');
    expect(play.roll('ada', [12, 3]).verdict).toBe('refused wrong_die dicebound:E2');
    const before = checked('agility', 9, { declare: 'before' }).roll('ada', [8, 3]);
    expect(before.roll('ada', [8, 3]).verdict).toBe('loose not_awaited Z2');
  }),
  taken('E3', 'PA do not refill in exploration; a fight begins with what is left, monsters full', () => {
    const play = checked('agility', 9).roll('ada', [8, 1]).roll('ada', [8, 8]).fight(['orc'], ['ada', 'bea', 'orc-1']);
    expect([play.hero('ada').pa, play.monster('orc-1').pa]).toEqual([5, 4]);
    expect(play.rules().at(-1)).toBe('dicebound:E3');
    play.roll('ada', [12, 12]).roll('gm', [6, 1]).act('gm', 'dodge', { yes: false });
    expect([play.phase, play.hero('ada').pa]).toEqual(['camp', 4]);
  }),
  not('E3', 'an attack that the PA left in round 1 do not pay', () => {
    const play = new Play({}, armed({ physical: '101' })).act('gm', 'adjust', { who: 'ada', pa: 1 });
    play.fight(['orc'], ['ada', 'bea', 'orc-1']);
    expect(play.roll('ada', [12, 3]).verdict).toBe('refused unaffordable dicebound:C3');
  }),
  taken('E4', 'a short rest: PA 6, PV as they are, an ambush by chance, drawn in secret', () => {
    const play = new Play().act('gm', 'adjust', { who: 'ada', pv: 7 }).act('gm', 'adjust', { who: 'ada', pa: 1 });
    play.act('gm', 'rest');
    expect([play.hero('ada').pa, play.hero('ada').pv, play.phase]).toEqual([6, 7, 'ambush']);
    expect(play.awaited()[0]).toMatchObject({ kind: 'draw', sides: [100], secret: true, to: [] });
    expect(play.draw(26).phase).toBe('camp');
    expect(play.last).toMatchObject({ events: [{ kind: 'ambush_number', to: [] }, { kind: 'calm' }] });
    expect(play.act('gm', 'rest').draw(25).kinds()).toEqual(['ambush_number', 'ambushed']);
    const dice = new Play({ ambushRoll: 'dice', ambushPercent: 10 }).act('gm', 'rest').roll('gm', ['d00', 0], [10, 0]);
    expect(dice.kinds().at(-1)).toBe('calm');
    expect(dice.act('gm', 'rest').roll('gm', [10, 9], ['d00', 0]).kinds().at(-1)).toBe('ambushed');
  }),
  not('E4', 'by a player, in a room, while the ambush is rolled, the roll by another die', () => {
    const play = new Play({ ambushRoll: 'dice' });
    expect(play.act('ada', 'rest').verdict).toBe('refused wrong_seat dicebound:E4');
    play.act('gm', 'rest');
    expect(play.roll('gm', [20, 3]).verdict).toBe('refused wrong_die dicebound:E4');
    expect(play.act('ada', 'give', { tile: '101', to: 'bag' }).verdict).toBe('refused not_now dicebound:E4');
    const room = new Play().act('gm', 'openRoom', { buy: [] });
    expect(room.act('gm', 'rest').verdict).toBe('refused room_open dicebound:E4');
  }),
  taken('E5', 'a check uses no tile; mastery counts on every roll, an advantage where it names checks', () => {
    const mage = [{ ...SEATS[1], id: 'ada', slots: { magic: '111' } }];
    const play = checked('magic', 40, { level: 4 }, mage);
    expect(play.awaited()[0]).toMatchObject({ kind: 'roll', resolution: { asks: { dice: ['d12', 'd12'] } } });
    play.roll('ada', [12, 4], [12, 9]);
    expect(play.state.check?.sum).toBe(10);
    play.roll('ada', [12, 2], [12, 1]);
    expect([play.state.check?.sum, play.hero('ada').pa]).toEqual([13, 5]);
    const plain = checked('magic', 40, { level: 2 }, mage).roll('ada', [12, 4]);
    expect(plain.state.check?.sum).toBe(4);
  }),
  not('E5', 'checks and rests in a fight', () => {
    const play = new Play().fight(['orc'], ['ada', 'bea', 'orc-1']);
    expect(play.act('gm', 'check', { who: 'ada', stat: 'magic', difficulty: 3 }).verdict).toBe(
      'refused in_fight dicebound:E5',
    );
    expect(play.act('gm', 'rest').verdict).toBe('refused in_fight dicebound:E5');
    const twice = checked('magic', 3).act('gm', 'check', { who: 'bea', stat: 'magic', difficulty: 3 });
    expect(twice.verdict).toBe('refused not_now dicebound:E5');
  }),
];

export const ROOM_ROWS: readonly Row[] = [
  taken('G1', 'the budget counts every present player, K.O. ones too', () => {
    const seats = [...SEATS, { ...SEATS[0], id: 'cleo' }, { ...SEATS[0], id: 'dan' }];
    const play = new Play({ level: 3 }, seats).act('gm', 'adjust', { who: 'dan', pv: 0 });
    expect(play.view().budget).toEqual({ total: 44, spent: 0 });
    play.act('gm', 'present', { who: 'cleo', yes: false });
    expect(play.view().budget).toEqual({ total: 33, spent: 0 });
  }),
  not('G1', 'more than the budget of who is there', () => {
    expect(
      new Play().act('gm', 'present', { who: 'bea', yes: false }).act('gm', 'openRoom', { buy: ['swarm', 'swarm'] })
        .verdict,
    ).toBe('refused over_budget dicebound:G2');
  }),
  taken('G2', 'monsters, traps and environments up to the budget; players see no traps', () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['orc', 'pit', 'fog', 'calm'] });
    expect(play.view().budget).toEqual({ total: 10, spent: 10 });
    expect(play.view().room).toMatchObject({ environments: ['fog', 'calm'], traps: { 'pit-1': { done: false } } });
    const seen = play.view({ role: 'seat', seat: 'ada' });
    expect([seen.budget, seen.room]).toMatchObject([{ total: 10 }, { traps: {} }]);
    expect(seen.budget).not.toHaveProperty('spent');
  }),
  not('G2', 'over the budget, unknown to the box, after the room has opened, by a player', () => {
    const play = new Play();
    expect(play.act('gm', 'openRoom', { buy: ['boss'] }).verdict).toBe('refused over_budget dicebound:G2');
    expect(play.act('gm', 'openRoom', { buy: ['dragon'] }).verdict).toBe('refused unknown_kind dicebound:G2');
    expect(play.act('gm', 'openRoom', { buy: ['constructor'] }).verdict).toBe('refused unknown_kind dicebound:G2');
    expect(play.act('gm', 'openRoom', { buy: 'orc' }).verdict).toBe('refused bad_purchase dicebound:G2');
    expect(play.act('ada', 'openRoom', { buy: [] }).verdict).toBe('refused wrong_seat dicebound:G2');
    play.act('gm', 'openRoom', { buy: ['orc'] });
    expect(play.act('gm', 'openRoom', { buy: ['orc'] }).verdict).toBe('refused room_open dicebound:G2');
  }),
  taken('G3', 'a monster fights by its data, pays its attacks, may dodge, and leaves at 0 PV', () => {
    const play = new Play({ level: 3 }).fight(['boss', 'orc'], ['boss-1', 'ada', 'bea', 'orc-1']);
    play.roll('gm', [12, 4]);
    expect([play.verdict, play.phase]).toEqual(['open', 'target']);
    play.roll('gm', [12, 5]).act('gm', 'target', { target: 'bea' });
    expect([play.state.fight?.attack?.incoming, play.monster('boss-1').pa]).toEqual([12, 3]);
    play.roll('bea', [8, 8]).act('bea', 'dodge', { yes: false }).act('gm', 'endTurn');
    play.act('ada', 'attack', { weapon: 'base', target: 'orc-1' }).roll('ada', [12, 12]).roll('gm', [6, 1]);
    play.act('gm', 'dodge', { yes: true }).roll('gm', [8, 1]);
    expect([play.kinds().includes('fallen'), Object.keys(play.view().monsters ?? {})]).toEqual([true, ['boss-1']]);
  }),
  not('G3', 'an attack it has not, one it cannot pay, one of a monster that has fallen', () => {
    const play = new Play({ level: 3 }).fight(['orc', 'orc'], ['orc-1', 'ada', 'bea', 'orc-2']);
    expect(play.act('gm', 'attack', { weapon: 'magic', target: 'ada' }).verdict).toBe('refused no_weapon dicebound:G3');
    for (let n = 0; n < 2; n += 1)
      play.act('gm', 'attack', { weapon: 'physical', target: 'ada' }).roll('gm', [8, 1]).roll('ada', [10, 5]);
    expect(play.act('gm', 'attack', { weapon: 'physical', target: 'ada' }).verdict).toBe(
      'refused unaffordable dicebound:C3',
    );
    play.act('gm', 'adjust', { who: 'orc-2', pv: 0 }).act('gm', 'endTurn');
    expect(play.act('ada', 'attack', { weapon: 'base', target: 'orc-2' }).verdict).toBe(
      'refused target_fallen dicebound:G3',
    );
  }),
  taken('G4', 'a horde attacks once with each die in use, for no PA; its PA pay dodges only', () => {
    const play = new Play().fight(['swarm', 'fog'], ['swarm-1', 'ada', 'bea']);
    for (const target of ['ada', 'bea', 'ada', 'bea', 'ada']) {
      play.act('gm', 'attack', { weapon: 'physical', target }).roll('gm', [4, 1]);
      play.roll(target, [target === 'ada' ? 10 : 8, 5]);
    }
    expect([play.verdict, play.monster('swarm-1').pa, play.state.fight?.left]).toEqual(['accepted', 2, 0]);
    play.act('gm', 'adjust', { who: 'swarm-1', pv: 3 });
    expect(play.view().monsters).toMatchObject({ 'swarm-1': { attackDice: 2 } });
    play.act('gm', 'endTurn').act('ada', 'endTurn').act('bea', 'endTurn');
    expect(play.state.fight?.left).toBe(2);
  }),
  not('G4', 'more attacks than dice', () => {
    const play = new Play().fight(['swarm'], ['swarm-1', 'ada', 'bea']).act('gm', 'adjust', { who: 'swarm-1', pv: 1 });
    for (let n = 0; n < 5; n += 1) play.act('gm', 'attack', { target: 'ada' }).roll('gm', [4, 1]).roll('ada', [10, 5]);
    expect(play.act('gm', 'attack', { weapon: 'physical', target: 'ada' }).verdict).toBe(
      'refused too_many dicebound:G4',
    );
    expect(play.roll('gm', [4, 1]).verdict).toBe('refused too_many dicebound:G4');
  }),
  taken('G5', "a room's experience is its budget, not what was spent; nothing bought brings nothing", () => {
    const play = new Play({ level: 2 }).fight(['orc'], ['ada', 'bea', 'orc-1']).act('gm', 'endFight', { how: 'won' });
    expect(play.events.find((one) => one.kind === 'xp')).toMatchObject({ head: 8, total: 16, rule: 'dicebound:G5' });
    expect(play.view().xp).toEqual({ have: 56, next: 104 });
    play.act('gm', 'openRoom', { buy: [] }).act('gm', 'closeRoom');
    expect(play.view().xp).toEqual({ have: 56, next: 104 });
  }),
  not('G5', 'a fight that was left', () => {
    const play = new Play().fight(['orc'], ['ada', 'bea', 'orc-1']).act('gm', 'endFight', { how: 'left' });
    expect(play.kinds()).toEqual(['room_left', 'room_closed']);
  }),
  taken('G6', 'a threshold reached is a level, by the campaign and the players', () => {
    for (const [campaign, rooms] of [
      ['fast', 2],
      ['medium', 4],
      ['epic', 8],
    ] as const) {
      const play = new Play({ campaign });
      let won = 0;
      for (; play.state.level === 1; won += 1)
        play.fight(['orc'], ['ada', 'bea', 'orc-1']).act('gm', 'endFight', { how: 'won' });
      expect([campaign, won]).toEqual([campaign, rooms]);
    }
  }),
  not('G6', 'beyond level 10', () => {
    const play = new Play({ level: 10, campaign: 'fast' });
    expect(play.view().xp).toEqual({ have: 612, next: null });
    play.fight(['boss'], ['ada', 'bea', 'boss-1']).act('gm', 'endFight', { how: 'won' });
    expect([play.state.level, play.act('gm', 'adjust', { level: 11 }).verdict]).toEqual([
      10,
      'refused bad_value dicebound:D2',
    ]);
  }),
  taken('G7', 'level up: d% to the next ten, a chest each, the next perk; PV and PA as they were', () => {
    const play = levelled();
    expect(play.events.find((one) => one.kind === 'level_up')).toMatchObject({ level: 2, chests: ['ada', 'bea'] });
    expect(play.view().seats).toMatchObject({ ada: { level: 2, chests: 1, expected: { level: 20 } } });
    expect(play.awaited().some((one) => one.kind === 'set' && one.counter === 'level' && one.face === 20)).toBe(true);
    expect(play.set('ada', 'level', 20).verdict).toBe('accepted');
    const last = new Play({ level: 9, campaign: 'fast' });
    for (let n = 0; n < 2; n += 1) last.fight(['orc'], ['ada', 'bea', 'orc-1']).act('gm', 'endFight', { how: 'won' });
    expect([last.state.level, last.set('ada', 'level', 0).verdict]).toEqual([10, 'accepted']);
  }),
  not('G7', 'an absent seat draws no tile', () => {
    const play = new Play({ campaign: 'fast' }).act('gm', 'present', { who: 'bea', yes: false });
    for (let n = 0; n < 2; n += 1) play.fight(['orc'], ['ada', 'orc-1']).act('gm', 'endFight', { how: 'won' });
    play.act('gm', 'present', { who: 'bea' });
    expect([play.state.level, play.hero('bea').chests, play.act('bea', 'draw', { tile: '101' }).verdict]).toEqual([
      2,
      0,
      'refused no_chest dicebound:T7',
    ]);
  }),
  taken(
    'G8',
    'advantages add throws of which the highest counts, mastery adds, the first dodge of a turn is free',
    () => {
      const play = new Play({ level: 4 }, armed({}, { magic: '111' })).fight(['boss'], ['bea', 'boss-1', 'ada']);
      play.roll('bea', [12, 3], [12, 11], [12, 5], [6, 2]);
      expect(play.state.fight?.attack?.incoming).toBe(14);
      play.roll('gm', [10, 9]).act('gm', 'dodge', { yes: false }).act('bea', 'endTurn');
      const dodges: (string | number)[] = [];
      for (let n = 0; n < 2; n += 1) {
        play.act('gm', 'attack', { weapon: 'magic', target: 'ada' }).roll('gm', [6, 6]).roll('ada', [10, 1]);
        play.act('ada', 'dodge', { yes: true }).roll('ada', [8, 8]);
        dodges.push(play.hero('ada').pa);
      }
      expect(dodges).toEqual([6, 5]);
      const broke = new Play({ level: 2 })
        .act('gm', 'adjust', { who: 'ada', pa: 0 })
        .fight(['orc'], ['orc-1', 'ada', 'bea']);
      broke.act('gm', 'attack', { target: 'ada' }).roll('gm', [8, 8]).roll('ada', [10, 1]);
      expect(broke.act('ada', 'dodge', { yes: true }).rules()).toEqual(['dicebound:G8']);
    },
  ),
  not('G8', 'a perk of a level not reached', () => {
    const play = new Play().fight(['orc'], ['bea', 'ada', 'orc-1']).roll('bea', [4, 3]);
    expect(play.state.fight?.attack?.landed).toHaveLength(1);
    expect(play.roll('bea', [4, 3]).verdict).toBe('refused wrong_seat dicebound:C4');
  }),
  taken('G9', 'everything returns to just before the ambush roll, which is not made again', () => {
    const play = new Play({}, armed({ accessory: '131' }))
      .act('gm', 'adjust', { who: 'ada', pv: 9 })
      .act('gm', 'rest')
      .draw(1);
    play
      .act('gm', 'openRoom', { buy: ['orc'] })
      .act('ada', 'drink')
      .act('gm', 'startFight')
      .initiative(['orc-1', 'ada', 'bea']);
    play.act('gm', 'adjust', { who: 'ada', pv: 0 }).act('gm', 'adjust', { who: 'bea', pv: 0 });
    expect(play.rules().slice(-2)).toEqual(['dicebound:C9', 'dicebound:G9']);
    expect([play.phase, play.hero('ada').pv, play.hero('ada').pa, play.hero('ada').slots.accessory]).toEqual([
      'camp',
      9,
      6,
      '131',
    ]);
    expect(play.awaited().some((one) => one.kind === 'draw')).toBe(false);
  }),
  taken('G9', 'after a restore every die must show its face once before a hand or the GM may say otherwise', () => {
    const play = new Play({ trackerAuthority: 'dice' }).act('gm', 'openRoom', { buy: ['orc'] });
    play.act('gm', 'adjust', { who: 'ada', pv: 0 }).act('gm', 'adjust', { who: 'bea', pv: 0 });
    const due = play.awaited().flatMap((one) => (one.kind === 'set' ? [`${one.seat}.${one.counter}=${one.face}`] : []));
    expect(due.slice(0, 3)).toEqual(['ada.pv=20', 'ada.pa=6', 'ada.level=10']);
    expect(play.set('ada', 'pv', 3).verdict).toBe('refused mismatch dicebound:D3');
    expect(play.set('ada', 'pv', 20).set('ada', 'pv', 3).hero('ada').pv).toBe(3);
    expect(play.set('bea', 'pa', 2, 'gm').hero('bea').pa).toBe(2);
  }),
  not('G9', 'what was won before the last rest stays', () => {
    const play = levelled().act('ada', 'draw', { tile: '101' }).act('gm', 'rest').draw(99);
    play
      .fight(['orc'], ['orc-1', 'ada', 'bea'])
      .act('gm', 'adjust', { who: 'ada', pv: 0 })
      .act('gm', 'adjust', { who: 'bea', pv: 0 });
    expect([play.state.level, play.hero('ada').slots.physical, play.phase]).toEqual([2, '101', 'camp']);
    expect(play.act('gm', 'startFight').verdict).toBe('refused no_room dicebound:G10');
  }),
  taken(
    'G10',
    'opened, environment, traps, fight; a room without monsters is won when its traps are done and it is closed',
    () => {
      const play = new Play()
        .act('gm', 'openRoom', { buy: ['pit', 'fog'] })
        .act('gm', 'trap', { trap: 'pit', who: 'ada' });
      play.act('ada', 'trap', { pay: 'pa' }).act('gm', 'closeRoom');
      expect([play.kinds(), play.view().xp]).toEqual([['room_won', 'xp', 'room_closed'], { have: 10, next: 40 }]);
    },
  ),
  not('G10', 'closing with traps or monsters left, fighting nobody, springing a trap in the fight', () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['pit', 'orc'] });
    expect(play.act('gm', 'closeRoom').verdict).toBe('refused monsters_left dicebound:G10');
    expect(new Play().act('gm', 'openRoom', { buy: ['pit'] }).act('gm', 'closeRoom').verdict).toBe(
      'refused traps_left dicebound:G10',
    );
    expect(new Play().act('gm', 'openRoom', { buy: [] }).act('gm', 'startFight').verdict).toBe(
      'refused no_monsters dicebound:G10',
    );
    expect(new Play().act('gm', 'startFight').verdict).toBe('refused no_room dicebound:G10');
    expect(new Play().act('gm', 'closeRoom').verdict).toBe('refused no_room dicebound:G10');
    play.act('gm', 'startFight');
    expect(play.act('gm', 'trap', { trap: 'pit', who: 'ada' }).verdict).toBe('refused in_fight dicebound:G10');
  }),
  taken('G11', 'a trap costs PA or damage, fixed or rolled; who cannot pay suffers; a check may disarm it', () => {
    const play = new Play({ level: 2 }).act('gm', 'openRoom', { buy: ['pit', 'darts', 'blade'] });
    play.act('gm', 'trap', { trap: 'pit-1', who: 'ada' }).act('ada', 'trap', { pay: 'pv' });
    expect([play.hero('ada').pv, play.hero('ada').pa, play.phase]).toEqual([16, 6, 'camp']);
    play.act('gm', 'adjust', { who: 'bea', pa: 2 }).act('gm', 'trap', { trap: 'darts' });
    expect(play.waiting()[0]).toBe('ada:trap');
    play.act('ada', 'trap', { pay: 'pa' });
    expect([play.hero('ada').pa, play.waiting()[0]]).toEqual([3, 'gm:trap']);
    play.roll('gm', [6, 3], [6, 4]);
    expect([play.hero('bea').pv, play.hero('bea').pa, play.phase]).toEqual([13, 2, 'camp']);
    play.act('gm', 'check', { who: 'ada', stat: 'agility', difficulty: 2, trap: 'blade-1' }).roll('ada', [8, 2]);
    expect([play.kinds(), play.act('gm', 'closeRoom').verdict]).toEqual([
      ['landed', 'check_rolled', 'trap_done', 'check_ended'],
      'accepted',
    ]);
  }),
  taken('G11', 'Difesa only where the data say so; at 0 PV K.O. until the room is won', () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['blade'] }).act('gm', 'trap', { who: 'ada' });
    expect(play.waiting()[0]).toBe('ada:defence');
    play.roll('ada', [10, 4]);
    expect(play.hero('ada')).toMatchObject({ pv: 0, ko: true });
    expect(play.act('gm', 'closeRoom').hero('ada')).toMatchObject({ pv: 1, pa: 0, ko: false });
    const alone = new Play({}, SEATS.slice(0, 1))
      .act('gm', 'openRoom', { buy: ['blade'] })
      .act('gm', 'trap', { who: 'ada' });
    expect(alone.roll('ada', [10, 1]).kinds()).toContain('party_killed');
  }),
  not('G11', 'an unknown trap, nobody to hit, an answer nobody asked for, a trap twice', () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['pit'] });
    expect(play.act('gm', 'trap', { trap: 'darts', who: 'ada' }).verdict).toBe('refused unknown_trap dicebound:G11');
    expect(play.act('gm', 'trap', { trap: 'pit' }).verdict).toBe('refused unknown_seat dicebound:G11');
    expect(play.act('ada', 'trap', { pay: 'pa' }).verdict).toBe('refused not_awaited dicebound:G11');
    play.act('gm', 'trap', { trap: 'pit', who: 'ada' });
    expect(play.act('bea', 'trap', { pay: 'pa' }).verdict).toBe('refused not_awaited dicebound:G11');
    expect(play.act('ada', 'trap', { pay: 'gold' }).verdict).toBe('refused how dicebound:G11');
    play.act('ada', 'trap', { pay: 'pa' });
    expect(play.act('gm', 'trap', { trap: 'pit-1', who: 'ada' }).verdict).toBe('refused unknown_trap dicebound:G11');
  }),
  taken(
    'G12',
    'an environment changes costs for everybody, not the base attack, and only until the room is over',
    () => {
      const slots = armed({}, { magic: '111' });
      const play = new Play({ level: 3 }, slots).fight(['boss', 'fog'], ['bea', 'boss-1', 'ada']);
      expect(play.act('bea', 'attack', { weapon: 'magic' }).state.fight?.attack?.cost).toBe(4);
      play.roll('bea', [12, 1], [12, 1], [12, 1], [6, 1]).roll('gm', [10, 9]).act('bea', 'endTurn');
      expect(play.act('gm', 'attack', { weapon: 'magic', target: 'ada' }).state.fight?.attack?.cost).toBe(3);
      play.roll('gm', [6, 1]).roll('ada', [10, 9]).act('gm', 'endTurn');
      expect(play.act('ada', 'attack', { weapon: 'base' }).state.fight?.attack?.cost).toBe(1);
      const mud = new Play({}, slots)
        .fight(['orc', 'mud'], ['orc-1', 'ada', 'bea'])
        .act('gm', 'attack', { target: 'ada' });
      mud.roll('gm', [8, 8]).roll('ada', [10, 1]).act('ada', 'dodge', { yes: true });
      expect(mud.hero('ada').pa).toBe(4);
      mud.act('gm', 'endFight', { how: 'won' }).fight(['orc'], ['bea', 'ada', 'orc-1']);
      expect(mud.act('bea', 'attack', { weapon: 'magic' }).state.fight?.attack?.cost).toBe(3);
    },
  ),
  not('G12', 'an attack that only the weather makes too dear', () => {
    const play = new Play({}, armed({}, { magic: '111' })).act('gm', 'adjust', { who: 'bea', pa: 3 });
    play.fight(['orc', 'fog'], ['bea', 'ada', 'orc-1']);
    expect(play.act('bea', 'attack', { weapon: 'magic' }).verdict).toBe('refused unaffordable dicebound:C3');
  }),
  taken('G13', 'an ambush is a room: bought, won for experience, everybody on 6 PA', () => {
    const play = new Play({ ambushPercent: 100 })
      .act('gm', 'adjust', { who: 'ada', pa: 0 })
      .act('gm', 'rest')
      .draw(100);
    expect([play.phase, play.waiting()]).toEqual(['ambush', ['gm:camp?']]);
    play.fight(['orc'], ['ada', 'bea', 'orc-1']);
    expect([play.state.room?.ambush, play.hero('ada').pa]).toEqual([true, 6]);
    expect(play.act('gm', 'endFight', { how: 'won' }).view().xp).toEqual({ have: 10, next: 40 });
  }),
  not('G13', 'anything but the purchase while the ambush waits for its room', () => {
    const play = new Play({ ambushPercent: 100 }).act('gm', 'rest').draw(1);
    expect(play.act('gm', 'rest').verdict).toBe('refused not_now dicebound:E5');
    expect(play.act('gm', 'startFight').verdict).toBe('refused not_now dicebound:G10');
    expect(play.act('gm', 'openRoom', { buy: ['boss'] }).verdict).toBe('refused over_budget dicebound:G2');
  }),
  taken('G14', 'seats are present, absent or gone, and may join; XP a head stay; a start above level 1', () => {
    const play = new Play({ level: 3 });
    expect(play.view().xp).toEqual({ have: 104, next: 192 });
    play.act('gm', 'join', { who: 'cleo', class: 'mage', dice: { physical: 4, magic: 12, defence: 8, agility: 10 } });
    expect([play.view().xp, play.hero('cleo').pv]).toEqual([{ have: 156, next: 288 }, 20]);
    play.act('gm', 'leave', { who: 'ada' }).act('gm', 'present', { who: 'bea', yes: false });
    expect([play.view().xp, play.view().budget]).toEqual([
      { have: 52, next: 96 },
      { total: 11, spent: 0 },
    ]);
    expect(play.act('gm', 'join', { who: 'ada' }).hero('ada').attendance).toBe('present');
    play.put({ kind: 'ruling', ruling: { ruling: 'seat', args: { id: 'dan', name: 'Dan' } } });
    expect([play.verdict, play.hero('dan').class]).toEqual(['accepted', 'baluardo']);
    play.put({ kind: 'ruling', ruling: { ruling: 'seat_left', args: { id: 'dan' } } });
    expect(play.hero('dan').attendance).toBe('gone');
    expect(play.act('gm', 'endStory').view()).toMatchObject({ phase: 'over', over: true, awaited: [] });
  }),
  taken('G14', "a monster's dice drawn by the table, all at once, marked digital", () => {
    const play = new Play()
      .act('gm', 'openRoom', { buy: ['orc'] })
      .act('gm', 'drawDice', { who: 'orc-1' })
      .act('gm', 'startFight');
    expect(play.awaited().filter((one) => one.kind === 'draw')).toMatchObject([{ sides: [8], for: 'orc-1' }]);
    play.draw(8).roll('ada', [8, 3]).roll('bea', [10, 2]);
    play.act('gm', 'attack', { weapon: 'physical', target: 'ada' }).draw(7);
    expect(play.state.fight?.attack).toMatchObject({ incoming: 7, landed: [{ source: 'digital' }] });
    expect(play.act('gm', 'drawDice', { who: 'orc', yes: false }).state.room?.drawn).toEqual([]);
    expect(play.act('gm', 'drawDice', { yes: true }).state.room?.drawn).toEqual(['all']);
  }),
  not('G14', 'deeds and dice of who is not there, a draw nobody asked for, seats nobody knows', () => {
    const play = new Play().act('gm', 'present', { who: 'bea', yes: false });
    expect(play.act('bea', 'drink').verdict).toBe('refused seat_absent dicebound:G14');
    expect(play.roll('bea', [8, 3]).verdict).toBe('loose seat_absent dicebound:G14');
    expect(play.set('bea', 'pv', 3).verdict).toBe('loose seat_absent dicebound:G14');
    expect(play.act('gm', 'present', { who: 'bea', yes: false }).verdict).toBe('refused no_change dicebound:G14');
    expect(play.act('gm', 'leave', { who: 'zoe' }).verdict).toBe('refused unknown_seat dicebound:G14');
    expect(play.act('gm', 'join', { who: 'gm' }).verdict).toBe('refused seats dicebound:G14');
    expect(play.act('gm', 'join', { who: 'zoe', class: 'nobody' }).verdict).toBe('refused bad_option dicebound:G14');
    expect(play.act('gm', 'drawDice', { who: 'orc-1' }).verdict).toBe('refused unknown_monster dicebound:G14');
    expect(play.draw(3).verdict).toBe('refused not_awaited Z2');
    expect(play.act('ada', 'dance').verdict).toBe('refused unknown_action Z2');
    expect(play.act('gm', 'endStory').act('gm', 'rest').verdict).toBe('refused game_over dicebound:G14');
    expect(play.roll('ada', [8, 3]).verdict).toBe('loose game_over dicebound:G14');
  }),
];
