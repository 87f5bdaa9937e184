import { describe, expect, test } from 'vitest';
import type { BluetoothDriver } from '../../src/devices/ble/probe.js';
import { REFUSED } from './att.js';
import { STATUS } from './hci.js';
import { DRIVERS, noNoble, noSocat } from './needs.js';
import { WorkerLab } from './worker-lab.js';

// The stimuli of testing-bluetooth §4 in which the library hangs or dies (`noble-link-rows.test.ts`, `noble-gatt-rows.test.ts`), at the daemon's own radio
// process: it loses nothing but what the fault concerns.

const SOUND = '0000000a';
const BAD = '0000000b';

type Row = (name: string, ids: readonly string[], body: (lab: WorkerLab) => Promise<void>) => void;

const rowOf =
  (driver: BluetoothDriver): Row =>
  (name, ids, body) =>
    test(name, { timeout: 180_000 }, async () => {
      const lab = await WorkerLab.open(ids, { driver });
      try {
        await body(lab);
      } finally {
        await lab.close();
      }
    });

const linkOf = (lab: WorkerLab, id: string) => {
  const link = lab.radio.link(id);
  if (link === undefined) throw new Error(`${id} has no link`);
  return link;
};

for (const driver of DRIVERS) {
  describe
    .skipIf(noSocat() || noNoble(driver))
    .concurrent(`the radio process with @${driver}/noble lives on with`, () => {
      const row = rowOf(driver);
      linkRows(row);
      wordRows(row);
    });
}

function linkRows(row: Row): void {
  row(
    'G4 a die that advertises and takes no link: the others are linked, and it too when it can',
    [BAD, SOUND],
    async (lab) => {
      lab.radio.die(BAD).aloof = true;
      await lab.up(SOUND);
      await lab.shows(SOUND, 4);
      lab.radio.die(BAD).aloof = false;
      await lab.up(BAD);
      expect(lab.dice.state()).toMatchObject({ restarts: 0 });
    },
  );

  const faults = [
    ['G3 a die that answers nothing', { mute: true }],
    ['G8 a die that takes the exchange of the MTU for an invalid PDU', { refuseMtu: REFUSED.pdu }],
    ['G31 a die that wants to be paired first', { refuseSwitch: REFUSED.authentication }],
  ] as const;
  for (const [name, fault] of faults) {
    row(`${name}: the others are linked, and it too when it has recovered`, [BAD, SOUND], async (lab) => {
      const { attFaults } = lab.radio.die(BAD);
      Object.assign(attFaults, fault);
      await lab.until('tried', () => lab.radio.die(BAD).links > 0);
      await lab.up(SOUND);
      await lab.shows(SOUND, 4);
      expect(lab.isUp(BAD)).toBe(false);
      for (const key of Object.keys(fault) as (keyof typeof attFaults)[]) delete attFaults[key];
      await lab.up(BAD);
      await lab.shows(BAD, 7);
      expect(lab.dice.state()).toMatchObject({ restarts: 0 });
    });
  }

  row('G2 refused writes: the die is heard all the same', [BAD], async (lab) => {
    lab.radio.die(BAD).attFaults.refuseWrite = REFUSED.unlikely;
    await lab.up(BAD);
    await lab.shows(BAD, 7);
    expect(lab.dice.state()).toMatchObject({ restarts: 0 });
  });

  row('G6e, G22, G22c links that are lost at once or in the middle of a notification', [BAD, SOUND], async (lab) => {
    lab.radio.controller.faults.failConnect = STATUS.notEstablished;
    lab.radio.controller.faults.dropAtOnce = STATUS.notEstablished;
    await lab.up(BAD, SOUND);
    const link = linkOf(lab, BAD);
    const { links } = lab.radio.die(BAD);
    lab.radio.atOnce(() => {
      link.sendAtOnce(Buffer.from('1b0700030507', 'hex'));
      link.finish(STATUS.timeout);
    });
    await lab.until('linked again', () => lab.radio.die(BAD).links > links && lab.isUp(BAD));
    await lab.shows(SOUND, 4);
    expect(lab.dice.state()).toMatchObject({ restarts: 0 });
  });

  row('G27 packets that make the library throw: they are lost, and nothing else', [BAD, SOUND], async (lab) => {
    await lab.up(BAD, SOUND);
    for (const hex of ['010004001b', '0100', '', '0300040001'])
      linkOf(lab, BAD).sendPacket(true, Buffer.from(hex, 'hex'));
    await lab.shows(SOUND, 4);
    await lab.shows(BAD, 7);
    expect(lab.dice.state()).toMatchObject({ restarts: 0 });
  });

  row('G12 scans that are refused: it is begun anew until they are not', [SOUND], async (lab) => {
    lab.radio.controller.scan.refuse = STATUS.disallowed;
    await lab.until('begun anew', () => lab.dice.state().restarts > 0);
    lab.radio.controller.scan.refuse = undefined;
    await lab.up(SOUND);
    await lab.shows(SOUND, 4);
  });

  row('F059 a controller that does one thing at a time: it is never asked for two', [BAD, SOUND], async (lab) => {
    lab.radio.controller.faults.single = true;
    await lab.up(BAD, SOUND);
    lab.radio.cutLink(BAD);
    await lab.until('lost', () => !lab.isUp(BAD));
    lab.radio.restoreLink(BAD);
    await lab.up(BAD);
    await lab.shows(SOUND, 4);
    expect(lab.dice.state()).toMatchObject({ restarts: 0 });
  });
}

function wordRows(row: Row): void {
  row('F109 many orders at once to one die: it gets them one after the other', [SOUND], async (lab) => {
    await lab.up(SOUND);
    const device = lab.dice.devices()[0];
    const blinks = Array.from({ length: 6 }, () => device?.blink?.(device.id));
    expect(await Promise.all(blinks)).toEqual(blinks.map(() => true));
    expect(linkOf(lab, SOUND).overlaps).toBe(0);
    expect(lab.radio.controller.overruns).toBe(0);
  });

  row('F034 a die that is thrown onto its charger: no throw', [BAD, SOUND], async (lab) => {
    await lab.up(BAD, SOUND);
    lab.radio.die(BAD).charge(true);
    // Longer than what a die says is its memory.
    const linked = performance.now();
    await lab.until('no memory any more', () => performance.now() - linked > 2_500);
    lab.radio.throw(BAD, 9);
    lab.radio.throw(SOUND, 9);
    const thrown = (id: string): number =>
      lab.heard.filter(
        ({ device, signal: { kind, ...rest } }) =>
          device === `pixels-${id}` && kind === 'rested' && 'how' in rest && rest.how === 'thrown',
      ).length;
    await lab.until('the sound one thrown', () => thrown(SOUND) === 1);
    await lab.until('the other at rest', () =>
      lab.events.some((event) => event.event === 'landed' && event.die === BAD),
    );
    await lab.shows(SOUND, 4);
    expect(thrown(BAD)).toBe(0);
  });
}
