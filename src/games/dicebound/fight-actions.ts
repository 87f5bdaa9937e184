import { field } from '../awaited.js';
import { refused } from '../refusal.js';
import { affordable, thrownWeapon } from './asks.js';
import { heroOf, living, monsterOf, paOf, rollerOf } from './combatants.js';
import { attackCost, dodgeCost, dodgesFree } from './costs.js';
import type { DiceboundEvent } from './events.js';
import { evolve } from './evolve.js';
import { phaseOf } from './phase.js';
import { type Action, accepted, notActing, notGm, ownTurn, quoted, type Refusal } from './play.js';
import { type Attack, type Boost, type DiceboundState, type Rule, WEAPONS, type Weapon } from './state.js';
import { attackAsk, fitting } from './statistics.js';
import { aimedAt } from './targets.js';
import { untold } from './trackers.js';

type Priced = { readonly ok: true; readonly pa: number } | { readonly ok: false; readonly refusal: Refusal };

/** C3: the price of an attack its owner can pay, or the refusal. */
export function priced(state: DiceboundState, who: string, weapon: Weapon, boost: Boost): Priced {
  const cost = attackCost(state, who, weapon, boost);
  if (!cost.ok)
    return { ok: false, refusal: refused(cost.code, cost.rule, cost.reason, affordable(state, who).join(', ')) };
  const pa = paOf(state, who);
  if (cost.pa <= pa) return cost;
  const rule: Rule = weapon === 'base' ? 'dicebound:C7' : 'dicebound:C3';
  const reason = `this attack costs ${cost.pa} PA and ${who} has ${pa}`;
  return { ok: false, refusal: refused('unaffordable', rule, reason, `at most ${pa} PA`) };
}

const attack: Action = (state, { by }, args) => {
  const turn = ownTurn(state, by, 'dicebound:C3');
  if (!turn.ok) return turn.refusal;
  const { who, fight } = turn;
  const named = field(args, 'weapon') ?? thrownWeapon(state, who, 'physical');
  const weapon = WEAPONS.find((one) => one === named);
  if (weapon === undefined) {
    return refused('unknown_weapon', 'dicebound:C3', `${quoted(named)} is no way to attack`, WEAPONS.join(', '));
  }
  const price = priced(state, who, weapon, fight.boost);
  if (!price.ok) return price.refusal;
  const aimed = aimedAt(state, who, field(args, 'target') ?? undefined);
  if (!aimed.ok) return aimed.refusal;
  const ask = attackAsk(state, who, weapon, fight.boost);
  const dice = ask === undefined ? [] : fitting(ask, fight.opening);
  const rule: Rule = weapon === 'base' ? 'dicebound:C7' : 'dicebound:C3';
  return accepted(state, [
    { kind: 'attacked', ev: 1, rule, by: who, weapon, target: aimed.target, cost: price.pa, dice },
  ]);
};

type Open = { readonly ok: true; readonly attack: Attack } | { readonly ok: false; readonly refusal: Refusal };

/** The attack that its roller or the GM may still change (C3). */
function changeable(state: DiceboundState, by: string): Open {
  const missing = by === 'gm' ? undefined : notActing(state, by, 'dicebound:C3');
  if (missing !== undefined) return { ok: false, refusal: missing };
  const open = state.fight?.attack ?? null;
  const fault = (code: string, reason: string): Open => ({ ok: false, refusal: refused(code, 'dicebound:C3', reason) });
  if (open === null) return fault('not_awaited', 'no attack is open');
  if (by !== 'gm' && rollerOf(state, open.by) !== by) return fault('wrong_seat', `the attack is not ${by}'s`);
  if (!open.changeable || open.stage === 'done') return fault('too_late', 'the next roll of the fight has been made');
  return { ok: true, attack: open };
}

const target: Action = (state, deed, args) => {
  const open = changeable(state, deed.by);
  if (!open.ok) return open.refusal;
  if (open.attack.target !== null) return change(state, deed, { target: field(args, 'target') ?? null });
  const aimed = aimedAt(state, open.attack.by, field(args, 'target') ?? undefined);
  if (!aimed.ok) return aimed.refusal;
  return accepted(state, [{ kind: 'targeted', ev: 1, rule: 'dicebound:C3', target: aimed.target }]);
};

const withdrawal: DiceboundEvent = { kind: 'withdrawn', ev: 1, rule: 'dicebound:C3' };

const withdraw: Action = (state, { by }) => {
  const open = changeable(state, by);
  return open.ok ? accepted(state, [withdrawal]) : open.refusal;
};

const change: Action = (state, { by }, args) => {
  const open = changeable(state, by);
  if (!open.ok) return open.refusal;
  const { attack: old } = open;
  const named = field(args, 'weapon') ?? old.weapon;
  const weapon = WEAPONS.find((one) => one === named);
  if (weapon === undefined) {
    return refused('unknown_weapon', 'dicebound:C3', `${quoted(named)} is no way to attack`, WEAPONS.join(', '));
  }
  const before = evolve(state, withdrawal);
  const price = priced(before, old.by, weapon, old.was.boost);
  if (!price.ok) return price.refusal;
  const aimed = field(args, 'target') ?? old.target;
  const goal = aimed === null ? undefined : aimedAt(state, old.by, aimed);
  if (goal?.ok === false) return goal.refusal;
  const ask = attackAsk(state, old.by, weapon, old.was.boost);
  const dice = ask === undefined ? [] : fitting(ask, old.landed);
  const thrown = old.landed.length > 0;
  if (ask === undefined || (thrown && !dice.some((die) => ask.main.includes(die.type)))) {
    return refused('wrong_die', 'dicebound:C3', `the die that lies is not the one of a ${weapon} attack`, old.weapon);
  }
  const rule: Rule = weapon === 'base' ? 'dicebound:C7' : 'dicebound:C3';
  const next = { weapon, target: goal === undefined ? null : goal.target, cost: price.pa, dice };
  return accepted(state, [{ kind: 'changed', ev: 1, rule, ...next }]);
};

const endTurn: Action = (state, { by }) => {
  const turn = ownTurn(state, by, 'dicebound:C11');
  if (!turn.ok) return turn.refusal;
  const ended: DiceboundEvent = { kind: 'turn_ended', ev: 1, rule: 'dicebound:C11', who: turn.who };
  return accepted(state, [ended, ...laggards(evolve(state, ended), turn.who)]);
};

/** D3: at the end of a seat's turn everybody hears of its trackers that do not follow. */
function laggards(state: DiceboundState, seat: string): readonly DiceboundEvent[] {
  return untold(state, seat).map((counter) => {
    const hero = heroOf(state, seat);
    const face = counter === 'level' ? state.level * 10 : counter === 'pv' ? hero?.pv : hero?.pa;
    return { kind: 'tracker_late', ev: 1, rule: 'dicebound:D3', seat, counter, face: (face ?? 0) % 100 };
  });
}

const dodge: Action = (state, { by }, args) => {
  const rule = 'dicebound:C5';
  const missing = by === 'gm' ? undefined : notActing(state, by, rule);
  if (missing !== undefined) return missing;
  const open = state.fight?.attack ?? null;
  if (open === null || open.target === null || phaseOf(state) !== 'dodge') {
    return refused('not_awaited', rule, 'a dodge is offered once, when damage is left after Difesa', phaseOf(state));
  }
  const hand = rollerOf(state, open.target);
  if (hand !== by) return refused('wrong_seat', rule, `the target is ${open.target}`, hand);
  const yes = field(args, 'yes');
  if (typeof yes !== 'boolean') return refused('yes_or_no', rule, `${quoted(yes)} is no answer`, 'yes: true or false');
  const who = open.target;
  if (!yes) return accepted(state, [{ kind: 'no_dodge', ev: 1, rule, who }]);
  const [cost, free] = [dodgeCost(state, who), dodgesFree(state, who)];
  return accepted(state, [{ kind: 'dodging', ev: 1, rule: free ? 'dicebound:G8' : rule, who, cost, free }]);
};

const effort: Action = (state, { by }, args) => {
  const rule = 'dicebound:E2';
  const missing = notActing(state, by, rule);
  if (missing !== undefined) return missing;
  const { check } = state;
  if (check === null || check.stage !== 'effort') {
    return refused('not_awaited', rule, 'an effort follows a failed check', phaseOf(state));
  }
  if (check.seat !== by) return refused('wrong_seat', rule, `the check is ${check.seat}'s`, check.seat);
  const yes = field(args, 'yes');
  if (typeof yes !== 'boolean') return refused('yes_or_no', rule, `${quoted(yes)} is no answer`, 'yes: true or false');
  if (!yes) return accepted(state, [{ kind: 'check_ended', ev: 1, rule, seat: by, passed: false }]);
  if (paOf(state, by) < 1) return refused('unaffordable', rule, 'an effort costs 1 PA', 'yes: false');
  return accepted(state, [{ kind: 'effort', ev: 1, rule, seat: by, cost: 1 }]);
};

const drawDice: Action = (state, { by }, args) => {
  const rule = 'dicebound:G14';
  const missing = notGm(state, by, rule);
  if (missing !== undefined) return missing;
  const who = field(args, 'who') ?? 'all';
  const yes = field(args, 'yes') ?? true;
  if (typeof yes !== 'boolean') return refused('yes_or_no', rule, `${quoted(yes)} is no answer`, 'yes: true or false');
  const found = who === 'all' ? who : living(state).find((id) => id === who || monsterOf(state, id)?.kind === who);
  if (state.room === null || found === undefined) {
    return refused(
      'unknown_monster',
      rule,
      `${quoted(who)} is no monster of this room`,
      ['all', ...living(state)].join(', '),
    );
  }
  return accepted(state, [{ kind: 'dice_drawn', ev: 1, rule, who: found, yes }]);
};

/** Actions of a fight, and the effort of a check. */
export const FIGHT_ACTIONS: readonly (readonly [string, Action])[] = [
  ['attack', attack],
  ['target', target],
  ['change', change],
  ['withdraw', withdraw],
  ['endTurn', endTurn],
  ['dodge', dodge],
  ['effort', effort],
  ['drawDice', drawDice],
];
