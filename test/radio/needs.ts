import { createRequire } from 'node:module';
import { program } from '../broadcast/brokers.js';

const CI = process.env.CI !== undefined;

function noble(): boolean {
  try {
    createRequire(import.meta.url).resolve('@abandonware/noble');
    return true;
  } catch {
    return false;
  }
}

/** True if a test is to be skipped because something is not installed; it is said, and in CI it is a failure instead. */
function lacks(name: string, there: boolean): boolean {
  if (!there) process.stderr.write(`not installed, so not tested: ${name}\n`);
  return !there && !CI;
}

export const noTshark = (): boolean => lacks('tshark', program('tshark') !== null);
export const noSocat = (): boolean => lacks('socat', program('socat') !== null);
/** An optional dependency of the daemon. */
export const noNoble = (): boolean => lacks('@abandonware/noble', noble());
