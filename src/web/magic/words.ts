import type { Json } from '../../dice/json.js';
import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { keyOf, listOf, say } from '../language.js';
import { nameOf } from '../wording.js';
import type { Reading } from './game.js';

/** A planar face as people say it; a number stays one. */
export function faceWord(face: number | string): string {
  const key = keyOf(`mg.face.${face}`);
  return key === undefined ? String(face) : say(key);
}

/** A number with a true minus sign. */
export const minus = (value: number): string => String(value).replace('-', '−');

export const signed = (amount: number): string => (amount > 0 ? `+${amount}` : minus(amount));

/** What is paid, as a card says it. */
export function costWord(cost: string): string {
  const key = keyOf(
    `mg.cost.${cost
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '')}`,
  );
  return key === undefined ? cost : say(key);
}

/** A number only the players know, as a field's label. */
export function askedWord(name: string): string {
  const key = keyOf(`mg.asks.${name}`);
  return key === undefined ? name : say(key);
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['>=', '≥'],
  ['<=', '≤'],
  ['==', '='],
  ['=', '='],
  ['>', '>'],
  ['<', '<'],
]);

/** A condition on a result, as `<=3` or `x>20 or x==12`. */
export const conditionWord = (condition: string): string =>
  condition
    .replace(/(>=|<=|==|=|>|<)/g, (sign) => ` ${SIGNS.get(sign) ?? sign} `)
    .replace(/\s+/g, ' ')
    .trim();

/** What a watching card waits for. */
export function whenWord(when: string): string {
  const key = keyOf(`mg.when.${when}`);
  if (key !== undefined) return say(key);
  const [, any, what, sign = '', against = ''] = /^(any_)?(res|nat)(\D+?)(-?\d+|max)$/.exec(when) ?? [];
  if (what === undefined) return when;
  if (against === 'max') return say('mg.when.natMax');
  const text = `${SIGNS.get(sign) ?? sign} ${against}`;
  if (what === 'nat') return say('mg.when.nat', { text });
  return say(any === undefined ? 'mg.when.res' : 'mg.when.anyRes', { text });
}

interface DieOption {
  readonly die?: number;
  readonly natural?: number | string;
  readonly source?: string;
  readonly by?: number;
  readonly with?: number;
  readonly cost?: string;
  readonly first?: string;
}

/** What a decision's button says: the die by its place and its face, the card, and what is paid. */
export function optionWord(view: TableView | null, call: Awaited, option: Json): string | undefined {
  if (option === 'again') return say('mg.again');
  if (option === 'stop') return say('mg.stop');
  if (option === 'pass') return say('mg.pass');
  if (typeof option !== 'object' || option === null || Array.isArray(option)) return undefined;
  const { die, natural, source, by, with: other, cost, first } = option as DieOption;
  if (first !== undefined) return nameOf(view, first);
  if (die === undefined || natural === undefined) return undefined;
  const what = say('mg.die', { n: die + 1, face: faceWord(natural) });
  if (source === undefined) return what;
  const paid = cost === undefined ? '' : ` (${costWord(cost)})`;
  if (by !== undefined) return `${source}: ${say('mg.option.adjust', { amount: signed(by), die: what })}${paid}`;
  if (other !== undefined) return `${source}: ${say('mg.option.exchange', { die: what, value: other })}${paid}`;
  return call.what === 'reroll' ? `${source}: ${say('mg.option.reroll', { die: what })}${paid}` : what;
}

const yesNo = (value: boolean): string => say(value ? 'choice.yes' : 'choice.no');

function rowWord(rows: readonly string[], conditions: readonly string[]): string {
  if (rows.length > 0) return say('mg.row', { row: listOf(rows.map((row) => row.replace('-', '–'))) });
  return say(conditions.length === 0 ? 'mg.noRow' : 'mg.noRowHit');
}

/** What the results came to, one sentence each (706.3 to 706.5). */
export function readingWords(reading: Reading): readonly string[] {
  const { rows, rowsEach, conditions, met, amount, chosen, other, doubles, ordered } = reading;
  const numbers = (['difference', 'even', 'odd', 'distinct', 'count'] as const).flatMap((name) => {
    const n = reading[name];
    return n === undefined ? [] : [say(`mg.read.${name}`, { n })];
  });
  return [
    ...(rows === undefined ? [] : [rowWord(rows, conditions ?? [])]),
    ...(rowsEach ?? []).map((each, at) =>
      say('mg.rowEach', { die: at + 1, row: each.length === 0 ? '–' : listOf(each) }),
    ),
    ...(conditions ?? []).map((condition) => say('mg.condition', { condition: conditionWord(condition) })),
    ...(met === undefined ? [] : [say('mg.met', { answer: yesNo(met) })]),
    ...(amount === undefined ? [] : [say('mg.amount', { amount })]),
    ...(chosen === undefined ? [] : [say('mg.chosen', { chosen, other: other ?? '–' })]),
    ...numbers,
    ...(ordered === undefined ? [] : [say('mg.ordered', { results: ordered.join(', ') })]),
    ...(doubles === undefined ? [] : [say('mg.doubles', { answer: yesNo(doubles) })]),
    ...(reading.repeated === undefined ? [] : [say('mg.repeated', { answer: yesNo(reading.repeated) })]),
    ...(reading.wins === undefined ? [] : [say('mg.wins', { answer: yesNo(reading.wins) })]),
  ];
}
