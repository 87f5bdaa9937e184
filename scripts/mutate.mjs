// `npm run mutate`: changes the condition of each rule of Dicebound and runs the rule's tests: at least one must fail.
import { runVitest } from './vitest.mjs';

runVitest('test/mutate/vitest.config.ts');
