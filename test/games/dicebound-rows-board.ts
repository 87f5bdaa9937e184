import { expect } from 'vitest';
import type { JsonObject } from '../../src/dice/json.js';
import { Play, SEATS, setUp } from './dicebound-play.js';

/** One case of a rule: what is taken, or what is refused or loose. */
export interface Row {
  readonly rule: string;
  readonly how: 'taken' | 'not taken';
  readonly title: string;
  readonly run: () => void;
}

export const taken = (rule: string, title: string, run: () => void): Row => ({ rule, how: 'taken', title, run });
export const not = (rule: string, title: string, run: () => void): Row => ({ rule, how: 'not taken', title, run });

/** The two seats with tiles in their slots. */
export const armed = (ada: JsonObject, bea: JsonObject = {}): readonly JsonObject[] => [
  { ...SEATS[0], slots: ada },
  { ...SEATS[1], slots: bea },
];

/** The place of the first fault of a refused setup. */
export function faultOf(options: JsonObject, seats?: readonly JsonObject[]): string {
  const verdict = setUp(options, seats);
  return verdict.verdict === 'refused' ? `${verdict.rule} ${verdict.reason} | ${verdict.expected}` : verdict.verdict;
}

const sets = (play: Play): readonly string[] =>
  play.awaited().flatMap((one) => (one.kind === 'set' ? [`${one.seat}.${one.counter}=${one.face}`] : []));
const timers = (play: Play): readonly string[] =>
  play.awaited().flatMap((one) => (one.kind === 'timer' ? [one.id] : []));

/** Ada has attacked an orc with her sword (2 PA): PA 4, d6 due. */
const struck = (options: JsonObject = {}): Play =>
  new Play(options, armed({ physical: '101' })).fight(['orc'], ['ada', 'bea', 'orc-1']).roll('ada', [12, 1]);

export const BOARD_ROWS: readonly Row[] = [
  taken('D1', 'a class is a permutation of d4 d8 d10 d12; a seat may bring its own', () => {
    const play = new Play({ classes: { monk: { dice: { physical: 8, magic: 10, defence: 4, agility: 'd12' } } } }, [
      { id: 'ada', class: 'monk' },
      { id: 'bea', class: 'monk', dice: { physical: 12, magic: 10, defence: 8, agility: 4 } },
      { id: 'cleo', class: 'baluardo' },
    ]);
    expect(play.hero('ada').dice).toEqual({ physical: 8, magic: 10, defence: 4, agility: 12 });
    expect(play.hero('bea').dice.physical).toBe(12);
    expect(Object.values(play.hero('cleo').dice).sort((a, b) => a - b)).toEqual([4, 8, 10, 12]);
    expect(play.view().seats).toMatchObject({
      ada: { pv: 20, pa: 6, level: 1, expected: { pv: 20, pa: 6, level: 10 } },
    });
  }),
  not('D1', 'dice that are no permutation, a class nobody knows, an option nobody knows', () => {
    const dice = { physical: 12, magic: 12, defence: 8, agility: 4 };
    expect(faultOf({}, [{ id: 'ada', class: 'x', dice }])).toContain('seats[0].dice');
    expect(faultOf({}, [{ id: 'ada', class: 'nobody' }])).toContain('seats[0].class is "nobody"');
    expect(faultOf({ difficulty: 3 })).toContain('difficulty');
    expect(faultOf({ level: 11 })).toContain('setup.level is 11 | setup.level: a whole number, 1 to 10');
    expect(faultOf({ trackerAuthority: 'gods' })).toContain('setup.trackerAuthority');
    expect(setUp({}, []).verdict).toBe('refused');
  }),
  taken('D2', 'PV never exceed 20, PA never 6, and neither falls below 0', () => {
    const play = new Play({}, armed({ accessory: '131' }, { accessory: '132' }));
    play.act('ada', 'drink').act('bea', 'drink');
    expect([play.hero('ada').pv, play.hero('bea').pa]).toEqual([20, 6]);
    play.fight(['boss', 'orc'].slice(1), ['orc-1', 'ada', 'bea']);
    play.act('gm', 'adjust', { who: 'ada', pv: 2 }).act('gm', 'attack', { weapon: 'physical', target: 'ada' });
    play.roll('gm', [8, 8]).roll('ada', [10, 1]).act('ada', 'dodge', { yes: false });
    expect(play.hero('ada')).toMatchObject({ pv: 0, pa: 0, ko: true });
    expect(play.view().seats).toMatchObject({ ada: { expected: { pv: null, pa: null, level: 10 } } });
    expect(sets(play).filter((one) => one.startsWith('ada'))).toEqual([]);
  }),
  not('D2', 'a counter of 0 has no face: turning its die is loose and changes nothing', () => {
    const play = new Play().act('gm', 'adjust', { who: 'ada', pv: 0 });
    expect(play.set('ada', 'pv', 7).verdict).toBe('loose not_checked dicebound:D2');
    expect(play.set('ada', 'pa', 3).verdict).toBe('loose not_checked dicebound:D2');
    expect(play.act('gm', 'adjust', { who: 'ada', pv: 21 }).verdict).toBe('refused bad_value dicebound:D2');
    expect(play.set('bea', 'pa', 7).verdict).toBe('refused no_such_face dicebound:D2');
    expect(play.set('bea', 'luck', 3).verdict).toBe('loose not_awaited Z2');
  }),
  taken('D3', 'the face expected confirms; a set die is not asked for again', () => {
    const play = struck();
    expect(sets(play)).toEqual(['ada.pa=4']);
    expect(play.set('ada', 'pa', 4).verdict).toBe('accepted');
    expect(sets(play)).toEqual([]);
    expect(play.set('ada', 'pa', 4).kinds()).toEqual([]);
  }),
  not('D3', 'any other face is a mismatch and changes nothing', () => {
    const play = struck();
    expect(play.set('ada', 'pa', 2).verdict).toBe('refused mismatch dicebound:D3');
    expect(play.last).toMatchObject({ expected: 'pa 4' });
    expect([play.hero('ada').pa, sets(play)]).toEqual([4, ['ada.pa=4']]);
    expect(play.set('bea', 'pv', 19).verdict).toBe('refused mismatch dicebound:D3');
    expect(play.set('ada', 'level', 20).verdict).toBe('refused mismatch dicebound:D3');
  }),
  taken('D3', 'the GM accepts a face as a correction; with trackerAuthority dice every face is one', () => {
    expect(struck().set('ada', 'pv', 13, 'gm').hero('ada').pv).toBe(13);
    const play = struck({ trackerAuthority: 'dice' });
    expect(play.set('ada', 'pv', 12).set('ada', 'level', 30).verdict).toBe('accepted');
    expect([play.hero('ada').pv, play.state.level]).toEqual([12, 3]);
    expect(play.act('gm', 'adjust', { who: 'orc-1', pv: 3 }).monster('orc-1').pv).toBe(3);
  }),
  taken('D3', 'a d6 set down by the right cost before the roll confirms that payment', () => {
    const play = new Play({}, armed({ physical: '101' })).fight(['orc'], ['ada', 'bea', 'orc-1']);
    expect(play.set('ada', 'pa', 4).verdict).toBe('open');
    expect([play.hero('ada').pa, sets(play)]).toEqual([6, []]);
    play.roll('ada', [12, 1]);
    expect([play.hero('ada').pa, sets(play)]).toEqual([4, []]);
    expect(play.rules()).not.toContain('dicebound:D3');
  }),
  taken('D3', 'a payment set down and not made is a mismatch again when the turn ends', () => {
    const play = new Play({}, armed({ physical: '101' })).fight(['orc'], ['ada', 'bea', 'orc-1']);
    play.set('ada', 'pa', 4).act('ada', 'endTurn');
    expect(play.kinds()).toContain('tracker_late');
    expect(sets(play)).toEqual(['ada.pa=6']);
  }),
  taken(
    'D3',
    'only its own seat hears of a mismatch, until its turn ends or 20 s have passed; then everybody, once',
    () => {
      const play = struck();
      const [set] = play.awaited().filter((one) => one.kind === 'set');
      expect(set?.to).toEqual(['ada']);
      expect(timers(play)).toEqual(['late.ada.pa.1']);
      expect(play.elapse('late.ada.pa.1').kinds()).toEqual(['tracker_late']);
      expect(play.awaited().find((one) => one.kind === 'set')?.to).toBeUndefined();
      expect(timers(play)).toEqual([]);
      expect(play.elapse('late.ada.pa.1').verdict).toBe('refused not_awaited Z2');
    },
  ),
  taken('D4', 'values change at once, play goes on, and only the latest face is expected', () => {
    const play = struck();
    expect(play.hero('ada').pa).toBe(4);
    play.roll('gm', [6, 6]).roll('ada', [12, 1]);
    expect([play.verdict, play.hero('ada').pa, sets(play)]).toEqual(['accepted', 2, ['ada.pa=2']]);
    expect(play.set('ada', 'pa', 2).verdict).toBe('accepted');
  }),
  not('D4', 'a face that was expected before is a mismatch now', () => {
    const play = struck().roll('gm', [6, 6]).roll('ada', [12, 1]);
    expect(play.set('ada', 'pa', 4).verdict).toBe('refused mismatch dicebound:D3');
  }),
  taken(
    'D5',
    'a bonus die is any die of its kind; one die serves where several of its kind are asked; a d10 of 0 counts 10',
    () => {
      const play = new Play({ level: 2 }, armed({}, { magic: '111' })).fight(['orc'], ['bea', 'ada', 'orc-1']);
      play.roll('bea', [12, 3], [12, 9], [6, 4]);
      expect(play.state.fight?.attack).toMatchObject({ incoming: 13, stage: 'defence' });
      const other = new Play().act('gm', 'check', { who: 'ada', stat: 'defence', difficulty: 10 });
      expect(other.roll('ada', [10, 0]).phase).toBe('camp');
    },
  ),
  not('D5', 'a bonus die of another kind', () => {
    const play = new Play({}, armed({}, { magic: '111' })).fight(['orc'], ['bea', 'ada', 'orc-1']);
    expect(play.roll('bea', [12, 3], [8, 4]).verdict).toBe('refused wrong_die dicebound:C3');
  }),
  taken(
    'D6',
    "each monster gets the next free die of the GM's set, its kind's own if that is free, the eighth none",
    () => {
      const play = new Play({ level: 10 });
      play.act('gm', 'openRoom', { buy: ['orc', 'orc', 'swarm', 'orc', 'orc', 'orc', 'orc', 'orc'] });
      const pawns = Object.values(play.state.room?.monsters ?? {}).map((one) => one.pawn);
      expect(pawns).toEqual(['d12', 'd4', 'd6', 'd8', 'd10', 'd20', 'd00', null]);
    },
  ),
  not('D6', 'a pawn that is put down rolls for nothing that is awaited', () => {
    const play = new Play({ ...{} }, armed({ physical: '101' })).fight(['orc'], ['ada', 'bea', 'orc-1']);
    expect(play.roll('gm', [12, 5]).verdict).toMatch(/^refused wrong_seat/);
  }),
  taken('T1', 'flat, die and star: each bonus as it is printed', () => {
    const play = new Play({}, armed({ physical: '101' }, { physical: '102' })).fight(['orc'], ['ada', 'bea', 'orc-1']);
    play.roll('ada', [12, 5]);
    expect(play.state.fight?.attack?.incoming).toBe(7);
    play.roll('gm', [6, 6]).act('gm', 'dodge', { yes: false }).act('ada', 'endTurn').roll('bea', [4, 2], [6, 5]);
    expect(play.state.fight?.attack?.incoming).toBe(7);
  }),
  not('T1', 'a tile of which the box knows nothing, and faults in the box by place and remedy', () => {
    const play = new Play();
    expect(play.act('ada', 'equip', { tile: '999' }).verdict).toBe('refused unknown_tile dicebound:T1');
    expect(faultOf({ tiles: { '1': { slot: 'hat' } } })).toContain('tiles.1.slot is "hat" | tiles.1.slot: physical');
    expect(faultOf({ tiles: { '1': { slot: 'physical', cost: -1 } } })).toContain('tiles.1.cost is -1');
    expect(faultOf({ tiles: { '1': { slot: 'physical', die: 'd1' } } })).toContain('tiles.1.die is "d1"');
    expect(faultOf({ tiles: { __proto__x: { slot: 'physical' } } })).toContain('no id');
    expect(faultOf({ tiles: 7 })).toContain('tiles is 7');
    expect(faultOf({ perks: { knight: { '2': { kind: 'luck' } } } })).toContain('perks.knight.2.kind is "luck"');
    expect(faultOf({ perks: { knight: { '11': { kind: 'economy' } } } })).toContain('perks.knight.11 is no level');
    expect(faultOf({ monsters: { orc: { cost: 1, pv: 3, pa: 1, defence: 4, agility: 4 } } })).toContain('orc.attacks');
    expect(faultOf({ traps: { pit: { cost: 'x' } } })).toContain('traps.pit.cost is "x"');
    expect(faultOf({ environments: { fog: { cost: 1, magicCost: 1.5 } } })).toContain(
      'environments.fog.magicCost is 1.5',
    );
    expect(faultOf({ traps: { orc: { cost: 1 } } })).toContain('traps.orc is the name of one of the monsters too');
  }),
  taken('T2', 'armour raises Difesa, an accessory the roll its data name, both for nothing', () => {
    const play = new Play({}, armed({ armour: '121', accessory: '133' })).fight(['orc'], ['orc-1', 'ada', 'bea']);
    play.act('gm', 'attack', { weapon: 'physical', target: 'ada' }).roll('gm', [8, 8]).roll('ada', [6, 1], [10, 2]);
    expect(play.state.fight?.attack).toMatchObject({ left: 5 });
    play.act('ada', 'dodge', { yes: true }).roll('ada', [8, 1]);
    expect([play.hero('ada').pv, play.hero('ada').pa]).toEqual([17, 5]);
  }),
  not('T2', 'two tiles for one slot, a tile for another slot, an accessory that names no roll', () => {
    expect(faultOf({ startingTiles: { ada: ['101', '102'] } })).toContain(
      'startingTiles.ada[1] the physical slot is taken',
    );
    expect(faultOf({}, armed({ magic: '101' }))).toContain('seats[0].slots.magic is a tile for physical');
    expect(faultOf({ tiles: { '1': { slot: 'accessory', flat: 2 } } })).toContain('tiles.1.stat is missing');
    const play = new Play({}, armed({ physical: '101' }, { physical: '102' }));
    expect(play.act('ada', 'give', { tile: '101', to: 'bea' }).verdict).toBe('refused slot_taken dicebound:T2');
    expect(play.act('ada', 'equip', { tile: '101' }).verdict).toBe('refused no_change dicebound:T2');
  }),
  taken('T3', 'a weapon of another class costs one PA more, one without a class does not', () => {
    const cost = (slots: JsonObject): number => {
      const play = new Play({}, armed(slots)).fight(['orc'], ['ada', 'bea', 'orc-1']);
      return 6 - play.act('ada', 'attack', { weapon: Object.keys(slots)[0] ?? '' }).hero('ada').pa;
    };
    expect([cost({ physical: '101' }), cost({ physical: '102' }), cost({ magic: '112' })]).toEqual([2, 3, 1]);
    const potion = new Play(
      { tiles: { '9': { slot: 'accessory', class: 'mage', cost: 1, heal: 1 } } },
      armed({ accessory: '9' }),
    );
    expect(potion.act('ada', 'drink').hero('ada').pa).toBe(5);
  }),
  not('T3', 'a weapon that only its own class could still pay', () => {
    const play = new Play({}, armed({ magic: '111' })).act('gm', 'adjust', { who: 'ada', pa: 3 });
    play.fight(['orc'], ['ada', 'bea', 'orc-1']);
    expect(play.act('ada', 'attack', { weapon: 'magic' }).verdict).toBe('refused unaffordable dicebound:C3');
    expect(play.roll('ada', [4, 2]).verdict).toBe('refused unaffordable dicebound:C3');
  }),
  taken('T4', 'a potion is drunk, paid, and goes back to the bag; out of a fight a companion may get it', () => {
    const play = new Play({}, armed({ accessory: '131' }, { accessory: '131' })).act('gm', 'adjust', {
      who: 'bea',
      pv: 12,
    });
    play.act('ada', 'drink', { to: 'bea' });
    expect([play.hero('bea').pv, play.hero('ada').pa, play.hero('ada').slots.accessory]).toEqual([17, 4, null]);
    play.fight(['orc'], ['bea', 'ada', 'orc-1']).act('bea', 'drink');
    expect(play.hero('bea')).toMatchObject({ pv: 20, pa: 4, slots: { accessory: null } });
  }),
  not('T4', 'out of turn, for another in a fight, without a potion, without the PA, for the K.O.', () => {
    const play = new Play({}, armed({ accessory: '131' }, { accessory: '131' }));
    expect(play.act('gm', 'adjust', { who: 'bea', pv: 0 }).act('ada', 'drink', { to: 'bea' }).verdict).toBe(
      'refused target_ko dicebound:T4',
    );
    play.act('gm', 'adjust', { who: 'bea', pv: 5 }).act('gm', 'adjust', { who: 'bea', pa: 1 });
    expect(play.act('bea', 'drink').verdict).toBe('refused unaffordable dicebound:T4');
    play.fight(['orc'], ['ada', 'bea', 'orc-1']);
    expect(play.act('ada', 'drink', { to: 'bea' }).verdict).toBe('refused in_fight dicebound:T4');
    expect(play.act('bea', 'drink').verdict).toBe('refused wrong_seat dicebound:T4');
    expect(play.act('ada', 'drink').act('ada', 'drink').verdict).toBe('refused no_potion dicebound:T4');
  }),
  taken('T5', 'stars: damage, an extra die, a cheaper attack, or a text the GM applies', () => {
    const play = new Play({}, armed({ magic: '112', physical: '101', accessory: '134' }, { magic: '113' }));
    play.fight(['orc'], ['ada', 'bea', 'orc-1']).act('ada', 'star', { tile: '112' });
    expect([play.monster('orc-1').pv, play.hero('ada').pa]).toEqual([5, 5]);
    play.act('ada', 'star', { tile: '134' }).roll('ada', [12, 1], [4, 4]);
    expect(play.state.fight?.attack).toMatchObject({ incoming: 7, cost: 2 });
    play.roll('gm', [6, 6]).act('gm', 'dodge', { yes: false }).act('ada', 'endTurn');
    play.act('bea', 'star', { tile: '113' }).act('bea', 'attack', { weapon: 'magic' });
    expect([play.hero('bea').pa, play.state.fight?.attack?.cost]).toEqual([4, 1]);
    const text = new Play({}, armed({ accessory: '135' })).act('ada', 'star', { tile: '135' });
    expect([text.verdict, text.hero('ada').pa]).toEqual(['accepted', 5]);
  }),
  not('T5', 'beyond its limit, out of turn, without PA, on a tile without a star', () => {
    const play = new Play({}, armed({ magic: '112', physical: '101' }, { magic: '112' }));
    play.fight(['orc'], ['ada', 'bea', 'orc-1']).act('ada', 'star', { tile: '112' });
    expect(play.act('ada', 'star', { tile: '112' }).verdict).toBe('refused used_up dicebound:T5');
    expect(play.act('ada', 'star', { tile: '101' }).verdict).toBe('refused no_star dicebound:T5');
    expect(play.act('bea', 'star', { tile: '112' }).verdict).toBe('refused wrong_seat dicebound:T5');
    play.act('gm', 'adjust', { who: 'bea', pa: 0 }).act('ada', 'endTurn');
    expect(play.act('bea', 'star', { tile: '112' }).verdict).toBe('refused unaffordable dicebound:T5');
    expect(play.act('bea', 'star', { tile: '999' }).verdict).toBe('refused unknown_tile dicebound:T1');
  }),
  taken('T5', 'a limit per turn ends with the turn', () => {
    const play = new Play({}, armed({ magic: '112' })).fight(['boss'].slice(1).concat('orc', 'orc'), [
      'ada',
      'bea',
      'orc-1',
      'orc-2',
    ]);
    play.act('ada', 'star', { tile: '112', target: 'orc-1' }).act('ada', 'endTurn').act('bea', 'endTurn');
    play.act('gm', 'endTurn').act('gm', 'endTurn');
    expect(play.act('ada', 'star', { tile: '112', target: 'orc-1' }).verdict).toBe('accepted');
  }),
];
