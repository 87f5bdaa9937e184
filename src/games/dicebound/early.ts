import type { NaturalDeed } from '../awaited.js';
import type { Expectation, Seat } from '../game.js';
import { refused } from '../refusal.js';
import { rollerOf, targetsOf } from './combatants.js';
import { type Judged, unfold } from './play.js';
import type { Combatant, DiceboundState, Fight } from './state.js';
import { answerAsk, diceOf, fitting } from './statistics.js';

/** C4: an answer thrown early is held so long. Milliseconds. */
export const HOLD_MS = 15_000;

type Answer = 'defence' | 'agility';

interface Candidate {
  readonly who: Combatant;
  readonly answers: readonly Answer[];
}

/** Whose answers may come early now: the target's, and while it is not known those of all that can be attacked. */
function candidates(state: DiceboundState, fight: Fight, seat: Seat): readonly Candidate[] {
  const { turn, attack } = fight;
  const by = attack?.by ?? turn;
  if (by === null) return [];
  const whole: readonly Answer[] = ['defence', 'agility'];
  if (attack === null || attack.target === null) {
    return targetsOf(state, by).flatMap((who) => (rollerOf(state, who) === seat ? [{ who, answers: whole }] : []));
  }
  if (rollerOf(state, attack.target) !== seat) return [];
  if (attack.stage === 'damage') return [{ who: attack.target, answers: whole }];
  const agility: readonly Answer[] = ['agility'];
  return attack.stage === 'defence' || attack.stage === 'dodge' ? [{ who: attack.target, answers: agility }] : [];
}

/**
 * Judges a throw that may be a target's early answer (C4): held, refused where the house rule says so or where it lies
 * already. Undefined for any other throw.
 */
export function earlyAnswer(state: DiceboundState, deed: NaturalDeed): Judged | undefined {
  const { fight } = state;
  const { seat, die, face, source } = deed;
  if (fight === null || fight.stage !== 'rounds' || seat === null) return undefined;
  const rule = 'dicebound:C4';
  const { counter: _counter, ...own } = die;
  const landed = { ...own, face, source };
  let full = false;
  for (const { who, answers } of candidates(state, fight, seat)) {
    for (const at of answers) {
      const ask = answerAsk(state, who, at);
      if (!diceOf(ask).includes(die.type)) continue;
      const held = fight.held.filter((one) => one.seat === seat && one.at === at).map((one) => one.die);
      const room = fitting(ask, [...held, landed]).length > fitting(ask, held).length;
      full ||= !room;
      if (!room) continue;
      if (state.rules.earlyAnswers === 'refuse') {
        return refused('too_early', rule, `the ${at} of ${who} is not awaited yet`, 'the end of the attack');
      }
      const id = `f${fight.n}.held.${seat}.${die.type}.${fight.attacks}.${held.length}`;
      const { events } = unfold(state, [{ kind: 'held', ev: 1, rule, seat, id, at, die: landed }]);
      return { verdict: 'open', events };
    }
  }
  return full ? refused('already_rolled', rule, `an answer of ${seat} is held already`) : undefined;
}

/** One timer for each held answer. */
export const heldTimers = ({ fight }: DiceboundState): readonly Expectation[] =>
  (fight?.held ?? []).map(({ id, seat }) => ({
    kind: 'timer',
    id,
    seat,
    rule: 'dicebound:C4',
    purpose: 'held',
    optional: true,
    ms: HOLD_MS,
  }));
