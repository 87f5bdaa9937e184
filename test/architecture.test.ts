import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Breach, cycles, inspect, inspectTest, isPure } from './architecture/house.js';

const rulesOf = (sources: Record<string, string>): string[] => {
  return inspect(new Map(Object.entries(sources))).map(({ rule }) => rule);
};

function sourcesBelow(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file));
  return new Map(files.sort().map((file) => [file, readFileSync(file, 'utf8')]));
}

const told = (breaches: readonly Breach[]): string[] => {
  return breaches.map(({ file, line, rule, detail }) => `${file}:${line} ${rule}: ${detail}`);
};

describe('the house', () => {
  it('keeps its arrows, purity, sizes and words in every source', () => {
    const sources = sourcesBelow('src');
    expect(sources.size).toBeGreaterThan(10);
    expect(told(inspect(sources))).toEqual([]);
  });

  it('skips no test and mocks no module', () => {
    const tests = sourcesBelow('test');
    expect(told([...tests].flatMap(([file, text]) => inspectTest(file, text)))).toEqual([]);
  });
});

describe('the inspector itself', () => {
  const device = 'export interface Device { id: string }';

  it.each([
    ['arrow', 'a game that reads the table', 'src/games/a.ts', "import type { T } from '../table/t.js';"],
    ['arrow', 'a table that runs a device', 'src/table/a.ts', "import { Device } from '../devices/device.js';"],
    ['arrow', 'a page that reads the table', 'src/web/a.tsx', "import type { T } from '../table/t.js';"],
    ['arrow', 'a room that imports a command', 'src/broadcast/a.ts', "import '../cli/start.js';"],
    ['arrow', 'a lazy import against the arrows', 'src/client/a.ts', "export const a = () => import('../table/t.js');"],
    ['arrow', 'a configuration that knows the wire', 'src/config/a.ts', "import type { W } from '../wire/w.js';"],
    ['arrow', 'a re-export against the arrows', 'src/rolls/a.ts', "export * from '../games/g.js';"],
    ['import', 'an import that leads nowhere', 'src/rolls/a.ts', "import './gone.js';"],
    ['room', 'a room nobody planned', 'src/misplaced/a.ts', 'export const a = 1;'],
    ['package', 'a schema with a foreign package', 'src/wire/a.ts', "import 'express';"],
    ['pure', 'a rule that reads files', 'src/games/a.ts', "import 'node:fs';"],
    ['pure', 'a rule that asks the clock', 'src/rolls/a.ts', 'export const at = () => Date.now();'],
    ['pure', 'a rule that rolls its own', 'src/games/a.ts', 'export const roll = () => Math.random();'],
    ['pure', 'a codec that waits', 'src/devices/ble/godice.ts', 'setTimeout(() => {}, 1);'],
    ['pure', 'a link machine that reads the process', 'src/devices/ble/link.ts', 'export const a = process.pid;'],
    ['any', 'an any', 'src/table/a.ts', 'export const a: any = 1;'],
    ['non-null', 'a non-null assertion', 'src/table/a.ts', 'export const a = [1][0]!;'],
    ['unfinished', 'work left open', 'src/table/a.ts', `// ${'TO'}${'DO'}: later`],
    ['name', 'a folder of leftovers', 'src/table/utils/a.ts', 'export const a = 1;'],
    ['file size', 'a long file', 'src/table/a.ts', `export const f = () => 1;\n${'export {};\n'.repeat(300)}`],
    ['function size', 'a long function', 'src/table/a.ts', `export function f() {\n${'f;\n'.repeat(60)}}`],
  ])('finds: %s, %s', (rule, _case, file, text) => {
    const rooms = {
      'src/table/t.ts': 'export type T = 1;',
      'src/games/g.ts': 'export const g = 1;',
      'src/wire/w.ts': 'export type W = 1;',
      'src/cli/start.ts': 'export const start = 1;',
      'src/devices/device.ts': device,
    };
    expect(rulesOf(rooms)).toEqual([]);
    expect(rulesOf({ ...rooms, [file]: text })).toContain(rule);
  });

  it('lets pass what the house allows', () => {
    const table = [
      "import type { Device } from '../devices/device.js';",
      "import { g } from '../games/g.js';",
      'export const at = (d: Device) => Date.now() + g + d.id.length;',
    ].join('\n');
    expect(
      rulesOf({
        'src/devices/device.ts': device,
        'src/games/g.ts': 'export const g = { random: 1, Date: 2 }.Date;',
        'src/table/t.ts': table,
        'src/wire/names.ts': `export const names = [\n${"'a',\n".repeat(400)}];`,
      }),
    ).toEqual([]);
  });

  it('finds rings, also of type imports', () => {
    expect(
      rulesOf({
        'src/table/a.ts': "import type { B } from './b.js';\nexport type A = B;",
        'src/table/b.ts': "import type { A } from './a.js';\nexport type B = A | 1;",
      }),
    ).toEqual(['cycle']);
    expect(
      cycles(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
    ).toEqual([]);
  });

  it('finds skipped tests and mocked modules', () => {
    const found = inspectTest('a.test.ts', 'it.skip("a", () => {}); describe.only("b", () => {}); vi.mock("x");');
    expect(found.map(({ detail }) => detail)).toEqual(['it.skip', 'describe.only', 'vi.mock']);
    expect(inspectTest('a.test.ts', 'it("a", () => {}); vi.fn();')).toEqual([]);
  });

  it('knows which files are pure', () => {
    expect(isPure('src/devices/ble/godice.ts')).toBe(true);
    expect(isPure('src/devices/ble/probe.ts')).toBe(false);
    expect(isPure('src/table/table.ts')).toBe(false);
  });
});
