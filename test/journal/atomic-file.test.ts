import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { replaceFile } from '../../src/journal/atomic-file.js';
import { freshFolder, onTinyDisk, removeFolders } from './built.js';

afterAll(removeFolders);

test('a file is replaced whole, keeps its mode, and a new one is private', async () => {
  const dir = freshFolder();
  const file = join(dir, 'tokens.json');
  await replaceFile(file, '{"a":1}');
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o640);
  await replaceFile(file, Buffer.from('{"a":2}'));
  expect(readFileSync(file, 'utf8')).toBe('{"a":2}');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(dir)).toEqual(['tokens.json']);
});

test('a reader sees the old or the new content, never a part', async () => {
  const file = join(freshFolder(), 'settings.json');
  await replaceFile(file, 'a'.repeat(100_000));
  let isWriting = true;
  const writing = (async () => {
    for (let n = 0; n < 30; n++) await replaceFile(file, (n % 2 === 0 ? 'b' : 'a').repeat(100_000 + n));
    isWriting = false;
  })();
  while (isWriting) {
    expect(readFileSync(file, 'utf8')).toMatch(/^(a{100000,}|b{100000,})$/);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writing;
});

test('a link is followed, and what cannot be written is left as it was', async () => {
  const dir = freshFolder();
  writeFileSync(join(dir, 'true.json'), 'old');
  symlinkSync('true.json', join(dir, 'link.json'));
  await replaceFile(join(dir, 'link.json'), 'new');
  expect(lstatSync(join(dir, 'link.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(dir, 'true.json'), 'utf8')).toBe('new');
  mkdirSync(join(dir, 'folder', 'sub'), { recursive: true });
  await expect(replaceFile(join(dir, 'folder'), 'x')).rejects.toThrow();
  await expect(replaceFile(join(dir, 'none', 'file'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(readdirSync(dir).sort()).toEqual(['folder', 'link.json', 'true.json']);
});

test('on a full disk the old settings stay, 20 times (F017)', async () => {
  const { code, output } = await onTinyDisk('64k', 'full-disk-file.mjs');
  expect(output).toBe('old settings kept\n');
  expect(code).toBe(0);
});
