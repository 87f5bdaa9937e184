import type { Effect } from '../../rolls/instruction.js';
import type { Seat } from '../game.js';
import { findCard } from './catalogue.js';
import type { InPlay, MagicState } from './state.js';

/** The effect of a card in play on a roll of `roller`, or undefined if it has none on it. */
function effectOf(one: InPlay, roller: Seat): Effect | undefined {
  const card = findCard(one.card);
  const effect = card?.effect;
  if (card === undefined || effect === undefined) return undefined;
  if (effect.target === true && one.target !== roller) return undefined;
  if (one.seat !== roller && effect.scope !== 'any' && effect.target !== true) return undefined;
  const left = [
    ...(effect.perTurn === undefined ? [] : [effect.perTurn - one.used]),
    ...(one.counters === undefined ? [] : [one.counters]),
  ];
  const base = {
    source: card.name,
    by: one.seat,
    ...(effect.scope === 'any' || effect.target === true ? { scope: 'any' as const } : {}),
    ...(effect.dice === undefined ? {} : { dice: effect.dice }),
    ...(effect.cost === undefined ? {} : { cost: effect.cost }),
    ...(left.length === 0 ? {} : { uses: Math.max(0, Math.min(...left)) }),
  };
  switch (effect.kind) {
    case 'plusOneIgnoreOne':
      return { ...base, kind: effect.kind, chooser: effect.chooser === 'controller' ? one.seat : roller };
    case 'adjustEach':
      return { ...base, kind: effect.kind, amount: effect.amount ?? 0 };
    case 'adjust':
      return { ...base, kind: effect.kind, amounts: effect.amounts ?? [] };
    case 'exchange':
      return { ...base, kind: effect.kind, value: one.value ?? 0, uses: 1 };
    case 'reroll':
      return {
        ...base,
        kind: effect.kind,
        ...(effect.natural === undefined ? {} : { natural: effect.natural }),
        ...(effect.many === true ? { many: true as const } : {}),
      };
    case 'advantage':
    case 'doubleEachDie':
    case 'rollTwoUseTotal':
      return { ...base, kind: effect.kind };
  }
}

/** Effects in play that touch a roll of this seat, with the id in play of each. */
export function effectsFor(
  state: MagicState,
  roller: Seat,
): { readonly effects: readonly Effect[]; readonly ids: readonly number[] } {
  const found = state.inPlay.flatMap((one) => {
    const effect = effectOf(one, roller);
    return effect === undefined ? [] : [{ effect, id: one.id }];
  });
  return { effects: found.map(({ effect }) => effect), ids: found.map(({ id }) => id) };
}
