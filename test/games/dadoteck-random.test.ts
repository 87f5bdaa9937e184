import { expect, test } from 'vitest';
import { coverage, playGames, RULES } from './dadoteck-games.js';

const GAMES = 400;

test(`${GAMES} games by computer end soundly, and every rule is met by accepted and by refused deeds`, () => {
  const tally = playGames(GAMES, 706);
  console.log(coverage(tally));
  expect(tally.corrected).toBeGreaterThan(0);
  expect(tally.loosened).toBeGreaterThan(0);
  for (const rule of RULES) {
    expect(tally.accepted.get(rule) ?? 0, `${rule} accepted`).toBeGreaterThan(0);
    expect(tally.refused.get(rule) ?? 0, `${rule} refused`).toBeGreaterThan(0);
  }
  expect(tally.winners.get('somebody')).toBeGreaterThan(0);
  expect(tally.winners.get('nobody')).toBeGreaterThan(0);
  expect(tally.illegal / tally.deeds).toBeGreaterThan(0.12);
});
