import { type DieType, faceOf } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { err, ok, type Result } from '../../dice/result.js';
import type { Answer, Want } from '../../rolls/course.js';
import type { Decision, Instruction, Option } from '../../rolls/instruction.js';
import type { Outcome } from '../../rolls/outcome.js';
import { course } from '../../rolls/rule706.js';
import { get, object } from '../deed-line.js';
import { type CaseFault, list, number, numbers, record } from './fields.js';

/** A roll that was run through with the faces and choices of a case. `casts[i]`: which of the thrown faces cast i was. */
export interface Run {
  readonly outcome: Outcome;
  readonly casts: readonly number[];
}

type Pair = readonly [number, number];

const pairsOf = (choices: JsonObject, key: string): Pair[] =>
  list(choices, key).flatMap((entry): Pair[] => {
    const [one, other] = Array.isArray(entry) ? (entry as readonly Json[]) : [];
    return typeof one === 'number' && typeof other === 'number' ? [[one, other]] : [];
  });

const dieOf = (option: Option): number | undefined =>
  typeof option === 'object' && 'die' in option ? option.die : undefined;

const isPass = (option: Option): boolean => option === 'pass';

/** Feeds one instruction with the faces of a case and answers its decisions as the case's choices say. */
class Feed {
  readonly casts: number[] = [];
  readonly #thrown: readonly Json[];
  readonly #choices: JsonObject;
  readonly #reroll: Pair[];
  readonly #adjust: Pair[];
  readonly #ignoreOne: number[];
  #keep: number[];
  #ignore: number[];
  #again: Pair[] = [];
  #exchange: JsonObject | undefined;
  #used = 0;

  constructor(thrown: readonly Json[], choices: JsonObject) {
    this.#thrown = thrown;
    this.#choices = choices;
    this.#reroll = pairsOf(choices, 'reroll');
    this.#adjust = pairsOf(choices, 'adjust');
    this.#ignoreOne = [...numbers(choices, 'ignoreChosen')];
    this.#keep = [...numbers(choices, 'keep')];
    this.#ignore = [...numbers(choices, 'ignore')];
    this.#exchange = object(get(choices, 'exchange'));
  }

  /** The next faces, for a first throw or for the dice that were chosen to be thrown again. */
  dice(types: readonly DieType[]): Result<Answer, CaseFault> {
    const places = [];
    const targets = this.#again.splice(0).map(([, to]) => to);
    for (const [at, type] of types.entries()) {
      const index = targets[at] ?? this.#used;
      const face = this.#thrown[index];
      if (face === undefined) return err('missing_dice');
      const natural = typeof face === 'number' || typeof face === 'string' ? face : Number.NaN;
      const printed = faceOf(type, natural as number);
      if (!printed.ok || this.casts.includes(index)) return err(printed.ok ? 'bad_choice' : 'face_out_of_range');
      this.casts.push(index);
      this.#used = Math.max(this.#used, index + 1);
      const die = { die: `t${index}`, type, face: printed.value, source: 'manual' as const, quality: 'ok' as const };
      places.push({ type, dice: [die] });
    }
    return ok({ places });
  }

  /** Answers a decision; without a word of the case, the first option of a mandatory one, else it passes. */
  decide(decision: Decision): Result<Answer, CaseFault> {
    const { about, options } = decision;
    const answer = (option: Option | undefined, code: CaseFault): Result<Answer, CaseFault> =>
      option === undefined ? err(code) : ok({ option });
    const pass = options.find(isPass);
    const [first] = options;
    switch (about) {
      case 'keep': {
        if (this.#keep.length === 0) return answer(first, 'bad_choice');
        const option = this.#among(options, this.#keep);
        this.#keep = this.#keep.filter((thrown) => option === undefined || this.#castOf(thrown) !== dieOf(option));
        return answer(option, 'bad_choice');
      }
      case 'ignore':
        // A wrong word of the case is found at the end: what it names has not been ignored.
        return answer(this.#among(options, this.#ignore) ?? first, 'not_lowest');
      case 'ignore_one': {
        const next = this.#ignoreOne.shift();
        return answer(next === undefined ? first : this.#among(options, [next]), 'bad_choice');
      }
      case 'reroll':
      case 'reroll_more':
        return answer(this.#rerolled(options) ?? pass ?? first, 'bad_choice');
      case 'adjust':
        return answer(this.#adjusted(options) ?? pass, 'bad_choice');
      case 'exchange':
        return answer(this.#exchanged(options) ?? pass, 'bad_choice');
      case 'choose':
        return this.#chosen(options);
      case 'order':
        return answer(first, 'bad_choice');
    }
  }

  /** What the case wanted and the rules did not offer. */
  left(asks: Instruction): CaseFault | undefined {
    const effects = asks.effects ?? [];
    if (this.#keep.length > 0 || this.#ignoreOne.length > 0 || this.#exchange !== undefined) return 'bad_choice';
    if (this.#adjust.length > 0) {
      const known = this.#adjust.some(([, by]) =>
        effects.some((one) => one.kind === 'adjust' && one.amounts.includes(by)),
      );
      return known ? 'cost_not_payable' : 'bad_choice';
    }
    if (this.#reroll.length > 0) {
      return effects.some((one) => one.kind === 'reroll' && one.uses !== undefined) ? 'cost_not_payable' : 'bad_choice';
    }
    return undefined;
  }

  /** True if faces were given that nothing asked for. */
  surplus = (): boolean => this.#used < this.#thrown.length;

  /** The place of a thrown face among the casts. */
  #castOf = (thrown: number): number => this.casts.indexOf(thrown);

  #among(options: readonly Option[], thrown: readonly number[]): Option | undefined {
    const wanted = thrown.map(this.#castOf);
    return options.find((option) => wanted.includes(dieOf(option) ?? -1));
  }

  #rerolled(options: readonly Option[]): Option | undefined {
    for (const [at, pair] of this.#reroll.entries()) {
      const option = options.find((one) => dieOf(one) === this.#castOf(pair[0]));
      if (option === undefined) continue;
      this.#reroll.splice(at, 1);
      this.#again.push(pair);
      this.#again.sort(([one], [other]) => this.#rootOf(one) - this.#rootOf(other));
      return option;
    }
    return undefined;
  }

  /** The first cast of the chain that led to a thrown face. */
  #rootOf(thrown: number): number {
    const from = pairsOf(this.#choices, 'reroll').find(([, to]) => to === thrown)?.[0];
    return from === undefined || from >= thrown ? thrown : this.#rootOf(from);
  }

  /** The narrowest effect that gives the wanted amount, so that the wider ones stay for the rest. */
  #adjusted(options: readonly Option[]): Option | undefined {
    const width = (option: Option): number =>
      options.filter((one) =>
        typeof one === 'object' && 'effect' in one && 'effect' in Object(option)
          ? one.effect === Reflect.get(Object(option), 'effect') && one.die === dieOf(option)
          : false,
      ).length;
    for (const [at, [die, by]] of this.#adjust.entries()) {
      const fits = options.filter(
        (one) => typeof one === 'object' && 'by' in one && one.by === by && one.die === this.#castOf(die),
      );
      const option = [...fits].sort((one, other) => width(one) - width(other))[0];
      if (option === undefined) continue;
      this.#adjust.splice(at, 1);
      return option;
    }
    return undefined;
  }

  #exchanged(options: readonly Option[]): Option | undefined {
    const wanted = this.#exchange;
    if (wanted === undefined) return undefined;
    const die = this.#castOf(number(wanted, 'die') ?? -1);
    const value = number(wanted, 'with');
    const option = options.find(
      (one) =>
        typeof one === 'object' && 'with' in one && one.die === die && (value === undefined || one.with === value),
    );
    if (option !== undefined) this.#exchange = undefined;
    return option;
  }

  #chosen(options: readonly Option[]): Result<Answer, CaseFault> {
    const wanted = number(this.#choices, 'chosen');
    const [first] = options;
    if (wanted === undefined) return first === undefined ? err('bad_choice') : ok({ option: first });
    const rerolls = pairsOf(this.#choices, 'reroll');
    let thrown = wanted;
    for (let next = rerolls.find(([from]) => from === thrown); next !== undefined && next[1] > thrown; ) {
      thrown = next[1];
      next = rerolls.find(([from]) => from === thrown);
    }
    const option = this.#among(options, [thrown]);
    return option === undefined ? err('bad_choice') : ok({ option });
  }
}

/**
 * Runs an instruction through with the faces of a case.
 * @param part true if further faces may be left over for another roll
 */
export function runCase(
  asks: Instruction,
  thrown: readonly Json[],
  choices: JsonObject,
  part = false,
): Result<Run, CaseFault> {
  const feed = new Feed(thrown, choices);
  const run = course(asks);
  let step = run.next();
  while (step.done !== true) {
    const want: Want = step.value;
    const answer = want.kind === 'dice' ? feed.dice(want.types) : feed.decide(want.decision);
    if (!answer.ok) return answer;
    step = run.next(answer.value);
  }
  const outcome = step.value;
  const ignored = (outcome.account?.ignored ?? []).map((cast) => feed.casts[cast] ?? -1);
  if (numbers(choices, 'ignore').some((index) => !ignored.includes(index))) return err('not_lowest');
  const fault = feed.left(asks) ?? (feed.surplus() && !part ? 'extra_dice' : undefined);
  return fault === undefined ? ok({ outcome, casts: feed.casts }) : err(fault);
}

/** Choices of a case, or none. */
export const choicesOf = (given: JsonObject): JsonObject => record(given, 'choices');
