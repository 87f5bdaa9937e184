import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { decode } from '../../src/cli/decode.js';

interface Ran {
  readonly code: number;
  readonly out: readonly Record<string, unknown>[];
  readonly text: string;
  readonly err: string;
}

const sink = (): { stream: Writable; text: () => string } => {
  const parts: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      parts.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => parts.join('') };
};

async function run(args: readonly string[], chunks: Iterable<string | Buffer>): Promise<Ran> {
  const out = sink();
  const err = sink();
  const bytes = Readable.from([...chunks].map((chunk) => Buffer.from(chunk)));
  const code = await decode(args, bytes, out.stream, err.stream);
  const text = out.text();
  const lines = text.split('\n').filter((line) => line !== '');
  return { code, text, err: err.text(), out: args.includes('--help') ? [] : lines.map((line) => JSON.parse(line)) };
}

const godice = (shell: string, ...lines: readonly string[]): Promise<Ran> =>
  run(['godice', '--shell', shell], [`${lines.join('\n')}\n`]);

describe('tiro decode godice', () => {
  test('a throw, line by line; line and kind come first', async () => {
    const { code, out, text } = await godice('d20', '52', '545300EAC0', '42617457');
    expect(code).toBe(0);
    expect(text.split('\n').slice(0, 1)).toEqual(['{"line":1,"kind":"tumbling"}']);
    expect(Object.keys(out[1] ?? {}).slice(0, 2)).toEqual(['line', 'kind']);
    expect(out).toMatchObject([
      { line: 1, kind: 'tumbling' },
      { line: 2, kind: 'rested', type: 'd20', sides: 20, face: 17, how: 'thrown', evidence: { vendor: 'tilt' } },
      { line: 3, kind: 'battery', percent: 87 },
    ]);
  });

  test('time: 200 ms a line, @MS sets it, the link is 60 s old, unresolved is told with the next line', async () => {
    expect((await godice('d20', '5453400016')).out).toMatchObject([{ how: 'unsure' }]);
    const young = await godice('d20', 'up', ...Array.from({ length: 9 }, () => '52'), '5453400016', '52', '54534000EA');
    expect(young.out.filter(({ kind }) => kind === 'rested')).toMatchObject([
      { line: 11, face: 20, how: 'resync' },
      { line: 13, face: 8, how: 'thrown' },
    ]);
    const { out } = await godice('d20', '@0 52', 'down', '@10000 up', '5453400016');
    expect(out).toMatchObject([
      { line: 1, kind: 'tumbling' },
      { line: 3, kind: 'unresolved' },
      { line: 4, kind: 'rested', how: 'resync' },
    ]);
  });

  test('time never runs backwards', async () => {
    const { code, out } = await godice('d20', '@20000 up', '@5 52', '@100 5453400016');
    expect([code, out.at(-1)?.how]).toEqual([0, 'resync']);
  });

  test('names, link words, blanks, lower case and CRLF', async () => {
    const { code, out } = await run(
      ['godice', '--shell=D10X'],
      ['name GoDice_BC0940_K_v03\r\nname Dado però\r\ndown\r\nup\r\n@60000 52\r\n54 53 40 00 ea\r\n'],
    );
    expect(code).toBe(0);
    expect(out).toMatchObject([
      { line: 1, kind: 'identity', model: 'GoDice', id: 'BC0940', colour: 'black', firmware: 'v03' },
      { line: 2, kind: 'ignored', why: 'foreign', text: 'Dado però' },
      { line: 5, kind: 'tumbling' },
      { line: 6, kind: 'rested', type: 'd00', sides: 10, face: 0, how: 'thrown' },
    ]);
  });

  test('an empty notification is garbled, hex that means nothing too: exit 0', async () => {
    const { code, out } = await godice('d6', '', 'DEADBEEF', '@900 ');
    expect(code).toBe(0);
    expect(out.map(({ line, kind, why, hex }) => [line, kind, why, hex])).toEqual([
      [1, 'garbled', 'unknown', ''],
      [2, 'garbled', 'unknown', 'DEADBEEF'],
      [3, 'garbled', 'unknown', ''],
    ]);
  });

  test('what is no line is an error, exit 1, and it goes on', async () => {
    for (const bad of ['zz', '5', '53C', '0x52', '@x 52', 'UP', '__proto__', 'adv 00', '\u0000']) {
      const { code, out } = await godice('d6', bad, '42617457');
      expect(code, bad).toBe(1);
      expect(Object.keys(out[0] ?? {}), bad).toEqual(['line', 'kind', 'why']);
      expect(out, bad).toMatchObject([
        { line: 1, kind: 'error' },
        { line: 2, kind: 'battery', percent: 87 },
      ]);
    }
  });

  test('lines cut anywhere, and a last line without its end', async () => {
    const bytes = [...Buffer.from('52\n545300EAC0\n42617457')].map((byte) => Buffer.from([byte]));
    const { out } = await run(['godice', '--shell', 'd20'], bytes);
    expect(out.map(({ line, kind }) => [line, kind])).toEqual([
      [1, 'tumbling'],
      [2, 'rested'],
      [3, 'battery'],
    ]);
    expect((await run(['godice'], [])).out).toEqual([]);
  });

  test('answers while it reads: the first line is told before the second is written', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const done = decode(['godice'], input, output);
    input.write('52\n');
    const [first] = (
      await output[Symbol.asyncIterator]()
        .next()
        .then(({ value }) => String(value))
    ).split('\n');
    expect(first).toBe('{"line":1,"kind":"tumbling"}');
    input.end();
    expect(await done).toBe(0);
  });

  test('a line without an end: garbled too long, memory flat, and the next line is heard', async () => {
    // 256 MiB, the same 64 KiB each time, so that all growth is the reader's own.
    const chunk = Buffer.alloc(1 << 16, '5');
    const out = sink();
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    function* endless(): Generator<Buffer> {
      for (let i = 0; i < 4096; i += 1) {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        yield chunk;
      }
      yield Buffer.from('\n42617457\n');
    }
    const input = Readable.from(endless());
    expect(await decode(['godice', '--shell', 'd20'], input, out.stream)).toBe(0);
    const [long, next] = out
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(long).toMatchObject({ line: 1, kind: 'garbled', why: 'too_long' });
    expect(next).toMatchObject({ line: 2, kind: 'battery', percent: 87 });
    expect(out.text().length).toBeLessThan(1_000);
    expect(most).toBeLessThan(8 << 20);
  });

  test('a long line of anything else is an error of bounded length', async () => {
    const { code, text, out } = await godice('d6', 'x'.repeat(1_000_000), '52');
    expect([code, out.length]).toEqual([1, 2]);
    expect(text.length).toBeLessThan(500);
  });

  test('a reader that goes away ends it without an exception', async () => {
    const output = new PassThrough({ highWaterMark: 1 });
    const lines = Readable.from(Array.from({ length: 1_000 }, () => Buffer.from('52\n')));
    const done = decode(['godice'], lines, output);
    setTimeout(() => output.destroy(new Error('EPIPE')), 20);
    expect(await done).toBe(0);
    let writes = 0;
    const broken = new Writable({
      write: (_chunk, _encoding, fail) => {
        writes += 1;
        fail(new Error('EPIPE'));
      },
    });
    expect(await decode(['godice'], Readable.from(['52\n', '52\n', '52\n']), broken)).toBe(0);
    expect(writes).toBe(1);
  });

  test('wrong usage is exit 2 with a word on what is right; nothing goes to standard output', async () => {
    for (const args of [
      [],
      ['dice'],
      ['__proto__'],
      ['godice', '--shell'],
      ['godice', '--shell', 'd7'],
      ['godice', '--type', 'd20'],
      ['godice', '--constructor', 'x'],
      ['godice', 'd20'],
    ]) {
      const { code, text, err } = await run(args, ['52\n']);
      expect([code, text], args.join(' ')).toEqual([2, '']);
      expect(err, args.join(' ')).toContain('Usage: tiro decode');
    }
    expect((await run(['godice', '--shell', 'd7'], [])).err).toContain('d4, d6, d8, d10, d10x, d12, d20');
    expect(await run(['--help'], [])).toMatchObject({ code: 0, err: '' });
    expect((await run(['godice', '--bogus'], [])).err).toContain('godice has no option --bogus');
  });
});
