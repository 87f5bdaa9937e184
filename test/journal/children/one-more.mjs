// Writes 20 records, prints the size of the -wal, writes one more, prints its size again, and waits for the SIGKILL.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../../dist/journal/open.js';

const [dir] = process.argv.slice(2);
const opened = await openJournal({ dir, tuning: { checkpointIdleMs: 60_000 } });
if (!opened.ok) throw new Error(opened.error.message);
const journal = opened.value;
const write = (seq) => {
  const record = {
    table: 'tavolo',
    seq,
    at: 1_764_000_000_000 + seq,
    clock: 'trusted',
    kind: 'roll',
    body: { n: seq },
  };
  return journal.append({ records: [record] });
};
const walSize = () => statSync(join(dir, 'journal.db-wal')).size;
for (let seq = 1; seq <= 20; seq++) await write(seq);
const before = walSize();
await write(21);
console.log(JSON.stringify({ before, after: walSize() }));
setTimeout(() => {}, 30_000);
