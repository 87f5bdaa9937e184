import { expect, test } from 'vitest';
import { coverage, playFights } from '../games/dicebound-games.js';
import { RULES } from '../games/dicebound-rules.js';

const FIGHTS = 5_000;

test(`${FIGHTS} fights by computer end soundly, and no rule is left out`, () => {
  const tally = playFights(FIGHTS, 20_260_101);
  console.log(coverage(tally));
  for (const rule of RULES) {
    expect(tally.taken.get(rule) ?? 0, `${rule} taken`).toBeGreaterThan(0);
    expect(tally.notTaken.get(rule) ?? 0, `${rule} not taken`).toBeGreaterThan(0);
  }
}, 1_800_000);
