/** A fenced `sh` block of a page, and the `text` or `json` block right behind it: what it prints. */
export interface Example {
  readonly line: number;
  readonly script: string;
  readonly expected?: { readonly text: string; readonly json: boolean };
}

/**
 * Finds the examples of a page. Every `sh` block is one: there is no way to write one that is not run.
 * @param markdown text of the page
 */
export function examplesOf(markdown: string): Example[] {
  const lines = markdown.split('\n');
  const blocks: { start: number; end: number; language: string; text: string }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const fence = /^```(\w*)\s*$/.exec(lines[at] ?? '');
    if (fence === null) continue;
    const end = lines.findIndex((line, index) => index > at && /^```\s*$/.test(line));
    if (end < 0) throw new Error(`line ${at + 1}: a fence without end`);
    blocks.push({ start: at, end, language: fence[1] ?? '', text: lines.slice(at + 1, end).join('\n') });
    at = end;
  }
  return blocks.flatMap((block, index): Example[] => {
    if (!/^(sh|bash|shell|console)$/.test(block.language)) return [];
    const next = blocks[index + 1];
    const between = next === undefined ? [] : lines.slice(block.end + 1, next.start);
    const follows =
      next !== undefined && /^(text|json)$/.test(next.language) && between.every((line) => line.trim() === '');
    const expected = follows ? { expected: { text: next.text, json: next.language === 'json' } } : {};
    return [{ line: block.start + 1, script: block.text, ...expected }];
  });
}

/** True if what was printed is what the page says; `…` stands for anything, in a line or for lines. JSON may be laid out freely. */
export function matches(printed: string, expected: { readonly text: string; readonly json: boolean }): boolean {
  const plain = (text: string): string =>
    expected.json ? text.replace(/\s+/g, '') : text.replace(/[ \t]+$/gm, '').trim();
  const text = plain(expected.text);
  // Lines may or may not follow where the last one is dots.
  const open = text.endsWith('\n…');
  const pattern = (open ? text.slice(0, -2) : text)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*?');
  return new RegExp(`^${pattern}${open ? '(\\n[\\s\\S]*)?' : ''}$`).test(plain(printed));
}
