// Bundles main.ts (a plain Node 20 runs no TypeScript) and runs it here.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const bundle = await build({
  configFile: false,
  logLevel: 'error',
  ssr: { noExternal: true },
  build: { ssr: fileURLToPath(new URL('main.ts', import.meta.url)), write: false, target: 'node20' },
});
const folder = mkdtempSync(join(tmpdir(), 'tiro-radio-code-'));
const file = join(folder, 'radio.mjs');
writeFileSync(file, bundle.output[0].code);
try {
  await import(pathToFileURL(file).href);
} finally {
  rmSync(folder, { recursive: true });
}
