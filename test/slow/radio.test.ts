import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, freshFolder } from '../daemon/daemon.js';
import { RadioEvening } from '../daemon/radio-evening.js';
import { dealer, EIGHT_DICE, otherFace, play, settle } from '../daemon/radio-throws.js';
import { noTshark } from '../radio/needs.js';
import { malformedIn } from '../radio/tshark.js';
import { WorkerLab } from '../radio/worker-lab.js';

afterAll(cleanUp);

/** Throws, hand turns and lost links of each of the eight dice; fewer where time is short (`RADIO_EVENING=10,3,1`). */
const [THROWS = 250, TURNS = 63, CUTS = 12] = (process.env.RADIO_EVENING ?? '').split(',').filter(Boolean).map(Number);
const THROW_MS = 4_000;

describe('a long evening with eight Bluetooth dice', () => {
  test('every throw handed over counts once, with its face and seat; every lost one is told; no turn is a throw', {
    timeout: 240_000 + 8 * THROW_MS * (THROWS + TURNS + 4 * CUTS),
  }, async () => {
    const snoop = join(freshFolder(), 'air.log');
    const evening = await RadioEvening.open(EIGHT_DICE, { seed: 11, links: 8, snoop });
    const chance = dealer(11);
    try {
      await evening.linked();
      const hands = EIGHT_DICE.map((seated, place) =>
        play(evening, seated, { throws: THROWS, turns: TURNS, cuts: CUTS, chance: dealer(100 + place) }),
      );
      await Promise.all(hands);
      await evening.crashUnderThrows((seated) => otherFace(evening, seated, chance));
      await evening.linked();
      await Promise.all(
        EIGHT_DICE.map((seated) => evening.radio.landing(seated.die.id, 'throw', otherFace(evening, seated, chance))),
      );
      const ledgers = await settle(evening);
      const sum = (count: (ledger: (typeof ledgers)[number]) => number): number =>
        ledgers.reduce((total, ledger) => total + count(ledger), 0);
      const delivered = sum((ledger) => ledger.delivered.length);
      const lost = sum((ledger) => ledger.lost);
      process.stdout.write(`radio: ${delivered} throws handed over and counted, ${lost} lost and told\n`);
      expect(delivered).toBeGreaterThan(8 * (THROWS - 2 * CUTS));
    } finally {
      await evening.close();
    }
    if (!noTshark()) expect(malformedIn(snoop)).toBe(0);
  });
});

const SOUND = '0000000a';

describe('the radio process', () => {
  const row = (name: string, body: (lab: WorkerLab) => Promise<void>): void =>
    test(name, { timeout: 180_000 }, async () => {
      const lab = await WorkerLab.open([SOUND]);
      try {
        await lab.up(SOUND);
        await body(lab);
      } finally {
        await lab.close();
      }
    });

  row(
    'tells a room where no die is awake from a radio that is stuck, and is begun anew only for that (F095)',
    async (lab) => {
      lab.radio.cutLink(SOUND);
      await lab.until('a quiet room', () => lab.dice.state().state === 'quiet');
      await new Promise((resolve) => setTimeout(resolve, 16_000));
      expect(lab.dice.state()).toMatchObject({ state: 'quiet', restarts: 0 });
      lab.radio.restoreLink(SOUND);
      await lab.up(SOUND);
      lab.radio.controller.faults.frozen = true;
      await lab.until('begun anew', () => lab.dice.state().restarts > 0);
      lab.radio.controller.faults.frozen = false;
      await lab.up(SOUND);
      await lab.shows(SOUND, 7);
    },
  );

  row('finds its die among 420 foreign advertisers, and keeps few of them in mind (F107)', async (lab) => {
    lab.radio.foreign(420, 100, 50);
    lab.radio.die(SOUND).losePower(500);
    await lab.until('lost', () => !lab.isUp(SOUND));
    await lab.up(SOUND);
    await lab.shows(SOUND, 7);
    expect(lab.dice.state()).toMatchObject({ restarts: 0 });
    expect(lab.dice.unknown()).toEqual([]);
  });
});

test('an adapter that is pulled and put back goes on by itself (F025)', { timeout: 240_000 }, async () => {
  const seated = EIGHT_DICE.slice(0, 2);
  const evening = await RadioEvening.open(seated, { seed: 5 });
  try {
    await evening.linked();
    await evening.radio.order({ do: 'unplug' });
    await evening.radio.order({ do: 'plug' });
    await evening.linked();
    for (const { die } of seated) await evening.radio.landing(die.id, 'throw', 3);
    await settle(evening);
  } finally {
    await evening.close();
  }
});
