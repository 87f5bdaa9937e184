import type { Journal, JournalRecord } from '../journal/journal.js';
import { RECORD_KINDS } from '../wire/envelope.js';
import { evolveTable } from './evolve.js';
import type { RecordBody } from './record.js';
import { emptyTable, type GameShelf, type TableState } from './state.js';
import type { Told } from './view.js';

/** Records read from the disk at a time. */
export const PAGE = 1_000;

/** Folds a table's journal from its first record. Old deeds are never judged again. */
export async function* foldJournal(
  journal: Pick<Journal, 'read'>,
  table: string,
  shelf: GameShelf,
): AsyncGenerator<Told> {
  let state = emptyTable(table);
  for (;;) {
    const page = await journal.read(table, state.seq, PAGE);
    for (const record of page) {
      const told = foldRecord(state, record, shelf);
      state = told.after;
      yield told;
    }
    if (page.length < PAGE) return;
  }
}

/** Folds one stored record; what this version cannot read marks the table incomplete and is kept as it is (F085). */
export function foldRecord(before: TableState, record: JournalRecord, shelf: GameShelf): Told {
  const body = readBody(record);
  const after = foldSafely(before, record, body, shelf);
  const { seq, at, clock, origin } = record;
  const told = { seq, at, clock, kind: kindOf(record.kind), body, before, after };
  return origin === undefined ? told : { ...told, origin };
}

function foldSafely(before: TableState, record: JournalRecord, body: RecordBody, shelf: GameShelf): TableState {
  const known = isKnown(record.kind) && body.v === 1;
  try {
    const after = evolveTable(before, record.seq, record.at, body, shelf);
    return known ? after : { ...after, incomplete: true };
  } catch {
    return { ...before, seq: record.seq, at: record.at, incomplete: true };
  }
}

function readBody(record: JournalRecord): RecordBody {
  return record.body as unknown as RecordBody;
}

const isKnown = (kind: string): kind is Told['kind'] => RECORD_KINDS.some((own) => own === kind);

/** A kind of a later version is told as a change of the game, which it may well be. */
const kindOf = (kind: string): Told['kind'] => (isKnown(kind) ? kind : 'game');

/** A record's body as the journal stores it. */
export function storedBody(body: RecordBody): JournalRecord['body'] {
  // Made of plain values and never changed afterwards: the journal writes it as text the moment it is handed over.
  return body as unknown as JournalRecord['body'];
}
