import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Recorder } from '../../src/cli/recorder.js';
import { type Entry, entryLine, type Happening, readRecording } from '../../src/cli/recording.js';
import { finalState } from '../../src/cli/replay.js';
import { replayRecording } from '../../src/cli/replay-recording.js';
import { Running } from '../../src/cli/running.js';
import { defaultConfig } from '../../src/config/schema.js';
import type { RawFrame } from '../../src/devices/ble/radio/ports.js';
import { RecordedDie } from '../../src/devices/ble/recorded-die.js';
import { monotonicClock } from '../../src/devices/clock.js';
import { FACE_BYTES } from '../../src/devices/fake/godice-bytes.js';
import { fromHex } from '../../src/devices/hex.js';
import { parseCommand } from '../../src/wire/command.js';
import { freshFolder, opened, removeFolders, WORKER_URL } from '../journal/built.js';
import { GM } from '../table/house.js';

afterAll(removeFolders);

const DIE = 'godice-bc0940';
const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array();

/** A daemon at work whose happenings are recorded; a Bluetooth die of nobody's radio speaks in raw frames. */
class Evening {
  readonly file: string;
  readonly running: Running;
  readonly #recorder: Recorder;
  readonly #die: RecordedDie;
  readonly #close: () => Promise<void>;
  #n = 0;
  #commands = 0;

  private constructor(running: Running, recorder: Recorder, close: () => Promise<void>, file: string) {
    this.running = running;
    this.#recorder = recorder;
    this.#close = close;
    this.file = file;
    const wish = { die: DIE, duty: 'rolls', reading: { shell: 'd20' } } as const;
    this.#die = new RecordedDie(wish, monotonicClock, (heard) => void running.hear(heard));
  }

  static async open(folder = freshFolder()): Promise<Evening> {
    const file = join(freshFolder(), 'evening.tiro-rec');
    const journal = await opened(folder);
    const complaints: string[] = [];
    const recorder = Recorder.open(file, monotonicClock.now, (why) => complaints.push(why));
    if (!recorder.ok) throw new Error(recorder.error);
    const config = defaultConfig();
    const begun = await recorder.value.begin(journal, '0.0.0-test', config);
    if (!begun.ok) throw new Error(begun.error);
    const happened = (happening: Happening): void => recorder.value.note(happening);
    const running = await Running.open('0.0.0-test', config, journal, () => undefined, monotonicClock, { happened });
    running.start();
    const close = async (): Promise<void> => {
      await running.stop();
      await journal.close();
    };
    return new Evening(running, recorder.value, close, file);
  }

  async command(verb: string, args: object): Promise<void> {
    this.#commands += 1;
    const parsed = parseCommand({ id: `c${this.#commands}`, do: verb, args });
    if (!parsed.ok) throw new Error(parsed.error);
    await this.running.house.get('prova')?.command(GM, parsed.value);
  }

  /** The die sends something over a link; `skip` notifications before it were never heard. */
  frame(kind: RawFrame['kind'], hex = '', link = 1, skip = 0): void {
    this.#n = kind === 'notification' ? this.#n + 1 + skip : 0;
    const at = monotonicClock.now();
    const frame: RawFrame = { at, die: DIE, epoch: 4, kind, link, n: this.#n, bytes: bytesOf(hex) };
    this.#recorder.note({ kind: 'frame', frame });
    this.#die.take(frame);
  }

  /** Ends the evening. @returns the tables as they stood, and the recording */
  async end(): Promise<{ states: string; text: string }> {
    for (const table of this.running.house.list()) await table.settled();
    const states = JSON.stringify(this.running.house.list().map((table) => finalState(table.state())));
    this.#recorder.close();
    await this.#close();
    return { states, text: readFileSync(this.file, 'utf8') };
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function replayed(text: string): Promise<string> {
  const recording = readRecording(text);
  if (!recording.ok) throw new Error(recording.error);
  const states = await replayRecording(recording.value, (tables) => tables.map((table) => finalState(table.state())), {
    workerUrl: WORKER_URL,
  });
  if (states instanceof Error) throw states;
  return JSON.stringify(states);
}

describe('a recording', () => {
  test('played through the whole daemon ends as the evening did, byte for byte, however often', async () => {
    const evening = await Evening.open();
    const { running } = evening;
    const TWENTY = FACE_BYTES.d20.get(20) ?? '';
    await running.fake('fake-godice-d20', { verb: 'roll', natural: 17 });
    await running.fake('fake-godice-d6', { verb: 'set', face: 4 });
    await wait(1_000);
    await evening.command('enlist', { dice: [{ die: DIE, seat: 'bea', shell: 'd20', name: 'Nero' }] });
    evening.frame('up');
    // Within two seconds of the link the die only tells how it lies; then a throw, and one with a hole in it.
    evening.frame('notification', `5453${TWENTY}`);
    await wait(2_100);
    evening.frame('notification', '52');
    evening.frame('notification', `5453${FACE_BYTES.d20.get(11) ?? ''}`);
    await wait(400);
    evening.frame('notification', '52');
    evening.frame('notification', `5453${TWENTY}`, 1, 1);
    await evening.command('digital', { seat: 'ada', dice: ['d20', 'd12'] });
    await evening.command('seat', { id: 'carlo', name: 'Carlo' });
    await running.createTable({ id: 'altro', game: 'dadoteck', seats: [{ id: 'ada' }, { id: 'bea' }] });
    const { states, text } = await evening.end();
    expect(states).toContain(`"origin":"${DIE}/4/1/3"`);
    expect(states).toContain('"carlo"');
    const first = await replayed(text);
    expect(JSON.parse(first)).toEqual(JSON.parse(states));
    expect(first).toBe(states);
    expect(await replayed(text)).toBe(first);
  });

  test('that begins in the middle of a game goes on from there', async () => {
    const folder = freshFolder();
    const first = await Evening.open(folder);
    await first.command('game', { game: 'dadoteck', options: {} });
    await first.running.fake('fake-godice-d20', { verb: 'roll', natural: 17 });
    await first.end();
    const second = await Evening.open(folder);
    await second.running.fake('fake-pixels-d20', { verb: 'roll', natural: 4 });
    const { states, text } = await second.end();
    expect(states).toContain('"game":"dadoteck"');
    expect(await replayed(text)).toBe(states);
  });

  test('keeps every byte of any frame', () => {
    const bytes = fc.uint8Array({ maxLength: 512 });
    fc.assert(
      fc.property(bytes, fc.option(bytes, { nil: undefined }), fc.nat(), (sent, scanResponse, n) => {
        const frame: RawFrame = { at: n, die: DIE, epoch: 1, kind: 'advert', link: 0, n, bytes: sent };
        const whole = scanResponse === undefined ? frame : { ...frame, scanResponse };
        const entry: Entry = { at: n, kind: 'frame', frame: whole };
        const read = readRecording(`{"recording":1}\n${entryLine(entry)}\n`);
        expect(read.ok && read.value.entries).toEqual([entry]);
      }),
    );
  });

  test('that is none, of another form, or damaged is refused with the line; one that was cut off ends earlier', () => {
    const line = entryLine({ at: 1, kind: 'drawn', value: 3 });
    expect(readRecording('')).toMatchObject({ ok: false });
    expect(readRecording('SQLite format 3')).toMatchObject({ ok: false });
    expect(readRecording('{"recording":2}')).toMatchObject({ ok: false, error: 'a recording of form 2, not 1' });
    expect(readRecording(`{"recording":1}\n${line}\n{"at":\n${line}\n`)).toEqual({
      ok: false,
      error: 'line 3 cannot be read',
    });
    const cut = readRecording(`{"recording":1}\n${line}\n${line.slice(0, 9)}`);
    expect(cut.ok && cut.value.entries).toHaveLength(1);
  });

  test('never writes over a file', () => {
    const file = join(freshFolder(), 'old.tiro-rec');
    writeFileSync(file, 'old');
    const opened = Recorder.open(
      file,
      () => 0,
      () => undefined,
    );
    expect(opened).toEqual({ ok: false, error: `${file} is there already` });
    expect(readFileSync(file, 'utf8')).toBe('old');
  });
});
