/** Only the newest samples count: quartz drifts, and a cable gets replaced. */
const SAMPLES = 8;
/** A HEL's own `ms` is a coarse sample: it counts only until a PIN has been answered. */
const COARSE_RTT_MS = 10_000;

interface Sample {
  /** Host's monotonic time minus the tray's `ms`. */
  readonly offset: number;
  readonly rtt: number;
}

/** Maps a tray's `ms` since boot onto the host's monotonic time by the quickest of the last 8 round trips (Cristian). */
export interface TrayClock {
  readonly boot?: number;
  readonly latestMs: number;
  readonly samples: readonly Sample[];
}

export const UNSET_CLOCK: TrayClock = { latestMs: 0, samples: [] };

/** Half of 32 bits: a tray that counts `ms` in 32 bits against the rules jumps back by more when it wraps. */
const WRAP_JUMP_MS = 2 ** 31;

/** Takes note of a tray time heard live; after a wrap the old samples are worth nothing and are dropped. */
export function noticed(clock: TrayClock, boot: number, ms: number): TrayClock {
  if (clock.boot !== boot) return { boot, latestMs: ms, samples: [] };
  if (clock.latestMs - ms > WRAP_JUMP_MS) return { boot, latestMs: ms, samples: [] };
  return ms > clock.latestMs ? { ...clock, latestMs: ms } : clock;
}

/** A PIN sent at `sent` was answered at `at` with the tray's `ms`. */
export function answered(clock: TrayClock, sent: number, at: number, ms: number): TrayClock {
  const sample: Sample = { offset: (sent + at) / 2 - ms, rtt: at - sent };
  return { ...clock, samples: [...clock.samples, sample].slice(-SAMPLES) };
}

/** A HEL heard at `at` said `ms`. */
export const greeted = (clock: TrayClock, at: number, ms: number): TrayClock =>
  clock.samples.length > 0 ? clock : { ...clock, samples: [{ offset: at - ms, rtt: COARSE_RTT_MS }] };

/** Host time at which the tray's clock showed `ms`, or undefined while nothing is known. */
export function hostTime(clock: TrayClock, ms: number): number | undefined {
  const best = clock.samples.reduce<Sample | undefined>(
    (b, s) => (b === undefined || s.rtt <= b.rtt ? s : b),
    undefined,
  );
  return best === undefined ? undefined : best.offset + ms;
}
