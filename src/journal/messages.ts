import type { JournalFault, Trouble } from './fault.js';

/** A record on its way to or from the worker: the body as the text that stands in the file. */
export interface RecordRow {
  readonly table: string;
  readonly seq: number;
  readonly at: number;
  readonly clock: string;
  readonly kind: string;
  readonly origin: string | null;
  readonly body: string;
}

/** An answer on its way to or from the worker. */
export interface AnswerRow {
  readonly caller: string;
  readonly command: string;
  readonly at: number;
  readonly answer: string;
}

/** One `append`. */
export interface WriteRows {
  readonly records: readonly RecordRow[];
  readonly answers: readonly AnswerRow[];
}

/** What is committed in one transaction with one sync. */
export interface Group {
  readonly writes: readonly WriteRows[];
  readonly meta: readonly (readonly [key: string, value: string])[];
  /** Answers from before this time are forgotten along the way, milliseconds since 1970. */
  readonly forgetBefore?: number;
}

/** A write of the group that could not be stored, by its place in it. */
export interface Refusal {
  readonly write: number;
  readonly why: string;
}

/** What the worker can be asked. */
export interface Requests {
  readonly commit: { readonly ask: Group; readonly answer: readonly Refusal[] };
  readonly tables: { readonly ask: null; readonly answer: readonly string[] };
  readonly read: {
    readonly ask: { readonly table: string; readonly after: number; readonly limit: number };
    readonly answer: readonly RecordRow[];
  };
  readonly hasOrigin: { readonly ask: string; readonly answer: boolean };
  readonly recentOrigins: { readonly ask: number; readonly answer: readonly string[] };
  readonly newestAt: { readonly ask: null; readonly answer: number | undefined };
  readonly answers: {
    readonly ask: { readonly since: number; readonly limit: number };
    readonly answer: readonly AnswerRow[];
  };
  readonly getMeta: { readonly ask: string; readonly answer: string | undefined };
  readonly close: { readonly ask: null; readonly answer: null };
}

export type RequestKind = keyof Requests;

/** A question with its number; the worker answers in the order of asking. */
export type Request = {
  [K in RequestKind]: { readonly id: number; readonly kind: K; readonly ask: Requests[K]['ask'] };
}[RequestKind];

export type Reply =
  | { readonly id: number; readonly ok: true; readonly answer: Requests[RequestKind]['answer'] }
  | { readonly id: number; readonly ok: false; readonly trouble: Trouble };

/** The first message of a worker. */
export type Opening =
  | { readonly opened: true; readonly epoch: number }
  | { readonly opened: false; readonly fault: JournalFault };

/** How the worker treats the disk. */
export interface WorkerTuning {
  /** A checkpoint is made when nothing was written for this long. */
  readonly checkpointIdleMs: number;
  /** …or when the -wal holds this many pages, however busy it is. */
  readonly checkpointPages: number;
  /** Added to every commit, for tests and benchmarks: what a slow disk costs. */
  readonly syncDelayMs: number;
  /** False only in benchmarks: commits without waiting for the disk, to see what the sync costs. */
  readonly sync: boolean;
}

/** What a worker is started for: to keep the journal, or to write one backup. */
export type WorkerTask =
  | {
      readonly task: 'keep';
      readonly file: string;
      readonly now: number;
      /** False for a worker that takes the place of one that died: the daemon did not start anew. */
      readonly newEpoch: boolean;
      readonly tuning: WorkerTuning;
    }
  | { readonly task: 'backup'; readonly file: string; readonly target: string };
