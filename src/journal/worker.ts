import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { backupJournal } from './backup.js';
import type { Connection } from './connection.js';
import { faultOf, type Trouble, troubleOf } from './fault.js';
import { connectForWriting, openForWriting } from './file.js';
import type { Opening, Reply, Request, RequestKind, Requests, WorkerTask, WorkerTuning } from './messages.js';
import {
  selectAnswers,
  selectMeta,
  selectNewestAt,
  selectOrigin,
  selectOrigins,
  selectRecords,
  selectTables,
} from './rows.js';
import { identityOf, Store } from './store.js';

type Keeping = Extract<WorkerTask, { task: 'keep' }>;

/** Thrown when the journal's file is no longer the one that was opened. */
class Moved extends Error {}

/** Keeps the journal in its thread: one connection, given up and opened again after trouble with the disk. */
class Keeper {
  private readonly file: string;
  private readonly tuning: WorkerTuning;
  /** Of the file that was opened: a stranger under its name is not written to. */
  private readonly identity: string | undefined;
  private store: Store | undefined;
  private checkpoint: NodeJS.Timeout | undefined;

  constructor(task: Keeping, db: Connection) {
    this.file = task.file;
    this.tuning = task.tuning;
    this.identity = identityOf(task.file);
    this.store = this.storeOf(db);
  }

  /** Gives the epoch of this start. */
  begin(newEpoch: boolean): number {
    return newEpoch ? this.ready().nextEpoch() : this.ready().epoch();
  }

  answer(request: Request): Reply {
    const { id } = request;
    try {
      return { id, ok: true, answer: this.act(request) };
    } catch (error) {
      const trouble: Trouble = error instanceof Moved ? { cause: 'moved', message: error.message } : troubleOf(error);
      if (trouble.cause !== 'busy') this.giveUp();
      return { id, ok: false, trouble };
    }
  }

  private act(request: Request): Requests[RequestKind]['answer'] {
    const store = this.ready();
    switch (request.kind) {
      case 'commit': {
        const refusals = store.commit(request.ask);
        this.planCheckpoint();
        return refusals;
      }
      case 'tables':
        return selectTables(store.db);
      case 'read':
        return selectRecords(store.db, request.ask.table, request.ask.after, request.ask.limit);
      case 'hasOrigin':
        return selectOrigin(store.db, request.ask);
      case 'recentOrigins':
        return selectOrigins(store.db, request.ask);
      case 'newestAt':
        return selectNewestAt(store.db);
      case 'answers':
        return selectAnswers(store.db, request.ask.since, request.ask.limit);
      case 'getMeta':
        return selectMeta(store.db, request.ask);
      case 'close':
        this.close();
        return null;
    }
  }

  /** The store, on a new connection if the last one was given up; never on another file than the first. */
  private ready(): Store {
    const found = identityOf(this.file);
    if (found !== this.identity) {
      throw new Moved(found === undefined ? 'the file was moved or deleted' : 'another file was put in its place');
    }
    this.store ??= this.storeOf(connectForWriting(this.file, this.tuning.checkpointPages));
    return this.store;
  }

  private storeOf(db: Connection): Store {
    const { syncDelayMs, sync } = this.tuning;
    if (!sync) db.exec('PRAGMA synchronous = OFF');
    return new Store(db, () => {
      if (syncDelayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, syncDelayMs);
    });
  }

  private planCheckpoint(): void {
    clearTimeout(this.checkpoint);
    this.checkpoint = setTimeout(() => this.makeCheckpoint('PASSIVE'), this.tuning.checkpointIdleMs);
  }

  /** A checkpoint that fails costs nothing but room: the records stay in the -wal. */
  private makeCheckpoint(mode: 'PASSIVE' | 'TRUNCATE'): void {
    try {
      this.store?.db.exec(`PRAGMA wal_checkpoint(${mode})`);
    } catch {
      this.giveUp();
    }
  }

  private giveUp(): void {
    try {
      this.store?.db.close();
    } catch {
      // It was of no use any more.
    }
    this.store = undefined;
  }

  private close(): void {
    clearTimeout(this.checkpoint);
    this.makeCheckpoint('TRUNCATE');
    this.giveUp();
  }
}

function keep(task: Keeping, port: MessagePort): void {
  const say = (message: Opening | Reply): void => port.postMessage(message);
  const opened = openForWriting(task.file, task.now, task.tuning.checkpointPages);
  if (!opened.ok) {
    say({ opened: false, fault: opened.error });
    return;
  }
  const keeper = new Keeper(task, opened.value);
  try {
    const epoch = keeper.begin(task.newEpoch);
    port.on('message', (request: Request) => {
      say(keeper.answer(request));
      if (request.kind === 'close') port.close();
    });
    say({ opened: true, epoch });
  } catch (error) {
    say({ opened: false, fault: faultOf(task.file, 'writing to it', error) });
  }
}

if (parentPort !== null) {
  const task = workerData as WorkerTask;
  if (task.task === 'keep') keep(task, parentPort);
  else parentPort.postMessage(backupJournal(task.file, task.target));
}
