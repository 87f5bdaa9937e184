import type { Json } from '../../dice/json.js';
import { field, missingDice, wireAwaited } from '../awaited.js';
import { EITHER } from '../duties.js';
import type { Game } from '../game.js';
import { asWritten, refused, unknownOption } from '../refusal.js';
import { MAX_SEATS, seatsFault } from '../seating.js';
import { judge } from './judge.js';
import { EVENT_KINDS, type ExternalEvent, type ExternalState, evolve, expectsOf, type OpenCall } from './state.js';

const tell = (call: OpenCall): Json => ({
  id: call.id,
  seat: call.seat,
  notation: call.notation,
  purpose: call.purpose,
  ttl: call.ttl,
  missing: [...missingDice(call.resolution)],
  landed: call.resolution.landed.map(({ type, face }) => ({ type, face })),
});

/**
 * The game `external` (contracts I): another program asks for rolls and says what trackers should show. Its state stands
 * alone, so a table can run it beside another game for calls from outside.
 */
export const external: Game<ExternalState, ExternalEvent> = {
  id: 'external',
  version: 1,
  duties: EITHER,
  setup(options, seats) {
    const rule = 'external:setup';
    const strange = unknownOption(options, []);
    if (strange !== undefined) return refused('unknown_option', rule, `there is no option "${strange.slice(0, 40)}"`);
    const percentile = field(options, 'percentile') ?? 'zero';
    if (percentile !== 'zero' && percentile !== 'ten') {
      return refused('bad_option', rule, 'percentile is read in one of two ways', 'zero or ten');
    }
    const fault = seatsFault(seats, 0, MAX_SEATS, rule);
    if (fault !== undefined) return fault;
    return {
      verdict: 'accepted',
      events: [{ kind: 'opened', ev: 1, seats: seats.map((seat) => seat.id), percentile }],
    };
  },
  expects: expectsOf,
  judge,
  evolve,
  view(state) {
    const awaited = expectsOf(state);
    return {
      state: {
        phase: 'open',
        calls: state.calls.map(tell),
        expected: state.expected,
        counters: state.shown,
        rolls: state.rolls,
        awaited: awaited.map(wireAwaited),
        over: false,
      },
      awaited,
    };
  },
  upcast: (event) => asWritten<ExternalEvent>(event, EVENT_KINDS),
};
