import type { Writable } from 'node:stream';
import { faultText, withRemedy } from '../config/fault.js';
import { leavesOf } from '../config/leaf.js';
import { loadConfig, valueAt } from '../config/load.js';
import { configSchema } from '../config/schema.js';
import { MASK } from '../config/secrets.js';
import { configFile } from './places.js';

/** Where a configuration is looked for, as the command line gave it. */
export interface ConfigPlace {
  readonly config?: string | undefined;
  readonly data?: string | undefined;
}

/**
 * `tiro config check [FILE]`: what `tiro start` would say of the file and the environment; starts and changes nothing.
 * @returns exit code: 0 right, 2 with every fault on `err`, one a line: file, line, column, key, reason, remedy
 */
export function configCheck(given: ConfigPlace, out: Writable, err: Writable): number {
  const file = configFile(given);
  const loaded = loadConfig({ env: process.env, ...(file === undefined ? {} : { file }) });
  if (!loaded.ok) {
    for (const fault of loaded.error) err.write(`${faultText(withRemedy(fault))}\n`);
    return 2;
  }
  for (const notice of loaded.notices) err.write(`${notice}\n`);
  out.write(`${file === undefined ? 'no file: the defaults and the environment' : file}: right\n`);
  return 0;
}

/**
 * `tiro config show`: every leaf with its value and where that comes from, secrets masked.
 * @returns exit code: 0, or 2 where the configuration is wrong
 */
export function configShow(given: ConfigPlace & { readonly json?: boolean }, out: Writable, err: Writable): number {
  const file = configFile(given);
  const args = given.data === undefined ? {} : { 'data.dir': given.data };
  const loaded = loadConfig({ env: process.env, args, ...(file === undefined ? {} : { file }) });
  if (!loaded.ok) {
    for (const fault of loaded.error) err.write(`${faultText(withRemedy(fault))}\n`);
    return 2;
  }
  const rows = leavesOf(configSchema).map(({ path, meta }) => {
    const set = valueAt(loaded.value, path);
    const value = meta.secret === true && set !== '' ? MASK : set;
    return { path: path.join('.'), value, source: loaded.origins.get(path.join('.'))?.place ?? 'default' };
  });
  if (given.json === true) {
    out.write(`${JSON.stringify(rows, null, 2)}\n`);
    return 0;
  }
  const width = Math.max(...rows.map(({ path }) => path.length));
  for (const { path, value, source } of rows)
    out.write(`${path.padEnd(width)}  ${JSON.stringify(value).padEnd(14)}  ${source}\n`);
  return 0;
}
