// `npm run bench [-- latency|rate|fan-out|footprint|pixels|rolls|radio]`: sets up what is missing, then prints
// ratios against a baseline of the same run.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setUpOrExit } from './setup.mjs';

setUpOrExit();
if (spawnSync('socat', ['-V']).error !== undefined) {
  process.stderr.write('bench: socat is needed for a serial line that is not there (Debian: apt install socat)\n');
  process.exit(1);
}
const run = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('../bench/run.mjs', import.meta.url)), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
process.exit(run.status ?? 1);
