/** A tumble without a rest for so long is told as unresolved (contracts A). */
export const UNRESOLVED_MS = 10_000;
/** Lanes with an open tumble; a tray has fewer. */
const MAX_LANES = 64;

/** Slots with a die in motion since when; the empty slot is the tray as a whole. */
export type Tumbles = ReadonlyMap<string, number>;

/** A die began to tumble. */
export function tumbled(open: Tumbles, slot: string | undefined, at: number): Tumbles {
  const next = new Map(open).set(slot ?? '', at);
  for (const lane of next.keys()) if (next.size > MAX_LANES) next.delete(lane);
  return next;
}

/** A die came to rest: that ends its own tumble and the tray's; a rest without a slot ends all. */
export function calmed(open: Tumbles, slot: string | undefined): Tumbles {
  if (open.size === 0) return open;
  return slot === undefined ? new Map() : new Map([...open].filter(([lane]) => lane !== '' && lane !== slot));
}

/** Splits off the tumbles that have been open for too long. */
export function overdue(open: Tumbles, at: number): { readonly open: Tumbles; readonly late: readonly string[] } {
  const late = [...open].flatMap(([lane, since]) => (at - since >= UNRESOLVED_MS ? [lane] : []));
  return late.length === 0
    ? { open, late }
    : { open: new Map([...open].filter(([lane]) => !late.includes(lane))), late };
}
