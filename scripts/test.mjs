// `npm test [-- --slow] [-- what vitest takes]`: sets up what is missing, then runs the tests and counts the skipped ones.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setUpOrExit } from './setup.mjs';

setUpOrExit();
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const slow = process.argv.includes('--slow');
const args = process.argv.slice(2).filter((arg) => arg !== '--slow');
const folder = mkdtempSync(join(tmpdir(), 'tiro-test-'));
const report = join(folder, 'report.json');

const run = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...(slow ? { TIRO_SLOW: '1' } : {}) } },
);

let skipped = 0;
try {
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  skipped = counts.numPendingTests + counts.numTodoTests;
  process.stdout.write(
    `\nskipped: ${skipped}\n${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${skipped} skipped\n`,
  );
} catch {
  process.stderr.write('vitest left no report: see above\n');
}
rmSync(folder, { recursive: true, force: true });
process.exit(run.status !== 0 ? (run.status ?? 1) : skipped > 0 && process.env.CI !== undefined ? 1 : 0);
