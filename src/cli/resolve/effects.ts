import type { Json, JsonObject } from '../../dice/json.js';
import { err, ok, type Result } from '../../dice/result.js';
import { type Card, findCard } from '../../games/magic/catalogue.js';
import { type Effect, MAX_EFFECTS, ROLLER } from '../../rolls/instruction.js';
import { get, object } from '../deed-line.js';
import { type CaseFault, number, numbers, record, text } from './fields.js';
import { effectFault } from './shape.js';

/** How often each effect was used this turn, by its name and its place among equals. */
export type Used = Map<string, number>;

/** An effect of a case with the key under which its uses are counted. */
export interface NamedEffect {
  readonly effect: Effect;
  readonly key: string;
}

/** How many times an effect can be applied in one turn; undefined: without limit. */
function limitOf(from: JsonObject, cost: string): number | undefined {
  if (get(from, 'payable') === false) return 0;
  const counters = number(from, 'counters');
  if (counters !== undefined) return counters;
  if (/once/i.test(text(from, 'limit') ?? '')) return 1;
  return /\btap( it| this)?$/i.test(cost) ? 1 : undefined;
}

/** What was paid, in the words of the cases: `tap it` names the card, `tap an untapped Wall` names the kind. */
export function paidText(cost: string, source: string): string {
  const other = /^tap an untapped (\w+)/i.exec(cost)?.[1];
  return other === undefined ? cost.replace(/\btap( it| this)?$/i, `tap ${source}`) : `tap ${other}`;
}

function bodyOf(from: JsonObject): Effect | undefined {
  const source = text(from, 'source') ?? 'effect';
  const controller = text(from, 'controller') ?? ROLLER;
  const kind = text(from, 'kind');
  const cost = text(from, 'cost');
  const match = record(from, 'match');
  const sides = number(match, 'sides') ?? number(from, 'sides');
  const scope = get(from, 'scope');
  const anybody =
    controller === 'any' || (typeof scope === 'string' && /any/i.test(scope)) || kind === 'plusOneIgnoreOne';
  const base = {
    source,
    by: controller === 'any' ? ROLLER : controller,
    ...(anybody ? { scope: 'any' as const } : {}),
    ...(sides === undefined ? {} : { dice: sides }),
    ...(get(from, 'dice') === 'planar' ? { dice: 'planar' as const } : {}),
    ...(cost === undefined ? {} : { cost }),
  };
  switch (kind) {
    case 'advantage':
    case 'doubleEachDie':
      return { ...base, kind };
    case 'rollTwoUseTotal':
      return { ...base, kind, dice: sides ?? 6 };
    case 'plusOneIgnoreOne':
      return { ...base, kind, chooser: text(from, 'chooser') ?? ROLLER };
    case 'adjustEach':
      return { ...base, kind, amount: number(from, 'amount') ?? 0 };
    case 'adjust': {
      const amount = number(from, 'amount');
      return { ...base, kind, amounts: amount === undefined ? numbers(from, 'amount') : [amount] };
    }
    case 'exchange':
      return { ...base, kind, value: number(from, 'value') ?? 0 };
    case 'reroll': {
      const natural = number(match, 'natural');
      const many = natural === undefined && scope === undefined;
      return {
        ...base,
        kind,
        ...(natural === undefined ? {} : { natural }),
        ...(many ? { many: true as const } : {}),
        ...(get(from, 'mandatory') === true ? { mandatory: true as const } : {}),
      };
    }
    default:
      return undefined;
  }
}

/** True for what must and need not be, must and cannot be paid, or would throw a die again without end. */
function isContradictory(from: JsonObject, body: Effect): boolean {
  if (get(from, 'mandatory') !== true) return false;
  const endless = body.kind === 'reroll' && body.natural === undefined;
  return get(from, 'optional') === true || get(from, 'payable') === false || endless;
}

/** A card in play as an effect of a case. */
function ofCard({ name, effect }: Card): JsonObject | undefined {
  if (effect === undefined) return undefined;
  return {
    kind: effect.kind,
    source: name,
    controller: ROLLER,
    ...(effect.scope === undefined ? {} : { scope: 'any' }),
    ...(effect.dice === undefined ? {} : effect.dice === 'planar' ? { dice: 'planar' } : { sides: effect.dice }),
    ...(effect.amount === undefined ? {} : { amount: effect.amount }),
    ...(effect.amounts === undefined ? {} : { amount: effect.amounts }),
    ...(effect.natural === undefined ? {} : { match: { natural: effect.natural, sides: effect.dice ?? 0 } }),
    ...(effect.cost === undefined ? {} : { cost: effect.cost }),
    ...(effect.perTurn === undefined ? {} : { limit: 'once each turn' }),
    ...(effect.counters === undefined ? {} : { counters: effect.counters }),
    // The name alone does not tell the number that is exchanged.
    ...(effect.kind === 'exchange' ? { value: 0 } : {}),
  };
}

/**
 * Reads the effects of a case: objects, or names of cards.
 * @param used uses of this turn so far; they are taken off
 */
export function readEffects(given: readonly Json[], used: Used): Result<readonly NamedEffect[], CaseFault> {
  if (given.length > MAX_EFFECTS) return err('too_many_effects');
  const seen = new Map<string, number>();
  const effects: NamedEffect[] = [];
  for (const entry of given) {
    const card = typeof entry === 'string' ? findCard(entry) : undefined;
    const from = card === undefined ? object(entry) : ofCard(card);
    if (from === undefined) return err(typeof entry === 'string' && card === undefined ? 'unknown_card' : 'bad_effect');
    const body = effectFault(from) === undefined ? bodyOf(from) : undefined;
    if (body === undefined) return err('bad_effect');
    if (isContradictory(from, body)) return err('contradictory_effects');
    const nth = (seen.get(body.source) ?? 0) + 1;
    seen.set(body.source, nth);
    const key = `${body.by}/${body.source}#${nth}`;
    const limit = limitOf(from, body.cost ?? '');
    const uses = limit === undefined ? undefined : Math.max(0, limit - (used.get(key) ?? 0));
    effects.push({ key, effect: uses === undefined ? body : { ...body, uses } });
  }
  return ok(effects);
}
