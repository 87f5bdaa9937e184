import { faultText } from '../config/fault.js';
import { loadConfig } from '../config/load.js';
import { err, ok, type Result } from '../dice/result.js';
import { configFile, dataFolder } from './places.js';

/** The data folder that a command works on: `--data`, else what the configuration or the environment says. */
export function dataOf(data: string | undefined): Result<string, string> {
  const file = configFile({ data });
  const args = data === undefined ? {} : { 'data.dir': data };
  const loaded = loadConfig({ env: process.env, args, ...(file === undefined ? {} : { file }) });
  return loaded.ok ? ok(dataFolder(loaded.value.data.dir)) : err(loaded.error.map(faultText).join('\n'));
}
