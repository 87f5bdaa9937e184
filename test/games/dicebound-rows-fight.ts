import { expect } from 'vitest';
import { Play, SEATS } from './dicebound-play.js';
import { armed, not, type Row, taken } from './dicebound-rows-board.js';

const orc = (options = {}, ada = {}, bea = {}): Play =>
  new Play(options, armed(ada, bea)).fight(['orc'], ['ada', 'bea', 'orc-1']);
const attack = (play: Play) => play.state.fight?.attack ?? null;

/** The orc has hit Ada for 8; her Difesa is awaited. */
const hit = (options = {}, ada = {}): Play => {
  const play = new Play(options, armed(ada)).fight(['orc'], ['orc-1', 'ada', 'bea']);
  return play.act('gm', 'attack', { weapon: 'physical', target: 'ada' }).roll('gm', [8, 8]);
};

const arena = (options = {}, seats = [...SEATS, { ...SEATS[0], id: 'cleo' }]): Play =>
  new Play({ mode: 'arena', ...options }, seats);

export const ORDER_ROWS: readonly Row[] = [
  taken('C1', 'everybody rolls Agilità at once, in any order; highest first, one order for the whole fight', () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['orc', 'swarm'] }).act('gm', 'startFight');
    expect(play.waiting()).toEqual(['ada:initiative', 'bea:initiative', 'gm:initiative', 'gm:initiative', 'gm:fight?']);
    play.roll('gm', [6, 3], [8, 5]).roll('bea', [10, 9]).roll('ada', [8, 7]);
    expect(play.state.fight).toMatchObject({ order: ['bea', 'ada', 'orc-1', 'swarm-1'], round: 1, turn: 'bea' });
  }),
  taken('C1', 'perks on Agilità count; the GM may roll once for all; ties are rolled again among the tied only', () => {
    const perks = { knight: { '1': [{ kind: 'mastery', stat: 'agility', amount: 5 }] } };
    const play = new Play({ perks, gmInitiative: 'once' }).act('gm', 'openRoom', { buy: ['orc', 'orc'] });
    play.act('gm', 'startFight').roll('ada', [8, 1]).roll('bea', [10, 6]).roll('gm', [8, 2]);
    expect(play.rules()).toContain('Z4');
    expect(play.waiting().slice(0, 3)).toEqual(['ada:initiative', 'bea:initiative', 'gm:fight?']);
    play.roll('bea', [10, 2]).roll('ada', [8, 3]);
    expect(play.state.fight?.order).toEqual(['ada', 'bea', 'orc-1', 'orc-2']);
  }),
  not('C1', 'a second roll, another die, a turn before the order is known', () => {
    const play = new Play()
      .act('gm', 'openRoom', { buy: ['orc'] })
      .act('gm', 'startFight')
      .roll('ada', [8, 4]);
    expect(play.roll('ada', [8, 4]).verdict).toBe('refused already_rolled dicebound:C1');
    expect(play.roll('bea', [12, 4]).verdict).toBe('refused wrong_die dicebound:C1');
    expect(play.act('ada', 'attack', { weapon: 'base' }).verdict).toBe('refused not_awaited dicebound:C1');
  }),
  taken('C1', 'who is K.O. when a fight starts has no place in the order', () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['orc'] }).act('gm', 'adjust', { who: 'bea', pv: 0 });
    play.act('gm', 'startFight').initiative(['ada', 'orc-1']);
    expect(play.state.fight?.order).toEqual(['ada', 'orc-1']);
  }),
  taken('C2', 'PA go back to 6 at the start of every turn but the first of a fight', () => {
    const play = orc().roll('ada', [12, 1]).roll('gm', [6, 6]).act('ada', 'endTurn').act('bea', 'endTurn');
    expect([play.hero('ada').pa, play.rules().at(-1)]).toEqual([5, 'dicebound:C2']);
    play.act('gm', 'endTurn');
    expect(play.hero('ada').pa).toBe(6);
  }),
  not('C2', 'nothing refills by being asked for: a tracker turned up is a mismatch', () => {
    const play = orc().roll('ada', [12, 1]);
    expect(play.set('ada', 'pa', 6).verdict).toBe('refused mismatch dicebound:D3');
  }),
  taken('C11', 'a turn ends by declaration only, also with 0 PA', () => {
    const play = orc({}, { physical: '103' }).roll('ada', [12, 1]).roll('gm', [6, 6]);
    expect([play.hero('ada').pa, play.state.fight?.turn]).toEqual([0, 'ada']);
    expect(play.act('ada', 'endTurn').state.fight?.turn).toBe('bea');
  }),
  not('C11', 'while a roll is open, or by another seat', () => {
    const play = orc();
    expect(play.act('bea', 'endTurn').verdict).toBe('refused wrong_seat dicebound:C11');
    expect(play.act('gm', 'endTurn').verdict).toBe('refused wrong_seat dicebound:C11');
    expect(play.act('ada', 'attack', { weapon: 'base' }).act('ada', 'endTurn').verdict).toBe(
      'refused attack_open dicebound:C11',
    );
    expect(new Play().act('ada', 'endTurn').verdict).toBe('refused no_fight dicebound:C11');
  }),
  taken('C12', 'who is out keeps its place and is skipped; what was awaited from it is cancelled', () => {
    const play = hit().act('gm', 'present', { who: 'ada', yes: false });
    expect(attack(play)).toBeNull();
    play.act('gm', 'endTurn');
    expect([play.state.fight?.turn, play.rules().at(-1)]).toEqual(['bea', 'dicebound:C12']);
    expect(play.state.fight?.order).toContain('ada');
    play.act('gm', 'present', { who: 'bea', yes: false });
    expect(play.state.fight?.turn).toBe('orc-1');
  }),
  not('C12', 'whoever is out has no turn to take', () => {
    const play = hit().act('gm', 'adjust', { who: 'ada', pv: 0 }).act('gm', 'endTurn');
    expect(play.state.fight?.turn).toBe('bea');
    expect(play.act('ada', 'endTurn').verdict).toBe('refused seat_ko dicebound:C8');
  }),
];

export const ATTACK_ROWS: readonly Row[] = [
  taken('C3', 'declared before: target and weapon, PA paid, then the die; any number while PA last', () => {
    const play = orc({ declare: 'before' }, { physical: '101' });
    play.act('ada', 'attack', { weapon: 'physical', target: 'orc-1' });
    expect([play.hero('ada').pa, play.phase]).toEqual([4, 'damage']);
    play.roll('ada', [12, 1]).roll('gm', [6, 6]).act('ada', 'attack', { weapon: 'physical', target: 'orc' });
    play.roll('ada', [12, 1]).roll('gm', [6, 6]).act('ada', 'attack', { weapon: 'physical' });
    expect([play.hero('ada').pa, play.verdict]).toEqual([0, 'accepted']);
  }),
  taken('C3', 'declared after: the throw opens the attack on the only target, or on the one attacked last', () => {
    const play = new Play({}, armed({ physical: '101' })).fight(['orc', 'orc'], ['ada', 'bea', 'orc-1', 'orc-2']);
    expect([play.roll('ada', [12, 1]).verdict, play.phase]).toEqual(['open', 'target']);
    expect(play.act('ada', 'target', { target: 'orc-2' }).phase).toBe('defence');
    play.roll('gm', [6, 6]).roll('ada', [12, 1]);
    expect(attack(play)).toMatchObject({ target: 'orc-2', cost: 2, stage: 'defence' });
    expect(play.verdict).toBe('accepted');
  }),
  taken('C3', 'dice of one throw come in any order, and a bonus die alone waits for its statistic', () => {
    const one = orc({}, {}, { magic: '111' }).act('ada', 'endTurn').roll('bea', [12, 4], [6, 3]);
    const other = orc({}, {}, { magic: '111' }).act('ada', 'endTurn').roll('bea', [6, 3]);
    expect([other.verdict, other.phase, other.hero('bea').pa]).toEqual(['open', 'turn', 6]);
    other.roll('bea', [12, 4]);
    expect([attack(one)?.incoming, attack(other)?.incoming, other.hero('bea').pa]).toEqual([7, 7, 3]);
  }),
  taken('C3', 'the roller or the GM changes target or weapon, or withdraws, until the next roll', () => {
    const play = new Play({}, armed({ physical: '101' })).fight(['orc', 'orc'], ['ada', 'bea', 'orc-1', 'orc-2']);
    play.roll('ada', [12, 5]).act('ada', 'target', { target: 'orc-1' }).act('gm', 'change', { target: 'orc-2' });
    expect(attack(play)).toMatchObject({ target: 'orc-2', incoming: 7 });
    play.act('ada', 'change', { weapon: 'base' });
    expect([attack(play)?.incoming, attack(play)?.target, play.hero('ada').pa, play.state.fight?.bases]).toEqual([
      5,
      'orc-2',
      5,
      1,
    ]);
    play.act('ada', 'withdraw');
    expect([attack(play), play.hero('ada').pa, play.state.fight?.bases, play.phase]).toEqual([null, 6, 0, 'turn']);
  }),
  not('C3', 'not affordable, no weapon, unknown target, out of turn, out of a fight, on top of another', () => {
    const play = orc({}, { physical: '103' });
    expect(play.act('ada', 'attack', { weapon: 'magic' }).verdict).toBe('refused no_weapon dicebound:C3');
    expect(play.roll('ada', [4, 2]).verdict).toBe('refused no_weapon dicebound:C3');
    expect(play.act('ada', 'attack', { weapon: 'hat' }).verdict).toBe('refused unknown_weapon dicebound:C3');
    expect(play.act('ada', 'attack', { weapon: 'base', target: 'bea' }).verdict).toBe(
      'refused unknown_target dicebound:C3',
    );
    expect(play.act('bea', 'attack', { weapon: 'base' }).verdict).toBe('refused wrong_seat dicebound:C3');
    expect(play.roll('bea', [4, 2]).verdict).toMatch(/^refused wrong_seat/);
    expect(play.roll('ada', [20, 2]).verdict).toMatch(/^refused wrong_die/);
    expect(play.act('ada', 'target', { target: 'orc-1' }).verdict).toBe('refused not_awaited dicebound:C3');
    expect(play.act('ada', 'withdraw').verdict).toBe('refused not_awaited dicebound:C3');
    play.act('ada', 'attack', { weapon: 'base' });
    expect(play.act('ada', 'attack', { weapon: 'base' }).verdict).toBe('refused attack_open dicebound:C11');
    play.roll('ada', [12, 1]).roll('gm', [6, 6]);
    expect(play.act('ada', 'attack', { weapon: 'physical' }).verdict).toBe('refused unaffordable dicebound:C3');
    expect(play.roll('ada', [12, 1]).verdict).toBe('refused unaffordable dicebound:C3');
    expect(new Play().act('ada', 'attack', { weapon: 'base' }).verdict).toBe('refused no_fight dicebound:C3');
  }),
  not('C3', 'changed too late, by another, to a die that does not lie', () => {
    const play = orc({}, { physical: '101', magic: '112' }).roll('ada', [12, 9]);
    expect(play.act('bea', 'withdraw').verdict).toBe('refused wrong_seat dicebound:C3');
    expect(play.act('ada', 'change', { weapon: 'magic' }).verdict).toBe('refused wrong_die dicebound:C3');
    play.roll('gm', [6, 1]);
    expect(play.act('ada', 'withdraw').verdict).toBe('refused too_late dicebound:C3');
    expect(play.act('gm', 'change', { target: 'orc-1' }).verdict).toBe('refused too_late dicebound:C3');
  }),
  not('C3', 'with declare before, a throw is no attack: only a choice is awaited', () => {
    expect(orc({ declare: 'before' }).roll('ada', [12, 5]).verdict).toBe('loose not_awaited Z2');
  }),
  taken('C4', 'Difesa once per attack, free, with armour and perks', () => {
    const play = hit({ level: 3 }, { armour: '122' }).roll('ada', [10, 2]);
    expect([attack(play)?.left, play.hero('ada').pa, play.phase]).toEqual([1, 6, 'dodge']);
  }),
  taken('C4', 'an answer thrown early is held, shown and used; both orders lead to the same state', () => {
    const late = hit().roll('ada', [10, 3]).act('ada', 'dodge', { yes: true }).roll('ada', [8, 2]);
    const early = new Play().fight(['orc'], ['orc-1', 'ada', 'bea']);
    expect([early.roll('ada', [8, 2]).verdict, early.roll('ada', [10, 3]).verdict]).toEqual(['open', 'open']);
    expect(early.view().held).toEqual([
      { seat: 'ada', at: 'agility', type: 'd8', face: 2 },
      { seat: 'ada', at: 'defence', type: 'd10', face: 3 },
    ]);
    early
      .act('gm', 'attack', { weapon: 'physical', target: 'ada' })
      .roll('gm', [8, 8])
      .act('ada', 'dodge', { yes: true });
    expect(early.hero('ada').pv).toBe(17);
    expect(early.state).toEqual(late.state);
  }),
  taken('C4', 'what was held longer than 15 s, or for an attack that is over, counts for nothing', () => {
    const play = new Play().fight(['orc'], ['orc-1', 'ada', 'bea']).roll('ada', [10, 3]);
    const timer = play.awaited().find((one) => one.kind === 'timer');
    expect(timer).toMatchObject({ ms: 15_000, purpose: 'held' });
    expect(play.elapse(timer?.id ?? '').state.fight?.held).toEqual([]);
    play.roll('ada', [8, 3]).act('gm', 'attack', { weapon: 'physical', target: 'ada' }).roll('gm', [8, 8]);
    expect(play.roll('ada', [10, 9]).state.fight?.held).toEqual([]);
  }),
  not('C4', 'twice, by another, by the wrong die, and early where the house refuses it', () => {
    const play = new Play().fight(['orc'], ['orc-1', 'ada', 'bea']).roll('ada', [10, 3]);
    expect(play.roll('ada', [10, 4]).verdict).toBe('refused already_rolled dicebound:C4');
    const open = hit();
    expect(open.roll('bea', [8, 4]).verdict).toBe('refused wrong_seat dicebound:C4');
    expect(open.roll('ada', [12, 4]).verdict).toBe('refused wrong_die dicebound:C4');
    const strict = new Play({ earlyAnswers: 'refuse' }).fight(['orc'], ['orc-1', 'ada', 'bea']);
    expect(strict.roll('ada', [10, 3]).verdict).toBe('refused too_early dicebound:C4');
    strict.act('gm', 'attack', { weapon: 'physical', target: 'ada' }).roll('gm', [8, 8]);
    expect(strict.roll('ada', [8, 3]).verdict).toBe('refused too_early dicebound:C4');
  }),
  taken('C5', 'a dodge costs 1 PA, adds to Difesa, and is asked of who can pay it', () => {
    const play = hit().roll('ada', [10, 3]);
    expect([play.verdict, play.phase]).toEqual(['open', 'dodge']);
    expect(play.roll('ada', [8, 4]).verdict).toBe('open');
    play.act('ada', 'dodge', { yes: true });
    expect([play.hero('ada').pv, play.hero('ada').pa]).toEqual([19, 5]);
    const poor = new Play().act('gm', 'adjust', { who: 'ada', pa: 0 }).fight(['orc'], ['orc-1', 'ada', 'bea']);
    poor.act('gm', 'attack', { target: 'ada' }).roll('gm', [8, 8]).roll('ada', [10, 3]);
    expect([poor.phase, poor.hero('ada').pv]).toEqual(['turn', 15]);
    const none = hit().roll('ada', [10, 8]);
    expect([none.phase, none.hero('ada').pv]).toEqual(['turn', 20]);
  }),
  not('C5', 'twice, before Difesa, by another, with no answer', () => {
    const play = hit();
    expect(play.act('ada', 'dodge', { yes: true }).verdict).toBe('refused not_awaited dicebound:C5');
    play.roll('ada', [10, 1]);
    expect(play.act('bea', 'dodge', { yes: true }).verdict).toBe('refused wrong_seat dicebound:C5');
    expect(play.act('ada', 'dodge', {}).verdict).toBe('refused yes_or_no dicebound:C5');
    expect(play.roll('bea', [10, 1]).verdict).toBe('loose not_awaited Z2');
    play.act('ada', 'dodge', { yes: true }).roll('ada', [8, 1]);
    expect(play.act('ada', 'dodge', { yes: true }).verdict).toBe('refused not_awaited dicebound:C5');
  }),
  taken('C6', 'damage left is subtracted from PV, never below 0', () => {
    const play = hit().roll('ada', [10, 1]).act('ada', 'dodge', { yes: false });
    expect([play.hero('ada').pv, play.rules()]).toEqual([13, ['dicebound:C5', 'dicebound:C6', 'dicebound:C6']]);
    const over = hit()
      .act('gm', 'adjust', { who: 'ada', pv: 1 })
      .roll('ada', [10, 1])
      .act('ada', 'dodge', { yes: false });
    expect(over.hero('ada').pv).toBe(0);
  }),
  not('C6', 'nobody says by hand what the dice have said', () => {
    const play = hit().roll('ada', [10, 1]).act('ada', 'dodge', { yes: false });
    expect(play.set('ada', 'pv', 20).verdict).toBe('refused mismatch dicebound:D3');
  }),
  taken('C7', 'base attacks cost 1, 2 and 3 PA, without tile bonuses but with perks', () => {
    const perks = { knight: { '1': { kind: 'mastery', stat: 'physical', amount: 2 } } };
    const play = orc({ perks }, { physical: '101' });
    const paid: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      play.act('ada', 'attack', { weapon: 'base' }).roll('ada', [12, 1]);
      expect(attack(play)?.incoming).toBe(3);
      paid.push(play.hero('ada').pa);
      play.roll('gm', [6, 6]);
    }
    expect(paid).toEqual([5, 3, 0]);
    const free = orc().roll('ada', [12, 1]);
    expect(attack(free)).toMatchObject({ weapon: 'base', cost: 1 });
  }),
  not('C7', 'a fourth in a turn, one beyond the PA, a base attack of a monster', () => {
    const play = orc({}, { accessory: '132' });
    for (let n = 0; n < 3; n += 1) play.roll('ada', [12, 1]).roll('gm', [6, 6]);
    play.act('ada', 'drink').act('gm', 'adjust', { who: 'ada', pa: 6 });
    expect(play.act('ada', 'attack', { weapon: 'base' }).verdict).toBe('refused too_many dicebound:C7');
    expect(play.roll('ada', [12, 1]).verdict).toBe('refused too_many dicebound:C7');
    const poor = new Play().act('gm', 'adjust', { who: 'ada', pa: 2 }).fight(['orc'], ['ada', 'bea', 'orc-1']);
    poor.roll('ada', [12, 1]).roll('gm', [6, 6]);
    expect(poor.roll('ada', [12, 1]).verdict).toBe('refused unaffordable dicebound:C7');
    const beast = new Play().fight(['orc'], ['orc-1', 'ada', 'bea']);
    expect(beast.act('gm', 'attack', { weapon: 'base', target: 'ada' }).verdict).toBe('refused no_weapon dicebound:C7');
  }),
];

export const END_ROWS: readonly Row[] = [
  taken('C8', 'at 0 PV: K.O., PA 0, ignored; after a fight won awake with 1 PV and 0 PA', () => {
    const play = hit()
      .act('gm', 'adjust', { who: 'ada', pv: 3 })
      .roll('ada', [10, 1])
      .act('ada', 'dodge', { yes: false });
    expect(play.hero('ada')).toMatchObject({ pv: 0, pa: 0, ko: true });
    play.act('gm', 'endTurn').roll('bea', [4, 4]).roll('gm', [6, 1]).act('gm', 'dodge', { yes: false });
    play.act('gm', 'adjust', { who: 'orc-1', pv: 0 });
    expect(play.hero('ada')).toMatchObject({ pv: 1, pa: 0, ko: false });
    expect(play.rules()).toEqual([
      'dicebound:D3',
      'dicebound:G3',
      'dicebound:C13',
      'dicebound:C8',
      'dicebound:G5',
      'dicebound:G10',
    ]);
  }),
  not('C8', 'acting while K.O., being chosen by a monster, a die of the K.O.', () => {
    const play = hit().act('gm', 'adjust', { who: 'ada', pv: 0 });
    expect(play.act('gm', 'attack', { weapon: 'physical', target: 'ada' }).verdict).toBe(
      'refused target_ko dicebound:C8',
    );
    expect(play.act('ada', 'attack', { weapon: 'base' }).verdict).toBe('refused seat_ko dicebound:C8');
    expect(play.roll('ada', [12, 3]).verdict).toBe('loose seat_ko dicebound:C8');
    expect(
      new Play()
        .act('gm', 'adjust', { who: 'ada', pv: 0 })
        .act('gm', 'check', { who: 'ada', stat: 'magic', difficulty: 3 }).verdict,
    ).toBe('refused seat_ko dicebound:C8');
  }),
  taken('C9', 'nobody stands any more: the room is lost and the table goes back to the last rest', () => {
    const play = hit().act('gm', 'adjust', { who: 'bea', pv: 0 }).act('gm', 'adjust', { who: 'ada', pv: 1 });
    play.roll('ada', [10, 1]).act('ada', 'dodge', { yes: false });
    expect(play.kinds()).toEqual(['no_dodge', 'hurt', 'ko', 'party_killed', 'restored']);
    expect([play.phase, play.state.room, play.hero('ada').pv, play.hero('bea').ko]).toEqual(['camp', null, 20, false]);
  }),
  not('C9', 'one who stands is enough to go on, and who is absent does not count', () => {
    const play = hit().act('gm', 'adjust', { who: 'bea', pv: 0 });
    expect(play.phase).toBe('defence');
    play.act('gm', 'present', { who: 'ada', yes: false });
    expect(play.kinds()).toContain('party_killed');
    expect(play.act('bea', 'endTurn').verdict).toBe('refused no_fight dicebound:C11');
  }),
  taken('C10', 'players against players: refill on every own turn, 0 PV eliminates, the last one wins', () => {
    const play = arena({ level: 3 });
    expect([play.phase, play.waiting()]).toEqual([
      'initiative',
      ['ada:initiative', 'bea:initiative', 'cleo:initiative'],
    ]);
    play
      .initiative(['ada', 'bea', 'cleo'])
      .act('gm', 'adjust', { who: 'bea', pv: 1 })
      .act('gm', 'adjust', { who: 'cleo', pv: 1 });
    play
      .roll('ada', [12, 12])
      .act('ada', 'target', { target: 'bea' })
      .roll('bea', [8, 1])
      .act('bea', 'dodge', { yes: false });
    expect(play.hero('bea')).toMatchObject({ pv: 0, ko: true });
    expect(play.roll('ada', [12, 12]).state.fight?.attack).toMatchObject({ target: 'cleo', cost: 2 });
    play.roll('cleo', [10, 1]).act('cleo', 'dodge', { yes: false });
    expect(play.view()).toMatchObject({ phase: 'over', over: true, winner: 'ada' });
  }),
  taken('C10', 'teams win together and do not attack each other', () => {
    const play = arena({ arenaTeams: { red: ['ada', 'cleo'], blue: ['bea'] } }).initiative(['ada', 'bea', 'cleo']);
    expect(play.roll('ada', [12, 12]).state.fight?.attack?.target).toBe('bea');
    play.act('gm', 'adjust', { who: 'bea', pv: 0 });
    expect(play.view()).toMatchObject({ over: true, winner: 'red' });
  }),
  not('C10', 'checks, rests, rooms, friends, the dice and deeds of who is out', () => {
    const play = arena().initiative(['ada', 'bea', 'cleo']);
    for (const action of ['check', 'rest', 'openRoom', 'closeRoom', 'endFight', 'join']) {
      expect(play.act('gm', action).verdict).toBe('refused no_arena dicebound:C10');
    }
    expect(play.act('gm', 'startFight').verdict).toBe('refused in_fight dicebound:C10');
    play.act('gm', 'adjust', { who: 'bea', pv: 0 });
    expect(play.act('ada', 'attack', { weapon: 'base', target: 'bea' }).verdict).toBe(
      'refused target_out dicebound:C10',
    );
    expect(play.roll('bea', [12, 1]).verdict).toBe('loose seat_out dicebound:C10');
    expect(play.act('bea', 'endTurn').verdict).toBe('refused seat_ko dicebound:C10');
    const teams = arena({ arenaTeams: [['ada', 'cleo'], ['bea']] }).initiative(['ada', 'bea', 'cleo']);
    expect(teams.act('ada', 'attack', { weapon: 'base', target: 'cleo' }).verdict).toBe(
      'refused unknown_target dicebound:C3',
    );
  }),
  taken('C13', 'won the moment the last monster falls, in mid-turn, open rolls cancelled; the GM may end it', () => {
    const play = orc({}, { physical: '101' })
      .roll('ada', [12, 12])
      .roll('gm', [6, 1])
      .act('gm', 'dodge', { yes: false });
    expect([play.phase, play.state.room, play.view().xp]).toEqual(['camp', null, { have: 10, next: 40 }]);
    const ended = hit().act('gm', 'endFight', { how: 'won' });
    expect([ended.phase, ended.view().xp]).toEqual(['camp', { have: 10, next: 40 }]);
    const left = hit().act('gm', 'adjust', { who: 'bea', pv: 0 }).act('gm', 'endFight', { how: 'left' });
    expect([left.phase, left.view().xp, left.hero('bea').ko]).toEqual(['camp', { have: 0, next: 40 }, true]);
    expect(left.act('gm', 'rest').hero('bea')).toMatchObject({ pv: 1, pa: 6, ko: false });
  }),
  not('C13', 'an end without a fight, by a player, or in no known way', () => {
    const play = new Play().act('gm', 'endFight', { how: 'won' });
    expect(play.verdict).toBe('refused no_fight dicebound:C13');
    expect(orc().act('ada', 'endFight', { how: 'won' }).verdict).toBe('refused wrong_seat dicebound:C13');
    expect(orc().act('gm', 'endFight', { how: 'lost' }).verdict).toBe('refused how dicebound:C13');
  }),
];
