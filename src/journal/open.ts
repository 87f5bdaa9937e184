import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../dice/json.js';
import { err, ok, type Result } from '../dice/result.js';
import { fault, faultOf, JournalError, type JournalFault, RefusedWrite, type Trouble } from './fault.js';
import { makeFolder } from './folder.js';
import {
  ANSWER_TTL_MS,
  type Journal,
  type JournalRecord,
  type JournalState,
  type StoredAnswer,
  type Write,
} from './journal.js';
import { backupInWorker, WorkerLink } from './link.js';
import type { RequestKind, Requests, WorkerTask, WorkerTuning } from './messages.js';
import { WriteQueue } from './queue.js';
import { answerOf, metaOf, recordOf } from './rows.js';
import { JOURNAL_FILE } from './schema.js';

/** After a failure the next attempt comes after the first, then twice as long each time, up to the last. */
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2000;

/** A journal that cannot write is waited for this long when it is closed. */
const CLOSE_PATIENCE_MS = 3000;

/** Old answers are forgotten this often. */
const FORGET_EVERY_MS = 3600 * 1000;

/** Records fetched from the worker at once. */
const PAGE_RECORDS = 1000;

/** Answers remembered at start. */
const MAX_ANSWERS = 50_000;

const DEFAULT_TUNING: WorkerTuning = { checkpointIdleMs: 1000, checkpointPages: 4000, syncDelayMs: 0, sync: true };

export interface JournalOptions {
  /** The data folder; made if it is not there. */
  readonly dir: string;
  /** The built worker; tests that run the sources name the one in dist. */
  readonly workerUrl?: URL;
  /** Wall clock, milliseconds since 1970. */
  readonly clock?: () => number;
  readonly tuning?: Partial<WorkerTuning>;
}

/**
 * Opens the journal of a data folder for writing, by a worker thread. The caller holds the folder's lock (`lockDataDir`).
 * @returns the journal, or why it cannot be used: held, no right, no space, damaged, written by a newer version …; a file
 *   that is refused is left untouched
 */
export async function openJournal(options: JournalOptions): Promise<Result<Journal, JournalFault>> {
  const file = join(options.dir, JOURNAL_FILE);
  try {
    makeFolder(options.dir);
  } catch (error) {
    return err(faultOf(options.dir, 'making the data folder', error));
  }
  const clock = options.clock ?? Date.now;
  const url = options.workerUrl ?? new URL('./worker.js', import.meta.url);
  const tuning = { ...DEFAULT_TUNING, ...options.tuning };
  const journal = new QueuedJournal(file, url, clock, tuning);
  const fault = await journal.start();
  return fault === undefined ? ok(journal) : err(fault);
}

class QueuedJournal implements Journal {
  private readonly file: string;
  private readonly url: URL;
  private readonly clock: () => number;
  private readonly tuning: WorkerTuning;
  private readonly queue = new WriteQueue();
  private readonly listeners: ((state: JournalState) => void)[] = [];
  private link: WorkerLink | undefined;
  private firstEpoch = 0;
  private trouble: Trouble | undefined;
  private failures = 0;
  private retry: NodeJS.Timeout | undefined;
  private pumpPlanned = false;
  private busy = false;
  private forgotten = Number.NEGATIVE_INFINITY;
  private closing: Promise<number> | undefined;

  constructor(file: string, url: URL, clock: () => number, tuning: WorkerTuning) {
    this.file = file;
    this.url = url;
    this.clock = clock;
    this.tuning = tuning;
  }

  get epoch(): number {
    return this.firstEpoch;
  }

  /** Starts the worker; after the first time in the place of one that died. */
  async start(): Promise<JournalFault | undefined> {
    const task: WorkerTask = {
      task: 'keep',
      file: this.file,
      now: this.clock(),
      newEpoch: this.firstEpoch === 0,
      tuning: this.tuning,
    };
    const started = await WorkerLink.start(this.url, task, () => this.lostWorker());
    if (!started.ok) return started.error;
    this.link = started.value.link;
    this.firstEpoch = started.value.epoch;
    return undefined;
  }

  append(write: Write): Promise<void> {
    if (this.closing !== undefined) return Promise.reject(new RefusedWrite('the journal is closed'));
    const written = this.queue.add(write);
    this.planPump();
    return written;
  }

  waiting(): number {
    return this.queue.waiting;
  }

  state(): JournalState {
    if (this.trouble === undefined) return { state: 'writing' };
    const { cause } = this.trouble;
    return { state: 'degraded', reason: reasonOf(this.trouble, this.file), waiting: this.queue.waiting, cause };
  }

  onState(listener: (state: JournalState) => void): void {
    this.listeners.push(listener);
  }

  tables(): Promise<readonly string[]> {
    return this.ask('tables', null);
  }

  async read(table: string, after: number, limit: number): Promise<readonly JournalRecord[]> {
    const records: JournalRecord[] = [];
    let last = after;
    while (records.length < limit) {
      const wanted = Math.min(PAGE_RECORDS, limit - records.length);
      const rows = await this.ask('read', { table, after: last, limit: wanted });
      for (const row of rows) records.push(recordOf(row, this.file));
      last = rows.at(-1)?.seq ?? last;
      if (rows.length < wanted) break;
    }
    return records;
  }

  async hasOrigin(origin: string): Promise<boolean> {
    return this.queue.hasOrigin(origin) || this.ask('hasOrigin', origin);
  }

  recentOrigins(limit: number): Promise<readonly string[]> {
    return this.ask('recentOrigins', limit);
  }

  newestAt(): Promise<number | undefined> {
    return this.ask('newestAt', null);
  }

  async answers(): Promise<readonly StoredAnswer[]> {
    const rows = await this.ask('answers', { since: this.clock() - ANSWER_TTL_MS, limit: MAX_ANSWERS });
    return rows.map((row) => answerOf(row, this.file));
  }

  async getMeta(key: string): Promise<Json | undefined> {
    const text = this.queue.metaText(key) ?? (await this.ask('getMeta', key));
    return text === undefined ? undefined : metaOf(text, this.file, key);
  }

  setMeta(key: string, value: Json): Promise<void> {
    if (key === 'epoch') return Promise.reject(new RefusedWrite('"epoch" is kept by the journal itself'));
    if (this.closing !== undefined) return Promise.reject(new RefusedWrite('the journal is closed'));
    const written = this.queue.addMeta(key, value);
    this.planPump();
    return written;
  }

  async backup(file: string): Promise<void> {
    const done = await backupInWorker(this.url, this.file, file);
    if (!done.ok) throw new JournalError(done.error);
  }

  close(): Promise<number> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<number> {
    let patience = CLOSE_PATIENCE_MS;
    while (!this.queue.isEmpty && patience > 0) {
      const before = performance.now();
      await delay(10);
      if (this.trouble !== undefined) patience -= performance.now() - before;
    }
    clearTimeout(this.retry);
    const { link } = this;
    this.link = undefined;
    await link?.ask('close', null);
    await link?.terminate();
    return this.queue.waiting;
  }

  /** What one turn of the loop appends goes into one group; an idle write is on its way before the turn is over. */
  private planPump(): void {
    if (this.pumpPlanned) return;
    this.pumpPlanned = true;
    queueMicrotask(() => {
      this.pumpPlanned = false;
      this.pump();
    });
  }

  private pump(): void {
    if (this.busy || this.retry !== undefined || this.link === undefined || !this.queue.hasNext) return;
    this.busy = true;
    const { link } = this;
    const group = this.queue.take();
    const now = this.clock();
    const forget = Math.abs(now - this.forgotten) > FORGET_EVERY_MS;
    void link.ask('commit', forget ? { ...group, forgetBefore: now - ANSWER_TTL_MS } : group).then((result) => {
      this.busy = false;
      if (!result.ok) return this.failed(result.error);
      if (forget) this.forgotten = now;
      const isDrained = !this.queue.hasNext;
      this.queue.committed(result.value);
      this.failures = 0;
      if (isDrained) this.tell(undefined);
      this.pump();
    });
  }

  private failed(trouble: Trouble): void {
    this.queue.putBack();
    this.tell(trouble);
    const pause = Math.min(FIRST_RETRY_MS * 2 ** this.failures, LAST_RETRY_MS);
    this.failures += 1;
    this.retry = setTimeout(() => void this.tryAgain(), pause);
  }

  private async tryAgain(): Promise<void> {
    if (this.link === undefined && this.closing === undefined) {
      const fault = await this.start();
      if (fault !== undefined) {
        this.retry = undefined;
        return this.failed({ cause: 'worker', message: fault.message });
      }
    }
    this.retry = undefined;
    this.pump();
  }

  private lostWorker(): void {
    if (this.link === undefined) return;
    this.link = undefined;
    // With a group under way its failure is told by the answer that never came.
    if (!this.busy && this.retry === undefined) this.failed(WORKER_LOST);
  }

  private tell(trouble: Trouble | undefined): void {
    const was = this.trouble;
    this.trouble = trouble;
    if ((was === undefined) === (trouble === undefined)) return;
    const state = this.state();
    for (const listener of this.listeners) listener(state);
  }

  private async ask<K extends RequestKind>(kind: K, ask: Requests[K]['ask']): Promise<Requests[K]['answer']> {
    const result = await (this.link?.ask(kind, ask) ?? Promise.resolve(err(WORKER_LOST)));
    if (result.ok) return result.value;
    throw new JournalError(fault('io', this.file, `reading it failed: ${result.error.message}`));
  }
}

const WORKER_LOST: Trouble = { cause: 'worker', message: 'the thread that writes the journal ended' };

const REASONS: Readonly<Record<Trouble['cause'], string>> = {
  busy: 'another program keeps the journal locked',
  full: 'the disk is full',
  permission: 'the journal may not be written any more',
  damaged: 'the journal is damaged',
  io: 'the disk does not take what is written',
  moved: 'the journal is not where it was',
  worker: 'the writing thread failed',
  content: 'a record cannot be stored',
};

function reasonOf(trouble: Trouble, file: string): string {
  return `${REASONS[trouble.cause]} (${file}: ${trouble.message})`;
}
