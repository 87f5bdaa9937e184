import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { cleanUp, Daemon, freshFolder, PROGRAM } from './daemon.js';

afterEach(cleanUp);

const replay = (file: string) => spawnSync(process.execPath, [PROGRAM, 'replay', file], { encoding: 'utf8' });

test('tiro record runs the table and writes what tiro replay plays again to the same end', async () => {
  const file = join(freshFolder(), 'evening.tiro-rec');
  const daemon = await Daemon.start({ verb: ['record', file] });
  const done = await daemon.post('/api/v1/fake/fake-godice-d20/roll', { natural: 17 });
  expect(done.json.roll).toBe('prova-2');
  await daemon.post('/api/v1/fake/fake-pixels-d20/roll', { natural: 3 });
  expect(await daemon.stop()).toBe(0);
  const recording = replay(file);
  expect(recording.stderr).toBe('');
  expect(JSON.parse(recording.stdout)).toMatchObject({ table: 'prova', state: { rolls: 2 } });
  expect(recording.stdout).toBe(replay(join(daemon.data, 'journal.db')).stdout);
});
