import type { Json, JsonObject } from '../dice/json.js';
import type { Deed, GameEvent, RuleId, StoredEvent, Verdict } from './game.js';

/** A refusal with its code, the rule it rests on, a readable reason, and what was expected where that can be said. */
export function refused(code: string, rule: RuleId, reason: string, expected?: string): Verdict<never> {
  return { verdict: 'refused', code, rule, reason, ...(expected === undefined ? {} : { expected }) };
}

/** Nobody awaited it; nothing changed. */
export function loose(code: string, rule: RuleId, reason: string): Verdict<never> {
  return { verdict: 'loose', code, rule, reason };
}

/** The answer of a game that keeps no counters and waits for no timer and no draw. */
export const unkept = ({ kind }: Extract<Deed, { kind: 'set' | 'elapsed' | 'drawn' }>): Verdict<never> =>
  kind === 'set'
    ? loose('not_awaited', 'Z2', 'no counter is kept by this game')
    : refused('not_awaited', 'Z2', 'this game waits for no timer and no draw');

/** Options every game is given by the table and may leave unread. */
const COMMON_OPTIONS: readonly string[] = ['seats', 'percentile'];

/** The first option a game does not know, or undefined. */
export function unknownOption(options: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(options).find((name) => !known.includes(name) && !COMMON_OPTIONS.includes(name));
}

/** True for a plain JSON object. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a JSON array. */
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** True for a whole number of at least `low` and at most `high`. */
export const isWhole = (value: Json | undefined, low: number, high: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;

/**
 * Reads a stored event of version 1 as it stands; undefined for a kind or a version this module does not know.
 * The journal holds only what `judge` made, so the fields of a known kind are as they were written.
 */
export function asWritten<E extends GameEvent>(event: StoredEvent, kinds: ReadonlySet<string>): E | undefined {
  return event.ev === 1 && kinds.has(event.kind) ? (event as unknown as E) : undefined;
}
