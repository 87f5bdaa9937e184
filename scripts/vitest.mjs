// Runs vitest with a configuration of its own, for what is no test suite: mutations, balance.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setUpOrExit } from './setup.mjs';

export function runVitest(config) {
  setUpOrExit();
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--config', join(root, config), ...process.argv.slice(2)];
  const run = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  process.exit(run.status ?? 1);
}
