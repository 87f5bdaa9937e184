import type { Envelope, Live, RollWire, Snapshot } from '../../wire/envelope.js';

/** What a page hears of a table. */
export interface Hearing {
  snapshot(message: Snapshot): void;
  envelope(message: Envelope, replayed: boolean): void;
  live(message: Live): void;
}

/** Messages that wait at once; a burst beyond it comes through early rather than filling the memory. */
const MAX_WAITING = 500;
/** What comes this much later than it was due, because the source was hidden, is shown but not played. */
const STALE_MS = 1_000;

type Held =
  | { readonly due: number; readonly kind: 'snapshot'; readonly message: Snapshot }
  | { readonly due: number; readonly kind: 'envelope'; readonly message: Envelope; readonly replayed: boolean }
  | { readonly due: number; readonly kind: 'live'; readonly message: Live };

/** The rolls of a message after which none of those it leaves out stands: a snapshot, or a ruling about the past. */
export function rollsNow(message: Snapshot | Envelope): readonly RollWire[] | null {
  if (message.kind === 'snapshot') return (message as Snapshot).rolls;
  const now = (message as { rewound?: { rolls?: unknown } }).rewound?.rolls;
  return Array.isArray(now) ? (now as readonly RollWire[]) : null;
}

/**
 * Hands everything on `ms` later, in its order, so that an overlay is no faster than the camera. What a ruling takes
 * away or changes does not wait: `mend` is told at once, and what still waits is mended too.
 * @param mend told the rolls that stand from now on
 */
export function delayed(hearing: Hearing, ms: number, mend: (now: readonly RollWire[]) => void): Hearing {
  let line: Held[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const release = (held: Held, stale: boolean): void => {
    if (held.kind === 'snapshot') hearing.snapshot(held.message);
    else if (held.kind === 'live') hearing.live(held.message);
    else hearing.envelope(held.message, held.replayed || stale);
  };
  const drain = (): void => {
    clearTimeout(timer);
    const now = performance.now();
    for (let first = line[0]; first !== undefined; first = line[0]) {
      if (first.due > now && line.length <= MAX_WAITING) break;
      line.shift();
      release(first, now - first.due > STALE_MS);
    }
    const next = line[0];
    if (next !== undefined) timer = setTimeout(drain, next.due - now);
  };
  const put = (held: Held): void => {
    line.push(held);
    if (line.length === 1 || line.length > MAX_WAITING) drain();
  };
  const correct = (message: Snapshot | Envelope): void => {
    const now = rollsNow(message);
    if (now === null) return;
    mend(now);
    line = line.map((held) => (held.kind === 'envelope' ? { ...held, message: mended(held.message, now) } : held));
  };
  const due = (): number => performance.now() + ms;
  return {
    snapshot: (message) => {
      correct(message);
      put({ due: due(), kind: 'snapshot', message });
    },
    envelope: (message, replayed) => {
      correct(message);
      put({ due: due(), kind: 'envelope', message, replayed });
    },
    live: (message) => put({ due: due(), kind: 'live', message }),
  };
}

/** A waiting record after a ruling: its roll as it now stands, or none, and no view, which may show what no longer may. */
function mended(message: Envelope, now: readonly RollWire[]): Envelope {
  const { roll, view: _view, ...rest } = message;
  const standing = now.find((one) => one.id === roll?.id);
  return { ...rest, ...(standing === undefined ? {} : { roll: standing }) };
}
