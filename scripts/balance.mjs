// `npm run balance`: plays parties of Dicebound against rooms bought for the whole budget and writes the game's table.
import { runVitest } from './vitest.mjs';

runVitest('test/balance/vitest.config.ts');
