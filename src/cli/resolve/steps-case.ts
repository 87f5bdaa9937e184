import type { Json, JsonObject } from '../../dice/json.js';
import { ok, type Result } from '../../dice/result.js';
import { get, object } from '../deed-line.js';
import type { CaseFault } from './fields.js';
import { rollCase } from './roll-case.js';

/** Rolls one after the other, within a turn unless one begins a new turn (`newTurn`). */
export function stepsCase(steps: readonly Json[], title: string): Result<JsonObject, CaseFault> {
  const told: JsonObject[] = [];
  let used = new Map<string, number>();
  let totals: number[] = [];
  let repeatedAtStep: number | undefined;
  for (const [at, step] of steps.entries()) {
    const given = object(step) ?? {};
    if (get(given, 'newTurn') === true) {
      used = new Map();
      totals = [];
    }
    const outcome = rollCase(given, title, { used });
    if (!outcome.ok) return outcome;
    told.push(outcome.value);
    const total = get(outcome.value, 'total');
    if (typeof total !== 'number') continue;
    if (totals.includes(total)) repeatedAtStep ??= at;
    totals.push(total);
  }
  return ok({
    valid: true,
    steps: told,
    rolls: told.length,
    tokens: told.length,
    ...(repeatedAtStep === undefined ? {} : { repeatedAtStep }),
  });
}
