import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);

/** The YAML library, loaded with the first text that is read: a start without a file does without it. */
export const yaml = (): typeof Yaml => require('yaml') as typeof Yaml;
