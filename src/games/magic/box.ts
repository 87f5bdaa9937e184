import type { JsonObject } from '../../dice/json.js';
import type { GameBox } from '../game.js';
import { CARDS, type Card } from './cards.js';
import type { MagicState } from './state.js';

/** Numbers only the players know, under the names by which the action `card` takes them. */
function askedBy({ count, modifier, condition }: Card): readonly string[] {
  return [
    ...(typeof count === 'object' ? [count.asks] : []),
    ...(modifier === undefined ? [] : [modifier.asks]),
    ...(condition === undefined ? [] : [condition]),
  ];
}

/** A card as a page needs it: its names, what it asks to roll, and what is to be said when it comes into play. */
function told(card: Card): JsonObject {
  const { name, italian, sides, stores, effect, watches } = card;
  return {
    name,
    ...(italian === undefined ? {} : { italian }),
    ...(sides === undefined ? {} : { rolls: true, asks: [...askedBy(card)] }),
    ...(stores === true ? { stores } : {}),
    ...(effect === undefined && watches === undefined ? {} : { plays: true }),
    ...(effect?.target === true ? { target: true } : {}),
    ...(effect?.asks === undefined ? {} : { value: true }),
    ...(effect?.counters === undefined ? {} : { counters: effect.counters }),
  };
}

const CONTENTS: JsonObject = { cards: CARDS.map(told) };

/** The cards a table may name: always the same, so nobody enters any. */
export const cardBox: GameBox<MagicState> = { contents: () => CONTENTS };
