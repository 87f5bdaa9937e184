import { type DieType, parseDieType } from '../../dice/die.js';
import type { JsonObject } from '../../dice/json.js';
import { waitsFor } from '../../rolls/resolution.js';
import { standIn } from '../../rolls/stand-in.js';
import { field } from '../awaited.js';
import type { Seat, Verdict } from '../game.js';
import { refused } from '../refusal.js';
import type { MagicEvent, MagicState } from './state.js';

const RULE = '706.1b';

function dieOf(args: JsonObject, name: string): DieType | undefined {
  const given = field(args, name);
  const parsed = typeof given === 'string' ? parseDieType(given) : undefined;
  return parsed?.ok === true ? parsed.value : undefined;
}

/**
 * Lets a die of another kind stand for one that is awaited, before any die of that kind lies: the players agreed (706.1b).
 * Codes: `not_awaited`, `uneven` (it cannot show every result equally often), `already_rolled`.
 */
export function substitute(state: MagicState, seat: Seat, args: JsonObject): Verdict<MagicEvent> {
  const [die, by] = [dieOf(args, 'die'), dieOf(args, 'by')];
  const open = state.open.filter(({ order }) => order.seat === seat);
  const roll = open.find(({ order }) => die !== undefined && order.asks.dice.includes(die));
  const wait = roll === undefined ? undefined : waitsFor(roll.resolution);
  if (die === undefined || roll === undefined || wait?.kind !== 'dice') {
    const kinds = new Set(open.flatMap(({ order }) => order.asks.dice));
    return refused(
      'not_awaited',
      RULE,
      'no such die is awaited',
      `die: ${[...kinds].join(', ') || 'one that is awaited'}`,
    );
  }
  const made = by === undefined ? undefined : standIn(die, by);
  if (made === undefined) {
    const given = String(field(args, 'by') ?? '').slice(0, 20);
    const reason = `"${given}" cannot show every result of a ${die} equally often`;
    return refused('uneven', RULE, reason, `by: one die with at least as many sides as a ${die}`);
  }
  if (roll.resolution.landed.some(({ type }) => type === die)) {
    return refused('already_rolled', RULE, 'a substitute is agreed before the throw', `a ${die}`);
  }
  return { verdict: 'accepted', events: [{ kind: 'stood_in', ev: 1, n: roll.n, standIn: made }] };
}
