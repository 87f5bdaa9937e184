import type { Writable } from 'node:stream';
import { gameById } from '../games/registry.js';
import { openJournalReader } from '../journal/reader.js';
import { foldRecord } from '../table/chronicle.js';
import { emptyTable, type TableState } from '../table/state.js';
import { gameViews, shownRolls } from '../table/view.js';

/**
 * `tiro replay FILE`: folds a journal and prints the final state of each table, one JSON line a table. Reads only; also
 * the journal of a running daemon.
 * @returns exit code: 0, or 1 if the file cannot be read
 */
export async function replay(file: string, stdout: Writable, stderr: Writable): Promise<number> {
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
