import type { Json, JsonObject } from '../../dice/json.js';
import { get, object } from '../deed-line.js';

/** Why a case cannot be resolved: a code, as the cases of rule 706 name them. */
export type CaseFault = string;

/** A number field, or undefined. */
export const number = (from: JsonObject, key: string): number | undefined => {
  const value = get(from, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** A text field, or undefined. */
export const text = (from: JsonObject, key: string): string | undefined => {
  const value = get(from, key);
  return typeof value === 'string' ? value : undefined;
};

/** A list field; an absent one, or another thing, is empty. */
export const list = (from: JsonObject, key: string): readonly Json[] => {
  const value = get(from, key);
  return Array.isArray(value) ? (value as readonly Json[]) : [];
};

/** The numbers of a list field. */
export const numbers = (from: JsonObject, key: string): readonly number[] =>
  list(from, key).filter((value) => typeof value === 'number');

/** The texts of a list field. */
export const texts = (from: JsonObject, key: string): readonly string[] =>
  list(from, key).filter((value) => typeof value === 'string');

/** An object field; an absent one, or another thing, is empty. */
export const record = (from: JsonObject, key: string): JsonObject => object(get(from, key)) ?? {};
