import { field } from '../awaited.js';
import { initiativeRollers } from './asks.js';
import { heroOf, hordeDice, isOut, kindOf, monsterOf } from './combatants.js';
import type { DiceboundEvent } from './events.js';
import { type Combatant, type DiceboundState, type Fight, MAX_PA } from './state.js';
import { initiativeAsk, isFull, naturalIn, totalIn } from './statistics.js';

const rollsOf = (fight: Fight, who: Combatant): readonly number[] => field(fight.rolls, who) ?? [];

const stillIn = (state: DiceboundState, fight: Fight): readonly Combatant[] =>
  fight.rollers.filter((who) => who === 'gm' || !isOut(state, who));

/** Groups that rolled the same in every pass so far. */
function tiedGroups(state: DiceboundState, fight: Fight): readonly (readonly Combatant[])[] {
  const groups = new Map<string, Combatant[]>();
  for (const who of stillIn(state, fight)) {
    const key = rollsOf(fight, who).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), who]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** C1: highest first; a tied group keeps its place, its later passes order it within (Z4). */
function orderOf(state: DiceboundState, fight: Fight): readonly Combatant[] {
  const sorted = [...stillIn(state, fight)].sort((one, other) => {
    const [left, right] = [rollsOf(fight, one), rollsOf(fight, other)];
    const at = left.findIndex((result, index) => result !== right[index]);
    return at < 0 ? 0 : (right[at] ?? 0) - (left[at] ?? 0);
  });
  return sorted.flatMap((who) => (who === 'gm' ? Object.keys(state.room?.monsters ?? {}) : [who]));
}

/** C1: results, ties, and the order of the fight. */
export function nextInitiative(state: DiceboundState): DiceboundEvent | undefined {
  const { fight } = state;
  if (fight === null || fight.stage !== 'initiative') return undefined;
  const waiting = initiativeRollers(state, fight);
  for (const who of waiting) {
    const ask = initiativeAsk(state, who);
    const dice = field(fight.landed, who) ?? [];
    if (!isFull(ask, dice)) continue;
    const [natural, result] = [naturalIn(ask, dice), totalIn(ask, dice)];
    return { kind: 'initiative', ev: 1, rule: 'dicebound:C1', who, natural, result };
  }
  if (waiting.length > 0) return undefined;
  const groups = tiedGroups(state, fight);
  if (groups.length > 0) return { kind: 'tied', ev: 1, rule: 'Z4', groups };
  return { kind: 'ordered', ev: 1, rule: 'dicebound:C1', order: orderOf(state, fight) };
}

/** C2, E3, G3: PA after the refill at the start of a turn; null where nothing refills. */
function refillOf(state: DiceboundState, fight: Fight, who: Combatant): number | null {
  if (heroOf(state, who) === undefined) return kindOf(state, who)?.pa ?? null;
  const first = !fight.acted.includes(who);
  return first && state.mode === 'story' ? null : MAX_PA;
}

/** C1, C12: the next one in the order that is not out; a turn whose owner fell is over. */
export function nextTurn(state: DiceboundState): DiceboundEvent | undefined {
  const { fight } = state;
  if (fight === null || fight.stage !== 'rounds') return undefined;
  if (fight.turn !== null) {
    if (!isOut(state, fight.turn)) return undefined;
    return { kind: 'turn_ended', ev: 1, rule: 'dicebound:C12', who: fight.turn };
  }
  const { order, at } = fight;
  const places = order.map((_, step) => (at + 1 + step) % order.length);
  const place = places.find((index) => !isOut(state, order[index] ?? ''));
  const who = place === undefined ? undefined : order[place];
  if (place === undefined || who === undefined) return undefined;
  const round = fight.round === 0 || place <= at ? fight.round + 1 : fight.round;
  const pa = refillOf(state, fight, who);
  const skipped = places[0] !== place;
  const rule = skipped ? 'dicebound:C12' : pa === null ? 'dicebound:E3' : 'dicebound:C2';
  const dice = monsterOf(state, who) === undefined ? undefined : hordeDice(state, who);
  return { kind: 'turn', ev: 1, rule, who, round, pa, dice: dice ?? null };
}
