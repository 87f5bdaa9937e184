import { afterAll, expect, test } from 'vitest';
import { cleanUp } from '../daemon/daemon.js';
import { killDaemons } from '../daemon/killing.js';

afterAll(cleanUp);

test('SIGKILL of a running game, 200 times, also in commits and checkpoints: what anybody was told is there, and the state is that of the replay', async () => {
  const began = performance.now();
  const series = async (): Promise<number[]> => {
    const acknowledged: number[] = [];
    for (let folder = 0; folder < 4; folder++) {
      const report = await killDaemons(25);
      process.stdout.write(`${JSON.stringify(report)}\n`);
      acknowledged.push(report.acknowledged);
    }
    return acknowledged;
  };
  const all = (await Promise.all([series(), series()])).flat();
  process.stdout.write(
    `200 kills in ${((performance.now() - began) / 1000).toFixed(0)} s, ${all.reduce((sum, one) => sum + one, 0)} acknowledged, 0 lost\n`,
  );
  expect(Math.min(...all)).toBeGreaterThan(500);
}, 3_600_000);
