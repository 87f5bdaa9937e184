import { fanOut } from './fan-out.mjs';
import { footprint } from './footprint.mjs';
import { latency } from './latency.mjs';
import { pixels } from './pixels-decode.mjs';
import { radio } from './radio.mjs';
import { rate } from './rate.mjs';
import { rolls } from './rolls.mjs';

const BENCHMARKS = new Map([
  ['latency', latency],
  ['rate', rate],
  ['fan-out', fanOut],
  ['footprint', footprint],
  ['pixels', pixels],
  ['rolls', rolls],
  ['radio', radio],
]);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BENCHMARKS.has(name));
if (unknown.length > 0) {
  console.error(`bench: no benchmark ${unknown.join(', ')}; there are ${[...BENCHMARKS.keys()].join(', ')}`);
  process.exit(2);
}
console.log(`Node ${process.version}, ${process.platform} ${process.arch}; median (least to most) over the rounds`);
for (const [name, run] of BENCHMARKS) if (wanted.length === 0 || wanted.includes(name)) await run();
process.exit(0);
