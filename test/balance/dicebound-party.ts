import type { DieType } from '../../src/dice/die.js';
import type { JsonObject } from '../../src/dice/json.js';
import { missingDice } from '../../src/games/awaited.js';
import { affordable, asksOf } from '../../src/games/dicebound/asks.js';
import { choicesOf } from '../../src/games/dicebound/choices.js';
import { heroOf, living, monsterOf, paOf, standing } from '../../src/games/dicebound/combatants.js';
import { attackCost } from '../../src/games/dicebound/costs.js';
import { SLOTS, type Slot, type Tile } from '../../src/games/dicebound/data.js';
import { dicebound } from '../../src/games/dicebound/dicebound.js';
import { SAMPLES } from '../../src/games/dicebound/samples/samples.js';
import { type DiceboundState, MAX_PV, type Weapon } from '../../src/games/dicebound/state.js';
import { attackAsk, tileIn } from '../../src/games/dicebound/statistics.js';
import { budgetOf } from '../../src/games/dicebound/thresholds.js';
import type { Deed, Expectation, Seat } from '../../src/games/game.js';
import { type Chance, eventsOf, folded } from '../games/dicebound-games.js';

/** A party that has not won after so many rounds leaves the room (C13). */
const MAX_ROUNDS = 30;

/** Damage that is worth a dodge, and PV at which a potion is drunk. */
const WORTH_A_DODGE = 3;
const WORTH_A_POTION = 8;

/** How a room ended, and PV lost by a hero on average. */
export interface Outcome {
  readonly won: boolean;
  readonly lost: number;
}

const CLASSES = Object.keys(SAMPLES.classes);
const TILES = Object.entries(SAMPLES.tiles);

const mean = (type: DieType): number => (Number(type.slice(1)) + 1) / 2;

/** What a tile is worth to its owner: what it adds on average; a potion what it heals. */
function worth(tile: Tile, owner: string): number {
  const adds = tile.flat + (tile.die === null ? 0 : mean(`d${tile.die}`)) + tile.heal / 2;
  return tile.class === null || tile.class === owner || tile.slot === 'armour' ? adds : adds - 2;
}

/** T6: a chest for every level after the first; what is worth less than the tile in its slot goes back to the bag. */
function looted(owner: string, level: number, chance: Chance): JsonObject {
  const slots = new Map<Slot, string>();
  for (let chest = 1; chest < level; chest += 1) {
    const [id, tile] = chance.of(TILES, ['', undefined as never]);
    const old = SAMPLES.tiles[slots.get(tile.slot) ?? ''];
    if (old === undefined || worth(tile, owner) > worth(old, owner)) slots.set(tile.slot, id);
  }
  return Object.fromEntries(SLOTS.map((slot) => [slot, slots.get(slot) ?? null]));
}

/** G2: a room for the whole budget: now and then an event and a trap, then monsters of a size that suits it. */
function bought(budget: number, chance: Chance): readonly string[] {
  let left = budget;
  const kinds: string[] = [];
  const buy = (table: { readonly [kind: string]: { readonly cost: number } }, least: number): boolean => {
    const fit = Object.entries(table).filter(([, { cost }]) => cost <= left && cost >= least);
    const [kind, { cost }] = chance.of(fit, ['', { cost: 0 }]);
    if (kind === '') return false;
    kinds.push(kind);
    left -= cost;
    return true;
  };
  buy(SAMPLES.monsters, 0);
  if (chance.one(3)) buy(SAMPLES.environments, 0);
  if (chance.one(2)) buy(SAMPLES.traps, 0);
  while (buy(SAMPLES.monsters, left / 8) || buy(SAMPLES.monsters, 0));
  while (buy(SAMPLES.traps, 0));
  return kinds;
}

/** The attack that does most for its PA; one PA is kept for a dodge after the first. */
function bestAttack(state: DiceboundState, who: string): Weapon | undefined {
  const { fight } = state;
  if (fight === null) return undefined;
  const pa = paOf(state, who);
  const hero = heroOf(state, who) !== undefined;
  const rated = affordable(state, who).flatMap((weapon) => {
    const [ask, cost] = [attackAsk(state, who, weapon, fight.boost), attackCost(state, who, weapon, fight.boost)];
    if (ask === undefined || !cost.ok || (hero && fight.attacks > 0 && pa - cost.pa < 1)) return [];
    const dice = [...ask.main, ...ask.bonus].reduce((sum, type) => sum + mean(type), 0);
    const damage = dice + ask.flat.reduce((sum, { amount }) => sum + amount, 0);
    return [{ weapon, rate: (damage - 1) / Math.max(1, cost.pa) }];
  });
  return rated.sort((one, other) => other.rate - one.rate)[0]?.weapon;
}

function turn(state: DiceboundState, by: Seat, chance: Chance): Deed {
  const who = state.fight?.turn ?? '';
  const choose = (action: string, args: JsonObject = {}): Deed => ({ kind: 'choice', by, action, args });
  const hero = heroOf(state, who);
  const potion = hero === undefined ? undefined : tileIn(state, hero, 'accessory');
  const thirsty = hero !== undefined && hero.pv <= WORTH_A_POTION && (potion?.heal ?? 0) > 0;
  if (thirsty && potion !== undefined && potion.cost <= hero.pa) return choose('drink');
  const weapon = bestAttack(state, who);
  if (weapon === undefined) return choose('endTurn');
  const weakest = [...living(state)].sort(
    (one, other) => (monsterOf(state, one)?.pv ?? 0) - (monsterOf(state, other)?.pv ?? 0),
  )[0];
  return choose('attack', {
    weapon,
    target: hero === undefined ? chance.of(standing(state), '') : (weakest ?? ''),
  });
}

/** What a sensible player, or the GM, answers to a choice. */
function answer(state: DiceboundState, due: Expectation, chance: Chance): Deed | undefined {
  if (due.kind !== 'choice' || due.seat === null) return undefined;
  const by = due.seat;
  switch (due.purpose) {
    case 'turn':
      return turn(state, by, chance);
    case 'dodge':
      return { kind: 'choice', by, action: 'dodge', args: { yes: (state.fight?.attack?.left ?? 0) >= WORTH_A_DODGE } };
    case 'trap':
      return { kind: 'choice', by, action: 'trap', args: { pay: 'pa' } };
    default:
      return undefined;
  }
}

/** The next die that must fall, thrown into its call. */
function nextThrow(state: DiceboundState, chance: Chance): Deed | undefined {
  const due = asksOf(state).find(({ expects }) => !expects.optional)?.expects;
  const [type] = due === undefined ? [] : missingDice(due.resolution);
  if (due === undefined || type === undefined) return undefined;
  const die = `${due.seat}-${type}-${due.resolution.landed.length}`;
  return {
    kind: 'natural',
    call: due.id,
    seat: due.seat,
    die: { die, type, quality: 'ok' },
    face: chance.face(type),
    source: 'physical',
  };
}

function nextDeed(state: DiceboundState, chance: Chance): Deed {
  const fell = nextThrow(state, chance);
  if (fell !== undefined) return fell;
  const due = choicesOf(state).find(({ optional }) => !optional);
  const answered = due === undefined ? undefined : answer(state, due, chance);
  if (answered !== undefined) return answered;
  const trap = Object.entries(state.room?.traps ?? {}).find(([, { done }]) => !done)?.[0];
  if (trap !== undefined)
    return { kind: 'choice', by: 'gm', action: 'trap', args: { trap, who: chance.of(standing(state), '') } };
  return { kind: 'choice', by: 'gm', action: 'startFight' };
}

function opened(level: number, heads: number, chance: Chance): DiceboundState {
  const seats = Array.from({ length: heads }, (_, at) => {
    const own = CLASSES[at % CLASSES.length] ?? '';
    return { id: `s${at + 1}`, class: own, slots: looted(own, level, chance) };
  });
  const setup = dicebound.setup(
    { level, campaign: 'epic', seats },
    seats.map(({ id }) => ({ id, name: id })),
  );
  return folded(undefined, eventsOf(setup));
}

/** A fresh party of the sample classes plays one room that was bought for its whole budget. */
export function playRoom(level: number, heads: number, chance: Chance): Outcome {
  let state = opened(level, heads, chance);
  const buy = bought(budgetOf(level, heads), chance);
  let deed: Deed = { kind: 'choice', by: 'gm', action: 'openRoom', args: { buy } };
  for (; (state.fight?.round ?? 0) <= MAX_ROUNDS; deed = nextDeed(state, chance)) {
    const verdict = dicebound.judge(state, deed);
    if (!('events' in verdict)) throw new Error(JSON.stringify([deed, verdict]));
    for (const event of verdict.events) {
      if (event.kind === 'party_killed') return { won: false, lost: MAX_PV };
      if (event.kind === 'room_won') return { won: true, lost: lostBy(state, heads) };
      state = dicebound.evolve(state, event);
    }
  }
  return { won: false, lost: lostBy(state, heads) };
}

const lostBy = (state: DiceboundState, heads: number): number =>
  state.seats.reduce((sum, seat) => sum + MAX_PV - (heroOf(state, seat)?.pv ?? MAX_PV), 0) / heads;
