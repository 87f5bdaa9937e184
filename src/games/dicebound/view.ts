import type { Json, JsonObject } from '../../dice/json.js';
import { field, maySee, wireAwaited } from '../awaited.js';
import type { Audience, GameView, Seat } from '../game.js';
import { boxInPlay, costsView, perksView } from './box-view.js';
import { heroOf, hordeDice, kindOf, living, monsterOf, present } from './combatants.js';
import { expectsOf } from './expects.js';
import { forecastOf } from './forecast.js';
import { phaseOf } from './phase.js';
import type { DiceboundState } from './state.js';
import { budgetOf, levelFace, thresholdHead } from './thresholds.js';
import { faceWanted } from './trackers.js';

function heroView(state: DiceboundState, seat: Seat): JsonObject {
  const hero = heroOf(state, seat);
  if (hero === undefined) return {};
  const { pv, pa, ko, attendance, slots, hand, chests, dice } = hero;
  const expected = {
    pv: faceWanted(state.level, hero, 'pv'),
    pa: faceWanted(state.level, hero, 'pa'),
    level: faceWanted(state.level, hero, 'level'),
  };
  return {
    pv,
    pa,
    level: state.level,
    ko,
    present: attendance === 'present',
    attendance,
    class: hero.class,
    dice: { ...dice },
    slots: { ...slots },
    hand,
    chests,
    expected,
    counters: { pv, pa, level: state.level },
    perks: perksView(state, hero),
    costs: costsView(state, seat, hero),
  };
}

/** How hurt a monster looks: all that players see of its PV. */
export function bandOf(pv: number, full: number): 'unhurt' | 'hurt' | 'badly_hurt' | 'nearly_down' {
  if (pv >= full) return 'unhurt';
  if (pv * 2 > full) return 'hurt';
  return pv * 4 > full ? 'badly_hurt' : 'nearly_down';
}

function monsterView(state: DiceboundState, id: string, gm: boolean): JsonObject {
  const [monster, kind] = [monsterOf(state, id), kindOf(state, id)];
  if (monster === undefined || kind === undefined) return {};
  const pawn = monster.pawn === null ? {} : { pawn: monster.pawn };
  const name = kind.name === null ? {} : { name: { ...kind.name } };
  const band = bandOf(monster.pv, kind.pv);
  if (!gm) return { kind: monster.kind, ...name, band, ...pawn };
  const dice = hordeDice(state, id);
  const attacks = Object.fromEntries(Object.entries(kind.attacks).map(([weapon, attack]) => [weapon, { ...attack }]));
  return {
    kind: monster.kind,
    ...name,
    pv: monster.pv,
    pa: monster.pa,
    band,
    ...(dice === undefined ? {} : { attackDice: dice }),
    ...pawn,
    defence: kind.defence,
    agility: kind.agility,
    attacks,
  };
}

function roomView(state: DiceboundState, gm: boolean): Json {
  const { room } = state;
  if (room === null) return null;
  const { n, level, ambush, environments, bought, traps, drawn } = room;
  const sprung = Object.entries(traps).filter(([id, trap]) => gm || trap.done || state.trap?.id === id);
  const shown = Object.fromEntries(sprung.map(([id, trap]) => [id, { kind: trap.kind, done: trap.done }]));
  return { n, level, ambush, environments, traps: shown, ...(gm ? { bought, drawn } : {}) };
}

function attackView(state: DiceboundState): Json {
  const attack = state.fight?.attack ?? null;
  if (attack === null) return null;
  const { by, weapon, target, cost, incoming, left, stage } = attack;
  return { by, weapon, target, cost, incoming, left, stage };
}

function checkView({ check }: DiceboundState): Json {
  if (check === null) return null;
  const { seat, stat, difficulty, sum, tries } = check;
  return { seat, stat, difficulty, sum, tries };
}

/** The state in the words of contracts I, as this audience may know it: monsters' values are bands for players. */
export function viewOf(state: DiceboundState, audience: Audience): GameView {
  const gm = audience.role === 'gm';
  const { room, fight, mode, level, xp, campaign, over, winner } = state;
  const awaited = expectsOf(state).filter((one) => maySee(one, audience));
  const heads = present(state).length;
  const next = mode === 'arena' ? undefined : thresholdHead(level + 1, campaign);
  const total = room?.budget ?? budgetOf(level, heads);
  const held = (fight?.held ?? []).map(({ seat, at, die }) => ({ seat, at, type: die.type, face: die.face }));
  return {
    state: {
      phase: phaseOf(state),
      round: fight?.round ?? 0,
      turn: fight?.turn ?? null,
      order: fight?.order ?? [],
      awaited: awaited.map(wireAwaited),
      seats: Object.fromEntries(state.seats.map((seat) => [seat, heroView(state, seat)])),
      monsters: Object.fromEntries(living(state).map((id) => [id, monsterView(state, id, gm)])),
      room: roomView(state, gm),
      budget: mode === 'arena' ? { total: 0, spent: 0 } : gm ? { total, spent: room?.spent ?? 0 } : { total },
      ...(gm && mode === 'story' ? { forecast: forecastOf(room?.level ?? level, room?.heads ?? heads) } : {}),
      xp: { have: mode === 'arena' ? 0 : xp * heads, next: next === undefined ? null : next * heads },
      over,
      winner,
      mode,
      campaign,
      level,
      levelFace: levelFace(level),
      attack: attackView(state),
      check: checkView(state),
      held,
      box: boxInPlay(state, gm),
      ...(mode === 'arena' ? { teams: { ...state.teams } } : {}),
      initiative: Object.fromEntries((fight?.rollers ?? []).map((who) => [who, field(fight?.rolls ?? {}, who) ?? []])),
    },
    awaited,
  };
}
