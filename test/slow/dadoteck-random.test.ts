import { expect, test } from 'vitest';
import { coverage, playGames, RULES } from '../games/dadoteck-games.js';

const GAMES = 10_000;

test(`${GAMES} games by computer end soundly, and no rule is left out`, () => {
  const tally = playGames(GAMES, 20_021_015);
  console.log(coverage(tally));
  expect(tally.corrected).toBeGreaterThan(0);
  expect(tally.loosened).toBeGreaterThan(0);
  for (const rule of RULES) {
    expect(tally.accepted.get(rule) ?? 0, `${rule} accepted`).toBeGreaterThan(0);
    expect(tally.refused.get(rule) ?? 0, `${rule} refused`).toBeGreaterThan(0);
  }
}, 1_800_000);
