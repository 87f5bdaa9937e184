import { defineConfig } from 'vitest/config';

const slow = process.env.TIRO_SLOW !== undefined;

/** The native serial binding polls on the main thread's loop: in a worker thread it takes the whole process down. */
const serial = 'test/**/*serial*.test.ts';
const apart = ['test/slow/**', 'node_modules/**'];

export default defineConfig({
  test: {
    globalSetup: ['test/setup/global.ts'],
    // Only for what hangs: a machine that builds something beside the tests is five times slower.
    testTimeout: slow ? 600_000 : 60_000,
    hookTimeout: 60_000,
    // Many files wait for daemons, brokers, dice and browsers: three at once keep two cores busy without starving them.
    maxWorkers: 3,
    projects: slow
      ? [
          {
            extends: true,
            test: { name: 'slow', pool: 'threads', include: ['test/slow/**/*.test.ts'], exclude: ['node_modules/**'] },
          },
        ]
      : [
          {
            extends: true,
            test: { name: 'threads', pool: 'threads', include: ['test/**/*.test.ts'], exclude: [serial, ...apart] },
          },
          { extends: true, test: { name: 'forks', pool: 'forks', include: [serial], exclude: apart } },
        ],
  },
});
