import { err, ok, type Result } from '../dice/result.js';
import type { Fault } from './daemon.js';

/** Path and query of a request line, or null if it is no address. */
export function addressOf(text: string | undefined): URL | null {
  const path = text ?? '';
  return path.startsWith('/') && URL.canParse(path, 'http://tiro') ? new URL(path, 'http://tiro') : null;
}

/** Parameters any address may carry; the others each route names itself. */
const COMMON = ['token', 'role', 'seat'];

/** A query whose parameters are known, each given at most once (F155). */
export type Query = ReadonlyMap<string, string>;

const bad = (where: string, message: string): { ok: false; error: Fault } =>
  err({ status: 400, code: 'query_invalid', message, where });

/**
 * Reads the query of an address strictly: a repeated or unknown parameter is refused and named.
 * @param known parameters of the route, beside token, role and seat
 */
export function readQuery(parameters: URLSearchParams, known: readonly string[]): Result<Query, Fault> {
  const query = new Map<string, string>();
  for (const [name, value] of parameters) {
    const shown = name.replace(/[^ -~]/g, '?').slice(0, 40);
    if (!known.includes(name) && !COMMON.includes(name)) return bad(shown, `unknown parameter "${shown}"`);
    if (query.has(name)) return bad(shown, `"${shown}" is given twice`);
    query.set(name, value);
  }
  return ok(query);
}

/** A whole number of the query in plain digits, or `fallback` where it is not given. */
export function wholeNumber(
  query: Query,
  name: string,
  range: { readonly min: number; readonly max: number; readonly fallback: number },
): Result<number, Fault> {
  const text = query.get(name);
  if (text === undefined) return ok(range.fallback);
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return ok(value);
  return bad(name, `"${name}" must be a whole number from ${range.min} to ${range.max}`);
}
