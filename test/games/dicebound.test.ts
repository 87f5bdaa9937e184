import { describe, expect, it } from 'vitest';
import { BOARD_ROWS } from './dicebound-rows-board.js';
import { CAMP_ROWS, ROOM_ROWS } from './dicebound-rows-camp.js';
import { ATTACK_ROWS, END_ROWS, ORDER_ROWS } from './dicebound-rows-fight.js';
import { RULES } from './dicebound-rules.js';

const ROWS = [...BOARD_ROWS, ...CAMP_ROWS, ...ORDER_ROWS, ...ATTACK_ROWS, ...END_ROWS, ...ROOM_ROWS];

describe.each(['taken', 'not taken'] as const)('%s', (how) => {
  it.each(ROWS.filter((row) => row.how === how))('$rule $title', ({ run }) => {
    run();
    expect.hasAssertions();
  });

  it('every rule of the page has a case', () => {
    const named = new Set(ROWS.filter((row) => row.how === how).map(({ rule }) => rule));
    expect(RULES.filter((rule) => !named.has(rule))).toEqual([]);
  });
});
