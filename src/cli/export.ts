import type { Writable } from 'node:stream';
import type { Audience } from '../games/game.js';
import { gameById } from '../games/registry.js';
import { openJournalReader } from '../journal/reader.js';
import { foldRecord } from '../table/chronicle.js';
import { emptyTable } from '../table/state.js';
import { envelope } from '../table/view.js';
import type { Envelope } from '../wire/envelope.js';
import { dataOf } from './data-folder.js';

export interface ExportArguments {
  readonly table: string;
  readonly format: string;
  readonly audience: string;
  readonly data?: string;
}

const NOTHING_AROUND = { dice: [], previews: [], degraded: false, timersPaused: false } as const;

const COLUMNS = [
  'seq',
  'at',
  'clock',
  'kind',
  'roll',
  'game',
  'seat',
  'purpose',
  'rule',
  'dice',
  'source',
  'fake',
  'natural',
  'result',
  'total',
  'verdict',
  'code',
  'standing',
] as const;

/**
 * `tiro export`: a table's chronicle as JSON lines (envelopes without the view) or CSV (one line a record), in journal
 * order, as the audience may see it. Standing is as it was told then; a later correction has a record of its own.
 * @returns exit code: 0; 1 if the journal or the table is not there; 2 on wrong usage
 */
export async function exportTable(given: ExportArguments, stdout: Writable, stderr: Writable): Promise<number> {
  const complain = (message: string, code: number): number => {
    stderr.write(`tiro export: ${message}\n`);
    return code;
  };
  if (given.format !== 'jsonl' && given.format !== 'csv') return complain('--format is jsonl or csv', 2);
  if (given.audience !== 'gm' && given.audience !== 'spectator') return complain('--audience is gm or spectator', 2);
  const dir = dataOf(given.data);
  if (!dir.ok) return complain(dir.error, 2);
  const reader = openJournalReader(dir.value);
  if (!reader.ok) return complain(reader.error.message, 1);
  try {
    const tables = reader.value.tables();
    if (!tables.includes(given.table)) return complain(`no table "${given.table}"; there are: ${tables.join(', ')}`, 1);
    const audience: Audience = { role: given.audience };
    if (given.format === 'csv') stdout.write(`${COLUMNS.join(',')}\n`);
    let state = emptyTable(given.table);
    for (const record of reader.value.records(given.table)) {
      const told = foldRecord(state, record, gameById);
      state = told.after;
      const made = envelope(told, audience, NOTHING_AROUND);
      if (made === null) continue;
      const line = given.format === 'csv' ? csvLine(made) : jsonLine(made);
      if (!stdout.write(`${line}\n`)) await new Promise<void>((resolve) => stdout.once('drain', resolve));
    }
    return 0;
  } finally {
    reader.value.close();
  }
}

function jsonLine({ view: _view, ...rest }: Envelope): string {
  return JSON.stringify(rest);
}

function csvLine(made: Envelope): string {
  const { roll } = made;
  const cells = [
    made.seq,
    made.at,
    made.clock,
    made.kind,
    roll?.id,
    roll?.game,
    roll?.seat,
    roll?.purpose,
    roll?.rule,
    roll?.dice.map((die) => `${die.type}=${die.natural}`).join(' '),
    roll === undefined ? undefined : [...new Set(roll.dice.map((die) => die.source))].join(' '),
    roll === undefined ? undefined : roll.dice.some((die) => die.fake === true),
    roll?.natural,
    roll?.result,
    roll?.total,
    roll?.verdict,
    roll?.code,
    roll?.standing,
  ];
  return cells.map(cell).join(',');
}

/** A cell on one line that a spreadsheet reads as text, never as a formula. */
function cell(value: string | number | boolean | null | undefined): string {
  const text = value === null || value === undefined ? '' : String(value).replace(/[\r\n]+/g, ' ');
  const safe = typeof value === 'string' && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
