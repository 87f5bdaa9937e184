import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../dice/json.js';
import type { Answer } from '../wire/command.js';
import { firstIssue } from '../wire/command.js';
import { type BoxCounts, boxOrderSchema } from '../wire/dicebound-box.js';
import { forbids } from './access.js';
import type { Daemon } from './daemon.js';
import { errorBody } from './fault.js';
import { visitAt } from './routes-table.js';
import { json, type Reply, type Route, refused, type TableVisit, type Visit } from './visit.js';

/** Bytes of a box that is read: some thousand tiles with their names. */
export const MAX_BOX_BYTES = 1024 * 1024;

const noBox = (): Error => refused(404, 'no_box', 'the game of this table has no box', { remedy: 'begin Dicebound' });

function shown(daemon: Daemon, visit: Visit): Reply {
  const { table, viewer } = visitAt(daemon, visit);
  const contents = table.box(viewer.audience);
  if (contents === null) throw noBox();
  return json(contents);
}

function counted(deeds: readonly JsonObject[]): BoxCounts {
  const counts: { [kind: string]: number } = {};
  for (const [kind, entries] of deeds.flatMap((deed) => Object.entries(deed)))
    counts[kind] = (counts[kind] ?? 0) + Object.keys(entries ?? {}).length;
  return counts;
}

/** Puts the entries before the rules, deed by deed; the first refusal ends it. */
async function entered({ table, viewer }: TableVisit, deeds: readonly JsonObject[]): Promise<Answer | undefined> {
  const one = randomUUID();
  let last: Answer | undefined;
  for (const [at, fields] of deeds.entries()) {
    const args = { seat: 'gm', action: 'box', ...fields };
    last = await table.command(viewer.caller, { id: `box-${one}-${at}`, do: 'choose', args });
    if (last.kind === 'refused') return last;
  }
  return last;
}

async function taken(daemon: Daemon, visit: Visit): Promise<Reply> {
  const at = visitAt(daemon, visit);
  const denied = forbids(at.viewer, { id: 'box', do: 'choose', args: { seat: 'gm', action: 'box' } });
  if (denied !== null) throw refused(403, 'forbidden', denied);
  const order = boxOrderSchema.safeParse(visit.body);
  if (!order.success) throw refused(400, 'body_invalid', firstIssue(order.error));
  const { text, file = 'box.json', dry = false } = order.data;
  const read = at.table.readBox(text, file);
  if (read === null) throw noBox();
  if (!read.ok) {
    const fault = { status: 422, code: 'box_invalid', message: `${read.error.length} faults: nothing was changed` };
    return json({ ...errorBody(fault), faults: read.error }, fault.status);
  }
  const entries = counted(read.value);
  if (dry) return json({ entries });
  const answer = await entered(at, read.value);
  return answer?.kind === 'refused' ? json(answer, 409) : json({ entries });
}

/** The box of a game: what is printed on its tiles and what the GM buys, as one file (docs/schemas/dicebound-box.json). */
export function boxRoutes(daemon: Daemon): readonly Route[] {
  const path = '/api/v1/tables/:table/box';
  return [
    { method: 'get', path, allow: ['gm', 'player'], query: [], answer: (visit) => shown(daemon, visit) },
    {
      method: 'post',
      path,
      allow: ['gm'],
      query: [],
      bodyBytes: MAX_BOX_BYTES,
      answer: (visit) => taken(daemon, visit),
    },
  ];
}
