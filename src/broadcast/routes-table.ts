import { z } from 'zod';
import { ID_PATTERN } from '../dice/ids.js';
import type { TablePort } from '../table/port.js';
import { firstIssue, parseCommand } from '../wire/command.js';
import { json as jsonValue } from '../wire/envelope.js';
import { forbids, viewerOf } from './access.js';
import { type Daemon, type TableOrder, tableOf } from './daemon.js';
import { wholeNumber } from './query.js';
import type { Role } from './tokens.js';
import { json, Refused, type Reply, type Route, refused, type TableVisit, type Visit } from './visit.js';
import type { Sockets } from './ws.js';

/** Envelopes in one answer (contracts E). */
const MAX_EVENTS = 1000;
const DEFAULT_EVENTS = 100;

const WATCH: readonly Role[] = ['gm', 'player', 'overlay', 'spectator'];

const id = z.string().regex(ID_PATTERN, 'a small letter or digit, then at most 31 of a-z 0-9 _ -');

const orderSchema = z.strictObject({
  id,
  name: z.string().min(1).max(60).optional(),
  game: id.optional(),
  options: z.record(z.string(), jsonValue).optional(),
  seats: z
    .array(z.union([id, z.strictObject({ id, name: z.string().min(1).max(60).optional() })]))
    .max(40)
    .optional(),
});

function orderOf(body: unknown): TableOrder {
  const parsed = orderSchema.safeParse(body);
  if (!parsed.success) throw refused(400, 'body_invalid', firstIssue(parsed.error));
  const { seats, ...rest } = parsed.data;
  const named = seats?.map((seat) => (typeof seat === 'string' ? { id: seat } : seat));
  return { ...rest, ...(named === undefined ? {} : { seats: named }) } as TableOrder;
}

/** The table of a visit, and as whom it is seen; refused where the token does not reach. */
export function visitAt(daemon: Daemon, visit: Visit): TableVisit {
  const wanted = visit.params.get('table') ?? '';
  const { grant } = visit;
  if (grant === null) throw refused(401, 'token_missing', 'a token is needed here');
  if (grant.table !== undefined && grant.table !== wanted)
    throw refused(403, 'forbidden', 'this token is for another table');
  const table = tableOf(daemon, wanted);
  if (table === undefined) throw refused(404, 'no_such_table', 'there is no such table');
  const wish = { role: visit.query.get('role') ?? null, seat: visit.query.get('seat') ?? null };
  const viewer = viewerOf(grant, wish, table.seats());
  if (!viewer.ok) throw new Refused(viewer.error);
  return { table, viewer: viewer.value };
}

/** A table in lists. */
export function tableEntry(table: TablePort, sockets: Sockets): object {
  return {
    id: table.id,
    name: table.name,
    seq: table.seq({ role: 'spectator' }),
    seats: table.seats(),
    clients: sockets.count(table),
    present: sockets.present(table),
    ...(table.degraded() ? { degraded: true } : {}),
  };
}

/** Tables this visitor may know of. */
export function tablesFor(daemon: Daemon, visit: Visit): readonly TablePort[] {
  const only = visit.grant?.table;
  return daemon.tables().filter((table) => only === undefined || table.id === only);
}

async function command(daemon: Daemon, visit: Visit): Promise<Reply> {
  const { table, viewer } = visitAt(daemon, visit);
  const parsed = parseCommand(visit.body);
  if (!parsed.ok) throw refused(400, 'command_invalid', parsed.error);
  const forbidden = forbids(viewer, parsed.value);
  if (forbidden !== null) throw refused(403, 'forbidden', forbidden);
  const answer = await table.command(viewer.caller, parsed.value);
  return json(answer, answer.kind === 'ack' ? 200 : 409);
}

async function events(daemon: Daemon, visit: Visit): Promise<Reply> {
  const { table, viewer } = visitAt(daemon, visit);
  const since = wholeNumber(visit.query, 'since', { min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 });
  if (!since.ok) throw new Refused(since.error);
  const limit = wholeNumber(visit.query, 'limit', { min: 1, max: MAX_EVENTS, fallback: DEFAULT_EVENTS });
  if (!limit.ok) throw new Refused(limit.error);
  return json(await table.events(viewer.audience, since.value, limit.value));
}

/** Routes of the tables (contracts E). */
export function tableRoutes(daemon: Daemon, sockets: Sockets): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/tables',
      allow: WATCH,
      query: [],
      answer: (visit) => json({ tables: tablesFor(daemon, visit).map((table) => tableEntry(table, sockets)) }),
    },
    {
      method: 'post',
      path: '/api/v1/tables',
      allow: ['gm'],
      wide: true,
      query: [],
      async answer(visit) {
        const made = await daemon.createTable(orderOf(visit.body));
        if (!made.ok) throw new Refused(made.error);
        return json(tableEntry(made.value, sockets), 201);
      },
    },
    {
      method: 'get',
      path: '/api/v1/tables/:table',
      allow: WATCH,
      query: [],
      answer(visit) {
        const { table, viewer } = visitAt(daemon, visit);
        return json(table.snapshot(viewer.audience));
      },
    },
    {
      method: 'get',
      path: '/api/v1/tables/:table/events',
      allow: WATCH,
      query: ['since', 'limit'],
      answer: (visit) => events(daemon, visit),
    },
    {
      method: 'post',
      path: '/api/v1/tables/:table/commands',
      allow: ['gm', 'player'],
      query: [],
      answer: (visit) => command(daemon, visit),
    },
  ];
}
