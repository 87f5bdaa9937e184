import { describe, expect, test } from 'vitest';
import { PV_LOST, WIN_RATE } from '../../src/games/dicebound/balance.js';
import { MAX_LEVEL } from '../../src/games/dicebound/thresholds.js';
import { measured } from '../balance/dicebound-cell.js';
import { Play, SEATS } from './dicebound-play.js';

describe('the balance of rooms', () => {
  test('is known for every level and for parties of one to six', () => {
    expect([WIN_RATE.length, PV_LOST.length]).toEqual([MAX_LEVEL, MAX_LEVEL]);
    expect([...WIN_RATE, ...PV_LOST].every((row) => row.length === 6)).toBe(true);
    expect(WIN_RATE.flat().every((rate) => rate >= 0 && rate <= 1)).toBe(true);
    expect(PV_LOST.flat().every((lost) => lost > 0 && lost <= 20)).toBe(true);
  });

  test('is what these rules give: a few rooms played again come near it', () => {
    const { winRate, pvLost } = measured(1, 1, 12);
    expect(Math.abs(winRate - (WIN_RATE[0]?.[0] ?? 9))).toBeLessThan(0.25);
    expect(Math.abs(pvLost - (PV_LOST[0]?.[0] ?? 99))).toBeLessThan(3);
  });

  test('is told to the GM for the room that is bought or open, by who is there', () => {
    const at = (level: number, heads: number) => ({
      forecast: { level, heads, winRate: WIN_RATE[level - 1]?.[heads - 1], pvLost: PV_LOST[level - 1]?.[heads - 1] },
    });
    const play = new Play({ level: 3 });
    expect(play.view()).toMatchObject(at(3, 2));
    play.act('gm', 'present', { who: 'bea', yes: false });
    expect(play.view()).toMatchObject(at(3, 1));
    play.act('gm', 'openRoom', { buy: ['orc'] }).act('gm', 'present', { who: 'bea', yes: true });
    expect(play.view()).toMatchObject(at(3, 1));
    expect(play.view({ role: 'seat', seat: 'ada' })).not.toHaveProperty('forecast');
    const many = Array.from({ length: 8 }, (_, n) => ({ ...SEATS[0], id: `s${n}` }));
    expect(new Play({ level: 1 }, many).view()).toMatchObject({ forecast: { heads: 8, winRate: WIN_RATE[0]?.[5] } });
  });
});
