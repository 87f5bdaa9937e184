import { landed } from '../../src/games/awaited.js';
import type { Audience, Deed, Expectation, Seat, Verdict } from '../../src/games/game.js';
import { begin } from '../../src/rolls/resolution.js';
import { chosen, naturalOf, refused, tiny } from '../contract/driver.js';

/**
 * Every round: each rolls a d6; each is dealt a card in secret; the first may hit or pass within a second; each but the
 * first writes down a secret bid; then the GM rolls 2d1000 in secret. Here everything a table must keep apart is at work.
 */
export interface Duel {
  readonly seats: readonly Seat[];
  readonly round: number;
  readonly phase: 'rolls' | 'cards' | 'choice' | 'bids' | 'secret';
  readonly rolls: { readonly [seat: Seat]: number };
  readonly cards: { readonly [seat: Seat]: readonly number[] };
  readonly bids: { readonly [seat: Seat]: string };
  readonly hits: number;
  readonly secrets: readonly (readonly number[])[];
  readonly gathered: readonly { readonly die: string; readonly face: number }[];
}

type Event = { readonly ev: 1; readonly to?: readonly Seat[] } & (
  | { readonly kind: 'opened'; readonly seats: readonly Seat[] }
  | { readonly kind: 'rolled'; readonly seat: Seat; readonly natural: number }
  | { readonly kind: 'dealt'; readonly seat: Seat; readonly card: number }
  | { readonly kind: 'chose'; readonly option: string }
  | { readonly kind: 'bid'; readonly seat: Seat; readonly bid: string }
  | { readonly kind: 'hidden'; readonly die: string; readonly face: number }
  | { readonly kind: 'seat'; readonly seat: Seat; readonly here: boolean }
);

/** No byte of these may reach anybody but their owner and the GM. */
export const BIDS = ['bid-zaffiro', 'bid-ametista', 'bid-opale'];
const base = { rule: 'duel:1', optional: false };

function expects(state: Duel): readonly Expectation[] {
  const { seats, round, phase, rolls, cards, bids } = state;
  const id = (word: string, seat: Seat): string => `r${round}.${word}.${seat}`;
  const [first = 'gm', ...others] = seats;
  switch (phase) {
    case 'rolls':
      return seats
        .filter((seat) => !Object.hasOwn(rolls, seat))
        .map((seat) => ({
          ...base,
          kind: 'roll',
          id: id('roll', seat),
          seat,
          purpose: 'roll',
          resolution: begin(['d6']),
        }));
    case 'cards':
      return seats
        .filter((seat) => (cards[seat] ?? []).length < round)
        .slice(0, 1)
        .map((seat) => ({
          ...base,
          kind: 'draw',
          id: id('card', seat),
          seat,
          purpose: 'card',
          sides: [997],
          secret: true,
          to: [seat],
        }));
    case 'choice':
      return [
        { ...base, kind: 'choice', id: id('choice', first), seat: first, purpose: 'choice', options: ['hit', 'pass'] },
        { ...base, kind: 'timer', id: 'patience', seat: first, purpose: 'patience', ms: 1_000 },
      ];
    case 'bids':
      return others
        .filter((seat) => !Object.hasOwn(bids, seat))
        .map((seat) => ({
          ...base,
          kind: 'choice',
          id: id('bid', seat),
          seat,
          purpose: 'bid',
          options: BIDS,
          to: [seat],
        }));
    case 'secret': {
      const resolution = {
        ...begin(['d1000', 'd1000']),
        landed: state.gathered.map(
          ({ die, face }) => ({ die, face, type: 'd1000', source: 'physical', quality: 'ok' }) as const,
        ),
      };
      return [{ ...base, kind: 'roll', id: id('secret', 'gm'), seat: 'gm', purpose: 'omen', to: [], resolution }];
    }
  }
}

/** Goes on to the next phase in which somebody is awaited. */
function onward(state: Duel): Duel {
  const order = ['rolls', 'cards', 'choice', 'bids', 'secret'] as const;
  if (expects(state).length > 0) return state;
  const next = order[order.indexOf(state.phase) + 1];
  return onward(
    next === undefined
      ? { ...state, round: state.round + 1, phase: 'rolls', rolls: {}, bids: {} }
      : { ...state, phase: next },
  );
}

function evolve(state: Duel | undefined, event: Event): Duel {
  const now: Duel = state ?? {
    seats: [],
    round: 1,
    phase: 'rolls',
    rolls: {},
    cards: {},
    bids: {},
    hits: 0,
    secrets: [],
    gathered: [],
  };
  switch (event.kind) {
    case 'opened':
      return { ...now, seats: event.seats };
    case 'rolled':
      return onward({ ...now, rolls: { ...now.rolls, [event.seat]: event.natural } });
    case 'dealt':
      return onward({ ...now, cards: { ...now.cards, [event.seat]: [...(now.cards[event.seat] ?? []), event.card] } });
    case 'chose':
      return onward({
        ...now,
        hits: now.hits + (event.option === 'hit' ? 1 : 0),
        phase: now.seats.length > 1 ? 'bids' : 'secret',
      });
    case 'bid':
      return onward({ ...now, bids: { ...now.bids, [event.seat]: event.bid } });
    case 'hidden': {
      const gathered = [...now.gathered, { die: event.die, face: event.face }];
      if (gathered.length < 2) return { ...now, gathered };
      return {
        ...now,
        secrets: [...now.secrets, gathered.map(({ face }) => face)],
        gathered: [],
        round: now.round + 1,
        phase: 'rolls',
        rolls: {},
        bids: {},
      };
    }
    case 'seat': {
      const others = now.seats.filter((seat) => seat !== event.seat);
      const cards = { ...now.cards, [event.seat]: Array.from({ length: now.round - 1 }, () => 1) };
      return event.here ? { ...now, seats: [...others, event.seat], cards } : onward({ ...now, seats: others });
    }
  }
}

const done = (event: Event): Verdict<Event> => ({ verdict: 'accepted', events: [event] });

function judge(state: Duel, deed: Deed): Verdict<Event> {
  const all = expects(state);
  switch (deed.kind) {
    case 'natural': {
      const put = landed(all, deed);
      if (!put.ok) return put.error;
      const { seat } = put.value.call;
      if (seat !== 'gm')
        return done({ kind: 'rolled', ev: 1, seat: seat ?? '', natural: naturalOf(put.value.resolution) });
      const events: Event[] = [{ kind: 'hidden', ev: 1, to: [], die: deed.die.die, face: Number(deed.face) }];
      return { verdict: state.gathered.length === 1 ? 'accepted' : 'open', events };
    }
    case 'drawn': {
      const due = all.find((one) => one.id === deed.draw);
      const card = deed.values[0];
      if (due?.seat == null || card === undefined) return refused('not_awaited', 'duel:1', 'no such draw');
      return done({ kind: 'dealt', ev: 1, seat: due.seat, card, to: [due.seat] });
    }
    case 'choice': {
      const choice = chosen(all, deed);
      if ('no' in choice) return choice.no;
      const option = String(choice.option);
      if (choice.due.purpose === 'choice') return done({ kind: 'chose', ev: 1, option });
      return done({ kind: 'bid', ev: 1, seat: deed.by, bid: option, to: [deed.by] });
    }
    case 'elapsed':
      return all.some(({ id }) => id === deed.timer)
        ? done({ kind: 'chose', ev: 1, option: 'pass' })
        : refused('not_awaited', 'duel:1', 'no such timer');
    case 'ruling': {
      const { ruling, args } = deed.ruling;
      const seat = String(args.id);
      if (ruling === 'seat') return done({ kind: 'seat', ev: 1, seat, here: true });
      if (ruling !== 'seat_left' || !state.seats.includes(seat)) return refused('unknown_ruling', 'duel:1', 'unknown');
      return done({ kind: 'seat', ev: 1, seat, here: false });
    }
    case 'set':
      return refused('not_awaited', 'duel:1', 'no counters');
  }
}

const owns = (seat: Seat, who: Audience): boolean => who.role === 'gm' || (who.role === 'seat' && who.seat === seat);

export const duel = tiny<Duel, Event>({
  id: 'duel',
  opening: (seats) => [{ kind: 'opened', ev: 1, seats }],
  expects,
  judge,
  evolve,
  show: ({ cards, bids, secrets, gathered, ...open }, who) => ({
    ...open,
    cards: Object.fromEntries(
      Object.entries(cards).map(([seat, held]) => [seat, owns(seat, who) ? held : held.length]),
    ),
    bids: Object.fromEntries(Object.entries(bids).map(([seat, bid]) => [seat, owns(seat, who) ? bid : true])),
    ...(who.role === 'gm' ? { secrets, gathered } : { secrets: secrets.length }),
  }),
});
