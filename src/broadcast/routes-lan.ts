import { firstIssue } from '../wire/command.js';
import { lanOrderSchema } from '../wire/lan.js';
import { type Daemon, tableOf } from './daemon.js';
import type { LanDoor } from './lan.js';
import { json, Refused, type Reply, type Route, refused, type Visit } from './visit.js';

async function order(daemon: Daemon, lan: LanDoor, visit: Visit): Promise<Reply> {
  const parsed = lanOrderSchema.safeParse(visit.body);
  if (!parsed.success) throw refused(400, 'body_invalid', firstIssue(parsed.error));
  if (parsed.data.open && tableOf(daemon, parsed.data.table) === undefined)
    throw refused(404, 'no_such_table', 'there is no such table');
  const done = parsed.data.open ? await lan.open(parsed.data.table, parsed.data.address) : await lan.close();
  if (!done.ok) throw new Refused(done.error);
  return json(done.value);
}

async function code(lan: LanDoor): Promise<Reply> {
  const url = lan.url();
  if (url === null)
    throw refused(404, 'lan_closed', 'the table is not open to the phones', { remedy: 'open it first' });
  // Loaded where a code is asked for: few evenings need one, and every start would wait for it.
  const { toString: drawCode } = await import('qrcode');
  const text = await drawCode(url, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
  return { kind: 'text', status: 200, type: 'image/svg+xml', text };
}

/** "Open to the phones": state, switch and QR code; the GM's alone, since they hold the invitation. */
export function lanRoutes(daemon: Daemon, lan: LanDoor): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/lan',
      allow: ['gm'],
      wide: true,
      query: [],
      answer: () => json(lan.state()),
    },
    {
      method: 'post',
      path: '/api/v1/lan',
      allow: ['gm'],
      wide: true,
      query: [],
      answer: (visit) => order(daemon, lan, visit),
    },
    { method: 'get', path: '/api/v1/lan/qr', allow: ['gm'], wide: true, query: [], answer: () => code(lan) },
  ];
}
