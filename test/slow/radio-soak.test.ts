import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, freshFolder, until } from '../daemon/daemon.js';
import { nameOf, RadioEvening, radioProcessOf, type SeatedDie } from '../daemon/radio-evening.js';
import { noNoble, noSocat } from '../radio/needs.js';

afterAll(cleanUp);

/** Lost links of each die, and foreign adverts meanwhile; fewer where time is short (`RADIO_SOAK=3`). */
const [ROUNDS = 200, ADVERTS = 200_000] = (process.env.RADIO_SOAK ?? '').split(',').filter(Boolean).map(Number);
/** Before anything is measured: what is made once has been made then, and room for as much garbage as comes at once. */
const [FIRST_ROUNDS, FIRST_ADVERTS] = [1, 60_000];
const ROUND_MS = 10_000;
const PATIENCE_MS = 60_000;

/** Growth of a heap whose garbage is collected, and of all memory (F105, F107). */
const MOST_HEAP = 2 * 1024 * 1024;
const MOST_RSS = 30 * 1024 * 1024;
/** Addresses the radio process keeps in mind at once. */
const MOST_ADDRESSES = 1_024;

const six = [1, 2, 3, 4, 5, 6];
const DICE: readonly SeatedDie[] = [
  { seat: 'ada', faces: six, die: { make: 'pixels', id: '0b0000a1', kind: 'd6', firmware: 'legacy' } },
  { seat: 'bea', faces: six, die: { make: 'pixels', id: '0b0000a2', kind: 'd6', firmware: 'chunked' } },
  { seat: 'ada', faces: six, die: { make: 'godice', id: 'BC0A01', shell: 'd6' } },
  { seat: 'bea', faces: six, die: { make: 'godice', id: 'BC0A02', shell: 'd6' } },
];

/** What a process holds after its garbage is collected (`test/radio/measure.cjs`). */
interface Holdings {
  readonly heapUsed: number;
  readonly rss: number;
  readonly handles: number;
  readonly warnings: readonly string[];
}

const measuring = fileURLToPath(new URL('../radio/measure.cjs', import.meta.url));

async function holdings(folder: string, pid: number): Promise<Holdings> {
  const file = join(folder, `${pid}.json`);
  const written = (): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  const before = written();
  process.kill(pid, 'SIGUSR2');
  const text = await until(`measure of ${pid}`, () => (written() === before ? null : written()), PATIENCE_MS);
  return JSON.parse(text) as Holdings;
}

/** Drops the link of a die so often, each time when the die has been greeted again. */
async function drop({ radio }: RadioEvening, { die: { id } }: SeatedDie, rounds: number): Promise<void> {
  const told = (event: 'linked' | 'written'): number =>
    radio.events.findLastIndex((one) => one.event === event && one.die === id);
  for (let round = 0; round < rounds; round += 1) {
    const last = told('linked');
    await radio.order({ do: 'lose', die: id });
    await radio.until(`${id} greeted again`, () => told('linked') > last && told('written') > told('linked'));
  }
}

async function flooded({ radio }: RadioEvening, count: number): Promise<number> {
  const began = performance.now();
  await radio.order({ do: 'flood', count });
  await until(
    'all adverts handed over',
    async () => (await radio.order({ do: 'status' })).flood === 0,
    PATIENCE_MS * 5,
  );
  return performance.now() - began;
}

const MB = (bytes: number): string => (bytes / 1024 / 1024).toFixed(2);

test.skipIf(noSocat() || noNoble())(
  'links lost again and again among ever new foreign addresses: listeners, handles and heap stay as they are (F026, F105, F107)',
  { timeout: 300_000 + ROUND_MS * DICE.length * ROUNDS },
  async () => {
    const folder = freshFolder();
    const env = { NODE_OPTIONS: `--require ${measuring}`, MEASURES: folder };
    const evening = await RadioEvening.open(DICE, { seed: 3, links: DICE.length, env });
    try {
      const pids = { daemon: evening.daemon.pid, radio: radioProcessOf(evening.daemon.pid) };
      const soak = async (rounds: number, adverts: number): Promise<number> => {
        const [ms] = await Promise.all([
          flooded(evening, adverts),
          ...DICE.map((seated) => drop(evening, seated, rounds)),
        ]);
        await evening.linked();
        return ms;
      };
      const measured = async (): Promise<{ readonly daemon: Holdings; readonly radio: Holdings }> => ({
        daemon: await holdings(folder, pids.daemon),
        radio: await holdings(folder, pids.radio),
      });
      await evening.linked();
      await soak(FIRST_ROUNDS, FIRST_ADVERTS);
      const before = await measured();
      const began = performance.now();
      const floodMs = await soak(ROUNDS, ADVERTS);
      const tookMs = performance.now() - began;
      const after = await measured();
      const said = (['daemon', 'radio'] as const).map((name) => {
        const [heap, rss] = [after[name].heapUsed - before[name].heapUsed, after[name].rss - before[name].rss];
        return `${name} heap ${MB(before[name].heapUsed)} MB ${MB(heap)} more, RSS ${MB(rss)} MB more, ${after[name].handles} handles`;
      });
      process.stdout.write(
        `soak: ${ROUNDS} lost links of each of ${DICE.length} dice in ${Math.round(tookMs / 1000)} s, ${ADVERTS} foreign adverts in ` +
          `${Math.round(floodMs / 1000)} s; ${said.join('; ')}\n`,
      );
      const { radio } = (await evening.daemon.get('/api/v1/status')).json.ble;
      for (const name of ['daemon', 'radio'] as const) {
        expect(after[name].warnings).toEqual([]);
        expect(after[name].handles).toBe(before[name].handles);
        expect(after[name].heapUsed - before[name].heapUsed).toBeLessThan(MOST_HEAP);
        expect(after[name].rss - before[name].rss).toBeLessThan(MOST_RSS);
      }
      expect(radio).toMatchObject({ restarts: 0, census: { listeners: DICE.length, peripherals: DICE.length } });
      expect(radio.census.addresses).toBeLessThanOrEqual(MOST_ADDRESSES);
      // Each word once, after all that.
      await Promise.all(DICE.map(({ die }) => evening.radio.landing(die.id, 'throw', 3)));
      for (const seated of DICE) {
        await until(`a roll of ${nameOf(seated.die)}`, () => evening.rolls(seated).length > 0, PATIENCE_MS);
        expect(evening.rolls(seated).map(({ face }) => face)).toEqual([3]);
      }
    } finally {
      await evening.close();
    }
  },
);
