import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** One breach of the house rules: where, and which rule. */
export interface Breach {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly detail: string;
}

/** A node of the syntax tree, read without knowledge of its kind. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly start: number;
}

const LEAVES = ['dice', 'wire'];

/**
 * Who may import whom (design.md, The house); the leaves may be imported by all but config. A file stands for an
 * interface: `types:` of it, or its named limits too.
 */
const ARROWS = new Map<string, readonly string[]>([
  ['dice', []],
  ['wire', []],
  ['rolls', []],
  ['games', ['rolls']],
  ['table', ['rolls', 'games', 'types:devices/device.ts', 'journal/journal.ts']],
  ['journal', []],
  ['devices', []],
  ['broadcast', ['table']],
  ['client', []],
  ['web', ['client']],
  ['config', []],
  ['cli', ['*']],
  ['main.ts', ['cli']],
]);

/** Packages a room may import where not everything goes. */
const PACKAGES = new Map<string, readonly string[]>([
  ['dice', []],
  ['wire', ['zod']],
  ['rolls', []],
  ['games', ['zod']],
  // node:module: YAML is loaded where there is a text to read.
  ['config', ['zod', 'yaml', 'node:fs', 'node:module']],
]);

/** Rooms that know no node, timer, clock or chance; in devices, the radio and the port are the only ways out. */
const PURE = /^src\/(dice|wire|rolls|games)\/|^src\/devices\/(ble|serial)\//;

/** The files of devices that touch the world: processes, ports, the file system, timers. */
const DEVICE_EDGES =
  /^src\/devices\/(ble\/(probe|radio\/(central|die-link|scanner|stack|supervisor|within|worker))|serial\/(discovery|link|port|trays))\.ts$/;

const IMPURE_NAMES = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'Date',
  'performance',
  'process',
  'crypto',
  'fetch',
  'globalThis',
  'Buffer',
]);

const BUILT_IN = /^(node:|fs$|fs\/|path$|os$|crypto$|timers|events$|stream$|net$|http$|child_process$|worker_threads$)/;
const EMPTY_NAMES = /^(utils?|helpers?|managers?|services?|common|misc)$/;
const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

const isNode = (value: unknown): value is Node => {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
};

function visit(node: Node, see: (node: Node, parent: Node | undefined, field: string) => void): void {
  const walk = (at: Node, parent: Node | undefined, field: string): void => {
    see(at, parent, field);
    for (const [name, value] of Object.entries(at)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, at, name);
    }
  };
  walk(node, undefined, '');
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function parse(file: string, text: string): Node {
  const { program, errors } = parseSync(file, text);
  const error = errors[0];
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return program as unknown as Node;
}

function importsOf(program: Node): Import[] {
  const found: Import[] = [];
  visit(program, (node) => {
    if (!/^(ImportDeclaration|Export(Named|All)Declaration|ImportExpression|TSImportType)$/.test(node.type)) return;
    const source = isNode(node.source) ? node.source : isNode(node.argument) ? node.argument : undefined;
    if (source === undefined || typeof source.value !== 'string') return;
    const typeOnly = node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType';
    found.push({ specifier: source.value, typeOnly, start: node.start });
  });
  return found;
}

function resolve(file: string, specifier: string, files: ReadonlySet<string>): string | undefined {
  const path = posix.join(posix.dirname(file), specifier);
  const stem = path.replace(/\.jsx?$/, '');
  return [`${stem}.ts`, `${stem}.tsx`, path].find((candidate) => files.has(candidate));
}

const roomOf = (file: string): string => file.split('/')[1] ?? '';

function arrowAllowed(from: string, to: string, typeOnly: boolean): boolean {
  const room = roomOf(from);
  const target = roomOf(to);
  if (room === target) return true;
  if (LEAVES.includes(target)) return room !== 'config' && room !== 'dice';
  const allowed = ARROWS.get(room) ?? [];
  if (target === 'main.ts') return false;
  const file = to.slice('src/'.length);
  if (allowed.includes('*') || allowed.includes(target) || allowed.includes(file)) return true;
  return typeOnly && allowed.includes(`types:${file}`);
}

function checkImports(file: string, imports: readonly Import[], files: ReadonlySet<string>, tell: Tell): string[] {
  const targets: string[] = [];
  if (!ARROWS.has(roomOf(file))) tell(0, 'room', `${roomOf(file)} is no room of the house`);
  for (const { specifier, typeOnly, start } of imports) {
    if (!specifier.startsWith('.')) {
      checkPackage(file, specifier, start, tell);
      continue;
    }
    const target = resolve(file, specifier, files);
    if (target === undefined) {
      if (/\.(m?js|tsx?)$/.test(specifier)) tell(start, 'import', `${specifier} leads nowhere`);
      continue;
    }
    targets.push(target);
    if (!arrowAllowed(file, target, typeOnly)) tell(start, 'arrow', `${file} may not import ${target}`);
  }
  return targets;
}

function checkPackage(file: string, specifier: string, start: number, tell: Tell): void {
  const allowed = PACKAGES.get(roomOf(file));
  if (allowed !== undefined && !allowed.includes(specifier)) tell(start, 'package', `${specifier} in ${roomOf(file)}`);
  if (isPure(file) && BUILT_IN.test(specifier)) tell(start, 'pure', `${specifier} in a pure file`);
}

/** True for files that may know no node, timer, clock or chance. */
export const isPure = (file: string): boolean => PURE.test(file) && !DEVICE_EDGES.test(file);

type Tell = (offset: number, rule: string, detail: string) => void;

/** An identifier that stands for a value of its own, not for the name of a property or of a type's member. */
function isReference(parent: Node | undefined, field: string): boolean {
  if (parent === undefined || parent.computed === true) return true;
  if (parent.type === 'MemberExpression' && field === 'property') return false;
  return !(field === 'key' && parent.shorthand !== true);
}

function checkPurity(program: Node, tell: Tell): void {
  visit(program, (node, parent, field) => {
    const name = node.type === 'Identifier' && typeof node.name === 'string' ? node.name : '';
    if (IMPURE_NAMES.has(name) && isReference(parent, field)) tell(node.start, 'pure', `${name} in a pure file`);
    if (name === 'random' && field === 'property') tell(node.start, 'pure', 'random in a pure file');
  });
}

/** A table: nothing but imports, types and constants without a function in them. */
function isTable(program: Node): boolean {
  const body = (program.body as Node[]).map((node) => (isNode(node.declaration) ? node.declaration : node));
  const plain = /^(ImportDeclaration|TSTypeAliasDeclaration|TSInterfaceDeclaration|VariableDeclaration|Export\w+)$/;
  let functions = 0;
  visit(program, (node) => {
    if (FUNCTIONS.has(node.type)) functions += 1;
  });
  return functions === 0 && body.every((node) => plain.test(node.type));
}

function checkSize(program: Node, text: string, tell: Tell): void {
  const lines = text.trimEnd().split('\n').length;
  if (lines > MAX_FILE_LINES && !isTable(program)) tell(0, 'file size', `${lines} lines, at most ${MAX_FILE_LINES}`);
  visit(program, (node) => {
    if (!FUNCTIONS.has(node.type)) return;
    const length = lineAt(text, node.end) - lineAt(text, node.start) + 1;
    if (length > MAX_FUNCTION_LINES)
      tell(node.start, 'function size', `${length} lines, at most ${MAX_FUNCTION_LINES}`);
  });
}

function checkWords(program: Node, file: string, text: string, tell: Tell): void {
  visit(program, (node) => {
    if (node.type === 'TSAnyKeyword') tell(node.start, 'any', 'any');
    if (node.type === 'TSNonNullExpression') tell(node.start, 'non-null', 'non-null assertion');
  });
  const word = /\b(TODO|FIXME|XXX)\b|@ts-(ignore|expect-error|nocheck)/.exec(text);
  if (word !== null) tell(word.index, 'unfinished', word[0]);
  const empty = file.split('/').find((part) => EMPTY_NAMES.test(part.replace(/\.tsx?$/, '')));
  if (empty !== undefined) tell(0, 'name', `${empty} says nothing of the field`);
}

/** Every group of files that import each other in a ring, type imports included. */
export function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push(path.slice(at));
    if (at >= 0 || done.has(file)) return;
    for (const target of graph.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return found;
}

/**
 * Reads sources and tells every breach of the house rules.
 * @param sources path from the root of the repository (`src/…`, slashes) → text
 */
export function inspect(sources: ReadonlyMap<string, string>): Breach[] {
  const breaches: Breach[] = [];
  const graph = new Map<string, readonly string[]>();
  const files = new Set(sources.keys());
  for (const [file, text] of sources) {
    const tell: Tell = (offset, rule, detail) => breaches.push({ file, line: lineAt(text, offset), rule, detail });
    const program = parse(file, text);
    graph.set(file, checkImports(file, importsOf(program), files, tell));
    if (isPure(file)) checkPurity(program, tell);
    checkSize(program, text, tell);
    checkWords(program, file, text, tell);
  }
  for (const ring of cycles(graph)) {
    breaches.push({ file: ring[0] ?? '', line: 1, rule: 'cycle', detail: ring.join(' → ') });
  }
  return breaches;
}

/** Tells skipped tests and mocked modules in test sources. */
export function inspectTest(file: string, text: string): Breach[] {
  const breaches: Breach[] = [];
  visit(parse(file, text), (node) => {
    if (node.type !== 'MemberExpression' || !isNode(node.object) || !isNode(node.property)) return;
    const call = `${String(node.object.name)}.${String(node.property.name)}`;
    if (/^(it|test|describe)\.(skip|todo|only)$|^vi\.(do)?[mM]ock$/.test(call)) {
      breaches.push({ file, line: lineAt(text, node.start), rule: 'test', detail: call });
    }
  });
  return breaches;
}
