import type { Json, JsonObject } from '../../dice/json.js';
import { object } from '../deed-line.js';

/** True if `actual` says all that `expected` says: objects by the keys expected, lists whole, numbers exactly. */
export function agrees(expected: Json, actual: Json | undefined): boolean {
  if (Array.isArray(expected)) {
    const list = Array.isArray(actual) ? (actual as readonly Json[]) : undefined;
    return list?.length === expected.length && expected.every((one, at) => agrees(one as Json, list[at]));
  }
  const wanted = object(expected);
  if (wanted === undefined) return expected === actual;
  const found = object(actual);
  return (
    found !== undefined &&
    Object.entries(wanted).every(([key, one]) => Object.hasOwn(found, key) && agrees(one, found[key]))
  );
}

/** Keys of `expected` that the outcome says otherwise, or not at all. */
export function differences(expected: JsonObject, outcome: JsonObject): readonly string[] {
  return Object.keys(expected).filter(
    (key) => !(Object.hasOwn(outcome, key) && agrees(expected[key] ?? null, outcome[key])),
  );
}
