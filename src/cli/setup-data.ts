import { readFileSync, statSync } from 'node:fs';
import type { Json, JsonObject } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import { get, object } from './deed-line.js';

/** A file of data for a setup may be this large, in bytes. */
export const MAX_DATA_BYTES = 1024 * 1024;

/**
 * Reads the data that a setup names by file (contracts I): a parameter whose value ends in `.json` is the file's content,
 * or, of a file that holds several kinds (an exported box), the part of the parameter's own name.
 */
export function withFiles(setup: JsonObject): Result<JsonObject, string> {
  const whole: (readonly [string, Json])[] = [];
  for (const [parameter, value] of Object.entries(setup)) {
    const file = typeof value === 'string' && /\.json$/i.test(value) ? value : undefined;
    const read = file === undefined ? ok(value) : readData(file, parameter);
    if (!read.ok) return err(`setup.${parameter}: ${read.error}`);
    whole.push([parameter, read.value]);
  }
  return ok(Object.fromEntries(whole));
}

function readData(file: string, parameter: string): Result<Json, string> {
  try {
    if (statSync(file).size > MAX_DATA_BYTES) return err(`${file} is larger than ${MAX_DATA_BYTES} bytes`);
    const content = JSON.parse(readFileSync(file, 'utf8')) as Json;
    const part = get(object(content) ?? {}, parameter);
    return ok(object(part) ?? content);
  } catch (error) {
    return err(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
