import type { Json } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import { boxSays, verbatim, type Wording } from './box-words.js';

/** Deepest nesting that is read. */
const MAX_DEPTH = 32;

/** So much of a strange text is shown. */
const SHOWN = 20;

/** A text as plain data, and the line (from 1) on which the entry of a path stands. */
export interface PlacedJson {
  readonly value: Json;
  /** Line of the entry at this path, or of the nearest one above it that is there. */
  line(path: readonly string[]): number;
}

/** Why a text is no JSON, and where. */
export interface JsonFault {
  readonly line: number;
  readonly reason: Wording;
  readonly remedy: Wording;
}

interface Token {
  readonly text: string;
  readonly line: number;
}

const TOKEN = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|[{}[\]:,]|[^\s{}[\]:,"]+|"|\n/gu;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (const [found] of text.matchAll(TOKEN)) {
    if (found === '\n') line += 1;
    else tokens.push({ text: found, line });
  }
  return tokens;
}

/** Reads a text token by token. It breaks off at the first fault by the exception it catches itself. */
class Scan {
  readonly lines = new Map<string, number>();
  readonly #tokens: readonly Token[];
  readonly #lastLine: number;
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
    this.#lastLine = text.split('\n').length;
  }

  whole(): Result<Json, JsonFault> {
    try {
      const value = this.#value([], 0);
      const surplus = this.#tokens[this.#at];
      if (surplus !== undefined) this.#fail(boxSays('surplus'), boxSays('oneObject'));
      return ok(value);
    } catch (fault) {
      if (fault instanceof Break) return err(fault.fault);
      throw fault;
    }
  }

  #fail(reason: Wording, remedy: Wording): never {
    const line = this.#tokens[this.#at]?.line ?? this.#lastLine;
    throw new Break({ line, reason, remedy });
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) return this.#fail(boxSays('tooShort'), boxSays('closeAll'));
    return token;
  }

  #take(text: string): boolean {
    if (this.#tokens[this.#at]?.text !== text) return false;
    this.#at += 1;
    return true;
  }

  #value(path: readonly string[], depth: number): Json {
    const { text, line } = this.#next();
    if (!this.lines.has(key(path))) this.lines.set(key(path), line);
    if (depth > MAX_DEPTH) this.#fail(boxSays('tooDeep', { most: MAX_DEPTH }), boxSays('lessDeep'));
    if (text === '{') return this.#object(path, depth);
    if (text === '[') return this.#list(path, depth);
    const word = WORDS.get(text);
    if (word === undefined && !NUMBER.test(text) && !text.startsWith('"'))
      this.#fail(boxSays('noValue', { text: text.slice(0, SHOWN) }), boxSays('value'));
    if (text === '"') this.#fail(boxSays('openText'), boxSays('closeText'));
    this.#at += 1;
    return word === undefined ? (JSON.parse(text) as Json) : word;
  }

  #object(path: readonly string[], depth: number): Json {
    const entries = new Map<string, Json>();
    this.#at += 1;
    if (this.#take('}')) return {};
    for (;;) {
      const { text, line } = this.#next();
      if (text.length < 2 || !text.startsWith('"'))
        this.#fail(boxSays('noName', { text: text.slice(0, SHOWN) }), boxSays('name'));
      const name = JSON.parse(text) as string;
      if (entries.has(name)) this.#fail(boxSays('twice', { text: name.slice(0, SHOWN) }), boxSays('once'));
      this.#at += 1;
      this.lines.set(key([...path, name]), line);
      if (!this.#take(':')) this.#fail(boxSays('behindName', { text: name.slice(0, SHOWN) }), verbatim(':'));
      entries.set(name, this.#value([...path, name], depth + 1));
      if (this.#take('}')) return Object.fromEntries(entries);
      if (!this.#take(',')) this.#fail(boxSays('between'), boxSays('either', { one: ',', other: '}' }));
    }
  }

  #list(path: readonly string[], depth: number): Json {
    const items: Json[] = [];
    this.#at += 1;
    if (this.#take(']')) return items;
    for (;;) {
      items.push(this.#value([...path, String(items.length)], depth + 1));
      if (this.#take(']')) return items;
      if (!this.#take(',')) this.#fail(boxSays('between'), boxSays('either', { one: ',', other: ']' }));
    }
  }
}

class Break extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.reason.en);
    this.fault = fault;
  }
}

const key = (path: readonly string[]): string => JSON.stringify(path);

/** Reads JSON and keeps the line of each entry; a name that is there twice is a fault. Never throws. */
export function readPlacedJson(text: string): Result<PlacedJson, JsonFault> {
  const scan = new Scan(text);
  const whole = scan.whole();
  if (!whole.ok) return whole;
  const line = (path: readonly string[]): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const found = scan.lines.get(key(path.slice(0, length)));
      if (found !== undefined) return found;
    }
    return scan.lines.get(key([])) ?? 1;
  };
  return ok({ value: whole.value, line });
}
