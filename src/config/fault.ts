/** Why a configuration is refused: where it stands, and what to do. */
export interface ConfigFault {
  /** A file's name, `environment` or `command line`. */
  readonly file: string;
  /** From 1; absent where there is no text. */
  readonly line?: number;
  readonly column?: number;
  /** Key, variable or option, as the user wrote it. */
  readonly key: string;
  readonly reason: string;
  readonly remedy?: string;
}

/** At most this many faults are told at once. */
export const MAX_FAULTS = 20;

/** One line a person can act on: `tiro.yaml:3:5: http.prot: unknown key (did you mean "port"?)`. */
export function faultText(fault: ConfigFault): string {
  const place = fault.line === undefined ? fault.file : `${fault.file}:${fault.line}:${fault.column ?? 1}`;
  const key = fault.key === '' ? '' : `${fault.key}: `;
  return `${place}: ${key}${fault.reason}${fault.remedy === undefined ? '' : ` (${fault.remedy})`}`;
}

const USUAL_REMEDY = 'compare with config/tiro.example.yaml, or leave the line out: a default holds then';

/** The fault with a remedy in any case, for people. */
export const withRemedy = (fault: ConfigFault): ConfigFault & { readonly remedy: string } => ({
  ...fault,
  remedy: fault.remedy ?? USUAL_REMEDY,
});

/** Number of single letters to add, drop, change or swap with their neighbour to get from one word to the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const steps = [(next[column - 1] ?? 0) + 1, (last[column] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1)];
      next.push(Math.min(...steps, swapped && row > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY));
    }
    before = last;
    last = next;
  }
  return last[b.length] ?? 0;
}

/** The known word that was probably meant, or undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const small = word.slice(0, 60).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.min(Math.floor(small.length / 2), Math.max(2, Math.floor(small.length / 3))) + 1;
  for (const candidate of known) {
    const steps = distance(small, candidate.toLowerCase());
    if (steps < bestDistance) [best, bestDistance] = [candidate, steps];
  }
  return best;
}
