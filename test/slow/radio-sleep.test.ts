import { afterAll, expect, test } from 'vitest';
import { cleanUp, sleep, until } from '../daemon/daemon.js';
import { nameOf, RadioEvening, radioProcessOf, type SeatedDie } from '../daemon/radio-evening.js';
import { noNoble, noSocat } from '../radio/needs.js';

afterAll(cleanUp);

/** Longer than a radio process may be silent before it counts as stuck. */
const ASLEEP_MS = 8_000;
const PATIENCE_MS = 60_000;
const SIX = [1, 2, 3, 4, 5, 6];
const DICE: readonly SeatedDie[] = [
  { seat: 'ada', faces: SIX, die: { make: 'pixels', id: '0c0000a1', kind: 'd6' } },
  { seat: 'bea', faces: SIX, die: { make: 'godice', id: 'BC0C01', shell: 'd6' } },
];

test.skipIf(noSocat() || noNoble())(
  'F139 a daemon, then the whole computer, sleeps: no roll is lost or doubled, no link taken for lost that was not, all are back',
  { timeout: 300_000 },
  async () => {
    const evening = await RadioEvening.open(DICE, { seed: 9, links: 2 });
    const { daemon, radio } = evening;
    const told = async (face: number, times: number): Promise<void> => {
      for (const seated of DICE) {
        await until(`${nameOf(seated.die)} told`, () => evening.rolls(seated).length >= times, PATIENCE_MS);
        expect(evening.rolls(seated).at(-1)).toMatchObject({ seat: seated.seat, face });
      }
    };
    const restarts = async (): Promise<number> => (await daemon.get('/api/v1/status')).json.ble.radio.restarts;
    try {
      await evening.linked();
      const heard = evening.ear.heard.length;
      daemon.process.kill('SIGSTOP');
      const landings = await Promise.all(DICE.map(({ die }) => radio.landing(die.id, 'throw', 5)));
      expect(landings.map(({ delivered }) => delivered)).toEqual([true, true]);
      await sleep(ASLEEP_MS);
      daemon.process.kill('SIGCONT');
      await told(5, 1);
      expect(await restarts()).toBe(0);
      const links = evening.ear.heard
        .slice(heard)
        .filter(({ kind, signal }) => kind === 'live' && signal.kind === 'link');
      expect(links).toEqual([]);

      const both = [daemon.pid, radioProcessOf(daemon.pid)];
      for (const pid of both) process.kill(pid, 'SIGSTOP');
      for (const { die } of DICE) await radio.order({ do: 'lose', die: die.id });
      await sleep(ASLEEP_MS);
      for (const pid of both.toReversed()) process.kill(pid, 'SIGCONT');
      const began = radio.events.length;
      await until(
        'new links',
        () =>
          DICE.every(({ die }) =>
            radio.events.slice(began).some((one) => one.event === 'linked' && one.die === die.id),
          ),
        PATIENCE_MS,
      );
      await evening.linked();
      await Promise.all(DICE.map(({ die }) => radio.landing(die.id, 'throw', 2)));
      await told(2, 2);
      for (const seated of DICE) {
        expect(evening.rolls(seated)).toHaveLength(2);
        expect(evening.notices(seated)).toEqual([]);
      }
      expect(await restarts()).toBe(0);
    } finally {
      await evening.close();
    }
  },
);
