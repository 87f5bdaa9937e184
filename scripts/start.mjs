// `npm start -- …`: sets up what is missing, then starts the table.
import { runTiro } from './tiro.mjs';

await runTiro(['start', ...process.argv.slice(2)]);
