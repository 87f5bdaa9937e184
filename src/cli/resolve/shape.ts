import type { Json, JsonObject } from '../../dice/json.js';
import { parseCondition } from '../../rolls/condition.js';
import { get, object } from '../deed-line.js';
import type { CaseFault } from './fields.js';

type Test = (value: Json) => boolean;

const isWhole: Test = (value) => Number.isSafeInteger(value);
const isText: Test = (value) => typeof value === 'string';
const isFlag: Test = (value) => typeof value === 'boolean';
const isObject: Test = (value) => object(value) !== undefined;
const isCondition: Test = (value) => typeof value === 'string' && parseCondition(value).ok;
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && (value as readonly Json[]).every(test);
const isPair: Test = (value) => listOf(isWhole)(value) && (value as readonly Json[]).length === 2;
const isAmount: Test = (value) => isWhole(value) || listOf(isWhole)(value);

/** Fields that must be of their kind where they are given, and the code where they are not. */
type Shape = readonly (readonly [field: string, test: Test, code: CaseFault])[];

const GIVEN: Shape = [
  ['effects', Array.isArray, 'bad_effect'],
  ['thrown', Array.isArray, 'face_out_of_range'],
  ['choices', isObject, 'bad_choice'],
  ['listeners', listOf(isText), 'unknown_listener'],
];

const INSTRUCTION: Shape = [
  ['count', isWhole, 'bad_count'],
  ['sides', isWhole, 'no_such_die'],
  ['modifier', isWhole, 'bad_number'],
  ['ignoreLowest', (value) => isWhole(value) && Number(value) >= 0, 'bad_count'],
  ['keep', (value) => value === 'highest', 'bad_choice'],
  ['use', isText, 'unknown_use'],
  ['threshold', isText, 'bad_condition'],
  ['cond', isText, 'bad_condition'],
  ['rollAgain', (value) => isText(value) || listOf(isText)(value), 'bad_row'],
  ['table', listOf(isText), 'bad_row'],
  ['eachRow', listOf(isText), 'bad_row'],
  ['conditions', listOf(isCondition), 'bad_condition'],
  ['value', isWhole, 'bad_number'],
  ['wins', isWhole, 'bad_number'],
];

const CHOICES: Shape = [
  ['ignore', listOf(isWhole), 'bad_choice'],
  ['keep', listOf(isWhole), 'bad_choice'],
  ['ignoreChosen', listOf(isWhole), 'bad_choice'],
  ['reroll', listOf(isPair), 'bad_choice'],
  ['adjust', listOf(isPair), 'bad_choice'],
  ['exchange', isObject, 'bad_choice'],
  ['chosen', isWhole, 'bad_choice'],
];

const EFFECT: Shape = [
  ['amount', isAmount, 'bad_effect'],
  ['value', isWhole, 'bad_effect'],
  ['counters', isWhole, 'bad_effect'],
  ['match', isObject, 'bad_effect'],
  ...['source', 'controller', 'chooser', 'cost', 'limit', 'scope'].map(
    (field) => [field, isText, 'bad_effect'] as const,
  ),
  ...['optional', 'mandatory', 'payable'].map((field) => [field, isFlag, 'bad_effect'] as const),
];

/** Numbers without which an effect of a kind does nothing. */
const NEEDED: ReadonlyMap<Json, string> = new Map([
  ['adjust', 'amount'],
  ['adjustEach', 'amount'],
  ['exchange', 'value'],
]);

const STORED: Shape = [
  ['initial', listOf((value) => isWhole(value) || isEntry(value)), 'bad_stored'],
  ['store', listOf(isObject), 'bad_stored'],
  ['reroll', listOf(isWhole), 'bad_choice'],
  ['adjustEach', isWhole, 'bad_number'],
  ...GIVEN,
];

const STORING: Shape = [
  ['sides', isSides, 'no_such_die'],
  ['thrown', Array.isArray, 'face_out_of_range'],
  ['count', (value) => isWhole(value) && Number(value) >= 0, 'bad_count'],
  ['adjustEach', isWhole, 'bad_number'],
  ['choices', isObject, 'bad_choice'],
];

const PLANAR: Shape = [
  ['actions', Array.isArray, 'bad_action'],
  ['attempts', Array.isArray, 'bad_action'],
  ['active', isText, 'bad_action'],
  ['keep', isWhole, 'bad_choice'],
  ['counters', isWhole, 'bad_number'],
  ['blankIsChaos', isFlag, 'face_out_of_range'],
  ...GIVEN,
];

const SUBSTITUTE: Shape = [
  ['target', isWhole, 'bad_substitute'],
  ['from', listOf(isText), 'bad_substitute'],
  ['map', isText, 'bad_substitute'],
];

const CONTEST: Shape = [
  ['players', isObject, 'unknown_contest'],
  ['rounds', listOf(isObject), 'unknown_contest'],
  ['sides', isSides, 'no_such_die'],
];

const ACTION: Shape = [
  ['do', isText, 'bad_action'],
  ['player', isText, 'bad_action'],
  ['phase', isText, 'bad_action'],
  ['mana', isWhole, 'bad_action'],
  ['stack', isWhole, 'bad_action'],
];

function isSides(value: Json): boolean {
  return isWhole(value) && Number(value) >= 1;
}

function isEntry(value: Json): boolean {
  const entry = object(value);
  return entry !== undefined && isSides(get(entry, 'sides') ?? null) && isWhole(get(entry, 'value') ?? null);
}

/** The code of the first field that is of another kind than it must be. */
function fault(from: JsonObject, shape: Shape): CaseFault | undefined {
  return shape.find(([field, test]) => {
    const value = get(from, field);
    return value !== undefined && !test(value);
  })?.[2];
}

/** What is wrong in the shape of an instruction's case: numbers that are texts, lists that are none. */
export function rollFault(given: JsonObject): CaseFault | undefined {
  const [asked, choices] = [object(get(given, 'instruction')), object(get(given, 'choices'))];
  if (asked === undefined && get(given, 'instruction') !== null) return 'bad_instruction';
  return fault(given, GIVEN) ?? fault(asked ?? {}, INSTRUCTION) ?? fault(choices ?? {}, CHOICES);
}

/** The same of an effect; an amount or a value that its kind needs must be there. */
export function effectFault(effect: JsonObject): CaseFault | undefined {
  const needed = NEEDED.get(get(effect, 'kind') ?? null);
  if (needed !== undefined && get(effect, needed) === undefined) return 'bad_effect';
  return fault(effect, EFFECT);
}

/** The same of a case of stored results. */
export function storedFault(stored: JsonObject): CaseFault | undefined {
  const whole = fault(stored, STORED);
  const store = get(stored, 'store');
  if (whole !== undefined || !Array.isArray(store)) return whole;
  return (store as readonly Json[]).map((one) => fault(object(one) ?? {}, STORING)).find((code) => code !== undefined);
}

/** The same of a case of the planar die. */
export const planarFault = (planar: JsonObject): CaseFault | undefined => fault(planar, PLANAR);

/** The same of a contest. */
export const contestFault = (given: JsonObject): CaseFault | undefined => fault(given, CONTEST);

/** The same of a substitute and the faces that are shown to it: a list of throws, each one face or several. */
export function substituteFault(substitute: JsonObject, inputs: Json | undefined): CaseFault | undefined {
  const shown = inputs === undefined || listOf((input) => isWhole(input) || listOf(isWhole)(input))(inputs);
  return fault(substitute, SUBSTITUTE) ?? (shown ? undefined : 'face_out_of_range');
}

/** The same of a planar action or attempt. */
export const actionFault = (action: Json): CaseFault | undefined =>
  isObject(action) ? fault(object(action) ?? {}, ACTION) : 'bad_action';
