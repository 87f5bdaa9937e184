import { afterAll, expect, test } from 'vitest';
import { cleanUp } from './daemon.js';
import { killDaemons } from './killing.js';

afterAll(cleanUp);

test('SIGKILL of a running game, 8 times, also in commits and checkpoints: what anybody was told is there, and the state is that of the replay', async () => {
  const report = await killDaemons(8);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  expect(report.acknowledged).toBeGreaterThan(150);
}, 240_000);
