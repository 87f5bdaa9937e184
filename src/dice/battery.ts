/** A battery at or below this many percent is low. */
const LOW = 15;

/** What is known of a die's battery: 0…100 percent, null before the first reading. */
export interface Battery {
  readonly battery: number | null;
  readonly low?: true;
}

/**
 * The battery after a further reading. The first one of a link is often nonsense: a battery is low when two readings in
 * a row say so (F112).
 */
export function afterReading(known: Battery, percent: number): Battery {
  const low = known.battery !== null && known.battery <= LOW && percent <= LOW;
  return { battery: percent, ...(low ? { low: true as const } : {}) };
}
