import type { DieListing } from '../table/port.js';
import type { ToldAdapter } from './told-adapters.js';

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
  /** The adapter that links it, or hears it best. */
  readonly adapter?: string | undefined;
  /** Table and seat that have it. */
  readonly table: string | null;
  readonly seat: string | null;
  readonly name?: string | undefined;
}

const HEADINGS = {
  it: ['segnale', 'dado', 'modello', 'tipo', 'colore', 'batteria', 'di chi', 'adattatore'],
  en: ['signal', 'die', 'model', 'type', 'colour', 'battery', 'whose', 'adapter'],
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
    .map(({ id, model, type, colour, battery, rssi, table, seat, name, following }) => ({
      die: id,
      model,
      type,
      colour,
      battery,
      rssi,
      adapter: following?.adapter,
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
  const { model, type, colour = '', battery, rssi, table, seat, name, adapter = '' } = die;
  const whose = table === null ? NOBODY[language] : seat === null ? table : `${table}/${seat}`;
  const called = name === undefined ? die.die : `${die.die} (${plain(name)})`;
  const charge = battery === null ? '' : `${battery}%`;
  return [bars(rssi), called, model, type ?? '?', plain(colour), charge, whose, adapter];
}

const ADAPTER = { it: 'adattatore', en: 'adapter' } as const;
const WORKS = { it: 'attivo, {n} dadi', en: 'on, {n} dice' } as const;
const WAITS = { it: 'si sta avviando', en: 'is starting' } as const;

/** A line for every adapter, where there are several: how many of the dice are its own, or what ails it. */
export function adapterLines(
  adapters: readonly ToldAdapter[],
  dice: readonly ScannedDie[],
  language: 'it' | 'en',
): readonly string[] {
  if (adapters.length < 2) return [];
  return adapters.map(({ name, state, trouble }) => {
    const own = dice.filter(({ adapter }) => adapter === name).length;
    const well = state === 'on' ? WORKS[language].replace('{n}', String(own)) : WAITS[language];
    const said = trouble === undefined ? well : `${trouble[language].reason}: ${trouble[language].remedy}`;
    return `${ADAPTER[language]} ${name}  ${said}`;
  });
}

/** One line for one die, its fields by blanks: for programs that read lines, and for logs. */
export const lineOf = (die: ScannedDie, language: 'it' | 'en'): string =>
  cells(die, language)
    .filter((cell) => cell !== '')
    .join('  ');

/** The table of all dice, a heading above, at most so many lines. */
export function tableOf(dice: readonly ScannedDie[], language: 'it' | 'en', maxLines: number): readonly string[] {
  const several = new Set(dice.flatMap(({ adapter }) => adapter ?? [])).size > 1;
  const headings = several ? HEADINGS[language] : HEADINGS[language].slice(0, -1);
  const rows = [headings, ...nearestFirst(dice).map((die) => cells(die, language))].slice(0, maxLines);
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .slice(0, headings.length)
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
