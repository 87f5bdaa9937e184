import type { Json } from '../../dice/json.js';
import { field } from '../awaited.js';
import { refused } from '../refusal.js';
import { heroOf, monsterOf, targetsOf } from './combatants.js';
import { quoted, type Refusal } from './play.js';
import type { Combatant, DiceboundState } from './state.js';

export type Aimed =
  | { readonly ok: true; readonly target: Combatant }
  | { readonly ok: false; readonly refusal: Refusal };

/** C3: the only target there is, else the one this combatant attacked last in this fight; null where it must be asked. */
export function likelyTarget(state: DiceboundState, who: Combatant): Combatant | null {
  const targets = targetsOf(state, who);
  const [only, ...others] = targets;
  if (only !== undefined && others.length === 0) return only;
  const last = field(state.fight?.last, who);
  return last !== undefined && targets.includes(last) ? last : null;
}

/** The target a deed names: by its id, or by its kind where only one of that kind is left; without a name the only one. */
export function aimedAt(state: DiceboundState, who: Combatant, named: Json | undefined): Aimed {
  const targets = targetsOf(state, who);
  const expected = targets.join(', ');
  const fault = (
    code: string,
    rule: 'dicebound:C3' | 'dicebound:C8' | 'dicebound:C10' | 'dicebound:G3',
    reason: string,
  ): Aimed => ({
    ok: false,
    refusal: refused(code, rule, reason, expected),
  });
  const [only, ...others] = targets;
  if (named === undefined) {
    if (only !== undefined && others.length === 0) return { ok: true, target: only };
    return fault('which_target', 'dicebound:C3', 'the target is not named');
  }
  if (typeof named !== 'string') return fault('unknown_target', 'dicebound:C3', `${quoted(named)} is no target`);
  if (targets.includes(named)) return { ok: true, target: named };
  const kin = targets.filter((id) => monsterOf(state, id)?.kind === named);
  const [first, ...rest] = kin;
  if (first !== undefined && rest.length === 0) return { ok: true, target: first };
  if (first !== undefined) return fault('which_target', 'dicebound:C3', `there are ${kin.length} of ${named}`);
  const hero = heroOf(state, named);
  if (hero?.ko === true && state.mode === 'story')
    return fault('target_ko', 'dicebound:C8', `${named} is K.O. and is ignored`);
  if (hero?.ko === true) return fault('target_out', 'dicebound:C10', `${named} is out`);
  if (monsterOf(state, named)?.fallen === true)
    return fault('target_fallen', 'dicebound:G3', `${named} has left the table`);
  return fault('unknown_target', 'dicebound:C3', `${quoted(named)} cannot be attacked by ${who}`);
}
