import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { AdapterNumbers } from '../../src/devices/ble/radio/adapter-search.js';
import { epochsOf } from '../../src/devices/ble/radio/epochs.js';
import type { Report } from '../../src/devices/ble/radio/messages.js';
import { POWER_MS, STALL_MS, Supervisor, type SupervisorOptions } from '../../src/devices/ble/radio/supervisor.js';
import { monotonicClock } from '../../src/devices/clock.js';

const program = fileURLToPath(new URL('./radio-child.mjs', import.meta.url));
const PATIENCE_MS = 60_000;

const open: Supervisor[] = [];
afterAll(() => Promise.all(open.splice(0).map((one) => one.stop())));

/** A clock whose waits can be shortened; what it tells of the past is true. */
function hasty(factor: number): SupervisorOptions['clock'] {
  return {
    now: () => monotonicClock.now() * factor,
    after: (ms, then) => monotonicClock.after(ms / factor, then),
  };
}

function supervised(deed: string, more: Partial<SupervisorOptions> = {}) {
  const reports: Report[] = [];
  const epochs: number[] = [];
  let lost = 0;
  const supervisor: Supervisor = new Supervisor({
    drivers: [deed],
    nextEpoch: epochsOf(7),
    numbers: new AdapterNumbers(),
    clock: monotonicClock,
    program,
    report: (report) => {
      reports.push(report);
      if (report.tell === 'ready') epochs.push(supervisor.state.epoch);
    },
    lost: () => {
      lost += 1;
    },
    changed: () => undefined,
    ...more,
  });
  open.push(supervisor);
  supervisor.start();
  const until = async (ready: () => boolean): Promise<void> => {
    const end = performance.now() + PATIENCE_MS;
    while (!ready()) {
      if (performance.now() > end) throw new Error(`not within ${PATIENCE_MS} ms: ${JSON.stringify(supervisor.state)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { supervisor, reports, epochs, lost: () => lost, until };
}

describe.concurrent('the radio process, supervised,', { timeout: 2 * PATIENCE_MS }, () => {
  test('is begun anew after a crash, under the next number, when nothing is left of it', async () => {
    const { supervisor, epochs, lost, until } = supervised('well');
    for (let crash = 1; crash <= 3; crash += 1) {
      await until(() => supervisor.state.adapter === 'poweredOn' && epochs.length === crash);
      supervisor.order({ do: 'pace', pace: 'full' });
      await until(() => lost() === crash);
    }
    await until(() => epochs.length === 4);
    expect(epochs).toEqual([7_000_001, 7_000_002, 7_000_003, 7_000_004]);
    expect(supervisor.state.restarts).toBe(3);
  });

  test('may say nothing that is not allowed: it is counted, and nothing else', async () => {
    const { supervisor, reports, until } = supervised('rave');
    await until(() => supervisor.state.adapter === 'poweredOn');
    expect(supervisor.state).toMatchObject({ refused: 50, restarts: 0 });
    expect(reports.map(({ tell }) => tell)).not.toContain('notification');
  });

  test('is ended when it answers nothing any more', async () => {
    const { supervisor, until } = supervised('freeze', { clock: hasty(STALL_MS / 2_000) });
    await until(() => supervisor.state.trouble?.what === 'stalled');
    await until(() => supervisor.state.restarts > 0);
  });

  test('is begun anew where its adapter stays off, for another may have come', async () => {
    const { supervisor, until } = supervised('off', { clock: hasty(POWER_MS / 4_000) });
    // A busy machine may take one of them for stuck before that.
    await until(() => supervisor.state.trouble?.what === 'no_adapter');
    await until(() => supervisor.state.restarts > 0);
  });

  test('is begun anew when it says that only that helps', async () => {
    const { supervisor, until } = supervised('trouble');
    await until(() => supervisor.state.restarts >= 2);
    expect(supervisor.state.trouble).toEqual({ what: 'scan_refused', text: 'no' });
  });

  test('takes the adapter with the address that was asked for, whatever its number', async () => {
    const { supervisor, reports, until } = supervised('well', { address: '00:00:00:00:00:03' });
    await until(() => supervisor.state.adapter === 'poweredOn' && reports.some(({ tell }) => tell === 'address'));
    const addresses = reports.flatMap((report) => (report.tell === 'address' ? [report.address] : []));
    expect(addresses).toEqual(['00:00:00:00:00:03']);
  });

  test('finds its adapter beside others that are found as well: each works with its own, under epochs of its own', async () => {
    const shared = { nextEpoch: epochsOf(7), numbers: new AdapterNumbers() };
    const wanted = ['00:00:00:00:00:02', '00:00:00:00:00:00', '00:00:00:00:00:01'];
    const radios = wanted.map((address) => supervised('well', { ...shared, address }));
    const met = ({ reports }: (typeof radios)[number]): readonly string[] =>
      reports.flatMap((report) => (report.tell === 'address' ? [report.address] : []));
    await radios[0]?.until(() => radios.every((radio) => met(radio).length > 0));
    expect(radios.map(met)).toEqual(wanted.map((address) => [address]));
    const epochs = radios.flatMap((radio) => radio.epochs);
    expect(new Set(epochs).size).toBe(epochs.length);
  });

  test('ends when it is asked to, and stays ended', async () => {
    const { supervisor, until } = supervised('well');
    await until(() => supervisor.state.adapter === 'poweredOn');
    await supervisor.stop();
    expect(supervisor.state).toMatchObject({ phase: 'off', restarts: 0 });
  });
});
