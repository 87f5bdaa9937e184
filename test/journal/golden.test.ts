import { afterAll, expect, test } from 'vitest';
import { openJournalReader } from '../../src/journal/reader.js';
import { SCHEMA_VERSION } from '../../src/journal/schema.js';
import { freshFolder, opened, removeFolders } from './built.js';
import { goldenJournals, layGolden } from './golden.js';

afterAll(removeFolders);

test.each(goldenJournals().map((golden) => [golden.name, golden] as const))(
  'the golden journal %s opens in this version with every record (F085)',
  async (_name, golden) => {
    const dir = freshFolder();
    layGolden(golden, dir);
    const journal = await opened(dir);
    expect(await journal.tables()).toEqual([...golden.expected.keys()].sort());
    for (const [table, { records }] of golden.expected) {
      const found = await journal.read(table, 0, 1_000_000);
      expect(found.length).toBe(records);
      for (const record of found) expect(record.body).toBeTypeOf('object');
    }
    await journal.close();
    const reader = openJournalReader(dir);
    expect(reader.ok && reader.value.version).toBe(SCHEMA_VERSION);
  },
);

test('there is a golden journal of every format', () => {
  const versions = goldenJournals().map((golden) => {
    const reader = openJournalReader(golden.file);
    return reader.ok ? reader.value.version : undefined;
  });
  for (let version = 0; version <= SCHEMA_VERSION; version++) expect(versions).toContain(version);
});
