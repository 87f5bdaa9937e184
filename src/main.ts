import { readFileSync } from 'node:fs';
import { Command } from 'commander';

const packageFile = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

const program = new Command('tiro').version(version);
await program.parseAsync();
