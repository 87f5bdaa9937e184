import type { CST, Pair } from 'yaml';
import { type ConfigFault, MAX_FAULTS } from './fault.js';
import { yaml } from './yaml.js';

/** A configuration file larger than this is refused unread. */
export const MAX_CONFIG_BYTES = 256 * 1024;

/** One text may be repeated by reference this often; more is an attempt to blow it up. */
const MAX_ALIASES = 50;

/** The configuration is four levels deep; what is much deeper is no configuration. */
const MAX_DEPTH = 32;

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Where a key or value stands in the text. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A configuration text as plain data, and where each part of it stands. */
export interface ConfigText {
  readonly value: unknown;
  readonly faults: readonly ConfigFault[];
  /** Place of the value at a path, or of the key if there is only that; of the nearest part above if there is neither. */
  place(path: readonly PropertyKey[], key?: PropertyKey): Place;
}

/**
 * Reads YAML: bounded size, bounded references, no key that could reach an object's prototype. Sections left empty are
 * as if they were not there. Never throws.
 * @param file name told in faults
 */
export function readConfigText(text: string, file: string): ConfigText {
  const nowhere = { line: 1, column: 1 };
  const refused = (reason: string, place: Place = nowhere): ConfigText => ({
    value: {},
    faults: [{ file, ...place, key: '', reason }],
    place: () => nowhere,
  });
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) return refused(`larger than ${MAX_CONFIG_BYTES / 1024} KiB`);
  // The composer behind parseDocument recurses and would end the process on deep nesting; the parser before it does not.
  if (isTooDeep(text)) return refused(`nested more than ${MAX_DEPTH} levels deep`);
  try {
    return parseText(text, file, refused);
  } catch (error) {
    return refused(error instanceof Error ? error.message.slice(0, 200) : 'unreadable');
  }
}

function isTooDeep(text: string): boolean {
  const { Parser } = yaml();
  let level: (CST.Token | null | undefined)[] = [...new Parser().parse(text)];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((token) => [
      ...(token?.type === 'document' ? [token.value] : []),
      ...(token && 'items' in token ? token.items.flatMap((item) => [item.key, item.value]) : []),
    ]);
    level = level.filter((token) => token && ('items' in token || token.type === 'document'));
  }
  return false;
}

function parseText(text: string, file: string, refused: (reason: string, place?: Place) => ConfigText): ConfigText {
  const { isScalar, LineCounter, parseDocument, visit } = yaml();
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, stringKeys: true });
  const at = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const broken = document.errors[0] ?? document.warnings[0];
  if (broken !== undefined) return refused(broken.message.slice(0, 200), at(broken.pos[0]));

  const faults: ConfigFault[] = [];
  visit(document, {
    Pair(_, pair) {
      const key = String(isScalar(pair.key) ? pair.key.value : pair.key);
      if (!FORBIDDEN_KEYS.has(key) || faults.length >= MAX_FAULTS) return;
      faults.push({ file, ...at(keyOffset(pair)), key, reason: 'not allowed as a key' });
    },
  });
  if (faults.length > 0) return { ...refused(''), faults };
  const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
  return {
    value: withoutEmpty(value) ?? {},
    faults,
    place: (path, key) => at(offsetOf(document.contents, path, key)),
  };
}

function keyOffset(pair: Pair): number {
  return yaml().isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function offsetOf(contents: unknown, path: readonly PropertyKey[], key?: PropertyKey): number {
  const { isMap, isScalar } = yaml();
  let node: unknown = contents;
  let offset = 0;
  for (const step of key === undefined ? path : [...path, key]) {
    const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === step) : undefined;
    if (pair !== undefined) {
      offset = keyOffset(pair);
      node = pair.value;
      continue;
    }
    const next: unknown = itemAt(node, step);
    if (next === undefined) break;
    node = next;
    offset = rangeStart(node) ?? offset;
  }
  return key === undefined ? (rangeStart(node) ?? offset) : offset;
}

function itemAt(node: unknown, step: PropertyKey): unknown {
  if (typeof step !== 'number' || typeof node !== 'object' || node === null || !('items' in node)) return undefined;
  const item = Array.isArray(node.items) ? (node.items[step] as unknown) : undefined;
  return yaml().isPair(item) ? item.value : item;
}

function rangeStart(node: unknown): number | undefined {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined;
}

/** A section of which all lines are commented out reads as null: it is left out. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const kept = Object.entries(value).flatMap(([key, child]) => {
    const clean = withoutEmpty(child);
    return clean === undefined ? [] : [[key, clean] as const];
  });
  return Object.fromEntries(kept);
}
