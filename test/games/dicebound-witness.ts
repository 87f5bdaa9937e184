import type { DiceboundEvent } from '../../src/games/dicebound/events.js';
import type { DiceboundState } from '../../src/games/dicebound/state.js';
import type { Deed, Verdict } from '../../src/games/game.js';

type Taken = Extract<Verdict<DiceboundEvent>, { events: unknown }>;
type NotTaken = Exclude<Verdict<DiceboundEvent>, Taken>;

const short = (rule: string | undefined): readonly string[] =>
  rule?.startsWith('dicebound:') === true ? [rule.slice('dicebound:'.length)] : [];

/** Rules that an event shows at work beside the one it names. */
function shownBy(state: DiceboundState, event: DiceboundEvent): readonly string[] {
  switch (event.kind) {
    case 'landed':
      if (event.place.at === 'damage' || event.place.at === 'opening') return ['D1', ...bonus(state, event.die.type)];
      return ['D1'];
    case 'attacked': {
      const hero = state.heroes[event.by];
      const id = event.weapon === 'base' || hero === undefined ? null : hero.slots[event.weapon];
      const tile = id === null ? undefined : state.data.tiles[id];
      if (hero === undefined)
        return state.data.monsters[state.room?.monsters[event.by]?.kind ?? '']?.horde == null ? ['G3'] : ['G4'];
      if (tile === undefined) return [];
      const foreign = tile.class !== null && tile.class !== hero.class;
      const weather = state.room?.environments.includes('fog') === true && event.weapon === 'magic';
      return ['T1', ...(foreign ? ['T3'] : []), ...(weather ? ['G12'] : [])];
    }
    case 'defended':
      return ['T2'];
    case 'hurt':
    case 'drank':
      return ['D2', 'D4', ...(event.kind === 'hurt' ? ['C6'] : [])];
    case 'room_opened':
      return ['G1', 'G2', ...(event.monsters.length > 0 ? ['D6'] : [])];
    case 'rested':
      return ['E4'];
    case 'check_rolled':
      return ['E5'];
    case 'xp':
      return ['G5', 'G6'];
    case 'level_up':
      return ['G6', 'G7', 'G8'];
    case 'drew':
    case 'bagged':
      return ['T7'];
    case 'ko':
      return ['C8', 'D2'];
    default:
      return [];
  }
}

function bonus(state: DiceboundState, type: string): readonly string[] {
  const attack = state.fight?.attack;
  const hero = state.heroes[attack?.by ?? state.fight?.turn ?? ''];
  return hero !== undefined && type !== `d${hero.dice.physical}` && type !== `d${hero.dice.magic}` ? ['D5'] : [];
}

/** Rules without which a deed would have been taken. */
function against(state: DiceboundState, deed: Deed, verdict: NotTaken): readonly string[] {
  const { code } = verdict;
  const { fight } = state;
  if (code === 'mismatch' && deed.kind === 'set') {
    const hero = state.heroes[deed.seat];
    if (deed.counter === 'level') return ['G6', 'G7'];
    const due = deed.counter === 'pv' ? hero?.trackers.pv.shown !== hero?.pv : hero?.trackers.pa.shown !== hero?.pa;
    return [...(due ? ['D4'] : []), ...(deed.counter === 'pv' ? ['C6'] : ['C2'])];
  }
  if (code === 'wrong_die')
    return deed.kind === 'natural' && fight?.attack?.stage === 'damage' ? ['D1', 'D5'] : ['D1', 'G8'];
  if (code === 'wrong_seat' && deed.kind === 'natural' && deed.seat === 'gm') return ['D6'];
  if (code === 'unaffordable' && fight !== null) return dear(state, deed);
  if (code === 'over_budget') return ['G1', 'G13'];
  if (code === 'no_room') return ['G5', 'G9'];
  if (code === 'no_chest') return ['G7'];
  if (code === 'seat_ko' || code === 'seat_absent' || code === 'target_ko') return ['C12'];
  if (code === 'no_fight') return ['C9'];
  if (code === 'slot_taken' || code === 'no_change') return ['T2'];
  if (code === 'unknown_target' || code === 'target_fallen') return ['G3'];
  return [];
}

/** What made an attack too dear: the class, the weather, or the PA brought into the fight. */
function dear(state: DiceboundState, deed: Deed): readonly string[] {
  const who = state.fight?.turn ?? '';
  const hero = state.heroes[who];
  if (hero === undefined) return [];
  const weapon = deed.kind === 'choice' ? deed.args?.weapon : 'physical';
  const tile = weapon === 'physical' || weapon === 'magic' ? state.data.tiles[hero.slots[weapon] ?? ''] : undefined;
  const foreign = tile?.class != null && tile.class !== hero.class;
  const weather = weapon === 'magic' && state.room?.environments.includes('fog') === true;
  const first = state.fight?.round === 1 && hero.pa < 6;
  return [...(foreign ? ['T3'] : []), ...(weather ? ['G12'] : []), ...(first ? ['E3'] : [])];
}

/** Every rule that a deed and its verdict show at work. */
export function witnessed(state: DiceboundState, deed: Deed, verdict: Verdict<DiceboundEvent>): ReadonlySet<string> {
  if (!('events' in verdict)) return new Set([...short(verdict.rule), ...against(state, deed, verdict)]);
  return new Set(verdict.events.flatMap((event) => [...short(event.rule), ...shownBy(state, event)]));
}
