import { loadConfig } from '../config/load.js';
import { type Config, defaultConfig } from '../config/schema.js';
import { configFile } from './places.js';

/** The language of this computer's table (`language`), for commands that need nothing else of the configuration. */
export function spokenLanguage(): Config['language'] {
  const file = configFile({});
  const loaded = loadConfig({ env: process.env, args: {}, ...(file === undefined ? {} : { file }) });
  return (loaded.ok ? loaded.value : defaultConfig()).language;
}
