const KEPT = 'tiro.token';

/**
 * Takes the token out of the address (an invitation by QR code), keeps it on this device, and cleans the address bar. An
 * overlay's token, which only looks, stays with its own window: the GM may open it beside the GM's screen.
 */
export function takeInvitation(): void {
  const url = new URL(location.href);
  const invited = url.searchParams.get('token');
  if (invited === null) return;
  keep(invited);
  url.searchParams.delete('token');
  history.replaceState(null, '', url);
}

let held: string | null = null;

/** The token of this device, or null on the table's own computer, which needs none. */
export function token(): string | null {
  if (held !== null) return held;
  try {
    held = (isOverlay() ? sessionStorage.getItem(KEPT) : null) ?? localStorage.getItem(KEPT);
  } catch {
    held = null;
  }
  return held;
}

/** Forgets a token the daemon no longer takes. */
export function forgetToken(): void {
  const dead = held;
  held = null;
  try {
    for (const place of [sessionStorage, localStorage]) if (place.getItem(KEPT) === dead) place.removeItem(KEPT);
  } catch {
    // Nothing was kept.
  }
}

const isOverlay = (): boolean => location.pathname.startsWith('/overlay/');

function keep(invited: string): void {
  held = invited;
  try {
    (isOverlay() ? sessionStorage : localStorage).setItem(KEPT, invited);
  } catch {
    // Held in memory until the page closes.
  }
}
