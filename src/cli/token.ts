import { join } from 'node:path';
import { readTokens, type StoredToken } from '../broadcast/token-file.js';
import { createToken, revokeToken, type TokenOrder } from '../broadcast/tokens.js';
import { faultOf } from '../journal/fault.js';
import { makeFolder } from '../journal/folder.js';

/** What a command printed and how it ended. */
export interface TokenReport {
  readonly exit: 0 | 1;
  readonly out: string;
}

/** What a GM's token for all tables changes for everybody else at this computer. */
const CLOSES_LOOPBACK =
  'While it exists, pages and programs on this computer need a token too: open a page with ?token=… once.';

/** Name of the token file in the data folder. */
export const TOKEN_FILE = 'tokens.json';

const scope = (token: StoredToken): string =>
  [
    token.role,
    token.table === undefined ? 'all tables' : `table ${token.table}`,
    token.seat === undefined ? '' : `seat ${token.seat}`,
  ]
    .filter((part) => part !== '')
    .join(', ');

/**
 * `tiro token create`: the token stands alone on the first line, so that a script can take it.
 * @param data the data folder; made if it is missing
 */
export function tokenCreate(data: string, order: TokenOrder): TokenReport {
  try {
    makeFolder(data);
  } catch (error) {
    return { exit: 1, out: `tiro token: ${faultOf(data, 'making the data folder', error).message}` };
  }
  const made = createToken(join(data, TOKEN_FILE), order);
  if (!made.ok) return { exit: 1, out: `tiro token: ${made.error}` };
  const { token, stored } = made.value;
  const told = [token, `id ${stored.id}: ${scope(stored)}. Keep it: it is shown only once.`];
  const closes = stored.role === 'gm' && stored.table === undefined;
  return { exit: 0, out: [...told, ...(closes ? [CLOSES_LOOPBACK] : [])].join('\n') };
}

/** `tiro token list`: one line a token, never the token itself. */
export function tokenList(data: string): TokenReport {
  const tokens = readTokens(join(data, TOKEN_FILE));
  if (!tokens.ok) return { exit: 1, out: `tiro token: ${tokens.error}` };
  if (tokens.value.length === 0) return { exit: 0, out: 'no tokens' };
  const lines = tokens.value.map(
    (token) => `${token.id}  ${token.created}  ${scope(token)}${token.label === undefined ? '' : `  (${token.label})`}`,
  );
  return { exit: 0, out: lines.join('\n') };
}

/** `tiro token revoke ID`: a running daemon closes its connections within 2 s. */
export function tokenRevoke(data: string, id: string): TokenReport {
  const gone = revokeToken(join(data, TOKEN_FILE), id);
  if (!gone.ok) return { exit: 1, out: `tiro token: ${gone.error}` };
  return { exit: 0, out: `revoked ${gone.value.id}: ${scope(gone.value)}` };
}
