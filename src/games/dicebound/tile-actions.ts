import type { Json } from '../../dice/json.js';
import { field } from '../awaited.js';
import type { Seat } from '../game.js';
import { refused } from '../refusal.js';
import { heroOf, paOf, present } from './combatants.js';
import { tileCost } from './costs.js';
import { SLOTS, type Slot, type Tile } from './data.js';
import type { DiceboundEvent } from './events.js';
import { type Action, accepted, notActing, ownTurn, quoted, type Refusal } from './play.js';
import type { DiceboundState, Hero, Rule } from './state.js';
import { tileIn, tileOf } from './statistics.js';
import { aimedAt } from './targets.js';

/** Refuses what is done out of fights only (T6), and while an ambush is being rolled. */
function fighting(state: DiceboundState, rule: Rule): Refusal | undefined {
  if (state.fight !== null) return refused('in_fight', rule, 'a fight is on', 'out of fights only');
  return state.resting === 'roll' ? refused('not_now', 'dicebound:E4', 'the ambush is being rolled') : undefined;
}

interface Own {
  readonly hero: Hero;
  readonly id: string;
  readonly tile: Tile;
  /** The slot it lies in, or null for the hand. */
  readonly from: Slot | null;
}

/** A tile this seat has, in a slot or in hand. */
function owned(state: DiceboundState, by: Seat, named: Json | undefined, rule: Rule): Own | Refusal {
  const hero = heroOf(state, by);
  const id = typeof named === 'number' ? String(named) : named;
  const tile = typeof id === 'string' ? tileOf(state, id) : undefined;
  if (typeof id !== 'string' || tile === undefined || hero === undefined) {
    return refused('unknown_tile', 'dicebound:T1', `${quoted(named)} is no tile of the box`);
  }
  const from = SLOTS.find((slot) => hero.slots[slot] === id) ?? null;
  if (from === null && !hero.hand.includes(id)) {
    return refused(
      'no_such_tile',
      rule,
      `${by} has no tile ${id}`,
      [...Object.values(hero.slots), ...hero.hand].join(' '),
    );
  }
  return { hero, id, tile, from };
}

const equip: Action = (state, { by }, args) => {
  const rule = 'dicebound:T6';
  const missing = notActing(state, by, rule) ?? fighting(state, rule);
  if (missing !== undefined) return missing;
  const own = owned(state, by, field(args, 'tile'), rule);
  if (!('tile' in own)) return own;
  if (own.from !== null) return refused('no_change', 'dicebound:T2', `${own.id} lies in its slot already`);
  return accepted(state, [
    { kind: 'equipped', ev: 1, rule: 'dicebound:T2', seat: by, tile: own.id, slot: own.tile.slot },
  ]);
};

const draw: Action = (state, { by }, args) => {
  const rule = 'dicebound:T6';
  const missing = notActing(state, by, rule) ?? fighting(state, rule);
  if (missing !== undefined) return missing;
  const hero = heroOf(state, by);
  if (hero === undefined || hero.chests === 0) {
    return refused('no_chest', 'dicebound:T7', 'tiles come out of chests only', 'a level up');
  }
  const named = field(args, 'tile') ?? null;
  if (state.rules.bag === 'digital') {
    if (named !== null) return refused('digital_bag', rule, 'the table draws from this bag', 'draw, without a tile');
    if (state.drawing !== null) return refused('not_now', rule, `the table draws for ${state.drawing}`);
    return accepted(state, [{ kind: 'drawing', ev: 1, rule, seat: by }]);
  }
  const id = typeof named === 'number' ? String(named) : named;
  const tile = typeof id === 'string' ? tileOf(state, id) : undefined;
  if (typeof id !== 'string' || tile === undefined) {
    return refused('unknown_tile', 'dicebound:T1', `${quoted(named)} is no tile of the box`, 'the number on the tile');
  }
  return accepted(state, [{ kind: 'drew', ev: 1, rule, seat: by, tile: id, slot: tile.slot }]);
};

const give: Action = (state, { by }, args) => {
  const rule = 'dicebound:T6';
  const missing = notActing(state, by, rule) ?? fighting(state, rule);
  if (missing !== undefined) return missing;
  const own = owned(state, by, field(args, 'tile'), rule);
  if (!('tile' in own)) return own;
  const { id, tile, from } = own;
  const to = field(args, 'to') ?? 'bag';
  if (to === 'bag') return accepted(state, [{ kind: 'bagged', ev: 1, rule, seat: by, tile: id, from }]);
  const companions = present(state).filter((seat) => seat !== by);
  const on = companions.find((seat) => seat === to);
  if (on === undefined)
    return refused('unknown_seat', rule, `${quoted(to)} is no companion here`, ['bag', ...companions].join(', '));
  if (heroOf(state, on)?.slots[tile.slot] !== null) {
    return refused('slot_taken', 'dicebound:T2', `the ${tile.slot} slot of ${on} is taken`, 'a free slot, or bag');
  }
  return accepted(state, [{ kind: 'gave', ev: 1, rule, seat: by, tile: id, from, on, slot: tile.slot }]);
};

/** In a fight on one's own turn only; out of it at any time (T4, T5). */
function moment(state: DiceboundState, by: Seat, rule: Rule): Refusal | undefined {
  const missing = notActing(state, by, rule);
  if (missing !== undefined) return missing;
  if (state.fight === null) return fighting(state, rule);
  const turn = ownTurn(state, by, rule);
  return turn.ok ? undefined : turn.refusal;
}

const unpaid = (state: DiceboundState, by: Seat, cost: number, rule: Rule): Refusal | undefined =>
  cost <= paOf(state, by)
    ? undefined
    : refused('unaffordable', rule, `it costs ${cost} PA and ${by} has ${paOf(state, by)}`);

const drink: Action = (state, { by }, args) => {
  const rule = 'dicebound:T4';
  const missing = moment(state, by, rule);
  if (missing !== undefined) return missing;
  const hero = heroOf(state, by);
  const [id, tile] = hero === undefined ? [null, undefined] : [hero.slots.accessory, tileIn(state, hero, 'accessory')];
  if (id === null || tile?.consumable !== true)
    return refused('no_potion', rule, `${by} has nothing to drink in slot 4`);
  const to = field(args, 'to') ?? by;
  const on = present(state).find((seat) => seat === to);
  if (on === undefined)
    return refused('unknown_seat', rule, `${quoted(to)} is no companion here`, present(state).join(', '));
  if (on !== by && state.fight !== null) return refused('in_fight', rule, 'in a fight only its holder drinks', by);
  if (heroOf(state, on)?.ko === true) return refused('target_ko', rule, 'a potion never ends a K.O.');
  const poor = unpaid(state, by, tile.cost, rule);
  if (poor !== undefined) return poor;
  const { cost, heal, pa } = tile;
  return accepted(state, [{ kind: 'drank', ev: 1, rule, seat: by, tile: id, on, cost, heal, pa }]);
};

const star: Action = (state, { by }, args) => {
  const rule = 'dicebound:T5';
  const missing = moment(state, by, rule);
  if (missing !== undefined) return missing;
  const own = owned(state, by, field(args, 'tile'), rule);
  if (!('tile' in own)) return own;
  const { hero, id, tile, from } = own;
  const power = tile.star;
  if (power === null) return refused('no_star', rule, `${id} has no star`);
  if (from === null) return refused('not_equipped', rule, `${id} lies in no slot`, 'equip');
  const times = field(hero.used, id) ?? 0;
  if (power.limit !== null && times >= power.limit) {
    return refused('used_up', rule, `${id} was used ${times} times`, `${power.limit} a ${power.per}`);
  }
  const cost = tileCost(state, by, id);
  const poor = unpaid(state, by, cost, rule);
  if (poor !== undefined) return poor;
  const aimed = power.damage > 0 ? aimedAt(state, by, field(args, 'target') ?? undefined) : undefined;
  if (aimed?.ok === false) return aimed.refusal;
  const used: DiceboundEvent = {
    kind: 'starred',
    ev: 1,
    rule,
    seat: by,
    tile: id,
    target: aimed?.target ?? null,
    cost,
    heal: power.heal,
    pa: power.pa,
    die: power.die,
    saves: power.cost,
  };
  if (aimed === undefined) return accepted(state, [used]);
  return accepted(state, [used, { kind: 'hurt', ev: 1, rule, target: aimed.target, damage: power.damage, by }]);
};

/** Actions of a seat with its tiles. */
export const TILE_ACTIONS: readonly (readonly [string, Action])[] = [
  ['equip', equip],
  ['draw', draw],
  ['give', give],
  ['drink', drink],
  ['star', star],
];
