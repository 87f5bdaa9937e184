// `npm start -- …`: sets up what is missing, then starts the table.
import { runTiro } from './tiro.mjs';

const ORPHAN_CHECK_MS = 200;

/**
 * npm runs this through a shell. Asked to stop, npm stops that shell only, which tells nobody: the table would go on
 * without a terminal. When the shell is gone, the table is asked to stop as by npm itself.
 */
function stopWithParent() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, ORPHAN_CHECK_MS);
  check.unref();
}

stopWithParent();
await runTiro(['start', ...process.argv.slice(2)]);
