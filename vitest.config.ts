import { defineConfig } from 'vitest/config';

const slow = process.env.TIRO_SLOW !== undefined;

export default defineConfig({
  test: {
    include: slow ? ['test/slow/**/*.test.ts'] : ['test/**/*.test.ts'],
    exclude: slow ? ['node_modules/**'] : ['test/slow/**', 'node_modules/**'],
    globalSetup: ['test/setup/global.ts'],
    pool: 'threads',
    testTimeout: slow ? 600_000 : 20_000,
    hookTimeout: 60_000,
  },
});
