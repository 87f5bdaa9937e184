// A whole daemon in a child process, as `tiro start` runs it, with what only a benchmark sets: the sync of the journal.
// Tells its CPU time and the delay of its event loop when asked.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { start } from '../dist/cli/start.js';
import { memory } from './memory.mjs';

const { args, tuning } = JSON.parse(process.argv[2] ?? '{}');
const lag = monitorEventLoopDelay({ resolution: 1 });
lag.enable();
process.on('message', (ask) => {
  if (ask === 'memory') return process.send?.(memory());
  if (ask === 'reset') lag.reset();
  const cpu = process.cpuUsage();
  process.send?.({ cpuMs: (cpu.user + cpu.system) / 1000, lagP99: lag.percentile(99) / 1e6, lagMax: lag.max / 1e6 });
});
process.on('disconnect', () => process.exit(0));
// Its channel to the benchmark would keep it.
process.exit(await start(args, { tuning }));
