import type { FakeDeed } from '../broadcast/daemon.js';
import type { Config } from '../config/schema.js';
import type { RawFrame } from '../devices/ble/radio/ports.js';
import { fromHex } from '../devices/hex.js';
import { err, ok, type Result } from '../dice/result.js';
import type { JournalRecord } from '../journal/journal.js';
import type { Sighting } from '../table/known-dice.js';
import type { Caller } from '../table/port.js';
import type { NewTable } from '../table/tables.js';
import type { Command } from '../wire/command.js';

/** Version of the form of recordings. */
export const RECORDING_VERSION = 1;
/** Longest line of a recording that is read. */
export const MAX_LINE_CHARS = 1_000_000;

/** Something that reached the daemon from outside while it ran: all that its state depends on beside the time. */
export type Happening =
  | { readonly kind: 'frame'; readonly frame: RawFrame }
  | { readonly kind: 'fake'; readonly device: string; readonly deed: FakeDeed }
  | { readonly kind: 'command'; readonly table: string; readonly caller: Caller; readonly command: Command }
  | { readonly kind: 'table'; readonly order: NewTable }
  | { readonly kind: 'sighted'; readonly die: Sighting }
  | { readonly kind: 'drawn'; readonly value: number };

/** What a replay gives a daemon anew, and who is told of all that happens. */
export interface Outside {
  /** An unbiased number 1…sides. */
  readonly chance?: (sides: number) => number;
  /** Number of the run, in place of the journal's. */
  readonly epoch?: number;
  readonly happened?: (happening: Happening) => void;
}

/**
 * A happening with its time, monotonic milliseconds. Before the first one stand the records that were in the journal; the
 * last entry only tells when the recording ended.
 */
export type Entry = { readonly at: number } & (
  | Happening
  | { readonly kind: 'record'; readonly record: JournalRecord }
  | { readonly kind: 'end' }
);

/** How the daemon stood when the recording began. */
export interface RecordingHead {
  readonly recording: typeof RECORDING_VERSION;
  /** Version of the program that recorded. */
  readonly version: string;
  readonly at: number;
  /** Number of the run, which stands in the origin of every roll. */
  readonly epoch: number;
  readonly fakes: boolean;
  readonly dice: Config['dice'];
}

export interface Recording {
  readonly head: RecordingHead;
  readonly entries: readonly Entry[];
}

/** All bytes, however many: a recording is exact. */
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A line of a recording: bytes as hex, everything else as it is. */
export function entryLine(entry: Entry): string {
  if (entry.kind !== 'frame') return JSON.stringify(entry);
  const { bytes, scanResponse, ...rest } = entry.frame;
  const hex = { hex: hexOf(bytes), ...(scanResponse === undefined ? {} : { sr: hexOf(scanResponse) }) };
  return JSON.stringify({ at: entry.at, kind: 'frame', frame: { ...rest, ...hex } });
}

/** Reads a recording; an error names the line that is wrong. */
export function readRecording(text: string): Result<Recording, string> {
  const lines = text.split('\n');
  const head = parsed(lines[0] ?? '') as Partial<RecordingHead> | null;
  if (typeof head?.recording !== 'number') return err('this is no recording: its first line is missing');
  if (head.recording !== RECORDING_VERSION)
    return err(`a recording of form ${head.recording}, not ${RECORDING_VERSION}`);
  const entries: Entry[] = [];
  for (const [place, line] of lines.entries()) {
    if (place === 0 || line === '') continue;
    const entry = entryIn(line);
    // A recording that was cut off ends where its last whole line ends.
    if (entry === null && place === lines.length - 1) break;
    if (entry === null) return err(`line ${place + 1} cannot be read`);
    entries.push(entry);
  }
  return ok({ head: head as RecordingHead, entries });
}

function parsed(line: string): object | null {
  if (line.length > MAX_LINE_CHARS) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function entryIn(line: string): Entry | null {
  const entry = parsed(line) as (Omit<Entry, 'frame'> & { readonly frame?: Record<string, unknown> }) | null;
  if (entry === null || typeof entry.at !== 'number' || typeof entry.kind !== 'string') return null;
  if (entry.kind !== 'frame') return entry as Entry;
  const { hex, sr, ...rest } = entry.frame ?? {};
  const bytes = fromHex(String(hex ?? ''));
  const scanResponse = sr === undefined ? undefined : fromHex(String(sr));
  if (bytes == null || scanResponse === null || typeof rest.die !== 'string') return null;
  const frame = { ...rest, bytes, ...(scanResponse === undefined ? {} : { scanResponse }) } as unknown as RawFrame;
  return { at: entry.at, kind: 'frame', frame };
}
