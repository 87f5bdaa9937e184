import { expect, test } from 'vitest';
import { coverage, playFights } from './dicebound-games.js';
import { RULES } from './dicebound-rules.js';

const FIGHTS = 120;

test(`${FIGHTS} fights by computer end soundly, and every rule is met by deeds taken and not taken`, () => {
  const tally = playFights(FIGHTS, 708);
  console.log(coverage(tally));
  for (const rule of RULES) {
    expect(tally.taken.get(rule) ?? 0, `${rule} taken`).toBeGreaterThan(0);
    expect(tally.notTaken.get(rule) ?? 0, `${rule} not taken`).toBeGreaterThan(0);
  }
  expect(tally.killed).toBeGreaterThan(0);
  expect(tally.corrected).toBeGreaterThan(20);
  expect(tally.unfit).toBeGreaterThan(0);
  expect(tally.brokenOff / tally.fights).toBeLessThan(0.02);
  expect(tally.wrong / tally.deeds).toBeGreaterThan(0.12);
}, 300_000);
