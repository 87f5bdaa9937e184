import type { DieType, Face } from '../../src/dice/die.js';
import { faceOf, sidesOf } from '../../src/dice/die.js';
import type { Json, JsonObject } from '../../src/dice/json.js';
import { matchThrow, missingDice } from '../../src/games/awaited.js';
import { dicebound } from '../../src/games/dicebound/dicebound.js';
import type { DiceboundEvent } from '../../src/games/dicebound/events.js';
import type { DiceboundState } from '../../src/games/dicebound/state.js';
import type { Deed, Expectation, Seat, StoredEvent, Verdict } from '../../src/games/game.js';
import { numbers } from './dadoteck-games.js';
import { BOX } from './dicebound-play.js';
import { RULES } from './dicebound-rules.js';
import { soundAfter, soundBefore } from './dicebound-sound.js';
import { witnessed } from './dicebound-witness.js';

/** A campaign longer than this many deeds does not end. */
const MAX_DEEDS = 6_000;

/** After so many deeds the GM breaks a fight off; few fights need it. */
const PATIENCE = 1_500;

/** What thousands of fights came to. */
export interface Tally {
  fights: number;
  deeds: number;
  wrong: number;
  brokenOff: number;
  killed: number;
  corrected: number;
  unfit: number;
  readonly taken: Map<string, number>;
  readonly notTaken: Map<string, number>;
}

export class Chance {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = numbers(seed);
  }
  below(n: number): number {
    return Math.floor(this.#next() * n);
  }
  one(inHowMany: number): boolean {
    return this.below(inHowMany) === 0;
  }
  of<T>(items: readonly T[], otherwise: T): T {
    return items[this.below(items.length)] ?? otherwise;
  }
  face(type: DieType): Face {
    const drawn = this.below(sidesOf(type)) + 1;
    if (type === 'd00') return (drawn - 1) * 10;
    const face = faceOf(type, drawn);
    return face.ok ? face.value : 1;
  }
}

const choice = (by: Seat, action: string, args: JsonObject = {}): Deed => ({ kind: 'choice', by, action, args });

/** A throw as a table puts it: to the call it fits, or to none. */
export function thrown(state: DiceboundState, seat: Seat | null, type: DieType, face: Face, call?: string): Deed {
  const expects = dicebound.expects(state);
  const match = matchThrow(expects, { seat, type });
  const open = expects.find((one) => match.kind === 'call' && one.id === match.id);
  const lying = open?.kind === 'roll' ? open.resolution.landed.length : 0;
  return {
    kind: 'natural',
    call: call ?? (match.kind === 'call' ? match.id : null),
    seat,
    die: { die: `${seat}-${type}-${lying}`, type, quality: 'ok' },
    face,
    source: 'physical',
  };
}

const STATS = ['physical', 'magic', 'defence', 'agility'] as const;
const HERO_DICE = [4, 8, 10, 12] as const;

/** What the GM does in the camp: rooms, traps, fights, rests, checks. */
function camp(state: DiceboundState, chance: Chance): Deed {
  const standing = state.seats.filter(
    (seat) => state.heroes[seat]?.attendance === 'present' && !state.heroes[seat]?.ko,
  );
  const who = chance.of(standing, 'zoe');
  const { room } = state;
  const check = (trap?: string): Deed =>
    choice('gm', 'check', {
      who,
      stat: chance.of(STATS, 'magic'),
      difficulty: 1 + chance.below(14),
      ...(trap === undefined ? {} : { trap }),
    });
  const absent = state.seats.filter((seat) => state.heroes[seat]?.attendance === 'absent');
  if (standing.length === 0) {
    // An ambush waits for its room, and that for somebody who is there.
    if (state.resting === 'room' && absent.length > 0)
      return choice('gm', 'present', { who: chance.of(absent, 'zoe'), yes: true });
    return room === null ? choice('gm', 'rest') : choice('gm', 'closeRoom');
  }
  if (state.resting !== 'room' && chance.one(6)) return check();
  if (state.resting !== 'room' && chance.one(12)) {
    if (absent.length > 0) return choice('gm', 'present', { who: chance.of(absent, 'zoe'), yes: true });
    if (standing.length > 1) return choice('gm', 'present', { who, yes: false });
  }
  if (room === null) {
    if (state.resting === null && chance.one(4)) return choice('gm', 'rest');
    return choice('gm', 'openRoom', { buy: shopping(state, chance) });
  }
  const traps = Object.entries(room.traps).flatMap(([id, trap]) => (trap.done ? [] : [id]));
  const [trap] = traps;
  if (trap !== undefined) return chance.one(4) ? check(trap) : choice('gm', 'trap', { trap, who });
  if (chance.one(8)) return choice('gm', 'drawDice', { who: 'all', yes: true });
  const alive = Object.values(room.monsters).some((monster) => !monster.fallen);
  return choice('gm', alive ? 'startFight' : 'closeRoom');
}

function shopping(state: DiceboundState, chance: Chance): readonly string[] {
  const { monsters, traps, environments } = state.data;
  const heads = state.seats.filter((seat) => state.heroes[seat]?.attendance === 'present').length;
  let left = (state.level * 3 + 2) * heads;
  const all = [monsters, monsters, monsters, traps, environments, environments, environments].flatMap((table) =>
    Object.entries(table),
  );
  const bought: string[] = [];
  for (let n = 0; n < 8 && bought.length < 4; n += 1) {
    const [kind, { cost }] = chance.of(all, ['orc', { cost: 2 }] as never);
    if (cost > left) continue;
    left -= cost;
    bought.push(kind);
  }
  return bought;
}

/** A choice that is open, answered by somebody who wants the fight to end. */
function answer(state: DiceboundState, chance: Chance, due: Expectation): Deed | undefined {
  if (due.kind !== 'choice' || due.seat === null) return undefined;
  if (due.purpose === 'camp') return camp(state, chance);
  const actions = due.actions ?? [];
  const eager = actions.filter((one) => one.action === 'attack' || one.action === 'draw');
  const spec = chance.of(eager.length > 0 && !chance.one(6) ? eager : actions, actions[0]);
  if (spec === undefined || spec.action === 'endFight' || spec.action === 'adjust') return undefined;
  const args: { [name: string]: Json } = {};
  for (const [name, values] of Object.entries(spec.args ?? {})) {
    if (Array.isArray(values)) args[name] = chance.of(values as readonly Json[], null);
  }
  if (spec.action === 'draw' && state.rules.bag === 'physical')
    args.tile = chance.of(Object.keys(state.data.tiles), '101');
  return choice(due.seat, spec.action, args);
}

/** A deed that something awaited asks for. */
function legal(state: DiceboundState, chance: Chance, patience: number): Deed | undefined {
  const all = dicebound.expects(state);
  if (patience <= 0 && state.fight !== null && state.mode === 'story')
    return choice('gm', 'endFight', { how: chance.of(['won', 'left'], 'won') });
  const draw = all.find((one) => one.kind === 'draw');
  if (draw?.kind === 'draw') {
    return { kind: 'drawn', draw: draw.id, values: draw.sides.map((sides) => chance.below(sides) + 1) };
  }
  const side = all.filter((one) => one.kind === 'set' || one.kind === 'timer');
  if (side.length > 0 && chance.one(8)) {
    const one = chance.of(side, side[0]);
    if (one?.kind === 'timer') return { kind: 'elapsed', timer: one.id };
    if (one?.kind === 'set') return { kind: 'set', seat: one.seat ?? 'gm', counter: one.counter, face: one.face };
  }
  const rolls = all.filter((one) => one.kind === 'roll');
  const choices = all.filter((one) => one.kind === 'choice' && one.purpose !== 'fight');
  const must = rolls.filter((one) => !one.optional);
  const wanted = must.length > 0 ? must : chance.one(3) ? choices : [...rolls, ...choices];
  const due = chance.of(wanted, wanted[0]);
  if (due === undefined) return undefined;
  if (due.kind !== 'roll') return answer(state, chance, due);
  const type = chance.of(missingDice(due.resolution), 'd4');
  const half: DieType = type === 'd100' ? chance.of(['d00', 'd10'] as const, 'd10') : type;
  return thrown(state, due.seat, half, chance.face(half));
}

/** A deed out of turn, of the wrong die, early, of another's die, beyond the budget, or of rubbish. */
function illegal(state: DiceboundState, chance: Chance): Deed {
  const seat = chance.of([...state.seats, 'gm', 'zoe'], 'ada');
  const hero = state.heroes[seat];
  const type: DieType = `d${chance.of(HERO_DICE, 4)}`;
  const own: DieType = hero === undefined ? type : `d${hero.dice[chance.of(STATS, 'magic')]}`;
  const monsters = Object.keys(state.room?.monsters ?? {});
  const target = chance.of([...monsters, ...state.seats, 'orc', 'constructor'], 'orc');
  const tile = chance.of([...Object.keys(state.data.tiles), '999', '__proto__'], '101');
  const counter = chance.of(['pv', 'pa', 'level', 'luck'], 'pv');
  const yes: Json = chance.of([true, false, 'yes' as const], true);
  const weapon = chance.of(['physical', 'magic', 'base', 'hat'], 'base');
  const buy = chance.of<Json>([['boss', 'boss', 'boss', 'boss', 'boss', 'boss'], ['dragon'], 'orc', 7], 7);
  const turn = state.fight?.turn ?? 'gm';
  const hand = state.heroes[turn] === undefined ? 'gm' : turn;
  const deeds: readonly (() => Deed)[] = [
    () => choice(hand, 'attack', { weapon, ...(chance.one(2) ? {} : { target }) }),
    () => choice(hand, 'attack', { weapon: chance.of(['physical', 'magic'], 'magic') }),
    // G4: once more than a horde has dice.
    () => choice('gm', 'attack', { weapon: 'physical' }),
    () => choice('gm', 'attack', { weapon: 'physical' }),
    () => choice('gm', 'openRoom', { buy: ['boss', 'boss', 'boss', 'boss', 'boss', 'boss'] }),
    () => choice('gm', chance.of(['startFight', 'closeRoom', 'endFight', 'rest'], 'rest')),
    () => choice(hand, 'attack', { weapon: 'magic', target }),
    () => choice(hand, 'attack', { weapon: 'magic' }),
    () => choice(hand, 'star', { tile }),
    () => thrown(state, seat, own, chance.face(own)),
    () => thrown(state, seat, own, chance.face(own)),
    () => thrown(state, seat, type, chance.face(type)),
    () => thrown(state, chance.one(2) ? 'gm' : null, type, chance.face(type)),
    () => thrown(state, seat, chance.of(['d20', 'd6', 'd00'] as const, 'd6'), 0),
    () => thrown(state, seat, own, chance.face(own), chance.of(['f1.a1.physical', 'f1.a1.defence', 'c1.1'], 'x')),
    () => choice(seat, 'attack', { weapon, target }),
    () => choice(seat, chance.of(['withdraw', 'endTurn', 'drink', 'draw'], 'drink')),
    () => choice(seat, 'change', { weapon, target }),
    () => choice(seat, chance.of(['dodge', 'effort', 'drawDice'], 'dodge'), { yes, who: target }),
    () =>
      choice(seat, chance.of(['equip', 'star', 'draw', 'give'], 'star'), {
        tile,
        target,
        to: chance.of([...state.seats, 'bag'], 'bag'),
      }),
    () => choice(seat, 'openRoom', { buy }),
    () => choice(seat, chance.of(['startFight', 'closeRoom', 'rest', 'endFight'], 'rest'), { how: 'lost' }),
    () =>
      choice(seat, 'check', { who: seat, stat: chance.of([...STATS, 'luck'], 'luck'), difficulty: chance.below(3) }),
    () =>
      choice(seat, 'trap', {
        trap: chance.of(['pit-1', 'pit', 'x'], 'x'),
        who: seat,
        pay: chance.of(['pa', 'gold'], 'pa'),
      }),
    () => choice(seat, chance.of(['join', 'present'], 'present'), { who: chance.of(['gm', 'zoe'], 'gm') }),
    () => choice('gm', chance.of(['leave', 'destroy'], 'leave'), { who: 'zoe', tile }),
    () => choice('gm', 'adjust', { who: chance.of([...state.seats, 'zoe'], 'zoe'), pv: chance.of([21, -1, 18], 21) }),
    () => ({ kind: 'set', seat, counter, face: chance.of([1, 3, 6, 10, 20, 30, 99], 1) }),
    () => ({ kind: 'set', seat, counter: 'pa', face: Math.max(1, (hero?.pa ?? 6) - 1 - chance.below(2)) }),
    () => ({ kind: 'elapsed', timer: 'late.ada.pv.0' }),
    () => ({ kind: 'drawn', draw: 'none', values: [chance.below(100)] }),
    () => ({ kind: 'ruling', ruling: { ruling: chance.of(['seat_left', 'luck'], 'luck'), args: { id: 'zoe' } } }),
  ];
  return chance.of(deeds, () => choice(seat, 'dance'))();
}

/** Freezes a state, so that a deed that changed it would throw; what is frozen already is left alone. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}

const shown = (state: DiceboundState): string => JSON.stringify({ ...state, data: null });

export const eventsOf = (verdict: Verdict<DiceboundEvent>): readonly DiceboundEvent[] =>
  'events' in verdict ? verdict.events : [];

export const folded = (state: DiceboundState | undefined, events: readonly DiceboundEvent[]): DiceboundState => {
  const next = events.reduce<DiceboundState | undefined>((now, event) => dicebound.evolve(now, event), state);
  if (next === undefined) throw new Error('no game');
  return next;
};

function newGame(chance: Chance): { readonly events: readonly DiceboundEvent[]; readonly state: DiceboundState } {
  const classes = [
    { class: 'knight', dice: { physical: 12, magic: 4, defence: 10, agility: 8 } },
    { class: 'mage', dice: { physical: 4, magic: 12, defence: 8, agility: 10 } },
    { class: 'rogue', dice: { physical: 10, magic: 8, defence: 4, agility: 12 } },
  ];
  const arena = chance.one(5);
  const count = arena ? 2 + chance.below(3) : 1 + chance.below(4);
  const tiles = {
    physical: ['101', '102', '103', null],
    magic: ['111', '112', '113', null],
    armour: ['121', '122', null],
    accessory: ['131', '132', '133', '134', '135', null],
  };
  const seats = ['ada', 'bea', 'cleo', 'dan'].slice(0, count).map((id) => ({
    id,
    ...chance.of(classes, classes[0]),
    slots: Object.fromEntries(Object.entries(tiles).map(([slot, ids]) => [slot, chance.of<string | null>(ids, null)])),
  }));
  const options: JsonObject = {
    ...BOX,
    seats,
    mode: arena ? 'arena' : 'story',
    campaign: chance.of(['fast', 'medium', 'epic'], 'fast'),
    level: chance.of([1, 1, 1, 2, 4], 1),
    declare: chance.of(['after', 'after', 'before'], 'after'),
    earlyAnswers: chance.of(['hold', 'hold', 'refuse'], 'hold'),
    trackerAuthority: chance.of(['rules', 'rules', 'rules', 'dice'], 'rules'),
    ambushRoll: chance.of(['app', 'dice'], 'app'),
    ambushPercent: chance.of([25, 60], 25),
    bag: chance.of(['physical', 'digital'], 'physical'),
    backpack: chance.below(2),
    gmInitiative: chance.of(['each', 'once'], 'each'),
    ...(arena && count === 4 && chance.one(2) ? { arenaTeams: { red: ['ada', 'bea'], blue: ['cleo', 'dan'] } } : {}),
  };
  const verdict = dicebound.setup(
    options,
    seats.map(({ id }) => ({ id, name: id })),
  );
  return { events: eventsOf(verdict), state: folded(undefined, eventsOf(verdict)) };
}

/** C4: an answer before the attack and one after it lead to the same state. */
function bothOrders(state: DiceboundState, chance: Chance): void {
  const { fight } = state;
  const attack = fight?.attack ?? null;
  if (attack?.stage !== 'damage' || attack.target === null || state.rules.earlyAnswers === 'refuse') return;
  const due = dicebound.expects(state).find((one) => one.kind === 'roll' && !one.optional);
  const target = state.heroes[attack.target];
  if (due?.kind !== 'roll' || target === undefined || attack.target === attack.by || fight?.held.length !== 0) return;
  const blows = missingDice(due.resolution).map((type) => [due.seat, type, chance.face(type)] as const);
  const shield = [[attack.target, `d${target.dice.defence}`, chance.face(`d${target.dice.defence}`)]] as const;
  if (target.slots.armour === '121') return;
  const after = (throws: readonly (readonly [Seat | null, DieType, Face])[]): string => {
    const end = throws.reduce(
      (now, [seat, type, face]) => folded(now, eventsOf(dicebound.judge(now, thrown(now, seat, type, face)))),
      state,
    );
    return shown(end).replaceAll(/"die":"[^"]*"/g, '');
  };
  const [late, early] = [after([...blows, ...shield]), after([...shield, ...blows])];
  if (late !== early) throw new Error(`the order of answers matters: ${late}\n${early}`);
}

/** What was written down and read again leads to the same state. */
function replayed(from: DiceboundState, events: readonly DiceboundEvent[], live: DiceboundState): void {
  const stored = events.map((event) => dicebound.upcast(JSON.parse(JSON.stringify(event)) as StoredEvent));
  const known = stored.filter((event) => event !== undefined);
  const start = JSON.parse(JSON.stringify(from)) as DiceboundState;
  if (known.length !== events.length || shown(folded(start, known)) !== shown(live)) {
    throw new Error('a replay does not equal the game');
  }
}

function record(tally: Tally, before: DiceboundState, deed: Deed, verdict: Verdict<DiceboundEvent>): void {
  const counts = 'events' in verdict ? tally.taken : tally.notTaken;
  for (const rule of witnessed(before, deed, verdict)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
}

/** A deed that counted: the state before it and what came of it. */
interface Step {
  readonly deed: Deed;
  readonly before: DiceboundState;
  readonly events: readonly DiceboundEvent[];
}

/** A correction reaches back over this many deeds. */
const REACH = 12;

/**
 * The GM corrects a throw: judged anew from just before it, then the later deeds; what does not fit any more is dropped.
 * Every state on the branch is as sound as one that was played.
 */
function corrected(
  tally: Tally,
  chance: Chance,
  steps: readonly Step[],
  state: DiceboundState,
): readonly Step[] | undefined {
  const first = Math.max(0, steps.length - 1 - chance.below(REACH));
  const wrong = steps[first];
  if (wrong?.deed.kind !== 'natural') return undefined;
  const fixed: Deed = { ...wrong.deed, face: chance.face(wrong.deed.die.type) };
  const branch: Step[] = [];
  let now = wrong.before;
  for (const [at, { deed }] of [{ deed: fixed }, ...steps.slice(first + 1)].entries()) {
    const events = played(now, deed);
    if (events === undefined && at === 0) return undefined;
    if (events === undefined) tally.unfit += 1;
    else {
      branch.push({ deed, before: now, events: events.events });
      now = events.after;
    }
  }
  tally.corrected += 1;
  if (fixed.face === wrong.deed.face && shown(now) !== shown(state)) throw new Error('the same number, another game');
  return [...steps.slice(0, first), ...branch];
}

/** A deed put before the rules and folded, every event checked; undefined if it is not taken. */
function played(state: DiceboundState, deed: Deed, verdict = dicebound.judge(frozen(state), deed)) {
  if (!('events' in verdict)) return undefined;
  soundBefore(state, deed, verdict);
  let after = state;
  for (const event of verdict.events) {
    const next = dicebound.evolve(after, event);
    soundAfter(after, event, next);
    after = next;
  }
  return { events: verdict.events, after };
}

function stuck(state: DiceboundState): boolean {
  const awaited = dicebound.expects(state).filter((one) => one.kind !== 'set' && one.kind !== 'timer');
  return !state.over && awaited.length === 0;
}

/** Plays one campaign of a few rooms, or an arena, to its end. */
function playOne(tally: Tally, chance: Chance): void {
  const game = newGame(chance);
  let { state } = game;
  let steps: readonly Step[] = [];
  let fighting = 0;
  const rooms = 1 + chance.below(4);
  let idle = 0;
  for (let deeds = 0; ; deeds += 1) {
    if (deeds > MAX_DEEDS) throw new Error(`endless: ${shown(state)}`);
    const ended = state.over || (state.rooms >= rooms && state.room === null && state.resting === null);
    if (ended && idle > 6) break;
    idle += ended ? 1 : 0;
    const wrong = state.over || chance.one(5);
    const deed = wrong ? illegal(state, chance) : (legal(state, chance, PATIENCE - fighting) ?? illegal(state, chance));
    if (chance.one(8)) bothOrders(state, chance);
    const verdict = dicebound.judge(frozen(state), deed);
    record(tally, state, deed, verdict);
    tally.deeds += 1;
    const taken = played(state, deed, verdict);
    if (taken === undefined) tally.wrong += wrong ? 1 : 0;
    else {
      steps = [...steps.slice(-200), { deed, before: state, events: taken.events }];
      state = taken.after;
      tally.fights += taken.events.filter((event) => event.kind === 'fight_started').length;
      tally.killed += taken.events.filter((event) => event.kind === 'party_killed').length;
    }
    const branch = chance.one(60) ? corrected(tally, chance, steps, state) : undefined;
    if (branch !== undefined) {
      steps = branch;
      state = folded(branch.at(-1)?.before ?? game.state, branch.at(-1)?.events ?? []);
    }
    fighting = state.fight === null ? 0 : fighting + 1;
    if (fighting === PATIENCE) tally.brokenOff += 1;
    if (stuck(state)) throw new Error(`stuck: ${shown(state)}`);
  }
  if (state.mode === 'arena') tally.fights += 1;
  const [first] = steps;
  if (first !== undefined)
    replayed(
      first.before,
      steps.flatMap((step) => step.events),
      state,
    );
}

/**
 * Plays so many fights; one deed in five is wrong. Throws at the first unsound state. States are frozen: a deed that is
 * refused cannot change one.
 */
export function playFights(count: number, seed: number): Tally {
  const tally: Tally = {
    fights: 0,
    deeds: 0,
    wrong: 0,
    brokenOff: 0,
    killed: 0,
    corrected: 0,
    unfit: 0,
    taken: new Map(),
    notTaken: new Map(),
  };
  const chance = new Chance(seed);
  while (tally.fights < count) playOne(tally, chance);
  return tally;
}

/** The coverage of rules as it is printed: one line a rule. */
export function coverage(tally: Tally): string {
  const lines = RULES.map((rule) => {
    const [taken, not] = [tally.taken.get(rule) ?? 0, tally.notTaken.get(rule) ?? 0];
    return `  ${rule.padEnd(4)} taken ${taken}, not taken ${not}`;
  });
  const { fights, deeds, wrong, killed, brokenOff, corrected: mended, unfit } = tally;
  return [
    `${fights} fights, ${deeds} deeds, ${wrong} of them wrong, ${mended} corrections (${unfit} later deeds unfit), ${killed} parties killed, ${brokenOff} broken off`,
    ...lines,
  ].join('\n');
}
