import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { MAX_BOX_BYTES } from '../broadcast/routes-box.js';
import { readBoxFile } from '../games/dicebound/box-file.js';
import { sampleBox } from '../games/dicebound/box-view.js';

/**
 * `tiro box check FILE`: whether a box of Dicebound can be imported; changes nothing.
 * @returns exit code: 0 right, 2 with every fault on `err`, one a line: file, line, field, reason, remedy
 */
export function boxCheck(file: string, out: Writable, err: Writable): number {
  const text = textOf(file);
  if (text === undefined) {
    err.write(`${file}: cannot be read, or is larger than ${MAX_BOX_BYTES} bytes\n`);
    return 2;
  }
  const read = readBoxFile(text, basename(file));
  if (!read.ok) {
    for (const { file: name, line, field, reason, remedy } of read.error)
      err.write(`${name}:${line}: ${field === '' ? '' : `${field} `}${reason}; write ${remedy}\n`);
    return 2;
  }
  const counts = new Map<string, number>();
  for (const [kind, entries] of read.value.flatMap((deed) => Object.entries(deed)))
    counts.set(kind, (counts.get(kind) ?? 0) + Object.keys(entries ?? {}).length);
  const told = [...counts].map(([kind, n]) => `${n} ${kind}`).join(', ');
  out.write(`${file}: right (${told === '' ? 'empty' : told})\n`);
  return 0;
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
