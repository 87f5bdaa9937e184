import type { DieListing } from '../table/port.js';

/** A die as the scan shows it. */
export interface ScannedDie {
  readonly die: string;
  readonly model: string;
  readonly type: string | null;
  readonly colour?: string | undefined;
  /** Percent. */
  readonly battery: number | null;
  /** dBm; absent where it is followed by its link alone. */
  readonly rssi?: number | undefined;
  /** Table and seat that have it. */
  readonly table: string | null;
  readonly seat: string | null;
  readonly name?: string | undefined;
}

const HEADINGS = {
  it: ['segnale', 'dado', 'modello', 'tipo', 'colore', 'batteria', 'di chi'],
  en: ['signal', 'die', 'model', 'type', 'colour', 'battery', 'whose'],
} as const;
const NOBODY = { it: 'di nessuno', en: 'nobody’s' } as const;
/** From here on (dBm) a signal has so many bars. */
const BARS = [-85, -75, -65, -55] as const;
/** The widest text of a cell: the names of dice are anybody's. */
const MAX_CELL = 24;

/** What the daemon lists, as the scan shows it: Bluetooth dice, the simulated ones left out. */
export function scannedOf(dice: readonly DieListing[]): readonly ScannedDie[] {
  return dice
    .filter(({ fake, model }) => !fake && (model === 'GoDice' || model === 'Pixels'))
    .map(({ id, model, type, colour, battery, rssi, table, seat, name }) => ({
      die: id,
      model,
      type,
      colour,
      battery,
      rssi,
      table,
      seat,
      name: name ?? undefined,
    }));
}

/** The nearest first; then by name, so that lines do not jump. */
export const nearestFirst = (dice: readonly ScannedDie[]): readonly ScannedDie[] =>
  [...dice].sort((a, b) => (b.rssi ?? -128) - (a.rssi ?? -128) || a.die.localeCompare(b.die));

/** Text of anybody's for a terminal: nothing but printable characters, and not too many. */
const plain = (text: string): string => text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').slice(0, MAX_CELL);

function bars(rssi: number | undefined): string {
  if (rssi === undefined) return '';
  const full = BARS.filter((from) => rssi >= from).length;
  return `${'█'.repeat(full)}${'·'.repeat(BARS.length - full)} ${rssi}`;
}

function cells(die: ScannedDie, language: 'it' | 'en'): readonly string[] {
  const { model, type, colour = '', battery, rssi, table, seat, name } = die;
  const whose = table === null ? NOBODY[language] : seat === null ? table : `${table}/${seat}`;
  const called = name === undefined ? die.die : `${die.die} (${plain(name)})`;
  return [bars(rssi), called, model, type ?? '?', plain(colour), battery === null ? '' : `${battery}%`, whose];
}

/** One line for one die, its fields by blanks: for programs that read lines, and for logs. */
export const lineOf = (die: ScannedDie, language: 'it' | 'en'): string =>
  cells(die, language)
    .filter((cell) => cell !== '')
    .join('  ');

/** The table of all dice, a heading above, at most so many lines. */
export function tableOf(dice: readonly ScannedDie[], language: 'it' | 'en', maxLines: number): readonly string[] {
  const rows = [HEADINGS[language], ...nearestFirst(dice).map((die) => cells(die, language))].slice(0, maxLines);
  const widths = HEADINGS[language].map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
