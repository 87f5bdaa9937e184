import { defineConfig } from 'vitest/config';
import { mutants } from './mutant.js';

export default defineConfig({
  plugins: [mutants()],
  test: {
    include: ['test/mutate/dicebound.mutants.ts'],
    pool: 'threads',
    testTimeout: 120_000,
    reporters: ['dot'],
  },
});
