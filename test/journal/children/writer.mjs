// Writes records without end, many at a time, and prints the number of each one that is on disk.
import { writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { openJournal } from '../../../dist/journal/open.js';

const [dir, pages] = process.argv.slice(2);
const tuning = { checkpointIdleMs: 2, checkpointPages: Number(pages) };
const opened = await openJournal({ dir, tuning });
if (!opened.ok) throw new Error(opened.error.message);
const journal = opened.value;
const tell = (text) => {
  for (;;) {
    try {
      return writeSync(1, text);
    } catch (error) {
      // The reader is behind; an acknowledgement that is not told proves nothing.
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
};
let seq = (await journal.read('tavolo', 0, 1_000_000)).at(-1)?.seq ?? 0;
let flying = 0;
for (;;) {
  // Bursts, and now and then a pause in which the idle checkpoint comes.
  const burst = 1 + Math.floor(Math.random() * 20);
  for (let n = 0; n < burst; n++) {
    seq += 1;
    const mine = seq;
    const record = { table: 'tavolo', seq, at: Date.now(), clock: 'trusted', kind: 'roll', origin: `w:${seq}` };
    flying += 1;
    journal.append({ records: [{ ...record, body: { n: seq, text: 'x'.repeat(seq % 700) } }] }).then(() => {
      flying -= 1;
      tell(`${mine}\n`);
    });
  }
  if (Math.random() < 0.02) await new Promise((resolve) => setTimeout(resolve, 6));
  while (flying > 60) await turn();
  await turn();
}
