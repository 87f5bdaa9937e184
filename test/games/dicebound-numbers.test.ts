import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/dice/json.js';
import { readBox } from '../../src/games/dicebound/box.js';
import { dicebound } from '../../src/games/dicebound/dicebound.js';
import { Reader } from '../../src/games/dicebound/reader.js';
import { SAMPLES } from '../../src/games/dicebound/samples/samples.js';
import type { StoredEvent } from '../../src/games/game.js';
import { Play, SEATS } from './dicebound-play.js';

const players = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({ ...SEATS[at % 2], id: `p${at + 1}` }));

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** Experience a head from one level to the next, counted in rooms of 3L + 2 by hand: 4 of them at level L. */
const STEPS = [20, 32, 44, 56, 68, 80, 92, 104, 116];

describe('numbers derived apart from the program', () => {
  it('threat budget: three points a level and two more, a head (G1)', () => {
    const table = range(1, 10).map((level) =>
      range(1, 6).map((count) => (new Play({ level }, players(count)).view().budget as JsonObject).total),
    );
    const firstRow = [5, 10, 15, 20, 25, 30];
    const derived = range(0, 9).map((row) => firstRow.map((start, column) => start + row * 3 * (column + 1)));
    expect(table).toEqual(derived);
    expect([table[2]?.[3], table[0]?.[3]]).toEqual([44, 20]);
  });

  it('thresholds: cumulative sums of the steps, times players, times the campaign (G6)', () => {
    for (const [campaign, tenths] of [
      ['fast', 5],
      ['medium', 10],
      ['epic', 20],
    ] as const) {
      for (const count of range(1, 6)) {
        let sum = 0;
        for (const [at, step] of STEPS.entries()) {
          const play = new Play({ campaign, level: at + 1 }, players(count));
          const have = (sum * tenths * count) / 10;
          sum += step;
          expect(play.view().xp).toEqual({ have, next: (sum * tenths * count) / 10 });
        }
      }
    }
    expect(STEPS.reduce((sum, step) => sum + step, 0)).toBe(612);
  });

  it('exactly 2, 4 or 8 rooms at every level, whatever the number of players (G6)', () => {
    for (const [campaign, rooms] of [
      ['fast', 2],
      ['medium', 4],
      ['epic', 8],
    ] as const) {
      for (const count of [1, 3]) {
        const play = new Play({ campaign }, players(count));
        const won: number[] = [];
        for (let level = 1; level < 10; level += 1) {
          let n = 0;
          for (; play.state.level === level; n += 1)
            play.act('gm', 'openRoom', { buy: ['calm'] }).act('gm', 'closeRoom');
          won.push(n);
        }
        expect(won).toEqual(won.map(() => rooms));
        expect(won).toHaveLength(9);
      }
    }
  });

  it('three base attacks at most: 1 + 2 + 3 are all six PA (C7)', () => {
    const play = new Play().fight(['orc'], ['ada', 'bea', 'orc-1']);
    const left: number[] = [];
    while (play.act('ada', 'attack', { weapon: 'base' }).verdict === 'accepted') {
      left.push(play.hero('ada').pa);
      play.roll('ada', [12, 1]).roll('gm', [6, 6]);
    }
    expect(left).toEqual([5, 3, 0]);
  });

  it('horde dice over its whole life: so many that dice x PV at start covers all dice x PV left (G4)', () => {
    const play = new Play().act('gm', 'openRoom', { buy: ['swarm'] });
    const dice = range(1, 10).map((pv) => {
      play.act('gm', 'adjust', { who: 'swarm-1', pv });
      return (play.view().monsters as { [id: string]: JsonObject })['swarm-1']?.attackDice;
    });
    expect(dice).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    for (const [at, count] of dice.entries()) {
      const least = range(1, 5).find((one) => one * 10 >= 5 * (at + 1));
      expect(count).toBe(least);
    }
  });
});

describe('the samples', () => {
  it('are as many as promised, named as samples in both languages, and fit the checks of the box', () => {
    const { classes, tiles, perks, monsters, traps, environments } = SAMPLES;
    const all = Object.values(tiles);
    const single = Object.values(monsters).filter((one) => one.horde === null);
    expect(Object.keys(classes).length).toBeGreaterThanOrEqual(4);
    for (const id of Object.keys(classes)) expect(Object.keys(perks[id] ?? {})).toEqual(range(2, 10).map(String));
    expect(all.length).toBeGreaterThanOrEqual(60);
    for (const slot of ['physical', 'magic', 'armour', 'accessory']) {
      for (const rarity of ['common', 'rare', 'legendary']) {
        expect(
          all.some((tile) => tile.slot === slot && tile.rarity === rarity),
          `${rarity} ${slot}`,
        ).toBe(true);
      }
    }
    expect(all.filter((tile) => tile.consumable).length).toBeGreaterThanOrEqual(8);
    expect(single.length).toBeGreaterThanOrEqual(12);
    expect([Math.min(...single.map((one) => one.cost)), Math.max(...single.map((one) => one.cost))]).toEqual([2, 15]);
    expect(Object.values(monsters).length - single.length).toBeGreaterThanOrEqual(3);
    expect([Object.keys(traps).length, Object.keys(environments).length]).toEqual([6, 6]);
    for (const entry of [classes, tiles, monsters, traps, environments].flatMap((table) => Object.values(table))) {
      expect(entry.name?.it).toContain('(esempio)');
      expect(entry.name?.en).toContain('(sample)');
    }
    const reader = new Reader();
    const again = JSON.parse(JSON.stringify(SAMPLES)) as JsonObject;
    expect(readBox(reader, again, SAMPLES)).toEqual(SAMPLES);
    expect(reader.faults).toEqual([]);
  });
});

describe('what each audience sees', () => {
  it('players see bands and dice on the table, never the values, the traps or the secret roll', () => {
    const play = new Play({ ambushRoll: 'dice', level: 3 });
    play.act('gm', 'rest');
    expect(dicebound.view(play.state, { role: 'spectator' }).awaited).toEqual([]);
    expect(dicebound.view(play.state, { role: 'gm' }).awaited).toHaveLength(1);
    play.roll('gm', ['d00', 90], [10, 9]).fight(['boss', 'pit'], ['ada', 'bea', 'boss-1']);
    const secret = play.events.filter((event) => event.to !== undefined).map((event) => event.kind);
    expect(secret).toEqual(['landed', 'landed', 'ambush_number', 'purchases']);
    const bands = [40, 21, 11, 10].map((pv) => {
      play.act('gm', 'adjust', { who: 'boss-1', pv });
      return play.view({ role: 'seat', seat: 'ada' }).monsters;
    });
    expect(bands).toEqual(
      ['unhurt', 'hurt', 'badly_hurt', 'nearly_down'].map((band) => ({ 'boss-1': { kind: 'boss', band, pawn: 'd4' } })),
    );
    expect(play.view().monsters).toMatchObject({ 'boss-1': { pv: 10, pa: 6, defence: 10 } });
    const text = JSON.stringify(play.view({ role: 'spectator' }));
    expect(text).not.toContain('pit');
    expect(text).not.toContain('"bought"');
  });

  it('an event of a later version or an unknown kind is not taken for one of these', () => {
    const [event] = new Play().events;
    expect(dicebound.upcast(JSON.parse(JSON.stringify(event)) as StoredEvent)).toEqual(event);
    expect(dicebound.upcast({ kind: 'opened', ev: 2 })).toBeUndefined();
    expect(dicebound.upcast({ kind: 'constructor', ev: 1 })).toBeUndefined();
  });
});
