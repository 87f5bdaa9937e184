import { type DieType, isFaceOf, parseDieType, sidesOf } from '../../dice/die.js';
import type { Signal } from '../device.js';

/** How lines of a tray that does not speak TTP/1 are read. Off unless configured. */
export interface Compat {
  /** Own form with the named groups `value` and, if the line says it, `die`; in place of the known forms. */
  readonly pattern?: RegExp;
  /** The die meant where a line does not say it. */
  readonly die: DieType;
}

/** What such trays print: `d20:17`, `d20=17`, `Roll: 17`. */
const KNOWN_FORMS = [
  /^(?<die>d\d{1,3}|d00)\s*[:=]\s*(?<value>\d{1,3})$/i,
  /^roll\s*[:=]\s*(?<value>\d{1,3})$/i,
] as const;

/**
 * Reads a line of a foreign tray as a throw, or undefined if it is none. Such a roll has no check and no identity of its
 * own: the host makes one, and its quality is `unverified`.
 */
export function foreignRoll(line: string, compat: Compat): Signal | undefined {
  const text = line.trim();
  const said = fromJson(text) ?? fromForms(text, compat.pattern === undefined ? KNOWN_FORMS : [compat.pattern]);
  if (said === undefined) return undefined;
  const type = said.die === undefined ? compat.die : dieOf(said.die);
  if (type === undefined || !isFaceOf(type, said.value)) return { kind: 'garbled', why: 'face_range', text };
  const evidence = { vendor: 'foreign', line: text };
  return { kind: 'rested', type, sides: sidesOf(type), face: said.value, how: 'thrown', evidence };
}

interface Said {
  readonly die?: string;
  readonly value: number;
}

function dieOf(text: string): DieType | undefined {
  const type = parseDieType(text);
  return type.ok ? type.value : undefined;
}

function fromForms(text: string, forms: readonly RegExp[]): Said | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    const value = groups?.value;
    if (value === undefined || !/^\d{1,3}$/.test(value)) continue;
    const die = groups?.die;
    return die === undefined ? { value: Number(value) } : { die, value: Number(value) };
  }
  return undefined;
}

/** `{"die":"d20","value":17}`: the commonest form of trays that print JSON. */
function fromJson(text: string): Said | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'value')) return undefined;
    const { value, die } = data as { value: unknown; die?: unknown };
    if (typeof value !== 'number') return undefined;
    return typeof die === 'string' && Object.hasOwn(data, 'die') ? { die, value } : { value };
  } catch {
    return undefined;
  }
}
