import { err, ok, type Result } from '../dice/result.js';

/** A condition may be this long, in characters. */
export const MAX_CONDITION = 100;

/** What names in an expression stand for. Truth is 1 and 0. */
export type Names = { readonly [name: string]: number };

type Evaluation = (names: Names) => number;

const TOKEN = /\s*(\d{1,9}|[a-z_]+|[<>=!]=|&&|\|\||[-+*/%<>=?:(),])\s*/iy;

/** Binary operators from the loosest to the tightest. */
const LEVELS: readonly (readonly string[])[] = [
  ['or', '||'],
  ['and', '&&'],
  ['==', '=', '!=', '<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
];

function operate(sign: string, left: number, right: number): number {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    default:
      return compare(sign, left, right) ? 1 : 0;
  }
}

function compare(sign: string, left: number, right: number): boolean {
  switch (sign) {
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '<=':
      return left <= right;
    case '>=':
      return left >= right;
    case '!=':
      return left !== right;
    case 'or':
    case '||':
      return left !== 0 || right !== 0;
    case 'and':
    case '&&':
      return left !== 0 && right !== 0;
    default:
      return left === right;
  }
}

const FUNCTIONS: ReadonlyMap<string, (...values: number[]) => number> = new Map([
  ['ceil', Math.ceil],
  ['floor', Math.floor],
  ['abs', Math.abs],
  ['min', Math.min],
  ['max', Math.max],
]);

/** A reader of one expression by recursive descent; the text is short, so its depth is too. */
class Reader {
  readonly #words: readonly string[];
  readonly #known: readonly string[];
  #at = 0;

  constructor(words: readonly string[], known: readonly string[]) {
    this.#words = words;
    this.#known = known;
  }

  whole(): Evaluation | undefined {
    const value = this.#choice();
    return this.#at === this.#words.length ? value : undefined;
  }

  #takes(word: string): boolean {
    if (this.#words[this.#at] !== word) return false;
    this.#at += 1;
    return true;
  }

  #choice(): Evaluation | undefined {
    const test = this.#level(0);
    if (test === undefined || !this.#takes('?')) return test;
    const yes = this.#choice();
    const no = this.#takes(':') ? this.#choice() : undefined;
    return yes === undefined || no === undefined ? undefined : (names) => (test(names) === 0 ? no(names) : yes(names));
  }

  #level(depth: number): Evaluation | undefined {
    const signs = LEVELS[depth];
    if (signs === undefined) return this.#atom();
    let left = this.#level(depth + 1);
    for (let sign = this.#sign(signs); sign !== undefined && left !== undefined; sign = this.#sign(signs)) {
      const [one, other, operator]: [Evaluation, Evaluation | undefined, string] = [left, this.#level(depth + 1), sign];
      left = other === undefined ? undefined : (names) => operate(operator, one(names), other(names));
    }
    return left;
  }

  #sign(signs: readonly string[]): string | undefined {
    return signs.find((sign) => this.#takes(sign));
  }

  #atom(): Evaluation | undefined {
    if (this.#takes('-')) {
      const value = this.#atom();
      return value === undefined ? undefined : (names) => -value(names);
    }
    if (this.#takes('(')) {
      const value = this.#choice();
      return this.#takes(')') ? value : undefined;
    }
    const word = this.#words[this.#at];
    if (word === undefined) return undefined;
    this.#at += 1;
    const call = FUNCTIONS.get(word);
    if (call !== undefined) {
      const values = this.#takes('(') ? this.#values() : undefined;
      return values === undefined ? undefined : (names) => call(...values.map((value) => value(names)));
    }
    if (/^\d/.test(word)) return () => Number(word);
    return this.#known.includes(word) ? (names) => (Object.hasOwn(names, word) ? (names[word] ?? 0) : 0) : undefined;
  }

  /** Values between commas, up to the closing bracket. */
  #values(): readonly Evaluation[] | undefined {
    const values: Evaluation[] = [];
    do {
      const value = this.#choice();
      if (value === undefined) return undefined;
      values.push(value);
    } while (this.#takes(','));
    return this.#takes(')') ? values : undefined;
  }
}

/**
 * Reads an expression of numbers, the given names, `+ - * / %`, comparisons, `and`, `or`, `a ? b : c`, ceil, floor, abs, min, max.
 * Nothing of it is ever run as code.
 */
export function parseExpression(text: string, known: readonly string[]): Result<Evaluation, string> {
  const refusal = err(`"${text.slice(0, MAX_CONDITION)}" is not understood`);
  if (text.length > MAX_CONDITION) return refusal;
  const plain = text.replaceAll('≤', '<=').replaceAll('≥', '>=').replaceAll('−', '-');
  const words: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < plain.length) {
    const [, word] = TOKEN.exec(plain) ?? [];
    if (word === undefined) return refusal;
    words.push(word.toLowerCase());
  }
  const value = new Reader(words, known).whole();
  return value === undefined ? refusal : ok(value);
}

/**
 * Reads a condition on a result: `<=3`, `==12`, or an expression of `x` as `x>20 or x==12`.
 * @returns a test of a result
 */
export function parseCondition(text: string): Result<(result: number) => boolean, string> {
  const bare = /^\s*[<>=!≤≥]=?\s*-?\d/.test(text);
  const expression = parseExpression(bare ? `x${text}` : text, ['x']);
  return expression.ok ? ok((result) => expression.value({ x: result }) !== 0) : expression;
}

/** True if a result meets a condition; one that is not understood is never met. */
export function meets(condition: string, result: number): boolean {
  const test = parseCondition(condition);
  return test.ok && test.value(result);
}
