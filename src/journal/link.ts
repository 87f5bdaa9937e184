import { Worker } from 'node:worker_threads';
import { err, ok, type Result } from '../dice/result.js';
import { fault, type JournalFault, type Trouble } from './fault.js';
import type { Opening, Reply, RequestKind, Requests, WorkerTask } from './messages.js';

type Answered = (result: Result<Requests[RequestKind]['answer'], Trouble>) => void;

const GONE: Trouble = { cause: 'worker', message: 'the thread that writes the journal ended' };

/** The main thread's end of one worker: questions and answers, in order. */
export class WorkerLink {
  private readonly worker: Worker;
  private readonly asked = new Map<number, Answered>();
  private next = 0;
  private gone = false;

  private constructor(worker: Worker) {
    this.worker = worker;
  }

  /**
   * Starts a worker and waits until it has opened the journal.
   * @param onGone called once if the worker ends without having been asked to
   */
  static start(
    url: URL,
    task: WorkerTask & { readonly task: 'keep' },
    onGone: () => void,
  ): Promise<Result<{ readonly link: WorkerLink; readonly epoch: number }, JournalFault>> {
    return new Promise((resolve) => {
      const worker = new Worker(url, { workerData: task });
      const link = new WorkerLink(worker);
      let reason = 'the thread that writes the journal ended at once';
      let opened = false;
      worker.once('message', (opening: Opening) => {
        if (!opening.opened) return resolve(err(opening.fault));
        opened = true;
        worker.on('message', (reply: Reply) => link.settle(reply));
        resolve(ok({ link, epoch: opening.epoch }));
      });
      worker.on('error', (error) => {
        reason = `the thread that writes the journal failed: ${error.message}`;
      });
      worker.once('exit', () => {
        link.end();
        if (opened) onGone();
        else resolve(err(fault('worker', task.file, reason)));
      });
    });
  }

  /** Asks the worker; resolves with its answer or with what is in the way, never rejects. */
  ask<K extends RequestKind>(kind: K, ask: Requests[K]['ask']): Promise<Result<Requests[K]['answer'], Trouble>> {
    if (this.gone) return Promise.resolve(err(GONE));
    const id = this.next++;
    return new Promise((resolve) => {
      this.asked.set(id, resolve as Answered);
      this.worker.postMessage({ id, kind, ask });
    });
  }

  /** Ends the worker at once; what it had committed stays. */
  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  private settle(reply: Reply): void {
    const answered = this.asked.get(reply.id);
    this.asked.delete(reply.id);
    answered?.(reply.ok ? ok(reply.answer) : err(reply.trouble));
  }

  private end(): void {
    this.gone = true;
    for (const answered of this.asked.values()) answered(err(GONE));
    this.asked.clear();
  }
}

/** Runs one backup in a thread of its own, so that commits go on meanwhile. */
export function backupInWorker(url: URL, file: string, target: string): Promise<Result<unknown, JournalFault>> {
  const task: WorkerTask = { task: 'backup', file, target };
  return new Promise((resolve) => {
    const worker = new Worker(url, { workerData: task });
    let reason = 'the thread that writes the backup ended';
    worker.once('message', (result: Result<unknown, JournalFault>) => resolve(result));
    worker.once('error', (error) => {
      reason = `the thread that writes the backup failed: ${error.message}`;
    });
    worker.once('exit', () => resolve(err(fault('worker', target, reason))));
  });
}
