// (f) Notations rolled per second of CPU, against the two libraries people use, on the same expressions and in turns:
// `node bench/rolls.mjs` after a build.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseNotation } from '../dist/rolls/notation.js';
import { settle } from '../dist/rolls/resolution.js';

const require = createRequire(import.meta.url);
const { DiceRoller } = require('dice-roller-parser');
const { DiceRoll } = require('@dice-roller/rpg-dice-roller');

const EXPRESSIONS = ['1d20+5', '2d20kh1', '4d6dl1', '3d6!', '8d6', '2d6r1', '6d10>7', '{2d6,3d6}kh1'];
const ROUNDS = 7;
const ROUND_MS = 300;

// At a table a die has its name already; so do these. No roll here has as many dice.
const NAMES = Array.from({ length: 1_000 }, (_, at) => `d${at}`);
const SIDES = { d6: 6, d10: 10, d20: 20 };
let n = 0;
const supply = (type) => {
  n = (n + 1) % NAMES.length;
  const face = Math.floor(Math.random() * SIDES[type]) + 1;
  return { die: NAMES[n], type, face: type === 'd10' ? face % 10 : face, source: 'digital', quality: 'ok' };
};
const parser = new DiceRoller();
let kept;
const sides = {
  ours: (text) => {
    kept = settle(parseNotation(text, 'zero').value, supply, () => 'pass');
  },
  'dice-roller-parser': (text) => {
    kept = parser.roll(text);
  },
  '@dice-roller/rpg-dice-roller': (text) => {
    // It has another word for a re-roll, and reads >= where the others read >.
    kept = new DiceRoll(text.replace('r1', 'r=1').replace('>7', '>=7'));
  },
};

function rate(roll, text) {
  const before = process.cpuUsage();
  const end = performance.now() + ROUND_MS;
  let count = 0;
  while (performance.now() < end) {
    for (let i = 0; i < 20; i += 1) roll(text);
    count += 20;
  }
  const used = process.cpuUsage(before);
  return (count / (used.user + used.system)) * 1e6;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
/** The median and the spread of some values. */
const spread = (values, digits) =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}…${Math.max(...values).toFixed(digits)})`;
const thousands = (rates) => rates.map((one) => one / 1e3);

/** Rolls in turns and tells the ratios. */
export async function rolls() {
  console.log(`Node ${process.version}, ${ROUNDS} rounds of ${ROUND_MS} ms in turns, CPU time; notation read and rolled each time`);
  for (const text of EXPRESSIONS) {
    const rates = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
    for (const roll of Object.values(sides)) rate(roll, text);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, roll] of Object.entries(sides)) rates[name].push(rate(roll, text));
    }
    // Both sides of a ratio are of the same round: what slows the machine down slows them alike.
    const against = Object.keys(sides).slice(1).map((name) => {
      const ratios = rates.ours.map((ours, round) => ours / rates[name][round]);
      return `${spread(ratios, 1)}× ${name} ${spread(thousands(rates[name]), 1)} k/s`;
    });
    console.log(`${text.padEnd(14)} ours ${spread(thousands(rates.ours), 0)} k/s   ${against.join('   ')}`);
  }
  if (kept === undefined) throw new Error('nothing was rolled');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await rolls();
