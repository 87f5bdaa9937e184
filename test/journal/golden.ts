import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../../src/dice/json.js';

/** A journal of a released version, kept for ever; see test/journals/README.md. */
export interface GoldenJournal {
  readonly name: string;
  readonly release: string;
  /** Id of the game, or `none` for a journal that shows the file format only. */
  readonly game: string;
  readonly file: string;
  /** By table. */
  readonly expected: ReadonlyMap<string, GoldenTable>;
}

export interface GoldenTable {
  readonly records: number;
  /** What the fold of the records must give, in the form the test of the game compares. */
  readonly state?: Json;
}

const FOLDER = fileURLToPath(new URL('../journals/', import.meta.url));

/** All golden journals, or those of one game. */
export function goldenJournals(game?: string): readonly GoldenJournal[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.db'))
    .sort()
    .map(goldenOf)
    .filter((golden) => game === undefined || golden.game === game);
}

/** Copies a golden journal into a data folder, as its journal: the kept file is never opened for writing. */
export function layGolden(golden: GoldenJournal, dir: string): void {
  mkdirSync(dir, { recursive: true });
  copyFileSync(golden.file, join(dir, 'journal.db'));
}

function goldenOf(fileName: string): GoldenJournal {
  const parts = /^(\d+\.\d+\.\d+)-([a-z0-9-]+)\.db$/.exec(fileName);
  if (parts === null) throw new Error(`test/journals/${fileName}: name it RELEASE-GAME.db`);
  const [, release = '', game = ''] = parts;
  const name = fileName.slice(0, -'.db'.length);
  const { tables } = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as {
    tables: Record<string, GoldenTable>;
  };
  return { name, release, game, file: join(FOLDER, fileName), expected: new Map(Object.entries(tables)) };
}
