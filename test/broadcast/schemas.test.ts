import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import { COMMAND_NAMES, parseCommand } from '../../src/wire/command.js';
import { publishedSchemas } from '../../src/wire/published.js';
import { Bench } from './bench-daemon.js';

const folder = fileURLToPath(new URL('../../docs/schemas', import.meta.url));
const benches: Bench[] = [];
afterAll(async () => {
  for (const bench of benches) await bench.close();
});

const compiled = new Map<string, ValidateFunction>();

function validator(name: string): ValidateFunction {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const text = publishedSchemas().get(`${name}.json`) ?? '';
  const made = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text));
  compiled.set(name, made);
  return made;
}

test('docs/schemas holds exactly what src/wire says (node scripts/schemas.mjs writes it)', () => {
  const files = publishedSchemas();
  expect(readdirSync(folder).sort()).toEqual([...files.keys()].sort());
  for (const [name, text] of files) expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(text);
});

test('what the daemon sends fits its published schema, and the daemon serves the schemas', async () => {
  const bench = await Bench.open({ schemas: folder });
  benches.push(bench);
  bench.table.addRoll(17);
  const ear = bench.follow('table=prova');
  await ear.ready();
  ear.say({ id: 'c1', do: 'type', args: { seat: 'ada', sides: 20, natural: 4 } });
  ear.say({ id: 'c2', do: 'undo' });
  ear.say('{');
  bench.table.addLive('ada-d20', { kind: 'tumbling' });
  await ear.hear((message) => message.kind === 'live');
  await ear.hear((message) => message.id === 'c1');
  await ear.hear((message) => message.id === 'c2');
  const seen = new Set<string>();
  for (const message of ear.heard) {
    const name = message.kind === 'roll' ? 'envelope' : message.kind;
    const fits = validator(name);
    expect([name, fits(message), fits.errors]).toEqual([name, true, null]);
    seen.add(name);
  }
  expect([...seen].sort()).toEqual(['ack', 'envelope', 'error', 'hello', 'live', 'refused', 'snapshot']);
  expect(validator('fault')((await bench.get('/api/v1/nothing')).json)).toBe(true);
  expect(validator('lan')((await bench.get('/api/v1/lan')).json)).toBe(true);
  const list = (await bench.get('/api/v1/schemas', { 'x-forwarded-for': '203.0.113.9' })).json.schemas as string[];
  expect(list).toContain('/api/v1/schemas/envelope.json');
  for (const path of list) expect((await bench.get(path)).json.$id).toMatch(/^urn:tiro:v1:/);
  expect((await bench.get('/api/v1/schemas/envelope')).status).toBe(200);
  expect((await bench.get('/api/v1/schemas/..%2f..%2fpackage')).status).toBe(404);
});

test('the schema of commands takes and refuses what the daemon takes and refuses', () => {
  const fits = validator('command');
  const cases: unknown[] = [
    { id: 'c1', do: 'undo' },
    { id: 'c1', do: 'undo', args: { n: 3 } },
    { id: 'c1', do: 'undo', args: { n: 0 } },
    { id: 'c1', do: 'undo', args: { n: 1, m: 2 } },
    { id: '', do: 'undo' },
    { do: 'undo' },
    { id: 'c1', do: 'fly' },
    { id: 'c1', do: 'bind', args: { die: 'd1', seat: null } },
    { id: 'c1', do: 'bind', args: {} },
    { id: 'c1', do: 'bind' },
    { id: 'c1', do: 'choose', args: { action: 'attack', weapon: 'physical', target: 'bea' } },
    { id: 'c1', do: 'type', args: { natural: 'planeswalker' } },
    { id: 'c1', do: 'type', args: { natural: 1.5 } },
    [],
    null,
    'undo',
  ];
  for (const name of COMMAND_NAMES) cases.push({ id: 'c1', do: name, args: {} });
  const faults = [{ notation: 'd20' }, { seat: 7 }].map((args) => parseCommand({ id: 'c1', do: 'digital', args }));
  expect(faults).toMatchObject([
    { id: 'c1', error: 'args: Unrecognized key: "notation"' },
    { id: 'c1', error: expect.stringMatching(/^args\.seat: /) },
  ]);
  const taken = cases.filter((input) => parseCommand(input).ok);
  expect(taken.length).toBeGreaterThan(8);
  expect(taken.length).toBeLessThan(cases.length - 8);
  for (const input of cases) expect([input, fits(input)]).toEqual([input, parseCommand(input).ok]);
});
