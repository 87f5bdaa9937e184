import type { Json, JsonObject } from '../../dice/json.js';
import { field } from '../awaited.js';
import { boxSays, verbatim, type Wording } from '../box-words.js';
import { isObject, isWhole } from '../refusal.js';

/** A fault in the data of the box: the field's place, what is wrong with it, and what to write instead. */
export interface DataFault {
  readonly place: string;
  readonly reason: Wording;
  readonly remedy: Wording;
}

/** So many faults are told at once; a file is mended in a few rounds. */
export const MAX_FAULTS = 20;

/** At most so many entries of one kind are read. */
export const MAX_ENTRIES = 2_000;

/** So much of a faulty value is shown. */
const SHOWN = 60;

/** Reads plain data field by field and notes every fault with its place; a faulty field gets a harmless value. */
export class Reader {
  readonly faults: DataFault[] = [];

  fault(place: string, reason: Wording, remedy: Wording): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ place, reason, remedy });
  }

  /** A whole number between two bounds; `otherwise` where the field is left out or null. */
  whole(from: JsonObject, place: string, key: string, low: number, high: number, otherwise?: number): number {
    const value = field(from, key) ?? undefined;
    if (value === undefined && otherwise !== undefined) return otherwise;
    if (isWhole(value, low, high)) return value;
    this.fault(`${place}.${key}`, told(value), boxSays('whole', { low, high }));
    return otherwise ?? low;
  }

  /** One word of a list; `otherwise` where the field is left out or null. */
  word<W extends string>(from: JsonObject, place: string, key: string, words: readonly W[], otherwise: W): W {
    const value = field(from, key) ?? undefined;
    if (value === undefined) return otherwise;
    const found = words.find((word) => word === value);
    if (found === undefined) this.fault(`${place}.${key}`, told(value), verbatim(words.join(', ')));
    return found ?? otherwise;
  }

  /** A yes or no, by default no. */
  flag(from: JsonObject, place: string, key: string): boolean {
    const value = field(from, key) ?? false;
    if (typeof value !== 'boolean') this.fault(`${place}.${key}`, told(value), boxSays('flag'));
    return value === true;
  }

  /** A die by its sides (6) or its name ("d6"); null where the field is left out. */
  die(from: JsonObject, place: string, key: string): number | null {
    const value = field(from, key) ?? null;
    if (value === null) return null;
    const sides = typeof value === 'string' ? Number(/^[dD]([1-9]\d{0,2})$/.exec(value)?.[1] ?? 0) : value;
    if (isWhole(sides, 2, 100)) return sides;
    this.fault(`${place}.${key}`, told(value), boxSays('die'));
    return null;
  }

  /** The entries of an object of objects, by their ids. */
  entries(value: Json | undefined, place: string, length: number): readonly (readonly [string, JsonObject])[] {
    if (value === undefined || value === null) return [];
    if (!isObject(value)) {
      this.fault(place, told(value), boxSays('table'));
      return [];
    }
    const all = Object.entries(value);
    if (all.length > MAX_ENTRIES)
      this.fault(place, boxSays('tooMany', { count: all.length }), boxSays('most', { most: MAX_ENTRIES }));
    return all.slice(0, MAX_ENTRIES).flatMap(([id, entry]): [string, JsonObject][] => {
      const known = new RegExp(`^[a-z0-9][a-z0-9_-]{0,${length - 1}}$`).test(id);
      if (!known) this.fault(`${place}.${id.slice(0, 40)}`, boxSays('noId'), boxSays('id', { most: length }));
      else if (isObject(entry)) return [[id, entry]];
      else this.fault(`${place}.${id}`, told(entry), boxSays('entry'));
      return [];
    });
  }
}

/** A value as it is told in a fault. */
export function told(value: Json | undefined): Wording {
  return value === undefined ? boxSays('missing') : boxSays('is', { value: JSON.stringify(value).slice(0, SHOWN) });
}

/** A fault in one English sentence, as a refusal tells it. */
export const faultText = ({ place, reason }: DataFault): string => `${place} ${reason.en}`;
