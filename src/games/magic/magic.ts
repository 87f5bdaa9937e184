import { PLANAR_FACES, type PlanarFace } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { planarCost } from '../../rolls/planar.js';
import { largestGroup } from '../../rolls/stored.js';
import { planarMapping } from '../../rolls/substitute.js';
import { field, wireAwaited } from '../awaited.js';
import type { Game, Seat, SeatSetup, Verdict } from '../game.js';
import { asWritten, isList, refused, unknownOption } from '../refusal.js';
import { MAX_SEATS, seatsFault } from '../seating.js';
import { cardBox } from './box.js';
import { evolve } from './evolve.js';
import { expectsOf, tellOpen } from './expects.js';
import { judge } from './judge.js';
import { EVENT_KINDS, type MagicEvent, type MagicState } from './state.js';

const RULE = 'magic:setup';

/** Teams that share a turn: lists of seats, none of them twice; null if they are no such thing. */
function teamsOf(given: Json | undefined, seats: readonly Seat[]): readonly (readonly Seat[])[] | null {
  if (given === undefined) return [];
  if (!isList(given)) return null;
  const teams = given.map((team) => (isList(team) ? seats.filter((seat) => team.includes(seat)) : []));
  const all = teams.flat();
  const whole = given.every((team, at) => isList(team) && team.length > 0 && team.length === teams[at]?.length);
  return whole && new Set(all).size === all.length ? teams : null;
}

function setup(options: JsonObject, seats: readonly SeatSetup[]): Verdict<MagicEvent> {
  const strange = unknownOption(options, ['teams', 'planarDie']);
  if (strange !== undefined) {
    return refused(
      'unknown_option',
      RULE,
      `there is no option "${strange.slice(0, 40)}"`,
      'teams, planarDie, percentile',
    );
  }
  const fault = seatsFault(seats, 1, MAX_SEATS, RULE);
  if (fault !== undefined) return fault;
  const percentile = field(options, 'percentile') ?? 'zero';
  if (percentile !== 'zero' && percentile !== 'ten') {
    return refused('bad_option', RULE, 'percentile is read in one of two ways', 'zero or ten');
  }
  const ids = seats.map(({ id }) => id);
  const teams = teamsOf(field(options, 'teams'), ids);
  if (teams === null) return refused('bad_option', RULE, 'teams are lists of seats', '[["ada","bea"],["cai","dan"]]');
  const given = field(options, 'planarDie') ?? null;
  const faces = isList(given)
    ? given.filter((face): face is PlanarFace => PLANAR_FACES.some((one) => one === face))
    : [];
  if (given !== null && (!isList(given) || faces.length < given.length || !planarMapping(faces).ok)) {
    return refused('uneven', '706.1b', 'this d6 is no planar die', 'six faces: 1 planeswalker, 1 chaos, 4 blank');
  }
  const planarDie = given === null ? null : faces;
  return {
    verdict: 'accepted',
    events: [
      { kind: 'opened', ev: 1, seats: ids, teams, percentile, planarDie },
      { kind: 'turn', ev: 1, active: ids[0] ?? '' },
    ],
  };
}

function phaseOf(state: MagicState): string {
  if (state.again !== null) return 'again';
  if (state.open.length === 0) return 'idle';
  return expectsOf(state).some(({ kind }) => kind === 'roll') ? 'roll' : 'decision';
}

function tell(state: MagicState): JsonObject {
  const { turn, active, inPlay, permanents, specials, open, contest, last, rolls, seats } = state;
  const times = new Map(seats.map((seat) => [seat, specials.filter((one) => one === seat).length]));
  return {
    phase: phaseOf(state),
    turn,
    active,
    inPlay: inPlay.map((one) => ({ ...one })),
    stored: permanents.map(({ name, seat, stored }) => ({
      name,
      seat,
      results: stored.map((one) => ({ ...one })),
      maxSame: largestGroup(stored),
    })),
    planarCost: planarCost(times, active),
    open: open.map(tellOpen),
    contest: contest === null ? null : { ...contest, results: contest.results.map((one) => ({ ...one })) },
    // Plain data as it stands in the journal; its type has no index signature.
    last: last as unknown as Json,
    rolls,
    awaited: expectsOf(state).map(wireAwaited),
    over: false,
  };
}

/** The game `magic`: rolls by card, notation or form under rule 706, and the planar die (rules page magic). */
export const magic: Game<MagicState, MagicEvent> = {
  id: 'magic',
  version: 1,
  setup,
  expects: expectsOf,
  judge,
  countersRest: true,
  evolve,
  view: (state) => ({ state: tell(state), awaited: expectsOf(state) }),
  box: cardBox,
  upcast: (event) => asWritten<MagicEvent>(event, EVENT_KINDS),
};
