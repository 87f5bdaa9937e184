// `tiro …` from a clone or from an installed package: sets up what is missing, then becomes the program.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setUpOrExit } from './setup.mjs';

/** Runs the built program in this process, so that signals and exit code are its own. */
export async function runTiro(args) {
  setUpOrExit();
  const main = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'main.js');
  // In place: whoever imported argv by name holds this very array.
  process.argv.splice(1, process.argv.length, main, ...args);
  await import(pathToFileURL(main).href);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runTiro(process.argv.slice(2));
}
