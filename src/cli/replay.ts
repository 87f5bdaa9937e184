import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { gameById } from '../games/registry.js';
import { openJournalReader } from '../journal/reader.js';
import { foldRecord } from '../table/chronicle.js';
import { emptyTable, type TableState } from '../table/state.js';
import { gameViews, shownRolls } from '../table/view.js';
import { readRecording } from './recording.js';

/** How files of recordings end. */
const RECORDING = '.tiro-rec';

/**
 * `tiro replay FILE`: the final state of each table, one JSON line a table: of a journal by folding it (reads only; also that
 * of a running daemon), of a recording (`.tiro-rec`) by playing it through the whole daemon.
 * @returns exit code: 0, or 1 if the file cannot be read
 */
export async function replay(file: string, stdout: Writable, stderr: Writable): Promise<number> {
  if (file.endsWith(RECORDING)) return replayFrames(file, stdout, stderr);
  const reader = openJournalReader(file);
  if (!reader.ok) {
    stderr.write(`tiro replay: ${reader.error.message}\n`);
    return 1;
  }
  try {
    for (const id of reader.value.tables()) {
      let state = emptyTable(id);
      for (const record of reader.value.records(id)) state = foldRecord(state, record, gameById).after;
      stdout.write(`${JSON.stringify(finalState(state))}\n`);
    }
    return 0;
  } finally {
    reader.value.close();
  }
}

async function replayFrames(file: string, stdout: Writable, stderr: Writable): Promise<number> {
  const complain = (reason: string): number => {
    stderr.write(`tiro replay: ${reason}\n`);
    return 1;
  };
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return complain(error instanceof Error ? error.message : String(error));
  }
  const recording = readRecording(text);
  if (!recording.ok) return complain(`${file}: ${recording.error}`);
  const { replayRecording } = await import('./replay-recording.js');
  const states = await replayRecording(recording.value, (tables) => tables.map((table) => finalState(table.state())));
  if (states instanceof Error) return complain(states.message);
  for (const state of states) stdout.write(`${JSON.stringify(state)}\n`);
  return 0;
}

/** A table at the end of its journal, as the GM sees it. */
export function finalState(state: TableState): object {
  const audience = { role: 'gm' } as const;
  const { game, awaited } = gameViews(state, audience);
  return {
    table: state.id,
    seq: state.seq,
    name: state.name,
    evening: state.evening,
    seats: state.seats,
    game: state.course?.runs.game.game.id ?? null,
    state: game.state,
    awaited,
    rolls: shownRolls(state, audience),
    incomplete: state.incomplete,
  };
}
