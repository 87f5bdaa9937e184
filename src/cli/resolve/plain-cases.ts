import { type DieType, sidesOf } from '../../dice/die.js';
import type { Json, JsonObject } from '../../dice/json.js';
import { err, ok, type Result } from '../../dice/result.js';
import { parseExpression } from '../../rolls/condition.js';
import { rolledOff, selected } from '../../rolls/contest.js';
import { parseRow } from '../../rolls/rows.js';
import { checkFair, oneFor } from '../../rolls/substitute.js';
import { get, object } from '../deed-line.js';
import { type CaseFault, list, number, record, text, texts } from './fields.js';
import { contestFault, substituteFault } from './shape.js';

type Reader = (faces: readonly number[]) => number | null;

/** A die as a substitute names it: `d6`, `d%`, `d10(0-9)`; its faces as they are given. */
function facesOf(word: string): readonly number[] | undefined {
  if (/^d(%|00)$/i.test(word)) return Array.from({ length: 10 }, (_, at) => at * 10);
  const [whole, sides, low] = /^d(\d{1,4})(?:\s*\((\d+)-\d+\))?$/i.exec(word) ?? [];
  if (whole === undefined) return undefined;
  return Array.from({ length: Number(sides) }, (_, at) => at + Number(low ?? 1));
}

const DISCARD = /\b(discard(?:ed)?|re-?roll|rethrow|again|null)\b/gi;

/** Reads a map from faces to the natural result; NaN and `discard` mean: throw again. */
function readerOf(map: string): Reader | undefined {
  if (map.trim() === 'sum') return (faces) => faces.reduce((sum, face) => sum + face, 0);
  const [body = '', ...exceptions] = map.split(/[,;](?![^(]*\))/);
  const swaps = exceptions.map((clause) => /^\s*(-?\d+)\s*->\s*(\S+)\s*$/.exec(clause));
  const known = ['f', 't', 'o', 'discard'];
  const value = parseExpression(body.replaceAll(DISCARD, 'discard'), known);
  if (!value.ok || swaps.some((swap) => swap === null)) return undefined;
  return ([first = 0, second = 0]) => {
    const read = value.value({ f: first, t: first, o: second, discard: Number.NaN });
    const swap = swaps.find((one) => one !== null && Number(one[1]) === read);
    const result = swap === undefined || swap === null ? read : Number(swap[2]);
    return Number.isNaN(result) ? null : result;
  };
}

/** A map that says to discard in words of its own: the way the rule has it for these dice. */
function standardFor(target: number, from: readonly string[], map: string): Reader | undefined {
  const type: DieType = `d${Number(/^d(\d{1,4})/i.exec(from[0] ?? '')?.[1] ?? 0)}`;
  if (from.length !== 1 || sidesOf(type) < 2 || map.search(DISCARD) < 0) return undefined;
  return oneFor(target, type)?.read;
}

/** Resolves a physical substitute (706.1b): the natural results, and whether it is allowed. */
export function substituteCase(given: JsonObject): Result<JsonObject, CaseFault> {
  const substitute = record(given, 'substitute');
  const shape = substituteFault(substitute, get(given, 'inputs'));
  if (shape !== undefined) return err(shape);
  const [target, map] = [number(substitute, 'target') ?? 0, text(substitute, 'map') ?? ''];
  const from = texts(substitute, 'from');
  const dice = from.map(facesOf);
  const faces = dice.filter((one) => one !== undefined);
  const read = readerOf(map) ?? standardFor(target, from, map);
  if (read === undefined || faces.length < dice.length || faces.length === 0) return err('bad_substitute');
  const fair = checkFair(target, faces, read);
  const values: (number | null)[] = [];
  for (const input of list(given, 'inputs')) {
    const shown = (Array.isArray(input) ? input : [input]).filter((face) => typeof face === 'number');
    // With one die, further faces are those of the throws after a discarded one.
    const throws = faces.length === 1 ? shown.map((face) => [face]) : [shown];
    if (throws.some((faced) => faced.some((face, at) => !(faces[at] ?? []).includes(face)))) {
      return err('face_out_of_range');
    }
    values.push(throws.map(read).find((value) => value !== null) ?? null);
  }
  return ok({
    valid: true,
    values: fair.ok ? values : [],
    allowed: fair.ok,
    ...(fair.ok ? {} : { reason: fair.error }),
  });
}

/** Resolves a comparison between players (706.4). */
export function contestCase(given: JsonObject): Result<JsonObject, CaseFault> {
  const word = text(given, 'contest') ?? '';
  const which = /^highest/i.test(word) ? 'highest' : /^lowest/i.test(word) ? 'lowest' : undefined;
  const shape = contestFault(given);
  if (which === undefined || shape !== undefined) return err(shape ?? 'unknown_contest');
  const sides = number(given, 'sides');
  const rounds = list(given, 'rounds').length > 0 ? list(given, 'rounds') : [record(given, 'players')];
  const read = rounds.map(
    (round) => new Map(Object.entries(object(round) ?? {}).map(([name, own]) => [name, best(own, which)])),
  );
  const out = read.some((round) =>
    [...round.values()].some(
      (value) => !Number.isInteger(value) || (sides !== undefined && (value < 1 || value > sides)),
    ),
  );
  if (out) return err('face_out_of_range');
  if (!/reroll/i.test(word)) return ok({ valid: true, selected: selected(read[0] ?? new Map(), which) });
  const result = rolledOff(read, which);
  if (result.missing.length > 0) return err('missing_dice');
  return ok({ valid: true, selected: result.selected, rounds: result.rounds });
}

/** A player's result: the better of several that were rolled. */
function best(own: Json | undefined, which: 'highest' | 'lowest'): number {
  const values = (Array.isArray(own) ? own : [own]).filter((value) => typeof value === 'number');
  return values.length === 0 ? Number.NaN : which === 'highest' ? Math.max(...values) : Math.min(...values);
}

/** Reads row labels (706.3a): `[from, to]`, `null` for an open end, `"error"` for a malformed one. */
export function parseCase(given: JsonObject): Result<JsonObject, CaseFault> {
  const labels = get(given, 'parse');
  const parsed = (Array.isArray(labels) ? labels : [labels]).map((label): Json => {
    const range = typeof label === 'string' ? parseRow(label) : undefined;
    return range?.ok === true ? [range.value.from, range.value.to] : 'error';
  });
  return ok({ valid: true, parsed });
}
