import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '../dice/ids.js';
import { type Daemon, tableOf } from './daemon.js';
import type { TokenStore } from './tokens.js';
import { json, type Reply, type Route, refused, type Visit } from './visit.js';

/** The local file for OBS: it waits for the daemon, which a page of the daemon itself cannot. */
const FILE = 'tiro-overlay.html';
/** Where the file's own settings stand; what is asked for at the download is written in its place. */
const SETTINGS = 'const GIVEN = {};';
/** Parameters of the overlay that a downloaded file carries along; a file is a page long, not a book. */
const MAX_PARAMETERS = 20;
const MAX_PARAMETER = 200;
const LABEL = 'overlay';

/** The file with this daemon's address, the table and the parameters of its overlay written into it. */
function localFile(root: string | null, visit: Visit): Reply {
  const path = root === null ? null : join(root, FILE);
  if (path === null || !existsSync(path)) throw refused(404, 'not_found', 'there is nothing here');
  const parameters = [...visit.search].filter(([name]) => name !== 'table').slice(0, MAX_PARAMETERS);
  const table = visit.search.get('table');
  if (table !== null && !isId(table)) throw refused(400, 'query_invalid', 'table must be the id of a table');
  const given = {
    daemon: `http://${visit.host}`,
    ...(table === null ? {} : { table }),
    parameters: Object.fromEntries(parameters.map(([name, value]) => [name, value.slice(0, MAX_PARAMETER)])),
  };
  // Whatever an address carries, it must stay a string of the script.
  const text = JSON.stringify(given).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${hex(sign)}`);
  return {
    kind: 'text',
    status: 200,
    type: 'text/html; charset=utf-8',
    text: readFileSync(path, 'utf8').replace(SETTINGS, () => `const GIVEN = ${text};`),
    saveAs: FILE,
  };
}

const hex = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(4, '0');

/** A token with which a streaming program may look at this table, and nothing else; shown once. */
function invite(daemon: Daemon, tokens: TokenStore, visit: Visit): Reply {
  const wanted = visit.params.get('table') ?? '';
  if (visit.grant?.table !== undefined && visit.grant.table !== wanted)
    throw refused(403, 'forbidden', 'this token is for another table');
  if (tableOf(daemon, wanted) === undefined) throw refused(404, 'no_such_table', 'there is no such table');
  const made = tokens.create({ role: 'overlay', table: wanted, label: LABEL });
  if (!made.ok) throw refused(409, 'tokens_full', made.error);
  return json({ id: made.value.stored.id, token: made.value.token }, 201);
}

/** What a streamer needs beside the overlay's page: the file that waits for the daemon, and a token to look with. */
export function overlayRoutes(daemon: Daemon, tokens: TokenStore, pages: string | null): readonly Route[] {
  return [
    {
      method: 'get',
      path: `/overlay/${FILE}`,
      allow: 'anyone',
      query: null,
      answer: (visit) => localFile(pages, visit),
    },
    {
      method: 'post',
      path: '/api/v1/tables/:table/overlay',
      allow: ['gm'],
      query: [],
      answer: (visit) => invite(daemon, tokens, visit),
    },
  ];
}
