import { readFileSync } from 'node:fs';
import type { ConfigFault } from './fault.js';
import { nearest } from './fault.js';
import { type Leaf, variableOf } from './leaf.js';
import { readConfigText } from './text.js';

/** Variables of ours that are no leaf: the configuration's own path, a client's token, which tests run. */
const OTHER_VARIABLES = ['TIRO_CONFIG', 'TIRO_TOKEN', 'TIRO_SLOW', 'TIRO_CHROMIUM', 'TIRO_SHOTS'];

/** A secret's file holds one line; more is a wrong file. */
const MAX_SECRET_BYTES = 4096;

export interface EnvironmentReading {
  readonly values: readonly (readonly [readonly string[], unknown])[];
  readonly faults: readonly ConfigFault[];
  /** Variables that look like ours and are not: told, never silent. */
  readonly notices: readonly string[];
}

/**
 * Reads `TIRO_…` variables; underscores within a word may be left out (`TIRO_HTTP_TRUSTLOOPBACK`). A list is written with commas or as YAML in brackets; a secret may also stand in the file
 * that `TIRO_…_FILE` names.
 */
export function readEnvironment(
  leaves: readonly Leaf[],
  given: { readonly [name: string]: string | undefined },
): EnvironmentReading {
  const env = spelledOut(leaves, given);
  const values: [readonly string[], unknown][] = [];
  const faults: ConfigFault[] = [];
  for (const leaf of leaves) {
    const name = variableOf(leaf.path);
    const text = textOf(leaf, name, env, faults);
    if (text === undefined) continue;
    const value = readValue(leaf, text);
    const parsed = leaf.schema.safeParse(value);
    if (parsed.success) values.push([leaf.path, value]);
    else faults.push({ file: 'environment', key: name, reason: parsed.error.issues[0]?.message ?? 'not valid' });
  }
  return { values, faults, notices: strangers(leaves, env) };
}

/** The environment with our variables under their full names; a name written in full goes before a shorter one. */
function spelledOut(
  leaves: readonly Leaf[],
  env: { readonly [name: string]: string | undefined },
): { readonly [name: string]: string | undefined } {
  const squeezed = (name: string): string => name.replaceAll('_', '');
  const names = new Map(
    leaves.flatMap(({ path }) => [variableOf(path), `${variableOf(path)}_FILE`]).map((name) => [squeezed(name), name]),
  );
  const short = Object.entries(env).flatMap(([name, value]) => {
    const full = name.startsWith('TIRO_') ? names.get(squeezed(name)) : undefined;
    return full === undefined || full === name ? [] : [{ name, full, value }];
  });
  const rest = Object.entries(env).filter(([name]) => !short.some((variable) => variable.name === name));
  return { ...Object.fromEntries(short.map(({ full, value }) => [full, value])), ...Object.fromEntries(rest) };
}

function textOf(
  leaf: Leaf,
  name: string,
  env: { readonly [name: string]: string | undefined },
  faults: ConfigFault[],
): string | undefined {
  const text = env[name];
  const file = leaf.meta.secret === true ? env[`${name}_FILE`] : undefined;
  if (file === undefined) return text;
  if (text !== undefined) {
    faults.push({ file: 'environment', key: name, reason: `given twice: also as ${name}_FILE`, remedy: 'keep one' });
    return undefined;
  }
  try {
    const secret = readFileSync(file, 'utf8');
    if (secret.length <= MAX_SECRET_BYTES) return secret.replace(/\r?\n$/, '');
    faults.push({ file, key: `${name}_FILE`, reason: `longer than ${MAX_SECRET_BYTES} characters` });
  } catch (error) {
    faults.push({
      file,
      key: `${name}_FILE`,
      reason: `cannot be read: ${error instanceof Error ? error.message : error}`,
    });
  }
  return undefined;
}

function readValue(leaf: Leaf, text: string): unknown {
  const trimmed = text.trim();
  if (Array.isArray(leaf.fallback)) {
    if (trimmed.startsWith('[')) return readConfigText(trimmed, 'environment').value;
    const words = trimmed.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
    const ofObjects = Array.isArray(leaf.meta.example) && typeof leaf.meta.example[0] === 'object';
    return ofObjects ? words.map((path) => ({ path })) : words;
  }
  if (leaf.meta.several === true) {
    if (trimmed.startsWith('[')) return readConfigText(trimmed, 'environment').value;
    const values = trimmed.split(',').map((word) => readOne(leaf, word.trim()));
    return values.length === 1 ? values[0] : values;
  }
  return readOne(leaf, text);
}

function readOne(leaf: Leaf, text: string): unknown {
  const trimmed = text.trim();
  if (typeof leaf.fallback === 'number') return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
  if (typeof leaf.fallback === 'boolean') {
    if (/^(true|1|yes|on)$/i.test(trimmed)) return true;
    return /^(false|0|no|off)$/i.test(trimmed) ? false : text;
  }
  return text;
}

function strangers(leaves: readonly Leaf[], env: { readonly [name: string]: string | undefined }): string[] {
  const known = leaves.flatMap(({ path, meta }) => {
    const name = variableOf(path);
    return meta.secret === true ? [name, `${name}_FILE`] : [name];
  });
  const unknown = Object.keys(env).filter((name) => {
    return name.startsWith('TIRO_') && !known.includes(name) && !OTHER_VARIABLES.includes(name);
  });
  return unknown.slice(0, 20).map((name) => {
    const near = nearest(name, known);
    return `${name.slice(0, 80)} is no setting${near === undefined ? '' : `: did you mean ${near}?`}`;
  });
}
