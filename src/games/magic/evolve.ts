import type { Instruction, StandIn } from '../../rolls/instruction.js';
import type { MagicEvent, MagicState, OpenRoll, Permanent, Report } from './state.js';

const START: MagicState = {
  seats: [],
  teams: [],
  percentile: 'zero',
  planarDie: null,
  turn: 0,
  active: '',
  inPlay: [],
  permanents: [],
  totals: [],
  specials: [],
  open: [],
  again: null,
  contest: null,
  last: null,
  rolls: 0,
  next: 1,
};

const changed = (state: MagicState, n: number, change: (roll: OpenRoll) => OpenRoll): MagicState => ({
  ...state,
  open: state.open.map((roll) => (roll.n === n ? change(roll) : roll)),
});

/** The instruction with one more die that may stand for another; a later word for the same kind goes first. */
const standing = (asks: Instruction, standIn: StandIn): Instruction => ({
  ...asks,
  standIns: [standIn, ...(asks.standIns ?? []).filter((one) => one.for !== standIn.for)],
});

/** State after an event. */
export function evolve(state: MagicState | undefined, event: MagicEvent): MagicState {
  const now = state ?? START;
  switch (event.kind) {
    case 'opened': {
      const { seats, teams, percentile, planarDie } = event;
      return { ...now, seats, teams, percentile, planarDie };
    }
    case 'turn': {
      const inPlay = now.inPlay.map((one) => ({ ...one, used: 0 }));
      return { ...now, turn: now.turn + 1, active: event.active, inPlay, totals: [], specials: [] };
    }
    case 'entered':
      return { ...now, inPlay: [...now.inPlay, event.card], next: Math.max(now.next, event.card.id + 1) };
    case 'went':
      return { ...now, inPlay: now.inPlay.filter((one) => one.id !== event.id) };
    case 'asked': {
      const { roll } = event;
      const special = roll.order.planar !== undefined && roll.order.planar.cost !== null;
      return {
        ...now,
        open: [...now.open, roll],
        specials: special ? [...now.specials, roll.order.seat] : now.specials,
        again: null,
        contest: roll.order.contest?.round === 1 && now.open.length === 0 ? null : now.contest,
        next: Math.max(now.next, roll.n + 1),
      };
    }
    case 'landed':
      return changed(now, event.n, (roll) => ({
        ...roll,
        resolution: { ...roll.resolution, landed: [...roll.resolution.landed, event.die] },
      }));
    case 'decided': {
      const { about, who, option } = event;
      return changed(now, event.n, (roll) => ({
        ...roll,
        resolution: { ...roll.resolution, decided: [...(roll.resolution.decided ?? []), { about, who, option }] },
      }));
    }
    case 'stood_in':
      return changed(now, event.n, ({ order, resolution, ...roll }) => ({
        ...roll,
        order: { ...order, asks: standing(order.asks, event.standIn) },
        resolution: { ...resolution, asks: standing(resolution.asks, event.standIn) },
      }));
    default:
      return settled(now, event);
  }
}

/** State after a roll is over, and after what is not a roll. */
function settled(
  now: MagicState,
  event: Exclude<
    MagicEvent,
    { kind: 'opened' | 'turn' | 'entered' | 'went' | 'asked' | 'landed' | 'decided' | 'stood_in' }
  >,
): MagicState {
  switch (event.kind) {
    case 'used': {
      const spent = (counters: number | undefined) =>
        counters === undefined ? {} : { counters: counters - event.times };
      const inPlay = now.inPlay.map((one) =>
        one.id === event.id ? { ...one, used: one.used + event.times, ...spent(one.counters) } : one,
      );
      return { ...now, inPlay };
    }
    case 'rolled':
      return {
        ...now,
        open: now.open.filter((roll) => roll.n !== event.report.n),
        last: event.report,
        totals: [...now.totals, ...remembered(event.report)],
        // Without a die nothing was rolled (706.1).
        rolls: now.rolls + (event.report.dice.length > 0 ? 1 : 0),
      };
    case 'stored':
      return { ...now, permanents: [...without(now.permanents, event.permanent), event.permanent] };
    case 'forgotten':
      return { ...now, permanents: without(now.permanents, event) };
    case 'again_due':
      return { ...now, again: event.order };
    case 'again_declined':
      return { ...now, again: null };
    case 'compared': {
      const selected = event.selected.length === 0 ? {} : { selected: event.selected };
      return { ...now, contest: { ...event.contest, ...selected } };
    }
    case 'cancelled':
      return { ...now, open: now.open.filter((roll) => roll.n !== event.n) };
    case 'seated':
      return { ...now, seats: [...now.seats.filter((seat) => seat !== event.seat), event.seat] };
    case 'seat_left': {
      const seats = now.seats.filter((seat) => seat !== event.seat);
      return {
        ...now,
        seats,
        active: now.active === event.seat ? (seats[0] ?? '') : now.active,
        inPlay: now.inPlay.filter((one) => one.seat !== event.seat && one.target !== event.seat),
        permanents: now.permanents.filter((one) => one.seat !== event.seat),
        open: now.open.filter((roll) => !concerns(roll, event.seat)),
        again: now.again?.seat === event.seat ? null : now.again,
      };
    }
  }
}

/** The total of a card that asked whether it came before. */
const remembered = ({ name, seat, total, reading }: Report): MagicState['totals'] =>
  reading.repeated === undefined || total === null ? [] : [{ card: name, seat, total }];

type Named = Pick<Permanent, 'name' | 'seat'>;

const without = (permanents: readonly Permanent[], gone: Named): readonly Permanent[] =>
  permanents.filter(({ name, seat }) => name !== gone.name || seat !== gone.seat);

/** True if this roll is the seat's, or some effect of it the seat's to decide. */
const concerns = ({ order, resolution }: OpenRoll, seat: string): boolean =>
  order.seat === seat || (resolution.asks.effects ?? []).some((effect) => effect.by === seat);
