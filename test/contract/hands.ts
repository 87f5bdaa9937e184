import type { Audience, Expectation, Seat } from '../../src/games/game.js';
import { chosen, refused, tiny } from './driver.js';

/** Each seat is dealt two cards of a deck of ten, drawn by the table; then the first plays one of its own. */
interface Table {
  readonly deck: readonly string[];
  readonly hands: { readonly [seat: Seat]: readonly string[] };
  readonly played: string | null;
}
type Event =
  | { readonly kind: 'opened'; readonly ev: 1; readonly seats: readonly Seat[] }
  | { readonly kind: 'drew'; readonly ev: 1; readonly seat: Seat }
  | { readonly kind: 'dealt'; readonly ev: 1; readonly seat: Seat; readonly to: readonly Seat[]; readonly card: string }
  | { readonly kind: 'played'; readonly ev: 1; readonly seat: Seat; readonly card: string };

const DECK = ['asso', 'due', 'tre', 'quattro', 'cinque', 'sei', 'sette', 'fante', 'cavallo', 're'];
const HAND = 2;
const owns = (seat: Seat | null, who: Audience) => who.role === 'gm' || (who.role === 'seat' && who.seat === seat);

function expects({ hands, deck, played }: Table): readonly Expectation[] {
  const base = { rule: 'cards:1', optional: false };
  const [seat = ''] = Object.keys(hands);
  if (played !== null) return [];
  const [next, hand] = Object.entries(hands).find(([, cards]) => cards.length < HAND) ?? [];
  if (next === undefined || hand === undefined) {
    return [{ ...base, kind: 'choice', id: 'play', seat, purpose: 'play', options: hands[seat] ?? [] }];
  }
  const id = `deal.${next}.${hand.length}`;
  return [{ ...base, kind: 'draw', id, seat: next, purpose: 'deal', sides: [deck.length], secret: true }];
}

function evolve(state: Table | undefined, event: Event): Table {
  const now = state ?? { deck: DECK, hands: {}, played: null };
  if (event.kind === 'opened') return { ...now, hands: Object.fromEntries(event.seats.map((seat) => [seat, []])) };
  if (event.kind === 'drew') return now;
  const others = (cards: readonly string[]) => cards.filter((card) => card !== event.card);
  const hand = now.hands[event.seat] ?? [];
  return event.kind === 'dealt'
    ? { ...now, deck: others(now.deck), hands: { ...now.hands, [event.seat]: [...hand, event.card] } }
    : { ...now, played: event.card, hands: { ...now.hands, [event.seat]: others(hand) } };
}

export const hands = tiny<Table, Event>({
  id: 'hands',
  opening: (seats) => [{ kind: 'opened', ev: 1, seats }],
  expects,
  judge(state, deed) {
    if (deed.kind === 'drawn') {
      const seat = expects(state).find((one) => one.id === deed.draw && one.kind === 'draw')?.seat;
      const card = state.deck[(deed.values[0] ?? 0) - 1];
      if (typeof seat !== 'string' || card === undefined) return refused('not_awaited', 'cards:1', 'no such draw');
      const dealt: Event = { kind: 'dealt', ev: 1, seat, to: [seat], card };
      return { verdict: 'accepted', events: [{ kind: 'drew', ev: 1, seat }, dealt] };
    }
    if (deed.kind !== 'choice') return refused('not_awaited', 'cards:1', 'not awaited');
    const choice = chosen(expects(state), deed);
    if ('no' in choice) return choice.no;
    return { verdict: 'accepted', events: [{ kind: 'played', ev: 1, seat: deed.by, card: String(choice.option) }] };
  },
  evolve,
  show: ({ hands: held, deck, played }, who) => ({
    played,
    deck: deck.length,
    hands: Object.fromEntries(Object.entries(held).map(([seat, hand]) => [seat, owns(seat, who) ? hand : hand.length])),
  }),
  veil: (one, who) => (one.kind === 'choice' && !owns(one.seat, who) ? { ...one, options: [] } : one),
});
