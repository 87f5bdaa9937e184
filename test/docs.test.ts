import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examplesOf, matches } from './docs/examples.js';
import { Session } from './docs/session.js';

const pages = [
  'README.md',
  'README.it.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file))
    .sort(),
];

describe('the examples of', () => {
  const withExamples = pages.filter((page) => examplesOf(readFileSync(page, 'utf8')).length > 0);

  it.each(withExamples)(
    '%s do what the page says',
    async (page) => {
      const session = await Session.open();
      try {
        for (const { line, script, expected } of examplesOf(readFileSync(page, 'utf8'))) {
          const printed = await session.run(script).catch((error: Error) => {
            throw new Error(`${page}:${line}: ${error.message}`);
          });
          if (expected !== undefined && !matches(printed, expected)) {
            expect(printed, `${page}:${line}`).toBe(expected.text);
          }
        }
      } finally {
        await session.close();
      }
    },
    180_000,
  );

  it('the two first pages are there, and are the same examples in both languages', () => {
    const scripts = (page: string) => examplesOf(readFileSync(page, 'utf8')).map(({ script }) => script);
    expect(withExamples).toEqual(expect.arrayContaining(['README.md', 'README.it.md']));
    expect(scripts('README.it.md')).toEqual(scripts('README.md'));
  });
});

it('every link between pages leads somewhere', () => {
  const broken = pages.flatMap((page) => {
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)].map((match) => match[1] ?? '');
    const files = links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => normalize(join(dirname(page), link)));
    return files.filter((file) => !existsSync(file)).map((file) => `${page}: ${file}`);
  });
  expect(broken).toEqual([]);
});

describe('the table of failures', () => {
  const rows = readFileSync('docs/failures.md', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      return /^F\d{3}$/.test(cells[1] ?? '')
        ? [{ id: cells[1] ?? '', shown: cells[4] ?? '', owner: cells[5] ?? '' }]
        : [];
    });

  it('has every row once, in order, each with its test or its owner', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.map(({ id }) => id)).toEqual([...new Set(rows.map(({ id }) => id))].sort());
    expect(
      rows.filter(({ shown, owner }) => shown === '' && !/^([3-6]|later)/.test(owner)).map(({ id }) => id),
    ).toEqual([]);
  });

  it('names tests that exist and name the row', () => {
    const wrong = rows.flatMap(({ id, shown }) => {
      const files = [...shown.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
      return files
        .filter((file) => !existsSync(file) || !readFileSync(file, 'utf8').includes(id))
        .map((file) => `${id}: ${file}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the reader of examples', () => {
  const page = [
    '```sh',
    'echo a',
    '```',
    '',
    '```text',
    'a',
    '```',
    'word',
    '```sh',
    'true',
    '```',
    'then',
    '```json',
    '{}',
    '```',
  ];

  it('pairs a script with the block right behind it', () => {
    expect(examplesOf(page.join('\n'))).toEqual([
      { line: 1, script: 'echo a', expected: { text: 'a', json: false } },
      { line: 9, script: 'true' },
    ]);
    expect(() => examplesOf('```sh\necho')).toThrow('without end');
  });

  it.each([
    ['a\nb\n', 'a\nb', false, true],
    ['a\nb\n', 'a\nc', false, false],
    ['port 8706 (pid 12)', 'port 8706 (pid …)', false, true],
    ['one\ntwo\nthree', 'one\n…\nthree', false, true],
    ['one\ntwo', '…\nthree', false, false],
    ['{"a":1,\n "b":[2]}', '{ "a": 1, "b": […] }', true, true],
    ['{"a":1}', '{ "a": 2 }', true, false],
    ['axb', 'a.b', false, false],
  ])('%j against %j', (printed, text, json, same) => {
    expect(matches(printed, { text, json })).toBe(same);
  });
});
