import { decide, waitsFor } from '../../rolls/resolution.js';
import { type ChoiceDeed, field, landed, type NaturalDeed, unawaited } from '../awaited.js';
import type { Deed, Ruling, Verdict } from '../game.js';
import { refused, unkept } from '../refusal.js';
import { joining, leaving } from '../seating.js';
import { judgeAction } from './actions.js';
import { decisionOf, expectsOf, rollOf } from './expects.js';
import { after, finished, openRolls } from './rolling.js';
import type { MagicEvent, MagicState, OpenRoll } from './state.js';

type Judged = Verdict<MagicEvent>;

/** Events of a step of a roll, and of its end where this was the last one. */
function stepped(state: MagicState, n: number, event: MagicEvent): Judged {
  const now = after(state, [event]);
  const roll = now.open.find((one) => one.n === n);
  const more = roll === undefined ? [] : finished(now, roll);
  return { verdict: more.length === 0 ? 'open' : 'accepted', events: [event, ...more] };
}

/** A throw for an open roll. A die thrown without an instruction is no roll (706.1). */
function judgeThrow(state: MagicState, deed: NaturalDeed): Judged {
  if (deed.seat !== null && deed.seat !== 'gm' && !state.seats.includes(deed.seat)) {
    return refused('unknown_seat', '706.1', 'nobody sits there', state.seats.join(', '));
  }
  const expects = expectsOf(state);
  if (deed.call === null) {
    const verdict = unawaited(expects, deed);
    return verdict.verdict === 'loose' ? { ...verdict, rule: '706.1' } : verdict;
  }
  const put = landed(expects, deed);
  const roll = rollOf(state, deed.call);
  if (!put.ok || roll === undefined)
    return put.ok ? refused('call_closed', '706.1', 'this call is closed', 'a call of awaited') : put.error;
  const die = put.value.resolution.landed.at(-1);
  if (die === undefined) return refused('call_closed', '706.1', 'this call is closed', 'a call of awaited');
  return stepped(state, roll.n, { kind: 'landed', ev: 1, n: roll.n, die });
}

/** The open roll whose decision this seat is to take, or that the call names. */
function decisionFor(state: MagicState, deed: ChoiceDeed): OpenRoll | undefined {
  return state.open.find((roll) => {
    const wait = waitsFor(roll.resolution);
    if (wait.kind !== 'decision') return false;
    return deed.call === undefined ? wait.decision.who === deed.by : decisionOf(roll) === deed.call;
  });
}

function judgeDecision(state: MagicState, roll: OpenRoll, deed: ChoiceDeed): Judged {
  const decided = decide(roll.resolution, deed.by, deed.option);
  if (!decided.ok) {
    const { code, expected } = decided.error;
    const options = (expected?.options ?? []).slice(0, 10).map((option) => JSON.stringify(option));
    const whose = expected === undefined ? 'nothing is to be decided' : `${expected.about} by ${expected.who}`;
    return refused(code, expected?.rule ?? '706.2', whose, options.join(' '));
  }
  const last = decided.value.decided?.at(-1);
  if (last === undefined) return refused('not_awaited', '706.2', 'nothing is to be decided', 'what is awaited');
  return stepped(state, roll.n, { kind: 'decided', ev: 1, n: roll.n, ...last });
}

function judgeChoice(state: MagicState, deed: ChoiceDeed): Judged {
  if (deed.action !== undefined) return judgeAction(state, deed.by, deed.action, deed.args ?? {});
  const roll = decisionFor(state, deed);
  if (roll !== undefined) return judgeDecision(state, roll, deed);
  const { again } = state;
  if (again !== null) {
    if (again.seat !== deed.by) return refused('wrong_seat', '706.3c', 'the choice is not theirs', again.seat);
    if (deed.option === 'stop') return { verdict: 'accepted', events: [{ kind: 'again_declined', ev: 1 }] };
    if (deed.option !== 'again') return refused('unknown_option', '706.3c', 'roll again, or stop', 'again, stop');
    return { verdict: 'accepted', events: openRolls(state, [again]) };
  }
  const waiting = expectsOf(state).filter(({ kind, seat }) => kind === 'choice' && seat !== null);
  const [due] = waiting;
  if (due !== undefined && deed.call === undefined) {
    return refused('wrong_seat', due.rule, `nothing is to be decided by ${deed.by}`, `${due.purpose} by ${due.seat}`);
  }
  return refused(
    deed.call === undefined ? 'not_awaited' : 'call_closed',
    '706.2',
    'there is nothing to choose',
    'what is awaited',
  );
}

function judgeRuling(state: MagicState, { ruling, args }: Ruling): Judged {
  if (ruling === 'seat') return joining(state.seats, args, 'magic:seat');
  if (ruling !== 'seat_left') {
    return refused('unknown_ruling', 'magic:seat', 'this table knows no such ruling', 'seat, seat_left');
  }
  if (state.seats.length < 2 && field(args, 'id') === state.seats[0]) {
    return refused('seats', 'magic:seat', 'the last player stays', 'a player who is not the last');
  }
  return leaving(state.seats, args, 'magic:seat');
}

/** The rules of rolling dice at a Magic table (rules page magic, rule 706). */
export function judge(state: MagicState, deed: Deed): Judged {
  switch (deed.kind) {
    case 'natural':
      return judgeThrow(state, deed);
    case 'choice':
      return judgeChoice(state, deed);
    case 'set':
    case 'elapsed':
    case 'drawn':
      return unkept(deed);
    case 'ruling':
      return judgeRuling(state, deed.ruling);
  }
}
