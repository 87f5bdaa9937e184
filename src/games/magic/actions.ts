import type { Json, JsonObject } from '../../dice/json.js';
import { MAX_EFFECTS } from '../../rolls/instruction.js';
import { specialAction } from '../../rolls/planar.js';
import { rerollsOf } from '../../rolls/stored.js';
import { field } from '../awaited.js';
import type { Seat, Verdict } from '../game.js';
import { isList, isWhole, refused } from '../refusal.js';
import type { Card } from './catalogue.js';
import { cardOf, isCard, MAX_NUMBER, type Ordered, orderOfCard, orderOfForm, orderOfNotation } from './orders.js';
import { isBusy, openRolls, rolling } from './rolling.js';
import { substitute } from './stand-ins.js';
import {
  activeSeats,
  type InPlay,
  type MagicEvent,
  type MagicState,
  type Order,
  type Permanent,
  permanentOf,
} from './state.js';

type Judged = Verdict<MagicEvent>;

const accepted = (...events: readonly MagicEvent[]): Judged => ({ verdict: 'accepted', events });

function rolls(state: MagicState, ordered: Ordered): Judged {
  return ordered.ok ? accepted(...openRolls(state, ordered.value)) : ordered.error;
}

/** What is said of a card that contradicts what it does: a target, counters or a number it does not have. */
function surplus({ effect }: Card, args: JsonObject): string | undefined {
  const known = {
    target: effect?.target === true,
    value: effect?.asks !== undefined,
    counters: effect?.counters !== undefined,
  };
  return (['target', 'value', 'counters'] as const).find((name) => field(args, name) !== undefined && !known[name]);
}

const PLAYED = 'a card that changes or watches rolls';

/** A card comes into play under the seat's control. */
function play(state: MagicState, seat: Seat, args: JsonObject): Judged {
  const card = cardOf(args);
  if (!isCard(card)) return card;
  const { effect } = card;
  if (effect === undefined && card.watches === undefined) {
    return refused('no_effect', 'magic:play', `${card.name} neither changes nor watches rolls`, PLAYED);
  }
  if (state.inPlay.length >= MAX_EFFECTS) {
    return refused('too_many_effects', 'magic:play', 'too many cards are in play', `at most ${MAX_EFFECTS}`);
  }
  const [target, value, counters] = [field(args, 'target'), field(args, 'value'), field(args, 'counters')];
  const known = state.seats.find((one) => one === target);
  const strange = surplus(card, args);
  if (strange !== undefined) {
    return refused('contradictory', 'magic:play', `${card.name} knows no ${strange}`, `no ${strange}`);
  }
  if (effect?.target === true && known === undefined) {
    return refused('no_target', 'magic:play', 'it is set on a player', `target: ${state.seats.join(', ')}`);
  }
  if (effect?.asks !== undefined && !isWhole(value, -MAX_NUMBER, MAX_NUMBER)) {
    return refused('missing_number', '706.7', 'which number is exchanged?', `value: -${MAX_NUMBER} to ${MAX_NUMBER}`);
  }
  if (counters !== undefined && !isWhole(counters, 0, MAX_NUMBER)) {
    return refused('bad_number', 'magic:play', 'how many counters?', `counters: 0 to ${MAX_NUMBER}`);
  }
  const kept = effect?.counters === undefined ? undefined : (counters ?? effect.counters);
  const one: InPlay = {
    id: state.next,
    card: card.name,
    seat,
    used: 0,
    ...(kept === undefined ? {} : { counters: kept }),
    ...(effect?.target === true && known !== undefined ? { target: known } : {}),
    ...(isWhole(value, -MAX_NUMBER, MAX_NUMBER) ? { value } : {}),
  };
  return accepted({ kind: 'entered', ev: 1, card: one });
}

/** A card that was in play, or a permanent with its stored results (`on`), leaves. */
function remove(state: MagicState, seat: Seat, args: JsonObject): Judged {
  const on = field(args, 'on');
  if (on !== undefined) {
    const permanent = storing(state, seat, on);
    return 'name' in permanent ? accepted({ kind: 'forgotten', ev: 1, name: permanent.name, seat }) : permanent;
  }
  const id = field(args, 'id');
  const one = state.inPlay.find((other) => other.id === id);
  if (one === undefined) {
    const ids = state.inPlay.slice(0, 10).map((other) => `${other.id}: ${other.card}`);
    return refused('not_in_play', 'magic:play', 'no such card is in play', ids.join(', ') || 'a card in play');
  }
  if (one.seat !== seat && seat !== 'gm')
    return refused('wrong_seat', 'magic:play', `the card is ${one.seat}'s`, one.seat);
  return accepted({ kind: 'went', ev: 1, id: one.id });
}

/** The planar die's special action (901.9): the active player's, dearer each time this turn. */
function planar(state: MagicState, seat: Seat, args: JsonObject): Judged {
  const [phase, stack, mana] = [field(args, 'phase'), field(args, 'stack'), field(args, 'mana')];
  if ([stack, mana].some((given) => given !== undefined && !isWhole(given, 0, MAX_NUMBER))) {
    return refused('bad_number', '901.9', 'how many?', `stack, mana: 0 to ${MAX_NUMBER}`);
  }
  if (phase !== undefined && typeof phase !== 'string') {
    return refused('wrong_phase', '901.9', 'a phase has a name', 'phase: main1 or main2');
  }
  const turn = new Map(state.specials.map((one) => [one, state.specials.filter((other) => other === one).length]));
  const taken = specialAction(turn, {
    player: seat,
    active: activeSeats(state).includes(seat),
    ...(typeof phase === 'string' ? { phase } : {}),
    ...(typeof stack === 'number' ? { stack } : {}),
    ...(typeof mana === 'number' ? { mana } : {}),
  });
  if (!taken.ok) {
    const cost = turn.get(seat) ?? 0;
    const expected =
      taken.error === 'not_active' ? activeSeats(state).join(', ') : `a main phase, an empty stack, ${cost} mana`;
    return refused(taken.error, '901.9', 'the planar die may not be rolled now', expected);
  }
  const order: Order = {
    seat,
    name: 'planar',
    card: null,
    asks: { dice: ['planar'], modifiers: [], percentile: state.percentile, use: { kind: 'none' } },
    planar: { cost: taken.value.cost },
  };
  return accepted(...openRolls(state, [order]));
}

const NOTHING_STORED = 'a permanent with stored results';

/** The seat's permanent of this name, or the refusal that says where results are stored (706.8c: its own alone). */
function storing(state: MagicState, seat: Seat, on: Json): Permanent | Verdict<never> {
  const permanent = typeof on === 'string' ? permanentOf(state, seat, on) : undefined;
  if (permanent !== undefined) return permanent;
  const other = state.permanents.find(({ name }) => name === on);
  if (other !== undefined) return refused('wrong_seat', '706.8c', 'the stored results are not theirs', other.seat);
  const names = state.permanents.filter((one) => one.seat === seat).map(({ name }) => name);
  return refused(
    'nothing_stored',
    '706.8b',
    'nothing is stored there',
    names.slice(0, 10).join(', ') || NOTHING_STORED,
  );
}

/** Any of a permanent's stored results, one roll for each kind of die (706.8b). */
function reroll(state: MagicState, seat: Seat, args: JsonObject): Judged {
  const permanent = storing(state, seat, field(args, 'on') ?? '');
  if (!('name' in permanent)) return permanent;
  const given = field(args, 'entries');
  const entries = isList(given) ? given.filter((at) => isWhole(at, 0, permanent.stored.length - 1)) : [];
  if (!isList(given) || new Set(entries).size < given.length) {
    return refused('bad_choice', '706.8b', 'which results?', `entries: any of 0 to ${permanent.stored.length - 1}`);
  }
  const orders = rerollsOf(permanent.stored, entries).map(
    ({ type, entries: own }): Order => ({
      seat,
      name: permanent.name,
      card: null,
      asks: { dice: own.map(() => type), modifiers: [], percentile: state.percentile, use: { kind: 'none' } },
      store: { on: permanent.name, entries: own },
    }),
  );
  return accepted(...openRolls(state, orders));
}

/** The next player in order who does not share this turn: a team ends it together (901.12d). */
function nextActive(state: MagicState): Seat {
  const { seats, active } = state;
  const at = seats.indexOf(active);
  const order = [...seats.slice(at + 1), ...seats.slice(0, at)];
  return order.find((seat) => !activeSeats(state).includes(seat)) ?? active;
}

function turn(state: MagicState, seat: Seat, args: JsonObject): Judged {
  if (!activeSeats(state).includes(seat) && seat !== 'gm') {
    return refused('not_active', 'magic:turn', 'only the active player ends the turn', activeSeats(state).join(', '));
  }
  const to = field(args, 'to');
  const active = to === undefined ? nextActive(state) : state.seats.find((one) => one === to);
  if (active === undefined) return refused('unknown_seat', 'magic:turn', 'nobody sits there', state.seats.join(', '));
  return accepted({ kind: 'turn', ev: 1, active });
}

function cancel(state: MagicState, by: Seat): Judged {
  const [first] = state.open;
  if (by !== 'gm') return refused('not_allowed', 'magic:cancel', 'only the GM breaks off a roll', 'gm');
  if (first === undefined && state.again !== null) return accepted({ kind: 'again_declined', ev: 1 });
  if (first === undefined) return refused('nothing_open', 'magic:cancel', 'no roll is open', 'an open roll');
  return accepted(...state.open.map(({ n }): MagicEvent => ({ kind: 'cancelled', ev: 1, n })));
}

/** Judges an action; `player` names the seat the GM acts for. */
export function judgeAction(state: MagicState, by: Seat, action: string, args: JsonObject): Judged {
  if (action === 'cancel') return cancel(state, by);
  const named = field(args, 'player');
  const seat = by === 'gm' && typeof named === 'string' ? named : by;
  const manages = by === 'gm' && (action === 'turn' || action === 'remove');
  if (!state.seats.includes(seat) && !manages) {
    return refused('unknown_seat', '706.1', 'nobody sits there', state.seats.join(', '));
  }
  if (action === 'substitute') return substitute(state, seat, args);
  if (isBusy(state)) {
    // Roll, modifiers, consequences and table are one ability: nobody comes between (706.3b).
    const who = [...rolling(state), ...(state.again === null ? [] : [state.again.seat])];
    return refused('roll_open', '706.3b', 'a roll is not finished', [...new Set(who)].join(', '));
  }
  switch (action) {
    case 'card':
      return rolls(state, orderOfCard(state, seat, args));
    case 'roll':
      return rolls(state, orderOfNotation(state, seat, args));
    case 'form':
      return rolls(state, orderOfForm(state, seat, args));
    case 'play':
      return play(state, seat, args);
    case 'remove':
      return remove(state, seat, args);
    case 'planar':
      return planar(state, seat, args);
    case 'reroll':
      return reroll(state, seat, args);
    case 'turn':
      return turn(state, seat, args);
    default:
      return refused('unknown_action', 'magic', 'this table knows no such action', 'card, roll, form, play, …');
  }
}
