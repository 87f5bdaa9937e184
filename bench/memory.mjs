// Memory of a benchmark's child after a full collection, however it was started.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** @returns bytes: `rss` of the process, `heap` with what lies outside of it (buffers) */
export function memory() {
  for (let n = 0; n < 3; n++) collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heap: heapUsed + external };
}
