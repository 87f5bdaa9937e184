// Saves settings 20 times on a full disk.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../dist/journal/atomic-file.js';

const [dir] = process.argv.slice(2);
const file = join(dir, 'settings.json');
const settings = JSON.stringify({ old: 'x'.repeat(9000) });
await replaceFile(file, settings);
const filler = join(dir, 'filler');
try {
  writeFileSync(filler, Buffer.alloc(200_000));
} catch {
  // As much as there was room for.
}
for (let n = 0; n < 20; n++) {
  await assert.rejects(replaceFile(file, JSON.stringify({ n, more: 'y'.repeat(20_000) })), { code: 'ENOSPC' });
  assert.equal(readFileSync(file, 'utf8'), settings);
}
assert.deepEqual(readdirSync(dir).sort(), ['filler', 'settings.json'], 'no draft is left');
rmSync(filler);
await replaceFile(file, '{"new":true}');
assert.equal(readFileSync(file, 'utf8'), '{"new":true}');
console.log('old settings kept');
