import { describe, test } from 'vitest';
import type { BluetoothDriver } from '../../src/devices/ble/probe.js';
import { PROPERTY, type Service } from './gatt.js';
import type { Link } from './link.js';
import { DRIVERS, noNoble } from './needs.js';
import { type LabOptions, NobleLab } from './noble-host.js';
import { PlainPeripheral, type PlainTraits } from './plain-peripheral.js';

// What the rows of testing-bluetooth §4 are shown with: the library in a process of its own, and peripherals that do what
// a row needs. Rows in which it hangs or dies say why the daemon never trusts a promise of it; `worker-rows.test.ts` shows
// that the daemon lives on.

export const A = 'c0:00:00:00:00:0a';
export const B = 'c0:00:00:00:00:0b';
/** Characteristics of every peripheral that has no others. */
export const HEARS = 'aa02';
export const WRITES = 'aa03';
/** Packets come as from a serial line: several in one turn. */
export const AT_ONCE = { VIRTUAL_RADIO_AT_ONCE: '1' };

const both: readonly Service[] = [
  {
    uuid: 'aa01',
    characteristics: [
      { uuid: HEARS, properties: PROPERTY.notify },
      { uuid: WRITES, properties: PROPERTY.write | PROPERTY.writeCommand },
    ],
  },
];

/** A row of the table, shown in a lab of its own. */
export type Row = (name: string, body: (lab: NobleLab) => Promise<void>, options?: Omit<LabOptions, 'driver'>) => void;

const rowOf =
  (driver: BluetoothDriver): Row =>
  (name, body, options = {}) =>
    test(name, { timeout: 120_000 }, async () => {
      const lab = await NobleLab.open({ driver, ...options });
      try {
        await body(lab);
      } finally {
        await lab.close();
      }
    });

/** Rows for each of the libraries: those in which both are alike, and those that are another story in each. */
export function rowsOfBoth(
  what: string,
  { alike, apart }: { alike(row: Row): void; apart: { readonly [driver in BluetoothDriver]: (row: Row) => void } },
): void {
  for (const driver of DRIVERS) {
    describe.skipIf(noNoble(driver)).concurrent(`what @${driver}/noble does when it ${what}:`, () => {
      alike(rowOf(driver));
      apart[driver](rowOf(driver));
    });
  }
}

/** Puts a peripheral on the air. */
export function put(lab: NobleLab, address: string, traits: Omit<PlainTraits, 'address'> = {}): PlainPeripheral {
  const peripheral = new PlainPeripheral({ address, services: both, ...traits });
  lab.radio.air.join(peripheral);
  return peripheral;
}

/** The link to it, which must be there. */
export function linkOf(lab: NobleLab, address: string): Link {
  const link = lab.radio.controller.links.find(({ peripheral }) => peripheral.address === address);
  if (link === undefined) throw new Error(`${address} has no link`);
  return link;
}
