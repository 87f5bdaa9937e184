import type { Seat, Verdict } from '../game.js';
import { evolve } from './evolve.js';
import { agreedDice, betweenRounds } from './speed.js';
import {
  type Dadoteck,
  type DadoteckEvent,
  type DadoteckState,
  living,
  occupantOf,
  orderOf,
  rollers,
  squareOf,
  tiedGroups,
} from './state.js';

type Events = readonly DadoteckEvent[];

const ended = (seat: Seat, rule: Dadoteck): DadoteckEvent => ({ kind: 'turn_ended', ev: 1, rule, seat });

/** Puts the pawn on a square; `stay` names the rule where it stands there already. */
function step(state: DadoteckState, seat: Seat, square: number, go: Dadoteck, stay: Dadoteck): DadoteckEvent {
  const from = squareOf(state, seat) ?? 0;
  return from === square
    ? { kind: 'stayed', ev: 1, rule: stay, seat, square }
    : { kind: 'moved', ev: 1, rule: go, seat, from, square };
}

/** M1–M3: to an ordinary square, or to the one a bastard's owner chose (`chosen`, M6). */
function ordinary(state: DadoteckState, seat: Seat, to: number, chosen: boolean): Events {
  const occupant = occupantOf(state, to);
  const other = occupant === undefined || occupant === seat ? undefined : occupant;
  const hit: Events =
    other === undefined ? [] : [{ kind: 'eliminated', ev: 1, rule: 'dadoteck:M2', seat: other, by: seat }];
  const go = other === undefined ? 'dadoteck:M1' : 'dadoteck:M2';
  const move = step(state, seat, to, chosen ? 'dadoteck:M6' : go, chosen ? 'dadoteck:M6' : 'dadoteck:M3');
  return [...hit, move, ended(seat, move.rule)];
}

/** M5: the occupant of 20 falls, the pawn ends there, and one more victim is chosen if anybody is left. */
function assassin(state: DadoteckState, seat: Seat): Events {
  const rule = 'dadoteck:M5';
  const occupant = occupantOf(state, 20);
  const other = occupant === undefined || occupant === seat ? undefined : occupant;
  const hit: Events = other === undefined ? [] : [{ kind: 'eliminated', ev: 1, rule, seat: other, by: seat }];
  const left = living(state).filter((one) => one !== seat && one !== other);
  const then: DadoteckEvent =
    left.length === 0 ? ended(seat, rule) : { kind: 'choice_due', ev: 1, rule, seat, natural: 20 };
  return [...hit, step(state, seat, 20, rule, rule), then];
}

/** A movement roll (M1–M6, F2). */
export function land(state: DadoteckState, seat: Seat, natural: number): Events {
  if (natural === 1) {
    return [{ kind: 'eliminated', ev: 1, rule: 'dadoteck:M4', seat, by: seat }, ended(seat, 'dadoteck:M4')];
  }
  if (living(state).length === 1) {
    const rule = 'dadoteck:F2';
    return [step(state, seat, natural, rule, rule), ended(seat, rule)];
  }
  if (natural === 20) return assassin(state, seat);
  if (natural === 13 || natural === 17) return [{ kind: 'choice_due', ev: 1, rule: 'dadoteck:M6', seat, natural }];
  return ordinary(state, seat, natural, false);
}

/** M5: the chosen victim falls. */
export function murder(victim: Seat, by: Seat): Events {
  return [{ kind: 'eliminated', ev: 1, rule: 'dadoteck:M5', seat: victim, by }, ended(by, 'dadoteck:M5')];
}

/** M6: the square chosen by the bastard. */
export const settle = (state: DadoteckState, seat: Seat, square: number): Events => ordinary(state, seat, square, true);

/** F2: the last one left wins without rolling. */
export function renounce(seat: Seat): Events {
  return [{ kind: 'renounced', ev: 1, rule: 'dadoteck:F2', seat }, ended(seat, 'dadoteck:F2')];
}

/** S2: first come, first served. */
export function place(state: DadoteckState, seat: Seat, square: number): Events {
  const kind = occupantOf(state, square) === undefined ? 'placed' : 'taken';
  return [{ kind, ev: 1, rule: 'dadoteck:S2', seat, square }];
}

/** Z5: a seat that leaves is out, and its turn with it. */
export function leave(state: DadoteckState, seat: Seat): Events {
  const left: DadoteckEvent = { kind: 'left', ev: 1, rule: 'dadoteck:F4', seat };
  return state.mover === seat ? [left, ended(seat, 'dadoteck:F4')] : [left];
}

const won = (seat: Seat): DadoteckEvent => ({ kind: 'won', ev: 1, rule: 'dadoteck:F2', seat });
const round = (n: number): DadoteckEvent => ({ kind: 'round', ev: 1, rule: 'dadoteck:F1', round: n });

function nextInitiative(state: DadoteckState, alive: readonly Seat[]): DadoteckEvent | undefined {
  if (betweenRounds(state) && alive.length > 1) {
    const dice = agreedDice(state);
    if (dice !== undefined) return dice;
  }
  if (alive.length > 1 && rollers(state).length > 0) return undefined;
  const groups = tiedGroups(state);
  if (groups.length > 0) return { kind: 'tied', ev: 1, rule: 'dadoteck:I2', groups };
  return { kind: 'ordered', ev: 1, rule: 'dadoteck:I1', order: orderOf(state) };
}

function nextTurn(state: DadoteckState, alive: readonly Seat[]): DadoteckEvent {
  const next = state.order.findIndex((seat, index) => index > state.turn && alive.includes(seat));
  const seat = state.order[next];
  const [survivor] = alive;
  if (seat !== undefined) {
    const skipped = next > state.turn + 1;
    return { kind: 'turn', ev: 1, rule: skipped ? 'dadoteck:F4' : 'dadoteck:I1', seat };
  }
  return alive.length === 1 && survivor !== undefined ? won(survivor) : round(state.round + 1);
}

/** A turn that waits for a choice nobody is left to suffer (a seat left the table meanwhile) ends by itself. */
function idleChoice(state: DadoteckState, mover: Seat): DadoteckEvent {
  return ended(mover, state.phase === 'assassin' ? 'dadoteck:M5' : 'dadoteck:F2');
}

/** What follows by itself from a state: the next pass, turn or round, or the end. */
function nextEvent(state: DadoteckState): DadoteckEvent | undefined {
  const { phase, winner, mover } = state;
  if (phase === 'over') return undefined;
  const alive = living(state);
  const [survivor] = alive;
  if (winner !== null || survivor === undefined) return { kind: 'ended', ev: 1, rule: 'dadoteck:F3', winner };
  if (phase === 'placement') {
    if (alive.length === 1) return won(survivor);
    return alive.every((seat) => squareOf(state, seat) !== undefined) ? round(1) : undefined;
  }
  if (phase === 'initiative') return nextInitiative(state, alive);
  if (mover === null) return nextTurn(state, alive);
  return alive.length === 1 && phase !== 'movement' ? idleChoice(state, mover) : undefined;
}

/** Accepts events together with all that follows from them; `open` where the roll asks its owner for a choice. */
export function accepted(state: DadoteckState | undefined, events: Events): Verdict<DadoteckEvent> {
  const all = [...events];
  let now = state;
  for (let index = 0; ; index += 1) {
    const event = all[index] ?? (now === undefined ? undefined : nextEvent(now));
    if (event === undefined) {
      const choosing = now?.phase === 'bastard' || now?.phase === 'assassin';
      return { verdict: choosing ? 'open' : 'accepted', events: all };
    }
    all[index] = event;
    now = evolve(now, event);
  }
}
