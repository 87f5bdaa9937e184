// Plays on a tiny disk: fills it, goes on playing, frees it, and tells what became of the records.
import assert from 'node:assert/strict';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openJournal } from '../../../dist/journal/open.js';
import { openJournalReader } from '../../../dist/journal/reader.js';

const [dir] = process.argv.slice(2);
const opened = await openJournal({ dir, tuning: { checkpointIdleMs: 20 } });
assert(opened.ok, 'the journal opens on an empty disk');
const journal = opened.value;
const states = [];
journal.onState((state) => states.push(state));

const done = [];
let seq = 0;
const write = () => {
  const mine = ++seq;
  const body = { n: mine, text: 'x'.repeat(900) };
  const record = { table: 'tavolo', seq: mine, at: Date.now(), clock: 'trusted', kind: 'roll', body };
  return journal.append({ records: [record] }).then(() => done.push(mine));
};

for (let n = 0; n < 10; n++) await write();
const filler = join(dir, 'filler');
let room = statfsSync(dir);
writeFileSync(filler, Buffer.alloc(Math.max(0, (room.bavail - 2) * room.bsize)));
// Room for two pages: some of these get onto the disk, one is cut short, the rest wait.
let last = performance.now();
let worst = 0;
const watch = setInterval(() => {
  worst = Math.max(worst, performance.now() - last - 5);
  last = performance.now();
}, 5);
for (let n = 0; n < 200 && states.length === 0; n++) {
  void write();
  await delay(5);
}
assert.equal(states[0]?.state, 'degraded', 'a full disk is told');
assert.match(states[0].reason, /full|disk/);
const before = done.length;
for (let n = 0; n < 50; n++) {
  void write();
  await delay(2);
}
assert.equal(done.length, before, 'nothing is acknowledged meanwhile');
assert(journal.waiting() >= 50);
rmSync(filler);
for (let n = 0; n < 500 && journal.waiting() > 0; n++) await delay(10);
clearInterval(watch);
assert.equal(journal.waiting(), 0, 'all is written when there is room');
assert.equal(journal.state().state, 'writing');
assert.deepEqual(
  done,
  [...done.keys()].map((index) => index + 1),
  'acknowledged in order',
);
void write();
void write();
await write();
assert.equal(await journal.close(), 0);

const reader = openJournalReader(dir);
assert(reader.ok);
const found = [...reader.value.records('tavolo')].map((record) => record.seq);
assert.deepEqual(
  found,
  [...found.keys()].map((index) => index + 1),
);
assert.equal(found.length, seq, 'every record is there after a restart');
assert(worst < 200, `the event loop stood still for ${worst} ms`);
room = statfsSync(dir);
console.log(`degraded, then wrote all ${seq}`);
