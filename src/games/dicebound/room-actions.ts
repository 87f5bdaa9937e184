import type { DieType } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { field } from '../awaited.js';
import type { Seat } from '../game.js';
import { isList, isWhole, refused } from '../refusal.js';
import { heroOf, isOut, living, present, standing } from './combatants.js';
import { STATS } from './data.js';
import type { DiceboundEvent } from './events.js';
import { phaseOf } from './phase.js';
import { type Action, accepted, notActing, notCamp, notGm, quoted, type Refusal } from './play.js';
import type { DiceboundState, Room } from './state.js';
import { budgetOf } from './thresholds.js';

/** At most so many things are bought for one room. */
export const MAX_PURCHASES = 100;

/** The GM's set of dice, in the order in which pawns are given out (D6). */
const GM_SET: readonly DieType[] = ['d4', 'd6', 'd8', 'd10', 'd12', 'd20', 'd00'];

type Bought =
  | { readonly ok: true; readonly kinds: readonly string[] }
  | { readonly ok: false; readonly refusal: Refusal };

const costOf = ({ data }: DiceboundState, kind: string): number | undefined =>
  (field(data.monsters, kind) ?? field(data.traps, kind) ?? field(data.environments, kind))?.cost;

/** G2: what is bought, if the box has it and the budget suffices. */
function purchases(state: DiceboundState, value: Json | undefined): Bought {
  const rule = 'dicebound:G2';
  const fault = (code: string, reason: string, expected: string): Bought => ({
    ok: false,
    refusal: refused(code, rule, reason, expected),
  });
  const { monsters, traps, environments } = state.data;
  if (!isList(value) || value.length > MAX_PURCHASES) {
    return fault('bad_purchase', `${quoted(value)} is no list of purchases`, `buy: at most ${MAX_PURCHASES} kinds`);
  }
  const kinds: string[] = [];
  let spent = 0;
  for (const kind of value) {
    const cost = typeof kind === 'string' ? costOf(state, kind) : undefined;
    if (typeof kind !== 'string' || cost === undefined) {
      const known = [monsters, traps, environments].flatMap((table) => Object.keys(table));
      return fault('unknown_kind', `${quoted(kind)} is not in the box`, known.join(', ').slice(0, 400));
    }
    kinds.push(kind);
    spent += cost;
  }
  const budget = budgetOf(state.level, present(state).length);
  if (spent > budget)
    return fault('over_budget', `this costs ${spent} and the budget is ${budget}`, `at most ${budget}`);
  return { ok: true, kinds };
}

/** D6: the next free die of the GM's set, the kind's own if that is free. */
function pawns(state: DiceboundState, kinds: readonly string[]): readonly (DieType | null)[] {
  const free = [...GM_SET];
  return kinds.map((kind) => {
    const own = field(state.data.monsters, kind)?.pawn ?? null;
    const at = own === null || !free.includes(own) ? 0 : free.indexOf(own);
    return free.splice(at, 1)[0] ?? null;
  });
}

function numbered(kinds: readonly string[], taken: readonly string[]): readonly { id: string; kind: string }[] {
  const used = new Set(taken);
  return kinds.map((kind) => {
    let n = 1;
    while (used.has(`${kind}-${n}`)) n += 1;
    used.add(`${kind}-${n}`);
    return { id: `${kind}-${n}`, kind };
  });
}

const openRoom: Action = (state, { by }, args) => {
  const rule = 'dicebound:G2';
  const missing = notGm(state, by, rule);
  if (missing !== undefined) return missing;
  if (state.room !== null)
    return refused('room_open', rule, 'buying closed when the room opened', 'one room at a time');
  const busy = state.resting === 'room' ? undefined : notCamp(state, rule);
  if (busy !== undefined) return busy;
  if (present(state).length === 0) return refused('nobody', 'dicebound:G14', 'nobody is there tonight');
  const bought = purchases(state, field(args, 'buy'));
  if (!bought.ok) return bought.refusal;
  const { kinds } = bought;
  const { monsters: beasts, traps: snares, environments } = state.data;
  const monsters = numbered(
    kinds.filter((kind) => Object.hasOwn(beasts, kind)),
    state.seats,
  );
  const dice = pawns(
    state,
    monsters.map(({ kind }) => kind),
  );
  const heads = present(state).length;
  const ambush = state.resting === 'room';
  const opened: DiceboundEvent = {
    kind: 'room_opened',
    ev: 1,
    rule: ambush ? 'dicebound:G13' : 'dicebound:G10',
    level: state.level,
    heads,
    budget: budgetOf(state.level, heads),
    ambush,
    environments: kinds.filter((kind) => Object.hasOwn(environments, kind)),
    monsters: monsters.map((monster, at) => ({ ...monster, pawn: dice[at] ?? null })),
  };
  const secret: DiceboundEvent = {
    kind: 'purchases',
    ev: 1,
    rule,
    to: [],
    bought: kinds,
    spent: kinds.reduce((sum, kind) => sum + (costOf(state, kind) ?? 0), 0),
    traps: numbered(
      kinds.filter((kind) => Object.hasOwn(snares, kind)),
      [],
    ),
  };
  return accepted(state, [opened, secret]);
};

const startFight: Action = (state, { by }) => {
  const rule = 'dicebound:G10';
  if (state.mode === 'arena' && !state.over) return callArena(state, by);
  const missing = notGm(state, by, rule) ?? notCamp(state, rule);
  if (missing !== undefined) return missing;
  if (state.room === null) return refused('no_room', rule, 'no room is open', 'openRoom');
  const monsters = living(state);
  if (monsters.length === 0) return refused('no_monsters', rule, 'there is nobody to fight', 'closeRoom');
  const seats = standing(state);
  if (seats.length === 0) return refused('nobody', 'dicebound:C8', 'nobody stands');
  const foes = state.rules.gmInitiative === 'once' ? ['gm'] : monsters;
  return accepted(state, [{ kind: 'fight_started', ev: 1, rule, rollers: [...seats, ...foes] }]);
};

/** C10: an arena's fight is on from the start; calling it before the first die falls changes nothing. */
function callArena(state: DiceboundState, by: Seat) {
  const { fight } = state;
  const fresh = fight?.stage === 'initiative' && fight.pass === 1 && Object.keys(fight.rolls).length === 0;
  if (fresh && (by === 'gm' || by === 'table' || heroOf(state, by) !== undefined)) return accepted(state, []);
  return refused('in_fight', 'dicebound:C10', 'the fight of an arena begins with the game');
}

const closeRoom: Action = (state, { by }) => {
  const rule = 'dicebound:G10';
  const missing = notGm(state, by, rule) ?? notCamp(state, rule);
  if (missing !== undefined) return missing;
  const { room } = state;
  if (room === null) return refused('no_room', rule, 'no room is open');
  if (living(state).length > 0)
    return refused('monsters_left', rule, 'a room with monsters is won by its fight', 'startFight');
  if (trapsLeft(room).length > 0) return refused('traps_left', rule, 'its traps are not done', trapIds(room));
  return accepted(state, [{ kind: 'room_won', ev: 1, rule }]);
};

const endFight: Action = (state, { by }, args) => {
  const rule = 'dicebound:C13';
  const missing = notGm(state, by, rule);
  if (missing !== undefined) return missing;
  if (state.fight === null) return refused('no_fight', rule, 'there is no fight');
  const how = field(args, 'how');
  if (how !== 'won' && how !== 'left')
    return refused('how', rule, `${quoted(how)} is no end of a fight`, 'won or left');
  return accepted(state, [{ kind: how === 'won' ? 'room_won' : 'room_left', ev: 1, rule }]);
};

/** A standing player whom the GM names. */
function named(
  state: DiceboundState,
  args: JsonObject,
  rule: 'dicebound:E1' | 'dicebound:G11',
): { seat: Seat } | Refusal {
  const who = field(args, 'who');
  const seat = typeof who === 'string' ? state.seats.find((one) => one === who) : undefined;
  const expected = standing(state).join(', ');
  if (seat === undefined) return refused('unknown_seat', rule, `${quoted(who)} is no player`, expected);
  if (!isOut(state, seat)) return { seat };
  const ko = heroOf(state, seat)?.attendance === 'present';
  return refused(ko ? 'seat_ko' : 'seat_absent', ko ? 'dicebound:C8' : 'dicebound:G14', `${seat} cannot act`, expected);
}

const check: Action = (state, { by }, args) => {
  const rule = 'dicebound:E1';
  const missing = notGm(state, by, rule) ?? notCamp(state, 'dicebound:E5');
  if (missing !== undefined) return missing;
  const who = named(state, args, rule);
  if (!('seat' in who)) return who;
  const stat = STATS.find((one) => one === field(args, 'stat'));
  if (stat === undefined)
    return refused('unknown_stat', rule, `${quoted(field(args, 'stat'))} is no statistic`, STATS.join(', '));
  const difficulty = field(args, 'difficulty');
  if (!isWhole(difficulty, 1, 1000)) {
    return refused('bad_difficulty', rule, `${quoted(difficulty)} is no difficulty`, 'a whole number, 1 to 1000');
  }
  const disarms = disarmedBy(state.room, field(args, 'trap'));
  if (disarms === undefined) {
    const reason = `${quoted(field(args, 'trap'))} is no trap to disarm here`;
    return refused('unknown_trap', 'dicebound:G11', reason, state.room === null ? undefined : trapIds(state.room));
  }
  return accepted(state, [{ kind: 'check_called', ev: 1, rule, seat: who.seat, stat, difficulty, trap: disarms }]);
};

const trapsLeft = (room: Room | null) => Object.entries(room?.traps ?? {}).filter(([, one]) => !one.done);

/**
 * The trap that a check disarms when it is passed (G11): the one named by its id or kind, or unnamed the only one left.
 * @returns null for none, undefined for one that is not here
 */
function disarmedBy(room: Room | null, named: Json | undefined): string | null | undefined {
  if (named === null) return null;
  const left = trapsLeft(room);
  if (named === undefined) return left.length === 1 ? (left[0]?.[0] ?? null) : null;
  return left.find(([id, one]) => id === named || one.kind === named)?.[0];
}

const rest: Action = (state, { by }) => {
  const rule = 'dicebound:E4';
  const missing = notGm(state, by, rule) ?? notCamp(state, 'dicebound:E5');
  if (missing !== undefined) return missing;
  if (state.room !== null) return refused('room_open', rule, 'a room is open', 'closeRoom or startFight');
  return accepted(state, [{ kind: 'rested', ev: 1, rule }]);
};

const trap: Action = (state, deed, args) => {
  const rule = 'dicebound:G11';
  if (deed.by !== 'gm' && deed.by !== 'table') return payTrap(state, deed, args);
  const missing = notGm(state, deed.by, rule) ?? notCamp(state, 'dicebound:G10');
  if (missing !== undefined) return missing;
  const { room } = state;
  if (room === null) return refused('no_room', rule, 'no room is open');
  const left = trapsLeft(room);
  const asked = field(args, 'trap') ?? field(args, 'kind');
  const found =
    asked === undefined
      ? left.length === 1
        ? left[0]
        : undefined
      : left.find(([id, one]) => id === asked || one.kind === asked);
  if (found === undefined) {
    const reason = asked === undefined ? 'no trap is named' : `${quoted(asked)} is no trap of this room`;
    return refused('unknown_trap', rule, reason, trapIds(room));
  }
  const [id, { kind }] = found;
  const all = field(state.data.traps, kind)?.who === 'all';
  const who = all ? undefined : named(state, args, rule);
  if (who !== undefined && !('seat' in who)) return who;
  const hit = who === undefined ? standing(state) : [who.seat];
  return accepted(state, [{ kind: 'trap_sprung', ev: 1, rule, id, trap: kind, hit }]);
};

const trapIds = (room: Room): string =>
  trapsLeft(room)
    .map(([id]) => id)
    .join(', ') || 'no trap is left';

const payTrap: Action = (state, { by }, args) => {
  const rule = 'dicebound:G11';
  const missing = notActing(state, by, rule);
  if (missing !== undefined) return missing;
  const { trap: open } = state;
  if (open === null || !open.hit.includes(by) || Object.hasOwn(open.pays, by)) {
    return refused('not_awaited', rule, `no trap asks ${by}`, phaseOf(state));
  }
  const pay = field(args, 'pay');
  if (pay !== 'pa' && pay !== 'pv') return refused('how', rule, `${quoted(pay)} pays no trap`, 'pa or pv');
  const kind = field(state.data.traps, field(state.room?.traps, open.id)?.kind ?? '');
  return accepted(state, [{ kind: 'trap_paid', ev: 1, rule, seat: by, pay, cost: pay === 'pa' ? (kind?.pa ?? 0) : 0 }]);
};

const endStory: Action = (state, { by }) => {
  const missing = notGm(state, by, 'dicebound:G14', true);
  return missing ?? accepted(state, [{ kind: 'ended', ev: 1, rule: 'dicebound:G14', winner: null }]);
};

/** Actions of the GM between and around fights, and a seat's answer to a trap. */
export const ROOM_ACTIONS: readonly (readonly [string, Action])[] = [
  ['openRoom', openRoom],
  ['startFight', startFight],
  ['closeRoom', closeRoom],
  ['endFight', endFight],
  ['check', check],
  ['rest', rest],
  ['trap', trap],
  ['endStory', endStory],
];
