import { closeSync, openSync, writeSync } from 'node:fs';
import type { Config } from '../config/schema.js';
import { err, ok, type Result } from '../dice/result.js';
import type { JournalRecord } from '../journal/journal.js';
import { fakesWanted } from './device-set.js';
import { type Entry, entryLine, type Happening, RECORDING_VERSION, type RecordingHead } from './recording.js';

/** A recording grows no larger; an evening of 35 dice is a tenth of it. */
export const MAX_RECORDING_BYTES = 256 * 1024 * 1024;
/** Records of the journal that a recording begins with at most; each is read and written once. */
export const MAX_PAST_RECORDS = 50_000;
/** Records read at once. */
const PAGE = 500;
/** Lines are gathered and written this often, in milliseconds. */
const WRITE_EVERY_MS = 250;

const ANEW = 'record with a data folder of its own (--data)';

/** What a recording needs of the journal. */
export interface Past {
  readonly epoch: number;
  tables(): Promise<readonly string[]>;
  read(table: string, after: number, limit: number): Promise<readonly JournalRecord[]>;
}

/** Writes what happens into a file. A recording that cannot be written ends, and says so; the table goes on. */
export class Recorder {
  readonly #now: () => number;
  readonly #complain: (reason: string) => void;
  readonly #timer: NodeJS.Timeout;
  #file: number | null;
  #waiting: string[] = [];
  #bytes = 0;

  private constructor(file: number, now: () => number, complain: (reason: string) => void) {
    this.#file = file;
    this.#now = now;
    this.#complain = complain;
    this.#timer = setInterval(() => this.#write(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * Begins a recording in a file of its own; one that is there already is left as it is.
   * @param now monotonic milliseconds
   * @param complain told once, if it must end early
   */
  static open(path: string, now: () => number, complain: (reason: string) => void): Result<Recorder, string> {
    try {
      return ok(new Recorder(openSync(path, 'wx', 0o600), now, complain));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return err(code === 'EEXIST' ? `${path} is there already` : message);
    }
  }

  /** Writes how the daemon stands before anything happens: its settings, and all that its journal holds. */
  async begin(past: Past, version: string, config: Config): Promise<Result<void, string>> {
    const at = this.#now();
    const { dice } = config;
    const head: RecordingHead = {
      recording: RECORDING_VERSION,
      version,
      at,
      epoch: past.epoch,
      fakes: fakesWanted(config),
      dice,
    };
    this.#line(JSON.stringify(head));
    let count = 0;
    for (const table of await past.tables()) {
      for (let after = 0, more = true; more; ) {
        const page = await past.read(table, after, PAGE);
        for (const record of page) this.#line(entryLine({ at, kind: 'record', record }));
        after = page.at(-1)?.seq ?? after;
        more = page.length === PAGE;
        count += page.length;
        if (count > MAX_PAST_RECORDS) return err(`the chronicle holds more than ${MAX_PAST_RECORDS} records: ${ANEW}`);
      }
    }
    return ok(undefined);
  }

  note(happening: Happening): void {
    this.#line(entryLine({ at: happening.kind === 'frame' ? happening.frame.at : this.#now(), ...happening } as Entry));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#line(entryLine({ at: this.#now(), kind: 'end' }));
    this.#write();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #line(text: string): void {
    if (this.#file === null) return;
    this.#waiting.push(`${text}\n`);
    this.#bytes += text.length + 1;
    if (this.#bytes > MAX_RECORDING_BYTES) this.#end(`it reached ${MAX_RECORDING_BYTES} bytes`);
  }

  #write(): void {
    if (this.#file === null || this.#waiting.length === 0) return;
    const text = this.#waiting.join('');
    this.#waiting = [];
    try {
      writeSync(this.#file, text);
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error));
    }
  }

  #end(reason: string): void {
    if (this.#file === null) return;
    const file = this.#file;
    this.#file = null;
    closeSync(file);
    this.#complain(reason);
  }
}
