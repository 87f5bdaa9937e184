import type { Readable, Writable } from 'node:stream';
import type { Json, JsonObject } from '../dice/json.js';
import { asksHelp } from './asked-help.js';
import { get, object } from './deed-line.js';
import { type Line, readLines } from './lines.js';
import { resolveCase } from './resolve/case.js';
import { differences } from './resolve/check.js';
import { invalid } from './resolve/faults.js';

/** All of standard input may be this long. */
const MAX_INPUT_BYTES = 32 * 1024 * 1024;

const USAGE = `Usage: tiro resolve [--check] < cases
Cases of rule 706, one a line or as {"cases":[…]}; outcomes come out as JSON lines {"id","outcome"}.
--check compares with the keys of "expected"; exit 1 if any decided case differs.
`;

/**
 * `tiro resolve`: cases of rule 706 on standard input (contracts H).
 * @returns exit code: 0; 1 if a checked case failed or a line was no JSON; 2 on wrong usage
 */
export async function resolve(
  args: readonly string[],
  stdin: Readable,
  stdout: Writable,
  stderr: Writable,
): Promise<number> {
  if (asksHelp(args)) {
    stdout.write(USAGE);
    return 0;
  }
  const check = args.includes('--check');
  if (args.some((arg) => arg !== '--check')) {
    stderr.write(USAGE);
    return 2;
  }
  const cases = await readCases(stdin);
  if (cases === undefined) {
    stderr.write(`tiro resolve: more than ${MAX_INPUT_BYTES} bytes\n`);
    return 1;
  }
  return check ? checked(cases, stdout) : told(cases, stdout);
}

/** A case, or why a line is none. */
type Read = { readonly value: Json } | { readonly line: number; readonly why: 'not_json' | 'too_long' };

async function readCases(stdin: Readable): Promise<readonly Read[] | undefined> {
  const lines: Line[] = [];
  let size = 0;
  for await (const line of readLines(stdin)) {
    size += line.text.length + 1;
    if (size > MAX_INPUT_BYTES) return undefined;
    lines.push(line);
  }
  const whole = lines.every((line) => line.whole) ? parsed(lines.map(({ text }) => text).join('\n')) : undefined;
  if (whole !== undefined) return listed(whole).map((value) => ({ value }));
  return lines.flatMap(({ text, whole }, at): readonly Read[] => {
    if (!whole) return [{ line: at + 1, why: 'too_long' }];
    if (text.trim() === '') return [];
    const value = parsed(text);
    return value === undefined ? [{ line: at + 1, why: 'not_json' }] : listed(value).map((one) => ({ value: one }));
  });
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The cases of a whole file, of a list, or one by itself. */
function listed(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  const file = object(value);
  const cases = file === undefined ? undefined : get(file, 'cases');
  return Array.isArray(cases) ? (cases as readonly Json[]) : [value];
}

function told(cases: readonly Read[], stdout: Writable): number {
  let bad = false;
  for (const one of cases) {
    const line = 'line' in one ? { id: null, line: one.line, outcome: invalid(one.why) } : resolveCase(one.value);
    bad ||= 'line' in one;
    stdout.write(`${JSON.stringify(line)}\n`);
  }
  return bad ? 1 : 0;
}

function checked(cases: readonly Read[], stdout: Writable): number {
  const counts = { passed: 0, failed: 0, contested: 0 };
  const differs = (id: Json, what: JsonObject): void => {
    counts.failed += 1;
    stdout.write(`${JSON.stringify({ id, ...what })}\n`);
  };
  for (const one of cases) {
    if ('line' in one) {
      differs(null, { line: one.line, differs: [one.why] });
      continue;
    }
    const body = object(one.value) ?? {};
    if (get(body, 'status') === 'contested') {
      counts.contested += 1;
      continue;
    }
    const { id, outcome } = resolveCase(one.value);
    const expected = object(get(body, 'expected')) ?? {};
    const wrong = differences(expected, outcome);
    if (wrong.length === 0) counts.passed += 1;
    else {
      const got = Object.fromEntries(
        wrong.map((key) => [key, Object.hasOwn(outcome, key) ? (outcome[key] ?? null) : null]),
      );
      differs(id, { differs: [...wrong], expected, got });
    }
  }
  stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.contested} contested\n`);
  return counts.failed > 0 ? 1 : 0;
}
