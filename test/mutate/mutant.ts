import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { type Mutation, RULE_TABLE } from './dicebound-table.js';

const GAME = fileURLToPath(new URL('../../src/games/dicebound/', import.meta.url));
/** What a rule's condition may stand in; the rest of the program is shared by all copies. */
const COPIED = ['../../src/games/', '../../src/dice/', '../../src/rolls/', '../../src/table/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
const TESTS = fileURLToPath(new URL('../games/dicebound-', import.meta.url));
const MARK = '?mutant=';

/** A file of the game as it stands. */
export const sourceOf = (file: string): string => readFileSync(resolve(GAME, file), 'utf8');

/** The same with a mutation in it. */
export function mutated({ name, file, from, to }: Mutation): string {
  const [before, after, ...more] = sourceOf(file).split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${file}: the text of "${name}" must occur exactly once: ${from}`);
  }
  return `${before}${to}${after}`;
}

function split(id: string): { readonly path: string; readonly mutant: string | undefined } {
  const [path = '', mutant] = id.split(MARK);
  return { path, mutant };
}

/**
 * Gives `<tests of the game>?mutant=D1` a game of its own in which the condition of rule D1 is another: whatever such a
 * module imports of the game and its tests is a copy that carries the mark on. Nothing is written.
 */
export const mutants = (): Plugin => ({
  name: 'tiro-mutants',
  enforce: 'pre',
  async resolveId(source, importer) {
    const own = split(source);
    const mutant = own.mutant ?? split(importer ?? '').mutant;
    if (mutant === undefined) return undefined;
    const from = importer === undefined ? undefined : split(importer).path;
    const found = await this.resolve(own.path, from, { skipSelf: true });
    if (found === null) return undefined;
    const copied = [...COPIED, TESTS].some((folder) => found.id.startsWith(folder));
    return copied ? `${found.id}${MARK}${mutant}` : found.id;
  },
  load(id) {
    const { path, mutant } = split(id);
    if (mutant === undefined) return undefined;
    const mutation = RULE_TABLE.find(({ rule }) => rule === mutant)?.mutation;
    return mutation !== undefined && path === resolve(GAME, mutation.file)
      ? mutated(mutation)
      : readFileSync(path, 'utf8');
  },
});
