import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { MAX_BOX_BYTES } from '../broadcast/routes-box.js';
import { BOX_KINDS, type BoxKind } from '../games/dicebound/box.js';
import { readBoxFile } from '../games/dicebound/box-file.js';
import { sampleBox } from '../games/dicebound/box-view.js';
import type { BoxFault } from '../wire/dicebound-box.js';

type Language = 'it' | 'en';

/** The tables of a box as Italians call them. */
const TABLES: { readonly [K in BoxKind]: string } = {
  classes: 'classi',
  tiles: 'tesserine',
  perks: 'classi con Vantaggi',
  monsters: 'mostri',
  traps: 'trappole',
  environments: 'eventi',
};

/** What this command says beside the faults. */
const SAYS = {
  it: {
    unreadable: (file: string) => `${file}: non si può leggere, o è più grande di ${MAX_BOX_BYTES} byte`,
    write: (remedy: string) => `scrivi ${remedy}`,
    right: (file: string, told: string) => `${file}: va bene (${told === '' ? 'vuota' : told})`,
    entries: (kind: BoxKind, n: number) => `${TABLES[kind]}: ${n}`,
  },
  en: {
    unreadable: (file: string) => `${file}: cannot be read, or is larger than ${MAX_BOX_BYTES} bytes`,
    write: (remedy: string) => `write ${remedy}`,
    right: (file: string, told: string) => `${file}: right (${told === '' ? 'empty' : told})`,
    entries: (kind: BoxKind, n: number) => `${n} ${kind}`,
  },
} as const;

/**
 * `tiro box check FILE`: whether a box of Dicebound can be imported; changes nothing.
 * @param language of what is told
 * @returns exit code: 0 right, 2 with every fault on `err`, one a line: file, line, field, reason, remedy
 */
export function boxCheck(file: string, language: Language, out: Writable, err: Writable): number {
  const says = SAYS[language];
  const text = textOf(file);
  if (text === undefined) {
    err.write(`${says.unreadable(file)}\n`);
    return 2;
  }
  const read = readBoxFile(text, basename(file));
  if (!read.ok) {
    for (const fault of read.error) err.write(`${faultLine(fault, language)}\n`);
    return 2;
  }
  const told = BOX_KINDS.flatMap((kind) => {
    const n = read.value.reduce((sum, deed) => sum + Object.keys(deed[kind] ?? {}).length, 0);
    return n === 0 ? [] : [says.entries(kind, n)];
  });
  out.write(`${says.right(file, told.join(', '))}\n`);
  return 0;
}

function faultLine(fault: BoxFault, language: Language): string {
  const { reason, remedy } = language === 'it' ? fault.inItalian : fault;
  const field = fault.field === '' ? '' : `${fault.field} `;
  return `${fault.file}:${fault.line}: ${field}${reason}; ${SAYS[language].write(remedy)}`;
}

function textOf(file: string): string | undefined {
  try {
    return statSync(file).size > MAX_BOX_BYTES ? undefined : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** `tiro box samples`: the shipped samples as a file to begin with. @returns exit code 0 */
export function boxSamples(out: Writable): number {
  out.write(`${JSON.stringify(sampleBox(), null, 2)}\n`);
  return 0;
}
