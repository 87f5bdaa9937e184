import type { JsonObject } from '../../dice/json.js';
import { err, ok, type Result } from '../../dice/result.js';
import { BOX_FORMAT, BOX_VERSION, type BoxFault, diceboundBoxSchema } from '../../wire/dicebound-box.js';
import { field } from '../awaited.js';
import { boxSays, verbatim, type Wording } from '../box-words.js';
import { readPlacedJson } from '../placed-json.js';
import { isObject } from '../refusal.js';
import { BOX_KINDS, readEntries } from './box.js';
import { MAX_FAULTS, Reader } from './reader.js';

export { BOX_FORMAT, BOX_VERSION };

/** Entries put before the rules at once: a large box comes in several deeds. */
const MOST_AT_ONCE = 60;

/** A fault of a field, before its line is looked up. */
interface Fault {
  readonly field: string;
  readonly reason: Wording;
  readonly remedy: Wording;
}

/** A fault as it leaves the game: in English, and the same in Italian. */
const toldAt = (file: string, line: number, { field, reason, remedy }: Fault): BoxFault => {
  const inItalian = { reason: reason.it, remedy: remedy.it };
  return { file, line, field, reason: reason.en, remedy: remedy.en, inItalian };
};

/** Names the reader does not ask for: a slip of the pen there must not pass in silence. */
function strangers(value: JsonObject): readonly Fault[] {
  const parsed = diceboundBoxSchema.safeParse(value);
  return (parsed.error?.issues ?? []).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [];
    const place = issue.path.map(String).join('.');
    return issue.keys.map((key) => ({
      field: place === '' ? key : `${place}.${key}`,
      reason: boxSays('unknownField'),
      remedy: boxSays('takeOut'),
    }));
  });
}

function headFaults(value: JsonObject): readonly Fault[] {
  const faults: Fault[] = [];
  if (field(value, 'format') !== BOX_FORMAT)
    faults.push({ field: 'format', reason: boxSays('noBox'), remedy: verbatim(`"${BOX_FORMAT}"`) });
  if (field(value, 'version') !== BOX_VERSION)
    faults.push({ field: 'version', reason: boxSays('otherForm'), remedy: verbatim(String(BOX_VERSION)) });
  return faults;
}

/**
 * Reads the file of a box (docs/schemas/dicebound-box.json).
 * @param file name told in faults
 * @returns the fields of the action `box`, in as many deeds as are needed, or every fault with its line, field and remedy
 */
export function readBoxFile(text: string, file: string): Result<readonly JsonObject[], readonly BoxFault[]> {
  const placed = readPlacedJson(text);
  if (!placed.ok) return err([toldAt(file, placed.error.line, { field: '', ...placed.error })]);
  const { value, line } = placed.value;
  if (!isObject(value)) {
    return err([toldAt(file, 1, { field: '', reason: boxSays('noObject'), remedy: verbatim('{ "format": … }') })]);
  }
  const reader = new Reader();
  readEntries(reader, value);
  const read = reader.faults.map(({ place, reason, remedy }) => ({ field: place, reason, remedy }));
  const known = new Set(read.map((fault) => fault.field));
  const strange = strangers(value).filter((fault) => !known.has(fault.field));
  const faults = [...headFaults(value), ...read, ...strange].slice(0, MAX_FAULTS);
  if (faults.length === 0) return ok(deedsOf(value));
  const told = faults.map((fault) => toldAt(file, line(fault.field.split('.')), fault));
  return err(told.sort((a, b) => a.line - b.line));
}

function deedsOf(value: JsonObject): readonly JsonObject[] {
  return BOX_KINDS.flatMap((kind) => {
    const table = field(value, kind);
    const entries = isObject(table) ? Object.entries(table) : [];
    return Array.from({ length: Math.ceil(entries.length / MOST_AT_ONCE) }, (_, at) => ({
      [kind]: Object.fromEntries(entries.slice(at * MOST_AT_ONCE, (at + 1) * MOST_AT_ONCE)),
    }));
  });
}
