import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, defaultConfig } from '../config/schema.js';
import type { RawFrame } from '../devices/ble/radio/ports.js';
import { RecordedDie } from '../devices/ble/recorded-die.js';
import type { Clock } from '../devices/clock.js';
import type { Heard } from '../devices/device.js';
import { type JournalOptions, openJournal } from '../journal/open.js';
import type { Table } from '../table/table.js';
import { wantedDice } from './radio-look.js';
import type { Entry, Recording, RecordingHead } from './recording.js';
import { Running } from './running.js';

/** So many entries are taken before what they led to is waited for: the journal's queue stays short. */
const SETTLE_EVERY = 200;

/** Records of the past that go into the journal in one write. */
const RECORDS_AT_ONCE = 500;

/** Time that passes as the recording says, and not by itself. */
class RecordedTime implements Clock {
  readonly #due: { readonly at: number; readonly run: () => void }[] = [];
  #now: number;

  constructor(start: number) {
    this.#now = start;
  }

  now = (): number => this.#now;

  after = (ms: number, then: () => void): (() => void) => {
    const entry = { at: this.#now + ms, run: then };
    this.#due.push(entry);
    return () => {
      const place = this.#due.indexOf(entry);
      if (place >= 0) this.#due.splice(place, 1);
    };
  };

  /** Goes on to a time; what falls due before it runs in its order, at its own time. */
  passTo(end: number): void {
    for (;;) {
      const [next] = this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#due.splice(this.#due.indexOf(next), 1);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = Math.max(this.#now, end);
  }
}

/**
 * Plays a recording through the whole daemon, as fast as it goes: the same tables, dice, journal and rules, in a data folder
 * that is taken away. The same recording gives the same outcome, byte for byte.
 * @param built where a test finds the built journal worker
 * @returns what `look` makes of the tables at the end, or why they could not be opened
 */
export async function replayRecording<T>(
  { head, entries }: Recording,
  look: (tables: readonly Table[]) => T,
  built: Pick<JournalOptions, 'workerUrl'> = {},
): Promise<T | Error> {
  const dir = mkdtempSync(join(tmpdir(), 'tiro-replay-'));
  const journal = await openJournal({ dir, ...built });
  if (!journal.ok) return new Error(journal.error.message);
  const time = new RecordedTime(head.at);
  const drawn = entries.flatMap((entry) => (entry.kind === 'drawn' ? [entry.value] : []));
  const past = entries.flatMap((entry) => (entry.kind === 'record' ? [entry.record] : []));
  for (let at = 0; at < past.length; at += RECORDS_AT_ONCE)
    await journal.value.append({ records: past.slice(at, at + RECORDS_AT_ONCE) });
  const outside = { epoch: head.epoch, chance: (sides: number) => drawn.shift() ?? sides };
  const running = await Running.open(head.version, configOf(head), journal.value, () => undefined, time, outside);
  try {
    running.start();
    const dice = new RecordedDice(running, time);
    for (const [place, entry] of entries.entries()) {
      time.passTo(entry.at);
      await take(entry, running, dice);
      dice.letGo(entry.kind);
      if (place % SETTLE_EVERY === 0) await settled(running);
    }
    await settled(running);
    return look(running.house.list());
  } finally {
    await running.stop();
    await journal.value.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Everything that was put into the journal is there. */
async function settled({ house }: Running): Promise<void> {
  for (const table of house.list()) await table.settled();
}

function configOf({ dice, fakes }: RecordingHead): Config {
  const config = defaultConfig();
  return { ...config, dice, devices: { ...config.devices, fake: fakes ? 'on' : 'off' } };
}

async function take(entry: Entry, running: Running, dice: RecordedDice): Promise<void> {
  switch (entry.kind) {
    case 'frame':
      dice.take(entry.frame);
      return;
    case 'fake':
      // What comes of it may take time that only the next entries bring.
      void running.fake(entry.device, entry.deed);
      return;
    case 'command': {
      await running.house.get(entry.table)?.command(entry.caller, entry.command);
      return;
    }
    case 'table':
      await running.createTable(entry.order);
      return;
    case 'sighted':
      running.house.announce(entry.die);
      return;
    case 'record':
    case 'drawn':
    case 'end':
      return;
  }
}

/** The Bluetooth dice of a recording, each read as the tables say when its frame comes. */
class RecordedDice {
  readonly #running: Running;
  readonly #time: Clock;
  readonly #dice = new Map<string, { readonly die: RecordedDie; readonly reading: string }>();
  #claiming = false;

  constructor(running: Running, time: Clock) {
    this.#running = running;
    this.#time = time;
  }

  /** Forgets dice that nobody wants any more: met again they are strangers, as over the air. */
  letGo(after: Entry['kind']): void {
    const { claiming } = this.#running.house;
    if (after === 'frame' && claiming === this.#claiming) return;
    this.#claiming = claiming;
    if (claiming) return;
    const { house } = this.#running;
    const wanted = new Set([...wantedDice(house.bindings()).map(({ die }) => die), ...house.asked]);
    for (const die of this.#dice.keys()) if (!wanted.has(die)) this.#dice.delete(die);
  }

  take(frame: RawFrame): void {
    const wanted = wantedDice(this.#running.house.bindings()).find(({ die }) => die === frame.die);
    const wish = wanted ?? { die: frame.die, duty: 'claim' as const };
    const reading = JSON.stringify(wish.reading ?? {});
    const known = this.#dice.get(frame.die);
    const hear = (heard: Heard): void => void this.#running.hear(heard);
    const die = known?.reading === reading ? known.die : new RecordedDie(wish, this.#time, hear);
    this.#dice.set(frame.die, { die, reading });
    die.duty = wish.duty;
    die.take(frame);
  }
}
