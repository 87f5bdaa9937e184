import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

type Fields = Readonly<Record<string, unknown>>;

const folder = new URL('./scripts/', import.meta.url);
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && !name.endsWith('.expected.jsonl'));

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): Fields[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value;
}

function itemFits(wanted: Fields, found: Fields): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => JSON.stringify(sorted(found[key])) === JSON.stringify(sorted(value)),
  );
}

// Pairs each wanted item with one found; `whole` wants no other left. What the table may agree on (`dice`) is no seat's.
function awaitedFits(wanted: unknown, found: unknown, whole: boolean): boolean {
  if (!Array.isArray(wanted) || !Array.isArray(found)) return false;
  const rest = found.filter(isFields).filter((each) => each.what !== 'dice');
  for (const item of wanted.filter(isFields)) {
    const place = rest.findIndex((each) => itemFits(item, each));
    if (place < 0) return false;
    rest.splice(place, 1);
  }
  return !whole || rest.length === 0;
}

function ruleFits(wanted: unknown, found: unknown): boolean {
  return typeof found === 'string' && [wanted].flat().includes(found.replace(/^dadoteck:/, ''));
}

function stateFits(wanted: Fields, found: unknown): boolean {
  if (!isFields(found)) return false;
  return Object.entries(wanted).every(([key, value]) => {
    if (key === 'awaited') return awaitedFits(value, found.awaited, true);
    if (!isFields(value)) return JSON.stringify(found[key] ?? null) === JSON.stringify(value);
    const other = found[key];
    return isFields(other) && Object.keys(other).length === Object.keys(value).length && itemFits(value, other);
  });
}

// The fields of an expected line that the line of output does not meet.
function unmet(wanted: Fields, found: Fields): string[] {
  return Object.entries(wanted)
    .filter(([key, value]) => {
      if (key === 'verdict') return ![value].flat().includes(found.verdict);
      if (key === 'rule') return !ruleFits(value, found.rule);
      if (key === 'awaited') return !awaitedFits(value, found.awaited, true);
      if (key === 'awaitedHas') return !awaitedFits(value, found.awaited, false);
      if (key === 'state') return isFields(value) && !stateFits(value, found.state);
      if (key === 'anyOf') return Array.isArray(value) && !value.some((each) => stateFits(each, found.state));
      return JSON.stringify(found[key] ?? null) !== JSON.stringify(value);
    })
    .map(([key]) => key);
}

describe('tiro play dadoteck answers as the referee', () => {
  test('there are scripts', () => expect(names.length).toBeGreaterThanOrEqual(15));

  test.each(names)('%s', (name) => {
    const input = readFileSync(new URL(name, folder), 'utf8');
    const run = spawnSync(process.execPath, [main, 'play', 'dadoteck'], { input, encoding: 'utf8', timeout: 15_000 });
    const found = parsed(run.stdout);
    const wanted = parsed(readFileSync(new URL(name.replace('.jsonl', '.expected.jsonl'), folder), 'utf8'));
    const deeds = input.trimEnd().split('\n');
    const differing = wanted.flatMap((line, index) => {
      const fields = unmet(line, found[index] ?? {});
      return fields.length === 0 ? [] : [{ deed: deeds[index] ?? 'end', fields, wanted: line, found: found[index] }];
    });
    expect(differing).toEqual([]);
    expect(found).toHaveLength(wanted.length);
    for (const line of found.filter((each) => each.verdict === 'refused')) {
      expect(line.code, 'a refusal has its code').toEqual(expect.stringMatching(/./));
      expect(line.rule, 'a refusal names its rule').toEqual(expect.stringMatching(/./));
    }
    expect(run.status).toBe(0);
  });
});
