// `npm run mutate`: changes the condition of each rule of Dicebound and runs the rule's tests: at least one must fail.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setUpOrExit } from './setup.mjs';

setUpOrExit();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const config = join(root, 'test', 'mutate', 'vitest.config.ts');
const run = spawnSync(process.execPath, [vitest, 'run', '--config', config, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
