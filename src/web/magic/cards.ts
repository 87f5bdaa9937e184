import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { read } from '../daemon.js';
import { language } from '../language.js';
import type { Room } from '../room.js';

/** A card a table may name: what it asks to roll, and what is to be said when it comes into play. */
export interface MagicCard {
  readonly name: string;
  readonly italian?: string;
  readonly rolls?: boolean;
  /** Numbers only the players know, by their names. */
  readonly asks?: readonly string[];
  readonly stores?: boolean;
  readonly plays?: boolean;
  readonly target?: boolean;
  readonly value?: boolean;
  readonly counters?: number;
}

const NONE: readonly MagicCard[] = [];

/** The cards of this table's game; none until they are there. */
export function useCards({ door: { table, role, seat } }: Room): ReadonlySignal<readonly MagicCard[]> {
  const cards = useSignal(NONE);
  useEffect(() => {
    let wanted = true;
    const path = `/api/v1/tables/${table}/box?role=${role}${seat === undefined ? '' : `&seat=${seat}`}`;
    void read<{ readonly cards?: readonly MagicCard[] }>(path).then((answer) => {
      if (wanted && answer.ok) cards.value = answer.value.cards ?? NONE;
    });
    return () => {
      wanted = false;
    };
  }, [table, role, seat, cards]);
  return cards;
}

/** A card's name, beside it the Italian one where it is known: results go by the first. */
export const cardName = ({ name, italian }: MagicCard): string =>
  italian === undefined || language.value !== 'it' ? name : `${italian} · ${name}`;

/** Small letters and digits, without accents and punctuation. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** At most this many cards are shown for what is typed. */
const MAX_SHOWN = 6;

/** Cards whose name, in either language, holds all that is typed; names that begin with it first. */
export function findCards(cards: readonly MagicCard[], typed: string): readonly MagicCard[] {
  const whole = plain(typed);
  if (whole === '') return [];
  const names = ({ name, italian = '' }: MagicCard): readonly string[] => [plain(name), plain(italian)];
  const found = cards.filter((card) => whole.split(' ').every((word) => names(card).join(' ').includes(word)));
  const begins = (card: MagicCard): number => (names(card).some((name) => name.startsWith(whole)) ? 0 : 1);
  return [...found].sort((one, other) => begins(one) - begins(other)).slice(0, MAX_SHOWN);
}
