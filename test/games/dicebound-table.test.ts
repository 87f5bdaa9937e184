import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RULE_TABLE } from '../mutate/dicebound-table.js';
import { mutated, sourceOf } from '../mutate/mutant.js';
import { ROWS } from './dicebound-rows.js';
import { COMMON_RULES, RULES } from './dicebound-rules.js';

const PAGE = fileURLToPath(new URL('../../docs/games/dicebound-rules.md', import.meta.url));

const HEAD = `# Dicebound: every rule and what shows it

Each row is a rule of the game, what its tests show (given, when, then), the tests by name, and one change of its
condition that at least one of them must notice. \`npm run mutate\` makes every change in turn, in memory, and runs the
tests of that rule; survivors: 0. This page is written by \`test/games/dicebound-table.test.ts\` (\`-u\`).

| rule | given | when | then | shown by | and if |
|---|---|---|---|---|---|
`;

test('every rule has a row, in the order of the page', () => {
  expect(RULE_TABLE.map(({ rule }) => rule)).toEqual([...RULES, ...COMMON_RULES]);
});

test.each(RULE_TABLE)('$rule: the change is still one change of the source', ({ mutation }) => {
  expect(mutated(mutation)).not.toBe(sourceOf(mutation.file));
});

test('the page of the rules says the same', async () => {
  const lines = RULE_TABLE.map(({ rule, given, when, then, mutation }) => {
    const shown = ROWS.filter((row) => row.rule === rule).map(({ how, title }) => `${how}: ${title}`);
    const cells = [rule, given, when, then, shown.join('<br>'), mutation.name];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  await expect(`${HEAD}${lines.join('\n')}\n`).toMatchFileSnapshot(PAGE);
});
