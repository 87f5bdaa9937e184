import type { DieType } from '../dice/die.js';
import { sidesOf } from '../dice/die.js';
import { err, ok, type Result } from '../dice/result.js';
import type { Comparison, Marks } from './formula.js';
import { fault, type NotationFault, type Scan } from './notation-scan.js';

/** Lowest and highest face of a die, as the notation compares them. */
function facesOf(type: DieType): readonly [number, number] {
  if (type === 'fudge') return [-1, 1];
  return type === 'd00' ? [0, 90] : [1, sidesOf(type)];
}

const MARK = /k[hl]?|d[hl]?|!!|!p|!|ro|r|cs|cf|f|(?=[<>=≤≥])/iy;

/** What follows a mark: `>5`, `<=2`, `=3`, or a bare number. */
function comparison(scan: Scan): Comparison | undefined {
  const [, sign = '', number] = scan.match(/([<>]=?|=|≤|≥)?\s*(\d{1,4})/y) ?? [];
  if (number === undefined) return undefined;
  const first = sign.charAt(0).replace('≤', '<').replace('≥', '>');
  return { sign: first === '<' || first === '>' ? first : '=', value: Number(number) };
}

interface Draft {
  reroll?: { once: boolean; when: Comparison[] };
  explode?: NonNullable<Marks['explode']>;
  keep?: NonNullable<Marks['keep']>;
  when: Comparison[];
  failure: Comparison[];
}

type Taken = Result<true, NotationFault>;

function keep(scan: Scan, at: number, word: string, draft: Draft): Taken {
  const which = word === 'k' ? 'kh' : word === 'd' ? 'dl' : (word as 'kh' | 'kl' | 'dh' | 'dl');
  const count = Number(scan.match(/\d{1,4}/y)?.[0] ?? 1);
  if (draft.keep !== undefined) return err(fault('syntax', at, 'dice are kept or dropped once'));
  if (count < 1) return err(fault('syntax', at, 'at least one die is kept or dropped'));
  draft.keep = { which, count };
  return ok(true);
}

function explode(scan: Scan, at: number, word: string, type: DieType, draft: Draft): Taken {
  if (draft.explode !== undefined) return err(fault('syntax', at, 'dice explode in one way'));
  const how = word === '!!' ? 'compound' : word === '!p' ? 'penetrate' : 'open';
  const when = comparison(scan) ?? { sign: '=' as const, value: facesOf(type)[1] };
  if (isEndless([when], type)) return err(fault('endless', at, 'every face would throw one more'));
  draft.explode = { how, when };
  return ok(true);
}

function reroll(scan: Scan, at: number, word: string, type: DieType, draft: Draft): Taken {
  const once = word === 'ro';
  const when = comparison(scan) ?? { sign: '=' as const, value: facesOf(type)[0] };
  const all = [...(draft.reroll?.when ?? []), when];
  if (draft.reroll !== undefined && draft.reroll.once !== once)
    return err(fault('syntax', at, 'r and ro exclude each other'));
  if (!once && isEndless(all, type)) return err(fault('endless', at, 'every face would be thrown again'));
  draft.reroll = { once, when: all };
  return ok(true);
}

function isEndless(when: readonly Comparison[], type: DieType): boolean {
  const [low, high] = facesOf(type);
  const step = type === 'd00' ? 10 : 1;
  for (let face = low; face <= high; face += step) {
    const hit = when.some(({ sign, value }) =>
      sign === '=' ? face === value : sign === '>' ? face >= value : face <= value,
    );
    if (!hit) return false;
  }
  return true;
}

/** One mark into the draft. Groups in braces know only what keeps and what counts. */
function take(scan: Scan, at: number, word: string, type: DieType | null, draft: Draft): Taken {
  if (word.startsWith('k') || word.startsWith('d')) return keep(scan, at, word, draft);
  if (word === '') {
    const when = comparison(scan);
    if (when === undefined) return err(fault('syntax', at, 'a number is missing'));
    draft.when.push(when);
    return ok(true);
  }
  if (type === null && word !== 'f') return err(fault('syntax', at, `"${word}" stands behind dice, not behind braces`));
  if (word.startsWith('!')) return explode(scan, at, word, type ?? 'd2', draft);
  if (word.startsWith('r')) return reroll(scan, at, word, type ?? 'd2', draft);
  const when = comparison(scan);
  if (when === undefined) return err(fault('syntax', at, `a number is missing behind "${word}"`));
  // cs and cf only say which faces are shown as successes and failures of their own.
  if (word === 'f') draft.failure.push(when);
  return ok(true);
}

/**
 * Reads the marks behind dice or behind a group in braces.
 * @param type the kind of the dice, or null behind braces
 */
export function readMarks(scan: Scan, type: DieType | null): Result<Marks, NotationFault> {
  const draft: Draft = { when: [], failure: [] };
  for (;;) {
    scan.skip();
    const at = scan.at + 1;
    const word = scan.match(MARK)?.[0].toLowerCase();
    if (word === undefined) break;
    const taken = take(scan, at, word, type, draft);
    if (!taken.ok) return taken;
  }
  const { when, failure, ...rest } = draft;
  if (failure.length > 0 && when.length === 0) {
    return err(fault('syntax', scan.at, 'failures are counted beside successes: >5f1'));
  }
  return ok({ ...rest, ...(when.length === 0 ? {} : { success: { when, failure } }) });
}
