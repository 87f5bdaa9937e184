import type { DieType } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { err, ok, type Result } from '../../dice/result.js';
import { cardIn } from '../../games/magic/catalogue.js';
import { parseCondition } from '../../rolls/condition.js';
import { type Instruction, MAX_DICE, ROLLER, type Use } from '../../rolls/instruction.js';
import type { Account, Outcome } from '../../rolls/outcome.js';
import { areDoubles } from '../../rolls/reading.js';
import { overlaps, parseRow } from '../../rolls/rows.js';
import { triggered } from '../../rolls/triggers.js';
import { get } from '../deed-line.js';
import { choicesOf, type Run, runCase } from './case-run.js';
import { type NamedEffect, paidText, readEffects, type Used } from './effects.js';
import { type CaseFault, list, number, record, text, texts } from './fields.js';
import { rollFault } from './shape.js';

/** Copies of a luck card win at exactly so many hits (Luck Bobblehead), where a case names no other number. */
const WINS = 7;

const PLAIN_USES = ['total', 'difference', 'parity', 'distinct', 'doubles', 'ordered', 'none'] as const;

function useOf(asked: JsonObject, plus: number | undefined): Result<Use, CaseFault> {
  const word = text(asked, 'use') ?? 'none';
  const plain = PLAIN_USES.find((one) => one === word);
  const each = texts(asked, 'eachRow');
  if (each.length > 0) return ok({ kind: 'list', rows: each });
  if (plain !== undefined) return ok({ kind: plain });
  switch (word) {
    case 'number':
      return ok({ kind: 'number', ...(plus === undefined ? {} : { plus }) });
    case 'chooseOne':
      return ok({ kind: 'choose' });
    case 'table': {
      const rows = texts(asked, 'table');
      const conditions = list(asked, 'conditions').length > 0 ? texts(asked, 'conditions') : undefined;
      const again = get(asked, 'rollAgain');
      if (rows.some((row) => !parseRow(row).ok)) return err('bad_row');
      return ok({
        kind: 'table',
        rows,
        ...(conditions === undefined ? {} : { conditions }),
        ...(again === undefined ? {} : { again: typeof again === 'string' ? [again] : texts(asked, 'rollAgain') }),
      });
    }
    case 'threshold':
    case 'cond': {
      const condition = text(asked, word) ?? '';
      return parseCondition(condition).ok ? ok({ kind: 'condition', condition }) : err('bad_condition');
    }
    case 'countEq':
      return ok({ kind: 'count', value: number(asked, 'value') ?? 0, wins: number(asked, 'wins') ?? WINS });
    case 'repeatIf':
      return ok({ kind: 'repeat', value: number(asked, 'value') ?? 0 });
    default:
      return err('unknown_use');
  }
}

/** The instruction of a case. */
function instructionOf(
  asked: JsonObject,
  effects: readonly NamedEffect[],
  plus: number | undefined,
): Result<Instruction, CaseFault> {
  const [count, sides, modifier] = [
    number(asked, 'count') ?? 1,
    number(asked, 'sides'),
    number(asked, 'modifier') ?? 0,
  ];
  if (!Number.isInteger(count) || count < 0) return err('bad_count');
  if (count > MAX_DICE) return err('too_many_dice');
  if (sides === undefined || !Number.isInteger(sides) || sides < 1) return err('no_such_die');
  const use = useOf(asked, plus);
  if (!use.ok) return use;
  const type: DieType = `d${sides}`;
  const lowest = get(asked, 'keep') === 'highest' ? 'allButHighest' : number(asked, 'ignoreLowest');
  return ok({
    dice: Array.from({ length: count }, () => type),
    modifiers: modifier === 0 ? [] : [{ source: 'instruction', amount: modifier }],
    percentile: 'zero',
    roller: ROLLER,
    effects: effects.map(({ effect }) => effect),
    use: use.value,
    ...(lowest === undefined ? {} : { lowest }),
  });
}

/** What is remembered of a turn between the steps of a case. */
export interface Turn {
  readonly used: Used;
}

/** Resolves one instruction with its faces, effects and choices; `title` may name the card. */
export function rollCase(given: JsonObject, title: string, turn: Turn): Result<JsonObject, CaseFault> {
  const fault = rollFault(given);
  if (fault !== undefined) return err(fault);
  const listeners = texts(given, 'listeners');
  if (get(given, 'instruction') === null) {
    return ok({ counts: false, triggers: Object.fromEntries(listeners.map((listener) => [listener, 0])) });
  }
  const effects = readEffects(list(given, 'effects'), turn.used);
  if (!effects.ok) return effects;
  const use = cardIn(title)?.use;
  const plus = use?.kind === 'number' ? use.plus : undefined;
  const asks = instructionOf(record(given, 'instruction'), effects.value, plus);
  if (!asks.ok) return asks;
  const thrown = list(given, 'thrown');
  const faces = physicalFault(given, thrown);
  if (faces !== undefined) return err(faces);
  const run = runCase(asks.value, thrown, choicesOf(given));
  if (!run.ok) return run;
  const counts = listeners.map((listener) => [listener, triggered(listener, run.value.outcome)] as const);
  if (counts.some(([, count]) => !count.ok)) return err('unknown_listener');
  note(run.value.outcome.account, effects.value, turn.used);
  return ok({
    ...told(asks.value, run.value, effects.value, choicesOf(given)),
    triggers: Object.fromEntries(counts.map(([listener, count]) => [listener, count.ok ? count.value : 0])),
  });
}

/** A pair of physical dice that does not show the natural result it stands for. */
function physicalFault(given: JsonObject, thrown: readonly Json[]): CaseFault | undefined {
  const shown = list(given, 'physical').flatMap((entry) =>
    typeof entry === 'object' && entry !== null && !Array.isArray(entry)
      ? [number(entry as JsonObject, 'face') ?? -1]
      : [],
  );
  if (shown.length !== 2 || thrown.length !== 1) return undefined;
  const sum = shown.reduce((total, face) => total + face, 0);
  return (sum === 0 ? 100 : sum) === thrown[0] ? undefined : 'face_out_of_range';
}

/** Counts the uses of this roll for the rest of the turn. */
function note(account: Account | undefined, effects: readonly NamedEffect[], used: Used): void {
  for (const { by, source } of account?.paid ?? []) {
    const left = effects.find(
      ({ effect, key }) =>
        effect.by === by && effect.source === source && (used.get(key) ?? 0) < (effect.uses ?? Number.MAX_SAFE_INTEGER),
    );
    if (left !== undefined) used.set(left.key, (used.get(left.key) ?? 0) + 1);
  }
}

const DECIDING = ['ignore_one', 'reroll', 'adjust', 'exchange', 'keep', 'ignore', 'choose'];

function deciderOf({ decisions }: Account): string | undefined {
  const named = decisions.filter(({ about }) => DECIDING.includes(about));
  return (named.find(({ passed, about }) => !passed && about !== 'choose') ?? named[0])?.who;
}

function told(
  asks: Instruction,
  { outcome, casts }: Run,
  effects: readonly NamedEffect[],
  choices: JsonObject,
): JsonObject {
  const { account } = outcome;
  if (account === undefined) return { valid: true };
  const thrown = (indices: readonly number[]): number[] =>
    indices.map((index) => casts[index] ?? index).sort((one, other) => one - other);
  const { offers, tie, exchanged } = account;
  const optional = effects.some(({ effect }) => ['adjust', 'reroll', 'exchange'].includes(effect.kind));
  const decider = deciderOf(account);
  return {
    valid: true,
    naturals: account.naturals,
    results: account.results,
    ...(account.results.length === 1 ? { result: account.results[0] ?? 0 } : {}),
    total: outcome.total ?? null,
    ignored: thrown(account.ignored),
    ignoredCount: account.ignored.length,
    replaced: thrown(account.replaced),
    tie:
      tie === null
        ? null
        : {
            candidates: thrown(tie.candidates),
            pick: tie.pick,
            ...(tie.forced.length === 0 ? {} : { forced: thrown(tie.forced) }),
          },
    diceThrown: account.casts.length,
    paid: account.paid.map(({ cost, source }) => paidText(cost, source)),
    ...(optional ? { offered: offers.reroll + offers.adjust + offers.exchange > 0 } : {}),
    rerollOffers: offers.reroll,
    order: account.order,
    ...(decider === undefined ? {} : { decider }),
    ...(exchanged === undefined ? {} : { exchanged: { ...exchanged }, swappedOut: exchanged.from }),
    sequence: ['roll', 'effect_of_result', 'triggers'],
    responseWindow: false,
    ...readingOf(asks, outcome, account, choices),
  };
}

function readingOf({ use }: Instruction, outcome: Outcome, account: Account, choices: JsonObject): JsonObject {
  const { reading, results } = account;
  const { wins, met, amount, chosen, other, rows, rowsEach, ...rest } = reading;
  const met706 = use?.kind === 'condition' && met !== undefined ? { met, thresholdMet: met } : {};
  const choice = number(choices, 'chosen') === undefined ? {} : { chosen: chosen ?? null, other: other ?? null };
  const [one] = results;
  return {
    ...rest,
    ...(rows === undefined ? {} : { rows }),
    ...(rowsEach === undefined ? {} : { rowsEach: rowsEach.map((hit) => [...hit]) }),
    ...(use?.kind === 'table' && overlaps(use.rows).length > 0 ? { warnings: ['overlapping_rows'] } : {}),
    ...(results.length === 2 ? { doubles: areDoubles(results) } : {}),
    ...(wins === undefined ? {} : { win: wins }),
    ...met706,
    ...choice,
    ...(use?.kind === 'condition' && amount !== undefined ? { amount } : {}),
    ...(use?.kind === 'number' && amount !== undefined
      ? { effectAmount: amount, amount: Math.max(0, results.length === 1 ? (one ?? 0) : (outcome.total ?? 0)) }
      : {}),
  } as JsonObject;
}
