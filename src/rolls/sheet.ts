import { type DieType, type Face, sidesOf } from '../dice/die.js';
import { type Course, decided, thrown } from './course.js';
import {
  type Decision,
  type Effect,
  type Instruction,
  MAX_THROWS,
  type Modifier,
  type Option,
  ROLLER,
} from './instruction.js';
import type { Account } from './outcome.js';
import { naturalIn, type Place } from './places.js';

/** A cast on the sheet of a roll in progress. */
export interface Mark {
  readonly index: number;
  readonly slot: number;
  readonly place: Place;
  readonly natural: Face;
  status: 'kept' | 'ignored' | 'rerolled';
  /** What is added to the face; undefined on a planar die, which has no number. */
  added: number;
  /** The result it was exchanged for. */
  exchanged?: number;
}

/**
 * The sheet on which one roll is worked out, from the throw to its results. It lives as long as the course runs; what is
 * written down of a roll are its dice and decisions alone.
 */
export class Sheet {
  readonly asks: Instruction;
  readonly roller: string;
  readonly marks: Mark[] = [];
  /** The kinds of dice that were thrown first, extra dice included. */
  readonly types: DieType[] = [];
  readonly decisions: Account['decisions'][number][] = [];
  readonly paid: Account['paid'][number][] = [];
  /** What effects added or took away, one entry for each die. */
  readonly added: Modifier[] = [];
  readonly offers = { reroll: 0, adjust: 0, exchange: 0 };
  readonly order: Account['order'][number][] = [];
  tie: Account['tie'] = null;
  exchange?: Account['exchanged'];
  readonly #uses: number[];

  constructor(asks: Instruction) {
    this.asks = asks;
    this.roller = asks.roller ?? ROLLER;
    this.#uses = (asks.effects ?? []).map((effect) => effect.uses ?? MAX_THROWS);
  }

  /** Effects of a kind that touch this roll: the roller's own, and those that reach anybody's (706.2a). */
  effects<K extends Effect['kind']>(kind: K): readonly { effect: Extract<Effect, { kind: K }>; index: number }[] {
    return (this.asks.effects ?? []).flatMap((effect, index) =>
      isOf(effect, kind) && (effect.by === this.roller || effect.scope === 'any') ? [{ effect, index }] : [],
    );
  }

  /** True if the controller can still apply this effect. */
  usable(index: number): boolean {
    return (this.#uses[index] ?? 0) > 0;
  }

  /** Notes that an effect was applied, and what its controller paid. */
  apply(effect: Effect, index: number, kind: Account['order'][number]): void {
    this.#uses[index] = (this.#uses[index] ?? 0) - 1;
    if (effect.cost !== undefined) this.paid.push({ by: effect.by, source: effect.source, cost: effect.cost });
    if (this.order.at(-1) !== kind) this.order.push(kind);
  }

  /** Adds an amount of an effect to one die (706.2b). */
  add(mark: Mark, { source }: Effect, amount: number): void {
    mark.added += amount;
    this.added.push({ source, amount });
  }

  /** Dice that still count, in the order of the asked ones. */
  kept(): readonly Mark[] {
    return this.marks.filter((mark) => mark.status === 'kept').sort((one, other) => one.slot - other.slot);
  }

  /** Kept dice that have a number; a planar die has none (706.7). */
  numbered(): readonly Mark[] {
    return this.kept().filter((mark) => typeof mark.natural === 'number');
  }

  lay(slot: number, place: Place): Mark {
    const natural = naturalIn(place, this.asks.percentile);
    const mark: Mark = { index: this.marks.length, slot, place, natural, status: 'kept', added: 0 };
    this.marks.push(mark);
    return mark;
  }

  /** Throws these slots again (706.2b): the old casts never happened, the new ones keep their slots. */
  *rethrow(marks: readonly Mark[]): Course<readonly Mark[]> {
    const places = yield* thrown(marks.map((mark) => mark.place.type));
    for (const mark of marks) mark.status = 'rerolled';
    const own = placedBySlot(marks, places);
    return marks.map((mark, at) => this.lay(mark.slot, own[at] ?? mark.place));
  }

  /** Asks for a decision and keeps its trace. */
  *ask(about: Decision['about'], who: string, rule: string, options: readonly Option[]): Course<Option> {
    const option = yield* decided({ about, who, rule, options });
    this.decisions.push({ about, who, passed: option === 'pass' });
    return option;
  }

  /** The mark an option names, or undefined. */
  named(option: Option): Mark | undefined {
    return typeof option === 'object' && 'die' in option ? this.marks[option.die] : undefined;
  }
}

const isOf = <K extends Effect['kind']>(effect: Effect, kind: K): effect is Extract<Effect, { kind: K }> =>
  effect.kind === kind;

/** True if an effect applies to this die: by its number of sides, or to planar dice alone. */
export function touches(effect: Effect, type: DieType): boolean {
  if (effect.dice === undefined) return true;
  return effect.dice === 'planar' ? type === 'planar' : type !== 'planar' && sidesOf(type) === effect.dice;
}

/** A die as an option names it. */
export const dieOption = (mark: Mark): Option => ({ die: mark.index, natural: mark.natural });

/** A die thrown again takes its own slot; others fill the rest in their order. */
function placedBySlot(marks: readonly Mark[], places: readonly Place[]): readonly (Place | undefined)[] {
  const rest = [...places];
  const own = marks.map((mark) => {
    const at = rest.findIndex(
      (place) => place.dice[0]?.die === mark.place.dice[0]?.die && place.type === mark.place.type,
    );
    return at < 0 ? undefined : rest.splice(at, 1)[0];
  });
  return own.map((place, index) => {
    if (place !== undefined) return place;
    const at = rest.findIndex((other) => other.type === marks[index]?.place.type);
    return at < 0 ? undefined : rest.splice(at, 1)[0];
  });
}
