import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/slow/**', 'node_modules/**'],
    pool: 'threads',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
