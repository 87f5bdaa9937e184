import { spawnSync } from 'node:child_process';

/** Builds dist/ once, before the first test file: tests that start the built program find it current. */
export default function buildOnce(): void {
  const run = spawnSync(process.execPath, ['scripts/setup.mjs'], { encoding: 'utf8' });
  if (run.status === 0) return;
  // Tests of sources run all the same while somebody's half-done file stops the build; in CI nothing may stop it.
  if (process.env.CI !== undefined) throw new Error(`scripts/setup.mjs failed:\n${run.stderr}`);
  process.stderr.write(run.stderr);
}
