/** Stretches of sequence numbers kept per boot; a tray that jumps about more than this loses its oldest ones. */
const MAX_STRETCHES = 128;
/** Boots remembered for de-duplication within one session; the journal's `origin` remembers all. */
const MAX_BOOTS = 8;

type Stretch = readonly [first: number, last: number];

/**
 * Which events of one boot have been heard. Numbers are unwrapped: after 4294967295 comes 4294967296, so that order and
 * holes are plain arithmetic although `seq` is 32 bits wide (F064).
 */
export interface BootLedger {
  readonly boot: number;
  /** Everything up to here is accounted for; holes lie above. Absent until something is known. */
  readonly good?: number;
  /** The tray said in a beat that it has come so far. */
  readonly told?: number;
  readonly heard: readonly Stretch[];
}

const WRAP = 2 ** 32;

/** The unwrapped number nearest to `near` that a 32-bit `seq` can stand for. */
export function unwrap(seq: number, near: number): number {
  const apart = (seq - near) | 0;
  return near + apart;
}

/** The 32 bits of an unwrapped number, as the wire carries it. */
export const wrapped = (n: number): number => ((n % WRAP) + WRAP) % WRAP;

/** The highest event heard, accounted for, or told of. */
export function newest(ledger: BootLedger): number | undefined {
  const known = [ledger.heard.at(-1)?.[1], ledger.good, ledger.told].filter((n) => n !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** The place of `seq` in this boot's unwrapped order. */
export const placeOf = (ledger: BootLedger, seq: number): number => unwrap(seq, newest(ledger) ?? seq);

/** True if this event came before in this session. */
export const wasHeard = (ledger: BootLedger, place: number): boolean =>
  ledger.heard.some(([first, last]) => place >= first && place <= last);

/** Adds events first…last as heard; `good` moves on over what now hangs together. */
export function withHeard(ledger: BootLedger, first: number, last: number): BootLedger {
  const apart = ledger.heard.filter(([a, b]) => b < first - 1 || a > last + 1);
  const touching = ledger.heard.filter(([a, b]) => b >= first - 1 && a <= last + 1);
  const low = Math.min(first, ...touching.map(([a]) => a));
  const high = Math.max(last, ...touching.map(([, b]) => b));
  const joined: Stretch = [low, high];
  const heard = [...apart, joined].sort(([a], [b]) => a - b).slice(-MAX_STRETCHES);
  return withGood({ ...ledger, heard }, ledger.good ?? first - 1);
}

/** Declares everything up to `place` as accounted for: nothing older will be asked for. */
export function withGood(ledger: BootLedger, place: number): BootLedger {
  const start = ledger.good === undefined ? place : Math.max(ledger.good, place);
  const good = ledger.heard.reduce((g, [first, last]) => (first <= g + 1 && last > g ? last : g), start);
  return { ...ledger, good };
}

/** Ledgers of the latest boots, the one used last first. */
export type Ledgers = readonly BootLedger[];

export const ledgerOf = (ledgers: Ledgers, boot: number): BootLedger =>
  ledgers.find((l) => l.boot === boot) ?? { boot, heard: [] };

export const withLedger = (ledgers: Ledgers, ledger: BootLedger): Ledgers =>
  [ledger, ...ledgers.filter((l) => l.boot !== ledger.boot)].slice(0, MAX_BOOTS);
