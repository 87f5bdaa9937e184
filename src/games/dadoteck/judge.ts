import type { Json } from '../../dice/json.js';
import { waitsFor } from '../../rolls/resolution.js';
import {
  type ChoiceDeed,
  type ChoiceExpectation,
  field,
  landed,
  type NaturalDeed,
  phrase,
  type RollExpectation,
  unawaited,
} from '../awaited.js';
import type { Deed, Ruling, Seat, Verdict } from '../game.js';
import { isObject, loose, refused, unkept } from '../refusal.js';
import { expectsOf } from './expects.js';
import { accepted, land, leave, murder, place, renounce, settle } from './play.js';
import { chooseDice } from './speed.js';
import { type Dadoteck, type DadoteckEvent, type DadoteckState, living, rollsOf, squareOf } from './state.js';

type Judged = Verdict<DadoteckEvent>;

const rollsAwaited = (state: DadoteckState): readonly RollExpectation[] =>
  expectsOf(state).filter((expectation) => expectation.kind === 'roll');

const choiceAwaited = (state: DadoteckState): ChoiceExpectation | undefined =>
  expectsOf(state).find((expectation) => expectation.kind === 'choice');

/** The rule that governs a phase when nothing nearer does. */
const PHASE_RULE: { readonly [phase in DadoteckState['phase']]: Dadoteck } = {
  placement: 'dadoteck:S2',
  initiative: 'dadoteck:I1',
  movement: 'dadoteck:M1',
  bastard: 'dadoteck:M6',
  assassin: 'dadoteck:M5',
  over: 'dadoteck:F3',
};

/** True if the seat has made its roll of this phase: its second one is one too many. */
function hasRolled(state: DadoteckState, seat: Seat): boolean {
  if (state.phase === 'placement') return squareOf(state, seat) !== undefined;
  if (state.phase === 'initiative') return rollsOf(state, seat).length > 0;
  const place = state.order.indexOf(seat);
  return place >= 0 && place < state.turn;
}

/** A throw that fits no call: by Z2, but a second roll is named as such (S2, I2, M1). */
function stray(state: DadoteckState, deed: NaturalDeed): Judged {
  const verdict = unawaited(expectsOf(state), deed);
  if (verdict.verdict !== 'refused' || verdict.code !== 'wrong_seat') return verdict;
  if (deed.seat === null || !hasRolled(state, deed.seat)) return verdict;
  const rule = state.phase === 'initiative' ? 'dadoteck:I2' : PHASE_RULE[state.phase];
  return { ...verdict, code: 'already_rolled', rule, reason: `${deed.seat} has rolled already` };
}

/** The die of a call that is closed: of a past round (F1), or of a place already filled. */
function closed(state: DadoteckState, call: string): Judged {
  const past = Number(/^r(\d{1,9})\./.exec(call)?.[1] ?? state.round) < state.round;
  const rule = past ? 'dadoteck:F1' : PHASE_RULE[state.phase];
  const expected = phrase(rollsAwaited(state));
  return refused('call_closed', rule, 'this call is closed', expected === '' ? undefined : expected);
}

function judgeThrow(state: DadoteckState, deed: NaturalDeed): Judged {
  if (state.phase === 'over') return loose('game_over', 'dadoteck:F3', 'the game is over');
  if (deed.die.type === 'd4') return loose('pawn', 'dadoteck:S1', 'a d4 is a pawn and never rolled');
  if (deed.seat !== null && state.eliminated.includes(deed.seat)) {
    return loose('seat_out', 'dadoteck:F4', `${deed.seat} is out`);
  }
  if (deed.call === null) return stray(state, deed);
  const put = landed(expectsOf(state), deed);
  if (!put.ok)
    return put.error.verdict === 'refused' && put.error.code === 'call_closed' ? closed(state, deed.call) : put.error;
  const wait = waitsFor(put.value.resolution);
  const natural = wait.kind === 'done' ? wait.outcome.natural : undefined;
  const { seat } = put.value.call;
  if (natural === undefined || seat === null) return closed(state, deed.call);
  return accepted(state, rolled(state, seat, natural));
}

function rolled(state: DadoteckState, seat: Seat, natural: number): readonly DadoteckEvent[] {
  if (state.phase === 'placement') return place(state, seat, natural);
  if (state.phase === 'initiative') return [{ kind: 'rolled', ev: 1, rule: 'dadoteck:I1', seat, natural }];
  return land(state, seat, natural);
}

const namesDice = (option: Json | undefined): boolean =>
  isObject(option) && (field(option, 'initiativeDie') !== undefined || field(option, 'movementDie') !== undefined);

/** A choice where none is open to this seat: the nearest rule that says so. */
function unasked(state: DadoteckState, deed: ChoiceDeed): Judged {
  if (state.phase === 'over') return refused('game_over', 'dadoteck:F3', 'the game is over');
  if (deed.by === 'table' || namesDice(deed.option)) {
    return refused('not_awaited', 'dadoteck:V3', 'dice change before the first initiative roll of a round only');
  }
  if (deed.option === 'renounce') {
    return refused('not_awaited', 'dadoteck:F2', 'only the last one left who has still to move may renounce');
  }
  if (state.last?.seat === deed.by) {
    return refused('not_awaited', state.last.rule, `the turn of ${deed.by} has ended`);
  }
  if (state.eliminated.includes(deed.by)) return refused('seat_out', 'dadoteck:F4', `${deed.by} is out`);
  const rule = PHASE_RULE[state.phase];
  return refused('not_awaited', rule, 'there is nothing to choose', phrase(rollsAwaited(state)));
}

/** The option taken as it was offered, or undefined. */
const offered = (due: ChoiceExpectation, option: Json | undefined): Json | undefined =>
  due.options?.find((one) => one === option);

function judgeChoice(state: DadoteckState, deed: ChoiceDeed): Judged {
  const due = choiceAwaited(state);
  if (due === undefined || due.seat === null) return unasked(state, deed);
  const expected = `${due.purpose} by ${due.seat}`;
  if (deed.call !== undefined && deed.call !== due.id) {
    return refused('call_closed', due.rule, 'this choice is closed', expected);
  }
  const dice = due.purpose === 'dice';
  if (dice && deed.by !== 'table' && deed.by !== 'gm') {
    if (!namesDice(deed.option)) return unasked(state, deed);
    return refused('wrong_seat', due.rule, 'all players agree on the dice together', expected);
  }
  if (dice)
    return judged(state, chooseDice(state, deed.option, deed.by === 'gm' || deed.via === 'gm' ? 'gm' : 'table'));
  if (deed.by !== due.seat) {
    if (deed.by === 'table' || state.eliminated.includes(deed.by)) return unasked(state, deed);
    return refused('wrong_seat', due.rule, `the choice is not ${deed.by}'s`, expected);
  }
  const option = offered(due, deed.option);
  if (option === undefined) {
    const all = (due.options ?? []).map(String).join(', ');
    return refused('unknown_option', due.rule, 'this is not among the options', all);
  }
  if (deed.option === 'renounce') return accepted(state, renounce(due.seat));
  if (typeof option === 'number') return accepted(state, settle(state, due.seat, option));
  return accepted(state, murder(String(option), due.seat));
}

/** Lets what follows from accepted events happen too. */
function judged(state: DadoteckState, verdict: Judged): Judged {
  return verdict.verdict === 'accepted' ? accepted(state, verdict.events) : verdict;
}

function judgeRuling(state: DadoteckState, { ruling, args }: Ruling): Judged {
  if (ruling === 'seat') {
    return refused('game_running', 'dadoteck:S1', 'who comes later plays in the next game');
  }
  if (ruling !== 'seat_left') {
    return refused('unknown_ruling', PHASE_RULE[state.phase], 'this game knows no such ruling', 'seat_left');
  }
  if (state.phase === 'over') return refused('game_over', 'dadoteck:F3', 'the game is over');
  const id = field(args, 'id');
  const seat = living(state).find((one) => one === id);
  if (seat === undefined) {
    return refused('unknown_seat', 'dadoteck:F4', 'no such player is alive', living(state).join(', '));
  }
  return accepted(state, leave(state, seat));
}

/** The rules of Dadoteck (rules page dadoteck): never an exception, never silence. */
export function judge(state: DadoteckState, deed: Deed): Judged {
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
