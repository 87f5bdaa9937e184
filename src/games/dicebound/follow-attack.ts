import type { Landed } from '../../rolls/resolution.js';
import { heroOf, isOut, paOf, rollerOf } from './combatants.js';
import { dodgeCost } from './costs.js';
import type { DiceboundEvent } from './events.js';
import type { Attack, Combatant, DiceboundState, Fight, Held } from './state.js';
import { answerAsk, fitting, isFull, openAsk, totalIn } from './statistics.js';

type Next = DiceboundEvent | undefined;

/** An answer that was thrown early and belongs to this roll (C4). */
function heldFor(
  state: DiceboundState,
  fight: Fight,
  target: Combatant,
  at: 'defence' | 'agility',
  landed: readonly Landed[],
): Held | undefined {
  const ask = answerAsk(state, target, at);
  const hand = rollerOf(state, target);
  return fight.held.find(
    (one) => one.seat === hand && one.at === at && fitting(ask, [...landed, one.die]).length > landed.length,
  );
}

/** C4, C5: the answers of the target as far as they lie. */
function nextAnswer(state: DiceboundState, fight: Fight, attack: Attack, target: Combatant): Next {
  const { stage, left } = attack;
  if (stage === 'dodge') {
    const asked = left > 0 && paOf(state, target) >= dodgeCost(state, target);
    return asked ? undefined : { kind: 'no_dodge', ev: 1, rule: 'dicebound:C5', who: target };
  }
  if (stage !== 'defence' && stage !== 'agility') return undefined;
  const ask = answerAsk(state, target, stage);
  const landed = attack[stage];
  if (!isFull(ask, landed)) {
    const held = heldFor(state, fight, target, stage, landed);
    if (held === undefined) return undefined;
    return { kind: 'answered', ev: 1, rule: 'dicebound:C4', seat: held.seat, id: held.id };
  }
  const amount = totalIn(ask, landed);
  const rest = Math.max(0, left - Math.max(0, amount));
  return stage === 'defence'
    ? { kind: 'defended', ev: 1, rule: 'dicebound:C4', who: target, amount, left: rest }
    : { kind: 'dodged', ev: 1, rule: 'dicebound:C5', who: target, amount, left: rest };
}

/** C6: what is left is lost; then the attack is over, and what was thrown early for it counts for no other. */
function nextEnd(state: DiceboundState, fight: Fight, attack: Attack): DiceboundEvent {
  const { target, left, by } = attack;
  if (target !== null && left > 0) return { kind: 'hurt', ev: 1, rule: 'dicebound:C6', target, damage: left, by };
  const hand = target === null ? undefined : rollerOf(state, target);
  const surplus = fight.held.find((one) => one.seat === hand);
  if (surplus !== undefined) {
    return { kind: 'released', ev: 1, rule: 'dicebound:C4', seat: surplus.seat, id: surplus.id };
  }
  return { kind: 'attack_ended', ev: 1, rule: 'dicebound:C6', cancelled: false };
}

/** What follows by itself in the attack that is open. */
export function nextAttack(state: DiceboundState): Next {
  const { fight } = state;
  const attack = fight?.attack ?? null;
  if (fight === null || attack === null) return undefined;
  if (attack.stage === 'done') return nextEnd(state, fight, attack);
  const gone = isOut(state, attack.by) || (attack.target !== null && isOut(state, attack.target));
  if (gone) return { kind: 'attack_ended', ev: 1, rule: 'Z5', cancelled: true };
  if (attack.target === null) return undefined;
  if (attack.stage !== 'damage') return nextAnswer(state, fight, attack, attack.target);
  const ask = openAsk(state, attack);
  if (!isFull(ask, attack.landed)) return undefined;
  const amount = Math.max(0, totalIn(ask, attack.landed));
  const rule =
    heroOf(state, attack.by) === undefined
      ? 'dicebound:G3'
      : attack.weapon === 'base'
        ? 'dicebound:C7'
        : 'dicebound:C3';
  return { kind: 'incoming', ev: 1, rule, amount, target: attack.target };
}
