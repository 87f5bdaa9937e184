const KEPT = 'tiro.token';

/** Takes the token out of the address (an invitation by QR code), keeps it on this device, and cleans the address bar. */
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
    held = localStorage.getItem(KEPT);
  } catch {
    held = null;
  }
  return held;
}

/** Forgets a token the daemon no longer takes. */
export function forgetToken(): void {
  held = null;
  try {
    localStorage.removeItem(KEPT);
  } catch {
    // Nothing was kept.
  }
}

function keep(invited: string): void {
  held = invited;
  try {
    localStorage.setItem(KEPT, invited);
  } catch {
    // Held in memory until the page closes.
  }
}
