import type { Json, JsonObject } from '../../dice/json.js';
import { err, ok, type Result } from '../../dice/result.js';
import { type Instruction, MAX_DICE, ROLLER } from '../../rolls/instruction.js';
import { largestGroup, MAX_STORED, rerollsOf, restore, type Stored, store } from '../../rolls/stored.js';
import { triggered } from '../../rolls/triggers.js';
import { get, object } from '../deed-line.js';
import { choicesOf, type Run, runCase } from './case-run.js';
import { type NamedEffect, readEffects } from './effects.js';
import { type CaseFault, list, number, numbers, record, texts } from './fields.js';
import { storedFault } from './shape.js';

const entries = (given: readonly Json[]): readonly Stored[] =>
  given.flatMap((entry) => {
    if (typeof entry === 'number') return [{ sides: 6, value: entry }];
    const one = object(entry);
    const [sides, value] = one === undefined ? [] : [number(one, 'sides'), number(one, 'value')];
    return sides === undefined || value === undefined ? [] : [{ sides, value }];
  });

function instruction(sides: number, count: number, effects: readonly NamedEffect[], adjustEach: number): Instruction {
  const each =
    adjustEach === 0 ? [] : [{ source: 'effect', by: ROLLER, kind: 'adjustEach', amount: adjustEach } as const];
  return {
    dice: Array.from({ length: count }, () => `d${sides}` as const),
    modifiers: [],
    percentile: 'zero',
    roller: ROLLER,
    effects: [...effects.map(({ effect }) => effect), ...each],
    use: { kind: 'none' },
  };
}

/** The rolls of a case of stored results, as they happen. */
interface Book {
  stored: readonly Stored[];
  readonly runs: { readonly run: Run; readonly offset: number }[];
  readonly perKind: Map<number, number>;
}

function storing(book: Book, given: JsonObject, effects: readonly NamedEffect[]): CaseFault | undefined {
  for (const entry of list(given, 'store')) {
    const one = object(entry) ?? {};
    const thrown = list(one, 'thrown');
    const sides = number(one, 'sides') ?? 6;
    const extra = effects.filter(({ effect }) => effect.kind === 'advantage').length;
    const count = number(one, 'count') ?? Math.max(0, thrown.length - extra);
    if (count > MAX_DICE || book.stored.length + count > MAX_STORED) return 'too_many_dice';
    const run = runCase(instruction(sides, count, effects, number(one, 'adjustEach') ?? 0), thrown, choicesOf(one));
    if (!run.ok) return run.error;
    book.runs.push({ run: run.value, offset: 0 });
    book.stored = store(book.stored, sides, run.value.outcome.account?.results ?? []);
  }
  return undefined;
}

function rerolling(book: Book, given: JsonObject, effects: readonly NamedEffect[]): CaseFault | undefined {
  const chosen = numbers(given, 'reroll');
  const thrown = list(given, 'thrown');
  if (new Set(chosen).size < chosen.length || chosen.some((at) => book.stored[at] === undefined)) return 'bad_choice';
  const kinds = rerollsOf(book.stored, chosen);
  // Without extra dice the faces stand in the order of the chosen entries, whatever their kinds.
  const inOrder = thrown.length === chosen.length;
  let next = 0;
  for (const { sides, entries: own } of kinds) {
    const faces = inOrder ? own.flatMap((entry) => thrown[chosen.indexOf(entry)] ?? []) : thrown.slice(next);
    const asks = instruction(sides, own.length, effects, number(given, 'adjustEach') ?? 0);
    const run = runCase(asks, faces, choicesOf(given), !inOrder);
    if (!run.ok) return run.error;
    book.runs.push({ run: run.value, offset: inOrder ? 0 : next });
    book.perKind.set(sides, own.length);
    next += run.value.casts.length;
    book.stored = restore(book.stored, own, run.value.outcome.account?.results ?? []);
  }
  return next < thrown.length ? 'extra_dice' : undefined;
}

/** Resolves a case of stored results (706.8). */
export function storedCase(given: JsonObject): Result<JsonObject, CaseFault> {
  const shape = storedFault(given);
  if (shape !== undefined) return err(shape);
  const permanents = get(given, 'permanents');
  if (permanents !== undefined) {
    const each = Object.entries(object(permanents) ?? {});
    const groups = each.map(([name, values]) => [name, largestGroup(entries(Array.isArray(values) ? values : []))]);
    return ok({ valid: true, maxSame: Object.fromEntries(groups) });
  }
  const effects = readEffects(list(given, 'effects'), new Map());
  if (!effects.ok) return effects;
  const book: Book = { stored: entries(list(given, 'initial')), runs: [], perKind: new Map() };
  const fault = storing(book, given, effects.value) ?? rerolling(book, given, effects.value);
  if (fault !== undefined) return err(fault);
  const triggers: { [listener: string]: number } = {};
  for (const listener of texts(given, 'listeners')) {
    let sum = 0;
    for (const { run } of book.runs) {
      const count = triggered(listener, run.outcome);
      if (!count.ok) return err('unknown_listener');
      sum += count.value;
    }
    triggers[listener] = sum;
  }
  const ignored = book.runs.flatMap(({ run, offset }) =>
    (run.outcome.account?.ignored ?? []).map((cast) => offset + (run.casts[cast] ?? 0)),
  );
  return ok({
    valid: true,
    stored: book.stored.map((one) => ({ ...one })),
    storedSorted: book.stored.map(({ value }) => value).sort((one, other) => one - other),
    maxSame: largestGroup(book.stored),
    ignored,
    rollsPerKind: Object.fromEntries(book.perKind),
    rolls: book.runs.length,
    triggers,
  });
}

/** The stored part of a case. */
export const storedOf = (given: JsonObject): JsonObject => record(given, 'stored');
