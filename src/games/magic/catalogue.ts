import { CARDS, type Card } from './cards.js';

export type { Card } from './cards.js';

/** A card's name as it is searched: small letters and digits, without accents and punctuation. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

const BY_NAME: ReadonlyMap<string, Card> = new Map(
  CARDS.flatMap((card) =>
    [card.name, card.italian].flatMap((name): [string, Card][] => (name === undefined ? [] : [[plain(name), card]])),
  ),
);

/** The card of this name, in either language, however it is written; undefined if it is unknown. */
export const findCard = (name: string): Card | undefined => BY_NAME.get(plain(name.slice(0, 80)));

/** At most this many cards are found by a part of their name. */
const MAX_FOUND = 10;

/** Cards whose name, in either language, contains all words given; for a search field. */
export function searchCards(words: string): readonly Card[] {
  const wanted = plain(words.slice(0, 80)).split(' ');
  return CARDS.filter((card) => {
    const names = plain(`${card.name} ${card.italian ?? ''}`);
    return wanted.every((word) => names.includes(word));
  }).slice(0, MAX_FOUND);
}

/** The card a title speaks of: the longest name that stands in it, whole or by its part before the comma. */
export function cardIn(title: string): Card | undefined {
  const text = ` ${plain(title)} `;
  const named = CARDS.flatMap((card) => {
    const names = [card.name, card.name.split(',')[0] ?? card.name].map(plain);
    const found = names.filter((name) => text.includes(` ${name} `));
    return found.length === 0 ? [] : [{ card, length: Math.max(...found.map((name) => name.length)) }];
  });
  return named.sort((one, other) => other.length - one.length)[0]?.card;
}
