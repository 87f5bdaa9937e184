import type { Json, JsonObject } from '../../dice/json.js';
import { err, type Result } from '../../dice/result.js';
import { get, object } from '../deed-line.js';
import { invalid } from './faults.js';
import type { CaseFault } from './fields.js';
import { list, text } from './fields.js';
import { contestCase, parseCase, substituteCase } from './plain-cases.js';
import { planarCase } from './planar-case.js';
import { rollCase } from './roll-case.js';
import { stepsCase } from './steps-case.js';
import { storedCase } from './stored-case.js';

/** Resolves the `given` part of a case of rule 706; an error is the code of an invalid one. */
export function resolveGiven(given: JsonObject, title: string): Result<JsonObject, CaseFault> {
  const form = ['steps', 'substitute', 'contest', 'parse', 'planar', 'stored', 'instruction'].find((key) =>
    Object.hasOwn(given, key),
  );
  switch (form) {
    case 'steps':
      return stepsCase(list(given, 'steps'), title);
    case 'substitute':
      return substituteCase(given);
    case 'contest':
      return contestCase(given);
    case 'parse':
      return parseCase(given);
    case 'planar':
      return ofObject(given, 'planar', planarCase);
    case 'stored':
      return ofObject(given, 'stored', storedCase);
    case 'instruction':
      return rollCase(given, title, { used: new Map() });
    default:
      return err('unknown_form');
  }
}

/** A form that must be an object. */
function ofObject(
  given: JsonObject,
  form: string,
  resolve: (body: JsonObject) => Result<JsonObject, CaseFault>,
): Result<JsonObject, CaseFault> {
  const body = object(get(given, form));
  return body === undefined ? err('unknown_form') : resolve(body);
}

/** A case and its outcome as contracts H print it; an invalid one is `{"valid":false,"error":code}` with the rule and what was expected. */
export function resolveCase(value: Json): { readonly id: Json; readonly outcome: JsonObject } {
  const one = object(value);
  const given = one === undefined ? undefined : object(get(one, 'given'));
  const id = one === undefined ? null : (get(one, 'id') ?? null);
  if (one === undefined || given === undefined) return { id, outcome: invalid('no_case') };
  const outcome = resolveGiven(given, text(one, 'title') ?? '');
  return { id, outcome: outcome.ok ? outcome.value : invalid(outcome.error) };
}
