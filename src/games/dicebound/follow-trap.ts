import { field } from '../awaited.js';
import { heroOf, isOut } from './combatants.js';
import type { DiceboundEvent } from './events.js';
import type { DiceboundState } from './state.js';
import { answerAsk, isFull, totalIn, trapAsk } from './statistics.js';

/** G11: each one hit pays or suffers; who cannot pay suffers; then the trap is done. */
export function nextTrap(state: DiceboundState): DiceboundEvent | undefined {
  const { trap, room } = state;
  const kind = field(state.data.traps, field(room?.traps, trap?.id ?? '')?.kind ?? '');
  if (trap === null || kind === undefined) return undefined;
  const rule = 'dicebound:G11';
  const undecided = trap.hit.filter((seat) => !Object.hasOwn(trap.pays, seat) && !isOut(state, seat));
  const poor = undecided.find((seat) => kind.pa === 0 || (heroOf(state, seat)?.pa ?? 0) < kind.pa);
  if (poor !== undefined) return { kind: 'trap_paid', ev: 1, rule, seat: poor, pay: 'pv', cost: 0 };
  if (undecided.length > 0) return undefined;
  const gone = trap.hit.find((seat) => !Object.hasOwn(trap.pays, seat));
  if (gone !== undefined) return { kind: 'trap_paid', ev: 1, rule: 'Z5', seat: gone, pay: 'pa', cost: 0 };
  const suffering = trap.hit.filter(
    (seat) => field(trap.pays, seat) === 'pv' && !trap.hurt.includes(seat) && !isOut(state, seat),
  );
  if (suffering.length === 0) return { kind: 'trap_done', ev: 1, rule, id: trap.id, disarmed: false };
  if (trap.amount === null) {
    const ask = trapAsk(state, trap.id);
    if (!isFull(ask, trap.landed)) return undefined;
    return { kind: 'trap_damage', ev: 1, rule, amount: totalIn(ask, trap.landed) };
  }
  for (const seat of suffering) {
    const dice = field(trap.defences, seat) ?? [];
    const ask = answerAsk(state, seat, 'defence');
    if (kind.defence && !isFull(ask, dice)) continue;
    const absorbed = kind.defence ? totalIn(ask, dice) : 0;
    return { kind: 'trap_hurt', ev: 1, rule, seat, absorbed, damage: Math.max(0, trap.amount - absorbed) };
  }
  return undefined;
}
