import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Journal, JournalRecord } from '../../src/journal/journal.js';
import { type JournalOptions, openJournal } from '../../src/journal/open.js';

/** Node cannot load the sources, so the worker and the children are the built ones. */
export const WORKER_URL = new URL('../../dist/journal/worker.js', import.meta.url);

const CHILDREN = new URL('./children/', import.meta.url);

const folders: string[] = [];

/** A folder that `removeFolders` takes away. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiro-journal-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Opens a journal with the built worker; a fault fails the test. */
export async function opened(dir: string, options: Partial<JournalOptions> = {}): Promise<Journal> {
  const result = await openJournal({ dir, workerUrl: WORKER_URL, ...options });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** A roll of the table `tavolo`. */
export function roll(seq: number, more: Partial<JournalRecord> = {}): JournalRecord {
  const body = { n: seq, natural: (seq % 20) + 1 };
  return { table: 'tavolo', seq, at: 1_764_000_000_000 + seq, clock: 'trusted', kind: 'roll', body, ...more };
}

/** Starts a program of `children/`. */
export function child(name: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(new URL(name, CHILDREN)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Runs a program of `children/` to its end on a tmpfs of its own, of this size. */
export async function onTinyDisk(size: string, name: string): Promise<{ code: number | null; output: string }> {
  const folder = freshFolder();
  const program = fileURLToPath(new URL(name, CHILDREN));
  const script = 'mount -t tmpfs -o "size=$1" tiny "$2" && exec "$3" "$4" "$2"';
  const shell = spawn('unshare', ['-rm', 'sh', '-c', script, 'sh', size, folder, process.execPath, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await ended(shell);
  return { code, output };
}

/** The exit code, or null after a signal. */
export function ended(process: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    process.once('error', reject);
    process.once('close', (code) => resolve(code));
  });
}

/** Samples the event loop every 5 ms. @returns the delays beyond that, largest first, when called */
export function watchLoop(): () => readonly number[] {
  const delays: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    delays.push(now - last - 5);
    last = now;
  }, 5);
  return () => {
    clearInterval(timer);
    return delays.sort((a, b) => b - a);
  };
}
