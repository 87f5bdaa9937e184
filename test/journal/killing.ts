import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { inspectJournal } from '../../src/journal/backup.js';
import { openJournalReader } from '../../src/journal/reader.js';
import { child, ended, freshFolder } from './built.js';

/** Kills the writer at a random moment. @returns the highest number it had acknowledged */
async function killedWriter(dir: string): Promise<number> {
  const writer = child('writer.mjs', dir, '40');
  if (writer.stdout === null) throw new Error('no output');
  const gone = ended(writer);
  let acknowledged = 0;
  createInterface(writer.stdout).on('line', (line) => {
    if (acknowledged === 0) void delay(Math.random() * 120).then(() => writer.kill('SIGKILL'));
    if (Number(line) <= acknowledged) throw new Error(`${line} is acknowledged after ${acknowledged}`);
    acknowledged = Number(line);
  });
  await gone;
  if (acknowledged === 0) throw new Error('the writer ended before its first record');
  return acknowledged;
}

/**
 * Kills a writer again and again on one journal and looks each time whether all it acknowledged is there, in its place.
 * @returns how many records were written in all
 */
export async function killSeries(kills: number): Promise<number> {
  const dir = freshFolder();
  let count = 0;
  for (let kill = 0; kill < kills; kill++) {
    const acknowledged = await killedWriter(dir);
    const reader = openJournalReader(dir);
    if (!reader.ok) throw new Error(reader.error.message);
    count = 0;
    for (const record of reader.value.records('tavolo')) {
      count += 1;
      if (record.seq !== count || record.body.n !== count || record.origin !== `w:${count}`) {
        throw new Error(`record ${record.seq} stands in place ${count}`);
      }
    }
    reader.value.close();
    if (count < acknowledged) throw new Error(`${acknowledged} was acknowledged, ${count} records are there`);
  }
  const whole = inspectJournal(join(dir, 'journal.db'));
  if (!whole.ok) throw new Error(whole.error.message);
  return count;
}
