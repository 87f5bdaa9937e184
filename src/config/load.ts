import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { readEnvironment } from './environment.js';
import { type ConfigFault, MAX_FAULTS, nearest } from './fault.js';
import { type Leaf, leavesOf, variableOf } from './leaf.js';
import { type Config, configSchema } from './schema.js';
import { type ConfigText, MAX_CONFIG_BYTES, readConfigText } from './text.js';

/** What a configuration is made from; the later wins: defaults, file, environment, arguments. */
export interface ConfigSources {
  /** A YAML file; refused if it cannot be read. */
  readonly file?: string;
  /** The text of `file` where it was read, or written on a page, already: the disk is then not asked. */
  readonly text?: string;
  readonly env?: { readonly [name: string]: string | undefined };
  /** Values by the path of their leaf, as the command line gave them: `{'http.port': 18706}`. */
  readonly args?: { readonly [path: string]: unknown };
}

/** Where the value of a leaf comes from; what stands in no list of these is a default. */
export interface Origin {
  readonly from: 'file' | 'environment' | 'arguments';
  /** For people: `tiro.yaml:3:9`, `TIRO_HTTP_PORT`, `command line`. */
  readonly place: string;
}

export type ConfigResult =
  | {
      readonly ok: true;
      readonly value: Config;
      readonly notices: readonly string[];
      /** By the path of the leaf: `http.port`. */
      readonly origins: ReadonlyMap<string, Origin>;
      /** The file as it was read; empty without one. */
      readonly text: string;
    }
  | { readonly ok: false; readonly error: readonly ConfigFault[] };

/**
 * Reads the configuration from all its sources.
 * @returns the whole configuration with `notices` worth a line in the log, or every fault found (at most 20), each with
 * its place and remedy. Never throws.
 */
export function loadConfig(sources: ConfigSources = {}): ConfigResult {
  const leaves = leavesOf(configSchema);
  const file = fromFile(sources, leaves);
  const env = readEnvironment(leaves, sources.env ?? {});
  const args = fromArguments(leaves, sources.args ?? {});
  const faults = [...file.faults, ...env.faults, ...args.faults].slice(0, MAX_FAULTS);
  if (faults.length > 0) return { ok: false, error: faults };
  const merged = structuredClone(file.value) as Section;
  for (const [path, value] of [...env.values, ...args.values]) place(merged, path, value);
  const origins = new Map<string, Origin>(file.origins);
  for (const [path] of env.values) origins.set(path.join('.'), { from: 'environment', place: variableOf(path) });
  for (const [path] of args.values) origins.set(path.join('.'), { from: 'arguments', place: 'command line' });
  return { ok: true, value: freeze(configSchema.parse(merged)), notices: env.notices, origins, text: file.text };
}

interface Section {
  [key: string]: unknown;
}

function place(tree: Section, path: readonly string[], value: unknown): void {
  let at = tree;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(at, key) ? at[key] : undefined;
    const section = typeof next === 'object' && next !== null ? (next as Section) : {};
    at[key] = section;
    at = section;
  }
  at[path.at(-1) ?? ''] = value;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const child of Object.values(value)) freeze(child);
  }
  return value;
}

interface FileReading {
  readonly value: unknown;
  readonly text: string;
  readonly faults: readonly ConfigFault[];
  readonly origins: readonly (readonly [string, Origin])[];
}

function fromFile({ file, text: given }: ConfigSources, leaves: readonly Leaf[]): FileReading {
  const nothing: FileReading = { value: {}, text: '', faults: [], origins: [] };
  if (file === undefined) return nothing;
  let text: string;
  try {
    if (given === undefined && statSync(file).size > MAX_CONFIG_BYTES) {
      const reason = `larger than ${MAX_CONFIG_BYTES / 1024} KiB`;
      return { ...nothing, faults: [{ file, line: 1, column: 1, key: '', reason }] };
    }
    text = given ?? readFileSync(file, 'utf8');
  } catch (error) {
    const reason = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { ...nothing, faults: [{ file, key: '', reason, remedy: 'check the path given to --config' }] };
  }
  const read = readConfigText(text, file);
  if (read.faults.length > 0) return { ...nothing, faults: read.faults };
  const parsed = configSchema.safeParse(read.value);
  if (parsed.success) return { value: read.value, text, faults: [], origins: originsIn(read, file, leaves) };
  return { ...nothing, faults: parsed.error.issues.flatMap((issue) => faultsOf(issue, file, read, leaves)) };
}

function originsIn(read: ConfigText, file: string, leaves: readonly Leaf[]): [string, Origin][] {
  return leaves.flatMap(({ path }): [string, Origin][] => {
    const { line, column } = read.place(path);
    const stands = valueAt(read.value, path) !== undefined;
    return stands ? [[path.join('.'), { from: 'file', place: `${file}:${line}:${column}` }]] : [];
  });
}

/** What stands in a tree at the path of a leaf. */
export function valueAt(tree: unknown, path: readonly string[]): unknown {
  let at: unknown = tree;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Section)[key];
  }
  return at;
}

function faultsOf(issue: z.core.$ZodIssue, file: string, read: ConfigText, leaves: readonly Leaf[]): ConfigFault[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') {
    const leaf = leaves.find((known) => known.path.every((word, index) => path[index] === word));
    const remedy = leaf === undefined || leaf.meta.secret === true ? undefined : exampleOf(leaf);
    const fault = { file, ...read.place(issue.path), key: path.join('.'), reason: issue.message };
    return [remedy === undefined ? fault : { ...fault, remedy }];
  }
  return issue.keys.map((key) => {
    const remedy = unknownRemedy(key, path, leaves);
    const place = read.place(issue.path, key);
    return {
      file,
      ...place,
      key: [...path, key].join('.'),
      reason: 'unknown key',
      ...(remedy === undefined ? {} : { remedy }),
    };
  });
}

const exampleOf = ({ path, meta }: Leaf): string => `for example ${path.at(-1)}: ${JSON.stringify(meta.example)}`;

/** The nearest key of the same section, else a leaf of that name elsewhere, else the section's keys. */
function unknownRemedy(key: string, section: readonly string[], leaves: readonly Leaf[]): string | undefined {
  const inSection = leaves.filter(({ path }) => section.every((word, index) => path[index] === word));
  const siblings = [...new Set(inSection.flatMap(({ path }) => path[section.length] ?? []))];
  const near = nearest(key, siblings);
  if (near !== undefined) return `did you mean "${near}"?`;
  const elsewhere = leaves.find(({ path }) => path.at(-1) === key);
  if (elsewhere !== undefined) return `did you mean "${elsewhere.path.join('.')}"?`;
  return siblings.length > 0 ? `known here: ${siblings.join(', ')}` : undefined;
}

function fromArguments(leaves: readonly Leaf[], args: { readonly [path: string]: unknown }) {
  const values: [readonly string[], unknown][] = [];
  const faults: ConfigFault[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    const leaf = leaves.find(({ path }) => path.join('.') === name);
    const parsed = leaf?.schema.safeParse(value);
    const reason = parsed === undefined ? 'no such setting' : parsed.error?.issues[0]?.message;
    if (leaf === undefined || reason !== undefined) {
      faults.push({ file: 'command line', key: name, reason: reason ?? 'no such setting' });
    } else values.push([leaf.path, value]);
  }
  return { values, faults };
}
