import type { Json, JsonObject } from '../../dice/json.js';
import type { ChoiceDeed } from '../awaited.js';
import type { Seat, Verdict } from '../game.js';
import { refused } from '../refusal.js';
import { heroOf, rollerOf } from './combatants.js';
import type { DiceboundEvent } from './events.js';
import { evolve } from './evolve.js';
import { nextEvent } from './follow.js';
import { phaseOf } from './phase.js';
import type { Combatant, DiceboundState, Fight, Rule } from './state.js';

export type Judged = Verdict<DiceboundEvent>;
export type Refusal = Verdict<never>;

/** Judges one action: the state, who chose, and the action's own fields. */
export type Action = (state: DiceboundState, deed: ChoiceDeed, args: JsonObject) => Judged;

/** Events together with all that follows from them, and the state they lead to. */
export function unfold(
  state: DiceboundState | undefined,
  events: readonly DiceboundEvent[],
): { readonly events: readonly DiceboundEvent[]; readonly after: DiceboundState | undefined } {
  const all = [...events];
  let now = state;
  for (let index = 0; ; index += 1) {
    const event = all[index] ?? (now === undefined ? undefined : nextEvent(now, all[index - 1]));
    if (event === undefined) return { events: all, after: now };
    all[index] = event;
    now = evolve(now, event);
  }
}

/** Accepts events together with all that follows from them. */
export const accepted = (state: DiceboundState | undefined, events: readonly DiceboundEvent[]): Judged => ({
  verdict: 'accepted',
  events: unfold(state, events).events,
});

/** A value as it is quoted in a reason. */
export const quoted = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60);

/** Refuses what only the GM may do, and what an arena does not know (C10). */
export function notGm(state: DiceboundState, by: Seat, rule: Rule, arena: boolean = false): Refusal | undefined {
  if (state.over) return refused('game_over', 'dicebound:G14', 'the game is over');
  if (by !== 'gm') return refused('wrong_seat', rule, 'this is for the GM', 'gm');
  if (state.mode === 'arena' && !arena)
    return refused('no_arena', 'dicebound:C10', 'there is no such thing in an arena');
  return undefined;
}

/** Refuses what can only be done in the camp, with nothing open. */
export function notCamp(state: DiceboundState, rule: Rule): Refusal | undefined {
  const phase = phaseOf(state);
  if (phase === 'camp') return undefined;
  const fighting = state.fight !== null;
  const reason = fighting ? 'a fight is on' : `something else is open: ${phase}`;
  return refused(fighting ? 'in_fight' : 'not_now', rule, reason, 'out of a fight, with nothing open');
}

/** Refuses whatever a seat does that is not there, K.O. or unknown (C8, G14). */
export function notActing(state: DiceboundState, by: Seat, rule: Rule): Refusal | undefined {
  if (state.over) return refused('game_over', 'dicebound:G14', 'the game is over');
  const hero = heroOf(state, by);
  if (hero === undefined) return refused('wrong_seat', rule, `${by} has no board`, state.seats.join(', '));
  if (hero.attendance !== 'present') return refused('seat_absent', 'dicebound:G14', `${by} is not there tonight`);
  if (!hero.ko) return undefined;
  const arena = state.mode === 'arena';
  return refused(
    'seat_ko',
    arena ? 'dicebound:C10' : 'dicebound:C8',
    `${by} is ${arena ? 'out' : 'K.O.'} and cannot act`,
  );
}

export type Turn =
  | { readonly ok: true; readonly fight: Fight; readonly who: Combatant }
  | { readonly ok: false; readonly refusal: Refusal };

const no = (refusal: Refusal): Turn => ({ ok: false, refusal });

/** The combatant whose turn it is, if `by` acts for it and nothing of an attack is open. */
export function ownTurn(state: DiceboundState, by: Seat, rule: Rule): Turn {
  if (state.over) return no(refused('game_over', 'dicebound:G14', 'the game is over'));
  const missing = by === 'gm' ? undefined : notActing(state, by, rule);
  if (missing !== undefined) return no(missing);
  const { fight } = state;
  if (fight === null) return no(refused('no_fight', rule, 'there is no fight'));
  const { turn, attack } = fight;
  if (turn === null) return no(refused('not_awaited', 'dicebound:C1', 'the order of the fight is not known yet'));
  if (rollerOf(state, turn) !== by) {
    return no(refused('wrong_seat', rule, `it is the turn of ${turn}`, rollerOf(state, turn)));
  }
  if (attack !== null) return no(refused('attack_open', 'dicebound:C11', 'an attack is open', phaseOf(state)));
  return { ok: true, fight, who: turn };
}
