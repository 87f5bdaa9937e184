import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Signal } from '../../src/devices/device.js';
import { framed } from '../../src/devices/fake/tray-frames.js';
import { checkHex, crc16, xor8 } from '../../src/devices/serial/check.js';
import { foreignRoll } from '../../src/devices/serial/compat.js';
import { trayLineDecoder } from '../../src/devices/serial/decode-lines.js';
import { FRESH_EAR, hearLine, MAX_LINE_BYTES } from '../../src/devices/serial/hearing.js';
import { type Frame, LAYOUTS } from '../../src/devices/serial/layouts.js';
import { dieIdOf, idFrom } from '../../src/devices/serial/names.js';
import { LineSplitter } from '../../src/devices/serial/splitter.js';
import { decodeFrame, encodeFrame } from '../../src/devices/serial/ttp1.js';

interface Vectors {
  checks: { text: string; crc16: string; xor8: string }[];
  frames: { line: string; frame: Frame; signal?: Signal; canonical?: false; crc?: 8 }[];
  refusals: { line: string; why: string; got?: string; expected?: string; note: string }[];
  sessions: { name: string; lines: { line: string; signal: string }[] }[];
}

const folder = new URL('../../firmware-protocol/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const vectors = read('vectors.json') as Vectors;

const worded = (signal: Signal | undefined): string =>
  signal === undefined ? '' : 'why' in signal ? `${signal.kind} ${signal.why}` : signal.kind;

/** The text of a line stands on what is passed over; the vectors leave it out. */
const untexted = (signal: Signal): object => {
  const { text: _, ...rest } = signal as { text?: string };
  return signal.kind === 'fault' ? signal : rest;
};

describe('golden vectors of firmware-protocol', () => {
  test.each(vectors.checks)('the checks of "$text"', ({ text, crc16: crc, xor8: xor }) => {
    expect(checkHex(crc16(text), 4)).toBe(crc);
    expect(checkHex(xor8(text), 2)).toBe(xor);
    expect(framed(text)).toBe(`$${text}*${crc}`);
  });

  test('a transposition that XOR-8 is blind to changes the CRC', () => {
    const [a, b] = ['TTROL,1,1,1,d20,17', 'TTROL,1,1,1,d20,71'];
    expect(xor8(a)).toBe(xor8(b));
    expect(crc16(a)).not.toBe(crc16(b));
  });

  test.each(vectors.frames)('$line', ({ line, frame, signal, canonical, crc }) => {
    expect(decodeFrame(line, crc === 8)).toEqual({ ok: true, value: frame });
    if (signal !== undefined) {
      expect(untexted(hearLine({ ...FRESH_EAR, crc8: crc === 8 }, line).signal)).toEqual(signal);
    }
    if (!Object.hasOwn(LAYOUTS, frame.type)) return;
    const written = encodeFrame(frame, crc ?? 16);
    if (canonical !== false) expect(written).toBe(line);
    expect(decodeFrame(written, crc === 8)).toEqual({ ok: true, value: frame });
  });

  test.each(vectors.refusals)('$why: $note: $line', ({ line, why, got, expected }) => {
    const heard = hearLine(FRESH_EAR, line);
    expect(heard.signal).toMatchObject({ kind: 'garbled', why });
    expect(heard.event).toBeUndefined();
    expect(heard.signal).toEqual(expect.objectContaining(got === undefined ? {} : { got, expected }));
    if (got === undefined) expect(heard.signal).not.toHaveProperty('expected');
  });

  test.each(vectors.sessions)('session: $name', ({ lines }) => {
    const decoder = trayLineDecoder();
    const words = lines.map(({ line }, i) => {
      const signals = decoder.line(line, i * 200);
      return 'error' in signals ? signals.error : signals.map(worded).join();
    });
    expect(words).toEqual(lines.map((l) => l.signal));
  });

  test('every frame type has a vector, and the schema holds for each', () => {
    expect([...new Set(vectors.frames.map((v) => v.frame.type))].sort()).toEqual(
      [...Object.keys(LAYOUTS), 'unknown'].sort(),
    );
    const validate = new Ajv2020({ strict: true }).compile(read('frames.schema.json') as object);
    for (const { frame } of vectors.frames) expect(validate(frame), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ type: 'ROL', seq: 1, boot: 1, ms: 1, die: 'coin', value: 1 })).toBe(false);
  });
});

test('every frame in the specification is one, and all types are shown or listed', () => {
  const page = readFileSync(new URL('README.md', folder), 'utf8');
  const lines = [...page.matchAll(/\$TT[A-Z]{2,3}\??[^\s`<>]*(?: see \^2A,slot=2)?\*[0-9A-F]{4}/g)].map(
    ([line]) => line,
  );
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) expect(decodeFrame(line, false), line).toMatchObject({ ok: true });
  for (const type of Object.keys(LAYOUTS)) expect(page).toContain(`| \`${type}\` |`);
});

const uint32 = fc.nat({ max: 0xffff_ffff });
const word = fc.stringMatching(/^[ -~]{1,12}$/);
const maybe = <K extends string, T>(key: K, value: fc.Arbitrary<T>): fc.Arbitrary<{ [P in K]?: T }> =>
  fc.option(value, { nil: undefined }).map((v) => (v === undefined ? {} : { [key]: v }) as { [P in K]?: T });

const anyFrame: fc.Arbitrary<Frame> = fc.oneof(
  fc
    .tuple(
      fc.record({ seq: uint32, boot: uint32, ms: fc.maxSafeNat(), value: fc.integer({ min: 1, max: 20 }) }),
      maybe('slot', word),
      maybe('q', fc.nat({ max: 100 })),
      maybe('kind', fc.constantFrom('roll', 'set', 'move', 'fake', 'cocked')),
    )
    .map(([event, ...tail]): Frame => Object.assign({ type: 'ROL' as const, die: 'd20' as const, ...event }, ...tail)),
  fc
    .tuple(
      fc.record({ boot: uint32, ms: fc.maxSafeNat(), code: fc.nat({ max: 9999 }) }),
      maybe('seq', uint32),
      maybe('text', word),
    )
    .map(([error, ...rest]): Frame => Object.assign({ type: 'ERR' as const, ...error }, ...rest)),
  fc.record({ type: fc.constant('PON' as const), nonce: word, ms: fc.maxSafeNat() }),
  fc
    .array(fc.tuple(word, fc.stringMatching(/^[ -~]{0,6}$/)), { maxLength: 2 })
    .map((values): Frame => ({ type: 'SET', values })),
);

describe('properties', () => {
  test('what is written is read back, by both checks', () => {
    fc.assert(
      fc.property(anyFrame, fc.constantFrom(8 as const, 16 as const), (frame, crc) => {
        expect(decodeFrame(encodeFrame(frame, crc), crc === 8)).toEqual({ ok: true, value: frame });
      }),
    );
  });

  test('a frame with one byte changed is never taken for another event', () => {
    fc.assert(
      fc.property(anyFrame, fc.nat(), fc.integer({ min: 1, max: 255 }), (frame, where, mask) => {
        const line = encodeFrame(frame);
        const at = where % line.length;
        const damaged = line.slice(0, at) + String.fromCharCode(line.charCodeAt(at) ^ mask) + line.slice(at + 1);
        const heard = decodeFrame(damaged, false);
        // A digit of the check in the other case is the same check.
        if (heard.ok) expect(heard.value).toEqual(frame);
      }),
      { numRuns: 2000 },
    );
  });

  test('no text makes the decoder throw or invent an event without a check', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.boolean(), (text, dollar) => {
        const heard = hearLine(FRESH_EAR, dollar ? `$TTROL,${text}` : text);
        expect(['garbled', 'ignored']).toContain(heard.signal.kind);
        expect('text' in heard.signal ? String(heard.signal.text ?? '').length : 0).toBeLessThanOrEqual(
          4 * MAX_LINE_BYTES,
        );
      }),
      { numRuns: 2000 },
    );
  });

  test('F028 lines come out the same however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 1200 }),
        fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1 }),
        (bytes, cuts) => {
          const dense = bytes.map((b) => (b % 29 === 0 ? 10 : b));
          const whole = collect((s) => s.feed(dense));
          const pieces = collect((s) => {
            for (let at = 0, i = 0; at < dense.length; i++) {
              const size = cuts[i % cuts.length] ?? 1;
              s.feed(dense.subarray(at, at + size));
              at += size;
            }
          });
          expect(pieces).toEqual(whole);
          for (const text of whole) expect(text.length).toBeLessThanOrEqual(MAX_LINE_BYTES);
        },
      ),
    );
  });
});

function collect(act: (splitter: LineSplitter) => void): string[] {
  const out: string[] = [];
  act(new LineSplitter({ line: (text) => out.push(text), overlong: (text) => out.push(`!${text}`) }));
  return out;
}

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));

describe('splitting', () => {
  test('F006 255 bytes are a line, 256 are dropped up to the next newline and told once', () => {
    const out = collect((s) => s.feed(latin1(`${'a'.repeat(255)}\n${'b'.repeat(256)}\n${'c'.repeat(5000)}\nok\n`)));
    expect(out).toEqual(['a'.repeat(255), `!${'b'.repeat(48)}`, `!${'c'.repeat(48)}`, 'ok']);
  });

  test('F028 CRLF, two lines in one chunk, empty lines and an unfinished rest', () => {
    expect(collect((s) => s.feed(latin1('a\r\n\r\n\nb\r\nrest')))).toEqual(['a\r', 'b\r']);
  });

  test('F157 no byte is lost or glued over the border of a line', () => {
    const out = collect((s) => s.feed(Uint8Array.from([0xc3, 10, 0xa9, 10, 0xff, 0xfe, 10])));
    expect(out).toEqual(['\u00c3', '\u00a9', '\u00ff\u00fe']);
  });
});

test('F157 text for people is UTF-8 where it is valid, and never U+FFFD', () => {
  const said = (line: string) => hearLine(FRESH_EAR, line).signal;
  expect(said('caff\u00c3\u00a8 pronto\r')).toEqual({ kind: 'ignored', why: 'log', text: 'caffè pronto' });
  expect(said('\u00ff\u00fe\u0007')).toEqual({ kind: 'ignored', why: 'log', text: 'ÿþ\\x07' });
});

describe('names', () => {
  test('F154 an id is kept, anything else is tamed and stays apart', () => {
    expect(idFrom('tray-7f3a')).toBe('tray-7f3a');
    expect(idFrom('Tray-7F3A')).toBe('tray-7f3a');
    expect(dieIdOf('tray-7f3a', 'hp')).toBe('tray-7f3a-hp');
    expect(dieIdOf('tray-7f3a', undefined)).toBe('tray-7f3a');
    expect(idFrom('__proto__')).not.toBe('__proto__');
    expect(idFrom('a/b')).not.toBe(idFrom('a+b'));
  });

  test('every text gives an id of the vocabulary', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(idFrom(a)).toMatch(/^[a-z0-9][a-z0-9_-]{0,31}$/);
        expect(dieIdOf(idFrom(a), b)).toMatch(/^[a-z0-9][a-z0-9_-]{0,31}$/);
      }),
    );
  });
});

describe('foreign trays (off by default)', () => {
  const rested = (type: string, face: number) => ({ kind: 'rested', type, face, how: 'thrown' });
  test.each([
    ['d20:17', rested('d20', 17)],
    ['d20=17\r', rested('d20', 17)],
    ['Roll: 17', rested('d20', 17)],
    ['{"die":"d6","value":4}', rested('d6', 4)],
    ['{"value":4}', rested('d20', 4)],
    ['D8: 3', rested('d8', 3)],
  ])('%s', (line, expected) => {
    expect(foreignRoll(line, { die: 'd20' })).toMatchObject(expected);
  });
  test.each(['d20:', 'Roll: four', '{"die":"d6"}', '{', 'value:1234', 'it rolled 17', '17'])(
    '%s is no roll',
    (line) => {
      expect(foreignRoll(line, { die: 'd20' })).toBeUndefined();
    },
  );
  test('a face the die has not is garbled', () => {
    expect(foreignRoll('d6:7', { die: 'd20' })).toMatchObject({ kind: 'garbled', why: 'face_range' });
    expect(foreignRoll('{"value":1.5}', { die: 'd20' })).toMatchObject({ kind: 'garbled', why: 'face_range' });
  });
  test('an own pattern stands in place of the known forms', () => {
    const compat = { die: 'd6' as const, pattern: /^DICE <(?<value>\d+)>$/ };
    expect(foreignRoll('DICE <5>', compat)).toMatchObject(rested('d6', 5));
    expect(foreignRoll('Roll: 5', compat)).toBeUndefined();
  });
});
