// (e) Pixels messages decoded per second of CPU, against the maker's own kit, in one process and in turns:
// `node bench/pixels-decode.mjs` after a build. The kit is installed into a temporary folder, never into this project.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pixels as codec } from '../dist/devices/ble/pixels.js';
import { readPixels } from '../dist/devices/ble/pixels-messages.js';

const KIT = '@systemic-games/pixels-core-connect';
const VERSION = '1.3.0';
const ROUNDS = 7;
const ROUND_MS = 400;

const bytes = (hex) => Uint8Array.from(hex.match(/../g), (two) => Number.parseInt(two, 16));
const zeros = (count) => '00'.repeat(count);
const MESSAGES = {
  RollState: ['030113', '030207', '03030c', '030509'],
  BatteryLevel: ['225500', '220901', '222802'],
  'IAmADie, legacy': ['02140107efbeadde5d40ef033412fcba2c6701135700', '02060201efbeadded4c3b2a13412f043936501052a00'],
  'IAmADie, chunked': [
    `020f0001d05e786700010001000100010a5d40ef0301071401${zeros(1)}20${zeros(31)}20506978656c3033656634303564${zeros(18)}` +
      '0d0b7a475790650000007000000557000513',
  ],
};

// What is decoded is kept, so that no engine leaves the work out.
let kept;

/** Messages per second of CPU: a full round of the same buffers over and over. */
function rate(decode, views) {
  const before = process.cpuUsage();
  const end = performance.now() + ROUND_MS;
  let count = 0;
  while (performance.now() < end) {
    for (let i = 0; i < 500; i += 1) for (const view of views) kept = decode(view);
    count += 500 * views.length;
  }
  const used = process.cpuUsage(before);
  return (count / (used.user + used.system)) * 1e6;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const told = (rates) => `${(median(rates) / 1e6).toFixed(2)} M/s (${(Math.min(...rates) / 1e6).toFixed(2)}…${(Math.max(...rates) / 1e6).toFixed(2)})`;

function compare(name, ours, theirs, hexes, as = (one) => one) {
  const own = hexes.map((hex) => as(bytes(hex)));
  const views = hexes.map((hex) => new DataView(bytes(hex).buffer));
  const rates = { ours: [], theirs: [] };
  rate(ours, own);
  rate(theirs, views);
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.ours.push(rate(ours, own));
    rates.theirs.push(rate(theirs, views));
  }
  const ratio = median(rates.ours) / median(rates.theirs);
  console.log(`${name.padEnd(34)} ${ratio.toFixed(1).padStart(6)}×   ours ${told(rates.ours)}   kit ${told(rates.theirs)}`);
}

/** Installs the maker's kit into a temporary folder. @returns its decoder */
function kitDecoder() {
  const folder = mkdtempSync(join(tmpdir(), 'tiro-pixels-kit-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync(npm, ['install', ...flags, `${KIT}@${VERSION}`], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const { Pixel, serializer } = createRequire(join(folder, 'package.json'))(KIT);
  // The kit tells the two forms of IAmADie apart in its session; what that session says and whom it tells is left out.
  const kitSession = { _serializer: serializer, _warn: () => undefined, _emitEvent: () => undefined };
  return (view) => Pixel.prototype._internalDeserializeMessage.call(kitSession, view);
}

/** Decodes in turns and tells the ratios. */
export async function pixels() {
  const deserializeMessage = kitDecoder();
  console.log(`${KIT} ${VERSION}, Node ${process.version}, ${ROUNDS} rounds of ${ROUND_MS} ms in turns, CPU time`);
  for (const [name, hexes] of Object.entries(MESSAGES)) compare(name, readPixels, deserializeMessage, hexes);

  const dataView = (view) => ({ kind: view.getUint8(0), state: view.getUint8(1), index: view.getUint8(2) });
  compare('RollState, bare DataView', dataView, deserializeMessage, MESSAGES.RollState, (one) => new DataView(one.buffer));

  let state = codec.start({ type: 'd20', firmware: 1_730_984_700 }, 0, 60_000);
  let at = 0;
  const session = (one) => {
    at += 1;
    const heard = codec.hear(state, { kind: 'notification', at, bytes: one });
    state = heard.state;
    return heard;
  };
  compare('RollState, our session, kit decodes', session, deserializeMessage, MESSAGES.RollState);
  if (kept === undefined) throw new Error('nothing was decoded');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await pixels();
