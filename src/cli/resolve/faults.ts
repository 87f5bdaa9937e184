import type { JsonObject } from '../../dice/json.js';
import { MAX_DICE, MAX_EFFECTS } from '../../rolls/instruction.js';
import { MAX_LINE_BYTES } from '../lines.js';
import type { CaseFault } from './fields.js';

/** The rule behind each code of an invalid case, and what was expected instead. */
const FAULTS: ReadonlyMap<CaseFault, readonly [rule: string, expected: string]> = new Map([
  ['missing_dice', ['706.1', 'a face for every die that is thrown, extra and re-rolled ones too']],
  ['extra_dice', ['706.1', 'no more faces than dice are thrown']],
  ['face_out_of_range', ['706.1a', 'a face that is printed on the die, from 1 to its number of sides']],
  ['too_many_dice', ['706.1', `at most ${MAX_DICE} dice`]],
  ['bad_count', ['706.1', 'a whole number of dice, from 0']],
  ['no_such_die', ['706.1a', 'a whole number of sides, from 1']],
  ['bad_instruction', ['706.1', 'an instruction, or null where none was given']],
  ['bad_number', ['706.2', 'a whole number']],
  ['bad_row', ['706.3a', 'rows: a number, N1-N2 or N+']],
  ['bad_condition', ['706.4', 'a condition on the result x: <=3, x>20 or x==12']],
  ['unknown_use', ['706.4', 'a use of the results that the cases name']],
  ['unknown_listener', ['706.6', 'one_or_more, each_die, sum, res>=N, nat==N, nat==max and their like']],
  ['unknown_card', ['706.2', 'the name of a card that changes rolls']],
  ['bad_effect', ['706.2', 'an effect of a known kind, with its whole-number amount or value']],
  ['contradictory_effects', ['706.2a', 'either mandatory, or optional and payable']],
  ['too_many_effects', ['706.2', `at most ${MAX_EFFECTS} effects`]],
  ['cost_not_payable', ['706.2a', 'no more uses than can be paid for']],
  ['not_lowest', ['706.6', 'the lowest dice, and of those that tie as many as must go']],
  ['bad_choice', ['706.2b', 'one of the choices that are offered']],
  ['bad_substitute', ['706.1b', 'dice and a map from their faces to the results']],
  ['unknown_contest', ['706.4', 'highest or lowest, with or without RerollTies']],
  ['bad_action', ['901.9', 'special, effect or newTurn']],
  ['bad_stored', ['706.8a', 'stored results, each with sides and value']],
  ['unknown_form', ['706.1', 'instruction, steps, substitute, contest, parse, planar or stored']],
  ['no_case', ['706.1', 'an object with "given"']],
  ['not_json', ['706.1', 'a case as JSON']],
  ['too_long', ['706.1', `a line of at most ${MAX_LINE_BYTES} bytes`]],
]);

/** The outcome of an invalid case (contracts H): its code, the rule and what was expected. */
export function invalid(error: CaseFault): JsonObject {
  const [rule, expected] = FAULTS.get(error) ?? [];
  return { valid: false, error, ...(rule === undefined || expected === undefined ? {} : { rule, expected }) };
}
