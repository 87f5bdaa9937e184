/** The part of a WebSocket this client needs; the browser's and `ws`'s both have it. */
export interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { readonly data: never }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
}

/** Opens a socket; in a browser `(url, protocols) => new WebSocket(url, protocols)`. */
export type OpenSocket = (url: string, protocols: string[]) => Socket;

/** `readyState` of an open WebSocket. */
export const SOCKET_OPEN = 1;

/** Close codes of the daemon (contracts D). */
export const CLOSE = {
  tooBig: 1009,
  restarting: 1012,
  token: 4001,
  revoked: 4003,
  noTable: 4004,
  tooSlow: 4008,
  version: 4009,
} as const;

/** After these a new attempt with the same token and table would end the same way. */
export const FINAL_CLOSES: readonly number[] = [CLOSE.token, CLOSE.revoked, CLOSE.noTable, CLOSE.version];

/** The sub-protocol this client speaks; it stands before the token so that the daemon need not repeat the token. */
export const PROTOCOL = 'tiro.v1';
export const TOKEN_PROTOCOL = 'tiro.token.';
