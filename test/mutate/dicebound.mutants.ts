import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Row } from '../games/dicebound-rows-board.js';
import { RULE_TABLE } from './dicebound-table.js';

/** The cases of a rule, played by a game in which that rule's condition is another (or by the game as it is). */
async function casesOf(rule: string, mutant: string): Promise<readonly Row[]> {
  const path = fileURLToPath(new URL('../games/dicebound-rows.ts', import.meta.url));
  const { ROWS } = (await import(/* @vite-ignore */ `${path}?mutant=${mutant}`)) as { ROWS: readonly Row[] };
  return ROWS.filter((row) => row.rule === rule);
}

function fails({ run }: Row): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}

const lines: string[] = [];
let survivors = 0;

afterAll(() => {
  const table = lines.join('\n');
  process.stdout.write(`\n${table}\n\n${RULE_TABLE.length} mutations, survivors ${survivors}\n`);
});

test.each(RULE_TABLE)('$rule: $mutation.name', async ({ rule, mutation }) => {
  const sound = await casesOf(rule, 'none');
  expect(sound.filter(fails).map(({ title }) => title)).toEqual([]);
  const cases = await casesOf(rule, rule);
  const noticed = cases.filter(fails).length;
  survivors += noticed === 0 ? 1 : 0;
  lines.push(`${rule.padEnd(4)} ${noticed} of ${cases.length} cases fail with: ${mutation.name} (${mutation.file})`);
  expect(noticed, 'the mutation survives').toBeGreaterThan(0);
});
