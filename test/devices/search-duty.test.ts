import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BluetoothDice } from '../../src/devices/ble/radio/dice.js';
import { SOUGHT_MS } from '../../src/devices/ble/radio/kept-die.js';
import { StandingClock } from '../table/house.js';

const program = fileURLToPath(new URL('./radio-child.mjs', import.meta.url));
const PATIENCE_MS = 30_000;
const SECOND_MS = 1_000;
const DIE = 'pixels-0a0b0c0d';

/** Dice over a radio process of paper that does what it is told, in a time that a test lets pass. */
class Evening {
  readonly clock = new StandingClock();
  readonly dice = new BluetoothDice({
    drivers: ['obey'],
    adapters: [{ name: 'paper', links: 7 }],
    run: 1,
    clock: this.clock,
    program,
  });

  async until(what: string, ready: () => boolean): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!ready()) {
      if (performance.now() > end) throw new Error(`${what}: ${JSON.stringify(this.dice.state())}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  /** Beats so far: a process of paper numbers them by its heap. */
  get beats(): number {
    return this.dice.state().census?.heapKb ?? 0;
  }

  /** Lets so much time pass, each second of it answered by the process: else it would count as stuck. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += SECOND_MS) {
      const { beats } = this;
      this.clock.pass(SECOND_MS);
      await this.until('a beat', () => this.beats > beats);
    }
  }
}

test('a die that stays away for ten minutes is looked for part of the time, and never connected (F049, F113)', async () => {
  const evening = new Evening();
  const { dice } = evening;
  const word = (): string | undefined => dice.devices()[0]?.status().code;
  dice.want([{ die: DIE, duty: 'rolls' }]);
  dice.start(() => undefined);
  try {
    await evening.until('begun', () => dice.state().state === 'quiet');
    await evening.pass(SOUGHT_MS - 10 * SECOND_MS);
    expect(dice.state()).toMatchObject({ state: 'quiet', scanning: true, restarts: 0 });
    await evening.pass(20 * SECOND_MS);
    expect(dice.state()).toMatchObject({ state: 'quiet', scanning: false, restarts: 0 });
    await evening.pass(8 * 60 * SECOND_MS);
    expect(dice.state()).toMatchObject({ state: 'quiet', scanning: false, restarts: 0 });
    // The process of paper refuses what it is asked to connect: it was asked for nothing.
    expect(word()).toBe('not_heard');
    // Another die is wanted: it may be on the air any moment.
    dice.want([
      { die: DIE, duty: 'rolls' },
      { die: 'godice-bc0940', duty: 'rolls' },
    ]);
    await evening.until('looking again', () => dice.state().scanning);
  } finally {
    await dice.stop();
  }
});
