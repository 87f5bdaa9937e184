import type { Json } from '../../dice/json.js';
import type { ActionSpec, Expectation, Seat } from '../game.js';
import { affordable } from './asks.js';
import { heroOf, isOut, living, paOf, present, rollerOf, standing, targetsOf } from './combatants.js';
import { tileCost } from './costs.js';
import { SLOTS, STATS } from './data.js';
import { phaseOf } from './phase.js';
import type { DiceboundState, Hero, Rule } from './state.js';
import { tileIn, tileOf } from './statistics.js';

interface Choice {
  readonly id: string;
  readonly seat: Seat;
  readonly rule: Rule;
  readonly purpose: string;
  readonly actions: readonly ActionSpec[];
  readonly optional?: true;
  readonly of?: string;
  readonly to?: readonly Seat[];
}

function choice({ id, seat, rule, purpose, actions, optional, of, to }: Choice): readonly Expectation[] {
  if (actions.length === 0) return [];
  const common = { id, seat, rule, purpose, optional: optional === true, actions };
  return [{ ...common, kind: 'choice', ...(of === undefined ? {} : { for: of }), ...(to === undefined ? {} : { to }) }];
}

const YES_NO: readonly Json[] = [true, false];

/** Tiles a seat can use now: a potion in slot 4, stars in its slots that it can pay. */
function tileActions(state: DiceboundState, seat: Seat, hero: Hero, fighting: boolean): readonly ActionSpec[] {
  const pa = paOf(state, seat);
  const potion = tileIn(state, hero, 'accessory');
  const to = fighting ? [seat] : present(state).filter((one) => heroOf(state, one)?.ko === false);
  const drink = potion?.consumable === true && potion.cost <= pa ? [{ action: 'drink', args: { to } }] : [];
  const stars = Object.values(hero.slots).filter(
    (id) => id !== null && tileOf(state, id)?.star != null && tileCost(state, seat, id) <= pa,
  );
  return stars.length === 0 ? drink : [...drink, { action: 'star', args: { tile: stars } }];
}

/** What a seat may do out of fights: chests, hand, potions, stars (T4–T6, G7). */
function boardChoice(state: DiceboundState, seat: Seat): readonly Expectation[] {
  const hero = heroOf(state, seat);
  if (hero === undefined || isOut(state, seat)) return [];
  const tiles = [...SLOTS.flatMap((slot) => hero.slots[slot] ?? []), ...hero.hand];
  const others = present(state).filter((one) => one !== seat);
  const draw: ActionSpec[] = hero.chests === 0 ? [] : [{ action: 'draw', args: { tile: 'text' } }];
  const equip: ActionSpec[] = hero.hand.length === 0 ? [] : [{ action: 'equip', args: { tile: hero.hand } }];
  const give: ActionSpec[] =
    tiles.length === 0 ? [] : [{ action: 'give', args: { tile: tiles, to: ['bag', ...others] } }];
  const actions = [...draw, ...equip, ...give, ...tileActions(state, seat, hero, false)];
  const purpose = hero.chests > 0 ? 'chest' : 'board';
  const rule: Rule = hero.chests > 0 ? 'dicebound:G7' : 'dicebound:T6';
  return choice({ id: `board.${state.rooms}.${seat}`, seat, rule, purpose, actions, optional: true });
}

/** What the GM may do in the camp (E1, E4, G2, G10, G14). */
function campChoice(state: DiceboundState): readonly Expectation[] {
  const { room, data } = state;
  const who = standing(state);
  const kinds = [data.monsters, data.traps, data.environments].flatMap((table) => Object.keys(table));
  const open: ActionSpec = { action: 'openRoom', args: { buy: kinds } };
  const traps = Object.entries(room?.traps ?? {}).flatMap(([id, trap]) => (trap.done ? [] : [id]));
  const fightable = living(state).length > 0 && who.length > 0;
  const actions: ActionSpec[] =
    state.resting === 'room'
      ? [open]
      : [
          ...(room === null ? [open, { action: 'rest' }] : []),
          ...(traps.length > 0 ? [{ action: 'trap', args: { trap: traps, who } }] : []),
          ...(fightable ? [{ action: 'startFight' }] : []),
          ...(room !== null && living(state).length === 0 && traps.length === 0 ? [{ action: 'closeRoom' }] : []),
          ...(who.length > 0 ? [{ action: 'check', args: { who, stat: STATS, difficulty: 'number' as const } }] : []),
          ...partyActions(state),
        ];
  const rule: Rule = state.resting === 'room' ? 'dicebound:G13' : 'dicebound:G10';
  return choice({
    id: `camp.${state.rooms}.${state.rests}`,
    seat: 'gm',
    rule,
    purpose: 'camp',
    actions,
    optional: true,
    to: [],
  });
}

function partyActions(state: DiceboundState): readonly ActionSpec[] {
  const here = state.seats.filter((seat) => heroOf(state, seat)?.attendance !== 'gone');
  return [
    { action: 'present', args: { who: here, yes: YES_NO } },
    { action: 'leave', args: { who: here } },
    { action: 'join', args: { who: 'text' } },
    { action: 'adjust', args: { who: here, pv: 'number', pa: 'number' } },
    { action: 'endStory' },
  ];
}

/** What the GM may always do in a fight (C13, G14). */
function refereeChoice(state: DiceboundState): readonly Expectation[] {
  if (state.mode === 'arena') return [];
  const actions: ActionSpec[] = [
    { action: 'endFight', args: { how: ['won', 'left'] } },
    { action: 'drawDice', args: { who: ['all', ...living(state)], yes: YES_NO } },
  ];
  const id = `f${state.fights}.gm`;
  return choice({ id, seat: 'gm', rule: 'dicebound:C13', purpose: 'fight', actions, optional: true, to: [] });
}

function turnChoice(state: DiceboundState): readonly Expectation[] {
  const { fight } = state;
  const who = fight?.turn ?? null;
  if (fight === null || who === null) return [];
  const weapon = affordable(state, who);
  const target = targetsOf(state, who);
  const hero = heroOf(state, who);
  const actions: ActionSpec[] = [
    ...(weapon.length > 0 && target.length > 0 ? [{ action: 'attack', args: { weapon, target } }] : []),
    ...(hero === undefined ? [] : tileActions(state, who, hero, true)),
    { action: 'endTurn' },
  ];
  const id = `f${fight.n}.r${fight.round}.${who}.${fight.attacks}`;
  return choice({ id, seat: rollerOf(state, who), rule: 'dicebound:C11', purpose: 'turn', actions, of: who });
}

/** C3: the target that is asked, and what may be changed until the next roll. */
function attackChoices(state: DiceboundState): readonly Expectation[] {
  const { fight } = state;
  const attack = fight?.attack ?? null;
  if (fight === null || attack === null) return [];
  const id = `f${fight.n}.a${attack.n}`;
  const target = targetsOf(state, attack.by);
  const roller = { seat: rollerOf(state, attack.by), rule: 'dicebound:C3' as const, of: attack.by };
  const asked =
    attack.target === null
      ? choice({ ...roller, id: `${id}.target`, purpose: 'target', actions: [{ action: 'target', args: { target } }] })
      : [];
  const dodging = phaseOf(state) === 'dodge' && attack.target !== null ? attack.target : undefined;
  const dodge =
    dodging === undefined
      ? []
      : choice({
          id: `${id}.yes`,
          seat: rollerOf(state, dodging),
          rule: 'dicebound:C5',
          purpose: 'dodge',
          actions: [{ action: 'dodge', args: { yes: YES_NO } }],
          of: dodging,
        });
  const change: ActionSpec[] = [{ action: 'change', args: { target } }, { action: 'withdraw' }];
  const changes = attack.changeable
    ? choice({ ...roller, id: `${id}.change`, purpose: 'change', actions: change, optional: true })
    : [];
  return [...asked, ...dodge, ...changes];
}

function trapChoices(state: DiceboundState): readonly Expectation[] {
  const { trap, room } = state;
  if (trap === null) return [];
  return trap.hit
    .filter((seat) => !Object.hasOwn(trap.pays, seat) && !isOut(state, seat))
    .flatMap((seat) => {
      const actions = [{ action: 'trap', args: { pay: ['pa', 'pv'] } }];
      const id = `r${room?.n ?? 0}.${trap.id}.pay.${seat}`;
      return choice({ id, seat, rule: 'dicebound:G11', purpose: 'trap', actions, of: trap.id });
    });
}

function effortChoice(state: DiceboundState): readonly Expectation[] {
  const { check } = state;
  if (check?.stage !== 'effort') return [];
  const actions = [{ action: 'effort', args: { yes: YES_NO } }];
  const id = `c${check.n}.${check.tries}.effort`;
  return choice({ id, seat: check.seat, rule: 'dicebound:E2', purpose: 'effort', actions });
}

/** Every choice that is open now. */
export function choicesOf(state: DiceboundState): readonly Expectation[] {
  const phase = phaseOf(state);
  const boards = (): readonly Expectation[] => state.seats.flatMap((seat) => boardChoice(state, seat));
  switch (phase) {
    case 'over':
      return [];
    case 'camp':
      return [...boards(), ...campChoice(state)];
    case 'ambush':
      return state.resting === 'room' ? [...campChoice(state), ...boards()] : [];
    case 'check':
    case 'effort':
      return [...effortChoice(state), ...boards()];
    case 'trap':
      return [...trapChoices(state), ...boards()];
    case 'initiative':
      return refereeChoice(state);
    case 'turn':
      return [...turnChoice(state), ...refereeChoice(state)];
    case 'target':
    case 'damage':
    case 'defence':
    case 'dodge':
    case 'agility':
      return [...attackChoices(state), ...refereeChoice(state)];
  }
}
