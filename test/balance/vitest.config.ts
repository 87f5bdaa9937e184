import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/balance/dicebound.balance.ts'],
    pool: 'threads',
    testTimeout: 3_600_000,
    reporters: ['dot'],
    disableConsoleIntercept: true,
  },
});
