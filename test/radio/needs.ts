import { createRequire } from 'node:module';
import type { BluetoothDriver } from '../../src/devices/ble/probe.js';
import { program } from '../broadcast/brokers.js';

const CI = process.env.CI !== undefined;

function library(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
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
/** The libraries that `ble.driver` takes, optional dependencies of the daemon. */
export const DRIVERS: readonly BluetoothDriver[] = ['abandonware', 'stoprocent'];
export const noNoble = (driver: BluetoothDriver = 'abandonware'): boolean =>
  lacks(`@${driver}/noble`, library(`@${driver}/noble`));
