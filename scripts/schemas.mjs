// Writes docs/schemas/*.json from the schemas in src/wire; a test keeps them up to date.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { setUpOrExit } from './setup.mjs';

setUpOrExit();
const { publishedSchemas } = await import('../dist/wire/published.js');
const folder = new URL('../docs/schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
const files = publishedSchemas();
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(new URL(name, folder));
for (const [name, text] of files) writeFileSync(new URL(name, folder), text);
