import type { DiceboundEvent } from '../../src/games/dicebound/events.js';
import type { DiceboundState } from '../../src/games/dicebound/state.js';
import type { Deed, Verdict } from '../../src/games/game.js';

const fail = (what: string, detail: unknown): never => {
  throw new Error(`${what}: ${JSON.stringify(detail)}`);
};

/** No deed of a seat that is K.O. or away is taken. */
export function soundBefore(state: DiceboundState, deed: Deed, verdict: Verdict<DiceboundEvent>): void {
  const by = deed.kind === 'choice' ? deed.by : deed.kind === 'natural' ? deed.seat : null;
  const hero = by === null ? undefined : state.heroes[by];
  if (hero === undefined) return;
  if (hero.ko || hero.attendance !== 'present') fail('somebody who is out acted', [deed, verdict]);
}

const paOf = (state: DiceboundState, who: string): number =>
  (state.heroes[who] ?? state.room?.monsters[who])?.pa ?? Number.NaN;

/** PA spent are the cost, and there were enough of them. */
function paid(was: DiceboundState, event: DiceboundEvent, now: DiceboundState): void {
  const bill =
    event.kind === 'attacked'
      ? ([event.by, event.cost] as const)
      : event.kind === 'dodging'
        ? ([event.who, event.cost] as const)
        : event.kind === 'effort' || event.kind === 'trap_paid'
          ? ([event.seat, event.cost] as const)
          : undefined;
  if (bill === undefined) return;
  const [who, cost] = bill;
  if (cost > paOf(was, who)) fail('more PA spent than there were', event);
  if (paOf(was, who) - paOf(now, who) !== cost)
    fail('PA spent are not the cost', [event, paOf(was, who), paOf(now, who)]);
}

/** What holds after every event. */
export function soundAfter(was: DiceboundState, event: DiceboundEvent, now: DiceboundState): void {
  paid(was, event, now);
  for (const [seat, hero] of Object.entries(now.heroes)) {
    if (!(hero.pv >= 0 && hero.pv <= 20 && hero.pa >= 0 && hero.pa <= 6))
      fail('beyond the faces of a die', [seat, hero, event]);
    if (hero.ko && (hero.pv !== 0 || hero.pa !== 0)) fail('K.O. with PV or PA', [seat, hero, event]);
  }
  for (const monster of Object.values(now.room?.monsters ?? {})) {
    if (monster.pv < 0 || monster.pa < 0) fail('a monster below 0', [monster, event]);
  }
  const { fight } = now;
  if (fight === null) return;
  if (fight.bases > 3) fail('a fourth base attack', event);
  if (event.kind === 'hurt' && now.mode === 'story' && was.heroes[event.target]?.ko === true)
    fail('a K.O. was hit', event);
  if (new Set(fight.order).size !== fight.order.length) fail('an order with somebody twice', fight.order);
}
