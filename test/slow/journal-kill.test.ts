import { afterAll, expect, test } from 'vitest';
import { removeFolders } from '../journal/built.js';
import { killSeries } from '../journal/killing.js';

afterAll(removeFolders);

test('SIGKILL in full flow, 100 times, also in checkpoints: nothing acknowledged is lost (F086)', async () => {
  const written = await Promise.all([killSeries(50), killSeries(50)]);
  expect(Math.min(...written)).toBeGreaterThan(2000);
});
