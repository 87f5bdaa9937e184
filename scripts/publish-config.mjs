// Writes config/tiro.schema.json and config/tiro.example.yaml from the schema in src/config.
import { writeFileSync } from 'node:fs';
import { setUpOrExit } from './setup.mjs';

setUpOrExit();
const { exampleText, schemaText } = await import('../dist/config/publish.js');
const config = new URL('../config/', import.meta.url);
writeFileSync(new URL('tiro.schema.json', config), schemaText());
writeFileSync(new URL('tiro.example.yaml', config), exampleText());
