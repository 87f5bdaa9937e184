import { writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { MAX_LEVEL } from '../../src/games/dicebound/thresholds.js';
import { type Cell, measured } from './dicebound-cell.js';

/** Party sizes that are played. */
const MAX_HEADS = 6;
const TABLE = fileURLToPath(new URL('../../src/games/dicebound/balance.ts', import.meta.url));

const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, at) => at + 1);
const rows = (cells: readonly (readonly number[])[]): string => cells.map((row) => `  [${row.join(', ')}],\n`).join('');

test('plays the standard parties and writes their table', async () => {
  const won: number[][] = [];
  const lost: number[][] = [];
  const played: Cell[] = [];
  for (const level of upTo(MAX_LEVEL)) {
    const cells = upTo(MAX_HEADS).map((heads) => measured(level, heads));
    won.push(cells.map((cell) => cell.winRate));
    lost.push(cells.map((cell) => cell.pvLost));
    played.push(...cells);
    const told = cells.map(({ winRate, pvLost, error }) =>
      `${(winRate * 100).toFixed(0)} ±${(error * 100).toFixed(0)} % -${pvLost.toFixed(1)}`.padStart(15),
    );
    process.stdout.write(`level ${String(level).padStart(2)} ${told.join('')}\n`);
    // What a worker writes is told only between its tasks.
    await setImmediate();
  }
  const rooms = played.reduce((sum, cell) => sum + cell.rooms, 0);
  const widest = Math.max(...played.map(({ error }) => error));
  process.stdout.write(`${rooms} rooms; standard error of a share at most ${(widest * 100).toFixed(1)} points\n`);
  writeFileSync(
    TABLE,
    `// Made by \`npm run balance\`: rows are levels 1 to ${MAX_LEVEL}, columns parties of 1 to ${MAX_HEADS}.

/** Share of rooms bought for the whole budget that a fresh party of the sample classes wins; standard error 0.05. */
export const WIN_RATE: readonly (readonly number[])[] = [
${rows(won)}];

/** PV that each hero of such a party loses in such a room on average, 0 to 20. */
export const PV_LOST: readonly (readonly number[])[] = [
${rows(lost)}];
`,
  );
});
