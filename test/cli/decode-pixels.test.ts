import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { decode } from '../../src/cli/decode.js';

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

async function run(args: readonly string[], ...lines: readonly string[]) {
  const [out, err] = [sink(), sink()];
  const input = Readable.from([Buffer.from(`${lines.join('\n')}\n`)]);
  const code = await decode(['pixels', ...args], input, out.stream, err.stream);
  const parsed = out
    .text()
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
  return { code, text: out.text(), err: err.text(), out: parsed };
}

const V12 = '02140107efbeadde5d40ef033412fcba2c6701135700';
const A1 = '02010603030a1808ffffff14710113570e09506978656c3033656634303564';
const SR1 = '11079ecadc240ee5a9e093f3a3b50100406e0b160a185d40ef03fcba2c67';

describe('tiro decode pixels', () => {
  test('a throw, line by line; line and kind come first', async () => {
    const roll = ['03020c', '03030c', '030305', '030307', '030107', '225500'];
    const { code, out, text } = await run(['--type', 'd20', '--firmware', '1730984700'], ...roll);
    expect(code).toBe(0);
    expect(text.split('\n').slice(0, 2)).toEqual(['{"line":1,"kind":"handling"}', '{"line":2,"kind":"tumbling"}']);
    expect(Object.keys(out[4] ?? {}).slice(0, 2)).toEqual(['line', 'kind']);
    expect(out.slice(4)).toMatchObject([
      { line: 5, kind: 'rested', type: 'd20', sides: 20, face: 8, how: 'thrown', evidence: { faces: 3 } },
      { line: 6, kind: 'battery', percent: 85, charging: false },
    ]);
  });

  test('one IAmADie is three objects of one line', async () => {
    const { out } = await run([], V12);
    expect(out.map(({ line, kind }) => [line, kind])).toEqual([
      [1, 'identity'],
      [1, 'battery'],
      [1, 'rested'],
    ]);
    expect(out[2]).toMatchObject({ face: 20, how: 'resync' });
  });

  test('options: the firmware decides what 1 means, the type what an index shows', async () => {
    const placed = await run(['--type=D6', '--firmware=1700205060'], '030101');
    expect(placed.out).toMatchObject([{ type: 'd6', face: 5, how: 'placed' }]);
    const tens = await run(['--type', 'd00'], '030509');
    expect(tens.out).toMatchObject([{ type: 'd00', sides: 10, face: 90, how: 'placed' }]);
    expect((await run([], '030113')).out).toMatchObject([{ type: 'd20', face: 20, how: 'unsure' }]);
  });

  test('adverts: alone they wait, with their scan response they tell all, lower and upper case, CRLF', async () => {
    const { code, out } = await run([], `adv ${A1}`, `adv ${A1.toUpperCase()} sr ${SR1}\r`, `adv ${A1}`);
    expect(code).toBe(0);
    expect(out.map(({ line, kind, how, why }) => [line, kind, how ?? why])).toEqual([
      [2, 'identity', undefined],
      [2, 'battery', undefined],
      [2, 'rested', 'resync'],
      [3, 'ignored', 'repeat'],
    ]);
  });

  test('time: the link is 60 s old, @MS sets it, unresolved is told with the next line', async () => {
    const { out } = await run(['--type', 'd20'], '030509', '@1000 up', '@3000 030510', '@4000 030303', '@14000 down');
    expect(out.map(({ line, kind, how }) => [line, kind, how])).toEqual([
      [1, 'rested', 'placed'],
      [3, 'rested', 'resync'],
      [4, 'tumbling', undefined],
      [5, 'unresolved', undefined],
    ]);
  });

  test('hex that means nothing is garbled or ignored: exit 0', async () => {
    const { code, out } = await run([], '', 'c8', '0301', `adv ${'00'.repeat(600)}`, 'adv ffff');
    expect(code).toBe(0);
    expect(out.map(({ line, kind, why }) => [line, kind, why])).toEqual([
      [1, 'garbled', 'length'],
      [2, 'ignored', 'unknown'],
      [3, 'garbled', 'length'],
      [4, 'garbled', 'too_long'],
      [5, 'garbled', 'length'],
    ]);
  });

  test('a line far too long is one of its kind, and the next is heard', async () => {
    const { code, out } = await run([], '3'.repeat(1_000_001), `adv ${'0'.repeat(1_000_001)}`, '24c5');
    expect(code).toBe(0);
    expect(out).toMatchObject([{ why: 'too_long' }, { why: 'too_long' }, { kind: 'rssi', dbm: -59 }]);
  });

  test('what is no line is an error, exit 1, and it goes on', async () => {
    const strange = ['zz', '5', 'adv', 'adv ', 'adv zz', `adv ${A1} sr`, `adv ${A1} sr zz`, `adv ${A1} rs 00`];
    for (const bad of [...strange, `adv ${A1} sr 00 sr 00`, 'ADV 00', 'sr 00', 'name Pixel', 'UP', '__proto__']) {
      const { code, out } = await run([], bad, '24c5');
      expect(code, bad).toBe(1);
      expect(Object.keys(out[0] ?? {}), bad).toEqual(['line', 'kind', 'why']);
      expect(out, bad).toMatchObject([
        { line: 1, kind: 'error' },
        { line: 2, kind: 'rssi', dbm: -59 },
      ]);
    }
  });

  test('wrong usage is exit 2 with a word on what is right', async () => {
    const wrong = [
      ['--type', 'd7'],
      ['--type', '__proto__'],
      ['--firmware', '2024-11-07'],
      ['--firmware', '-1'],
      ['--firmware', '4294967296'],
      ['--firmware', ''],
      ['--shell', 'd20'],
      ['--firmware'],
    ];
    for (const args of wrong) {
      const { code, text, err } = await run(args, '030113');
      expect([code, text], args.join(' ')).toEqual([2, '']);
      expect(err, args.join(' ')).toContain('tiro decode pixels');
    }
  });
});
