import { faceOf } from '../../dice/die.js';
import type { Landed } from '../../rolls/resolution.js';
import { waitsFor } from '../../rolls/resolution.js';
import { landed, missingDice, type NaturalDeed, unawaited } from '../awaited.js';
import type { Deed, Seat } from '../game.js';
import { loose, refused } from '../refusal.js';
import { type Ask, ambushRoll, asksOf, initiativeRollers, thrownWeapon } from './asks.js';
import { heroOf, rollerOf } from './combatants.js';
import { earlyAnswer } from './early.js';
import type { DiceboundEvent } from './events.js';
import { drawnRolls, expectsOf, handRolls } from './expects.js';
import { priced } from './fight-actions.js';
import { phaseOf } from './phase.js';
import { accepted, type Judged, unfold } from './play.js';
import { COUNTERS, type DiceboundState } from './state.js';
import { attackAsk, fitting } from './statistics.js';
import { likelyTarget } from './targets.js';

/** The die of a seat that is out is loose (Z2). */
function outside(state: DiceboundState, seat: Seat | null): Judged | undefined {
  if (state.over) return loose('game_over', 'dicebound:G14', 'the game is over');
  const hero = seat === null ? undefined : heroOf(state, seat);
  if (hero === undefined) return undefined;
  if (hero.attendance !== 'present') return loose('seat_absent', 'dicebound:G14', `${seat} is not there tonight`);
  if (!hero.ko) return undefined;
  return state.mode === 'arena'
    ? loose('seat_out', 'dicebound:C10', `${seat} is out`)
    : loose('seat_ko', 'dicebound:C8', `${seat} is K.O.`);
}

/** C3, C7, G4: a statistic's die thrown in one's own turn for an attack that cannot be made. */
function impossible(state: DiceboundState, deed: NaturalDeed): Judged | undefined {
  const { fight } = state;
  const who = fight?.turn ?? null;
  if (fight === null || who === null || fight.attack !== null || state.rules.declare === 'before') return undefined;
  if (deed.seat === null || rollerOf(state, who) !== deed.seat) return undefined;
  for (const stat of ['physical', 'magic'] as const) {
    const weapon = thrownWeapon(state, who, stat) ?? (heroOf(state, who) === undefined ? undefined : stat);
    const ask = weapon === undefined ? undefined : attackAsk(state, who, weapon, fight.boost);
    if (weapon === undefined || ask?.main.includes(deed.die.type) !== true) continue;
    const price = priced(state, who, weapon, fight.boost);
    if (!price.ok) return price.refusal;
  }
  return undefined;
}

/** C1: one initiative roll each and pass. */
function rolledAlready(state: DiceboundState, { seat }: NaturalDeed): Judged | undefined {
  const { fight } = state;
  if (fight?.stage !== 'initiative' || seat === null || !fight.rollers.includes(seat)) return undefined;
  if (initiativeRollers(state, fight).includes(seat)) return undefined;
  return refused('already_rolled', 'dicebound:C1', `${seat} has rolled initiative already`);
}

/** A throw that no open call takes (Z2, C4). */
function stray(state: DiceboundState, deed: NaturalDeed): Judged {
  return (
    earlyAnswer(state, deed) ??
    impossible(state, deed) ??
    rolledAlready(state, deed) ??
    unawaited(expectsOf(state), deed)
  );
}

/** C3, `declare: after`: a throw in one's own turn opens the attack of its statistic, or waits as a bonus die for it. */
function opening(state: DiceboundState, asks: readonly Ask[], ask: Ask, die: Landed): readonly DiceboundEvent[] {
  const { fight } = state;
  const who = fight?.turn ?? null;
  if (fight === null || who === null) return [];
  const openers = [ask, ...asks.filter((one) => one.place.at === 'opening')];
  const opener = openers.find((one) => one.dice.main.includes(die.type));
  const seat = rollerOf(state, who);
  if (opener?.weapon === undefined)
    return [{ kind: 'landed', ev: 1, rule: 'dicebound:C3', place: { at: 'opening' }, seat, die }];
  const { weapon } = opener;
  const price = priced(state, who, weapon, fight.boost);
  if (!price.ok) return [];
  const dice = fitting(opener.dice, [...fight.opening, die]);
  const rule = weapon === 'base' ? 'dicebound:C7' : 'dicebound:C3';
  return [{ kind: 'attacked', ev: 1, rule, by: who, weapon, target: likelyTarget(state, who), cost: price.pa, dice }];
}

/** What a die in its call makes happen. */
function fallen(
  state: DiceboundState,
  asks: readonly Ask[],
  ask: Ask,
  seat: Seat,
  die: Landed,
): readonly DiceboundEvent[] {
  const { place } = ask;
  if (place.at === 'opening') return opening(state, asks, ask, die);
  const rule = ask.expects.rule as DiceboundEvent['rule'];
  const secret = ask.expects.to === undefined ? {} : { to: ask.expects.to };
  const fell: DiceboundEvent = { kind: 'landed', ev: 1, rule, place, seat, die, ...secret };
  if (place.at === 'effort') {
    return [
      { kind: 'effort', ev: 1, rule: 'dicebound:E2', seat, cost: 1 },
      { ...fell, place: { at: 'check' } },
    ];
  }
  if (place.at !== 'ambush') return [fell];
  const roll = waitsFor(ambushRoll([...state.ambushDice, die]));
  const number = roll.kind === 'done' ? roll.outcome.natural : undefined;
  return number === undefined ? [fell] : [fell, ...ambushed(state, number)];
}

/** E4: the number that decides whether the rest is disturbed. */
export function ambushed({ rules }: DiceboundState, number: number): readonly DiceboundEvent[] {
  const rule = 'dicebound:E4';
  const percent = rules.ambushPercent;
  const hit = number <= percent;
  return [
    { kind: 'ambush_number', ev: 1, rule, number, percent, to: [] },
    { kind: hit ? 'ambushed' : 'calm', ev: 1, rule: hit ? 'dicebound:G13' : rule },
  ];
}

/** True if the same roll, or its roller, is still waited for. */
function unfinished(state: DiceboundState, id: string, seat: Seat): boolean {
  const { fight, check } = state;
  const attack = fight?.attack ?? null;
  if (fight !== null && fight.opening.length > 0) return true;
  if (asksOf(state).some((ask) => ask.expects.id === id)) return true;
  const phase = phaseOf(state);
  if (phase === 'effort') return check?.seat === seat;
  if (attack === null) return false;
  if (phase === 'target') return rollerOf(state, attack.by) === seat;
  return phase === 'dodge' && attack.target !== null && rollerOf(state, attack.target) === seat;
}

/** D5: a tracker thrown as a bonus die lies on another face now, and is expected back on its counter's. */
function tossed(seat: Seat, name: string | undefined, { face }: Landed): readonly DiceboundEvent[] {
  const counter = COUNTERS.find((one) => one === name);
  if (counter === undefined || typeof face !== 'number') return [];
  return [{ kind: 'tracker_set', ev: 1, rule: 'dicebound:D5', seat, counter, face, ahead: false }];
}

/** Judges a die at rest. */
export function judgeThrow(state: DiceboundState, deed: NaturalDeed): Judged {
  const out = outside(state, deed.seat);
  if (out !== undefined) return out;
  if (deed.call === null) return stray(state, deed);
  const asks = handRolls(state);
  const put = landed(
    asks.map(({ expects }) => expects),
    deed,
  );
  if (!put.ok) return put.error;
  const ask = asks.find(({ expects }) => expects.id === put.value.call.id);
  const seat = put.value.call.seat ?? deed.seat;
  if (ask === undefined || seat === null) return unawaited(expectsOf(state), deed);
  const { counter, ...ref } = deed.die;
  const die: Landed = { ...ref, face: deed.face, source: deed.source };
  const events = fallen(state, asks, ask, seat, die);
  if (events.length === 0) return impossible(state, deed) ?? unawaited(expectsOf(state), deed);
  const { events: all, after } = unfold(state, [...tossed(seat, counter, die), ...events]);
  const open = after !== undefined && unfinished(after, ask.expects.id, seat);
  return { verdict: open ? 'open' : 'accepted', events: all };
}

/** Judges numbers that the table drew: a monster's dice (G14), the ambush (E4), a tile of the bag (T6). */
export function judgeDrawn(state: DiceboundState, deed: Extract<Deed, { kind: 'drawn' }>): Judged {
  const due = expectsOf(state).find((one) => one.kind === 'draw' && one.id === deed.draw);
  if (due?.kind !== 'draw' || deed.values.length !== due.sides.length) {
    return refused('not_awaited', 'Z2', 'no such draw is awaited');
  }
  const [first = 1] = deed.values;
  if (due.purpose === 'ambush') return accepted(state, ambushed(state, first));
  if (due.purpose === 'bag') return drawnTile(state, first);
  const ask = drawnRolls(state).find(({ expects }) => expects.id === due.id);
  if (ask === undefined) return refused('not_awaited', 'Z2', 'no such draw is awaited');
  const types = missingDice(ask.expects.resolution);
  const events = types.map((type, at): DiceboundEvent => {
    const face = faceOf(type, deed.values[at] ?? 1);
    const die: Landed = {
      die: `drawn-${at + 1}`,
      type,
      face: face.ok ? face.value : 1,
      source: 'digital',
      quality: 'ok',
    };
    return { kind: 'landed', ev: 1, rule: 'dicebound:G14', place: ask.place, seat: 'gm', die };
  });
  return accepted(state, events);
}

function drawnTile(state: DiceboundState, number: number): Judged {
  const seat = state.drawing;
  const id = Object.keys(state.data.tiles)[number - 1];
  const tile = id === undefined ? undefined : state.data.tiles[id];
  if (seat === null || id === undefined || tile === undefined) {
    return refused('not_awaited', 'dicebound:T6', 'no such tile is in the bag');
  }
  const rule = 'dicebound:T6';
  return accepted(state, [{ kind: 'drew', ev: 1, rule, seat, tile: id, slot: tile.slot, source: 'digital' }]);
}
