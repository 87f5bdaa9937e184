import { describe, expect, it } from 'vitest';
import { ROWS } from './dicebound-rows.js';
import { RULES } from './dicebound-rules.js';

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
