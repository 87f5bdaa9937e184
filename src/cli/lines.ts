import type { Readable } from 'node:stream';

/** A line of input may be this long; a setup with inline data fits. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** One line without its end; `whole: false` if it was longer than the limit and only its beginning is here. */
export interface Line {
  readonly text: string;
  readonly whole: boolean;
}

/** Cuts a stream into lines and keeps no more of one than the limit. The last line needs no newline. */
export async function* readLines(input: Readable): AsyncGenerator<Line> {
  let kept: Buffer[] = [];
  let size = 0;
  const take = (): Line => {
    const line = { text: Buffer.concat(kept).toString('utf8').replace(/\r$/, ''), whole: size <= MAX_LINE_BYTES };
    kept = [];
    size = 0;
    return line;
  };
  const keep = (part: Buffer): void => {
    if (part.length === 0) return;
    if (size < MAX_LINE_BYTES) kept.push(part.subarray(0, MAX_LINE_BYTES - size));
    size += part.length;
  };
  for await (const chunk of input) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      keep(bytes.subarray(from, end));
      from = end + 1;
      yield take();
    }
    keep(bytes.subarray(from));
  }
  if (size > 0) yield take();
}
