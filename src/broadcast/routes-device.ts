import { z } from 'zod';
import { isId } from '../dice/ids.js';
import { firstIssue } from '../wire/command.js';
import type { Daemon, FakeDeed } from './daemon.js';
import { json, Refused, type Reply, type Route, refused, type Visit } from './visit.js';

const value = z.union([z.number().int().min(-1000).max(1000), z.enum(['planeswalker', 'chaos', 'blank'])]);

/** Bytes of one notification: no radio frame carries more (ATT attribute value, 512). */
const MAX_HEX = 1024;
const MAX_LINE = 4096;

const deeds = new Map<string, (body: unknown) => FakeDeed | string>();

function deed<T extends z.ZodType>(verb: string, schema: T, make: (body: z.infer<T>) => FakeDeed): void {
  deeds.set(verb, (body) => {
    const parsed = schema.safeParse(body);
    return parsed.success ? make(parsed.data) : firstIssue(parsed.error);
  });
}

const hex = z
  .string()
  .max(MAX_HEX)
  .regex(/^(?:[0-9a-fA-F]{2})*$/, 'whole bytes in hex');
deed('notify', z.strictObject({ hex }), (body) => ({ verb: 'notify', hex: body.hex }));
deed('link', z.strictObject({ up: z.boolean() }), (body) => ({ verb: 'link', up: body.up }));
deed('roll', z.strictObject({ natural: value }), (body) => ({ verb: 'roll', natural: body.natural }));
deed('set', z.strictObject({ face: value }), (body) => ({ verb: 'set', face: body.face }));
deed('line', z.strictObject({ text: z.string().max(MAX_LINE) }), (body) => ({ verb: 'line', text: body.text }));

async function drive(daemon: Daemon, visit: Visit): Promise<Reply> {
  const device = visit.params.get('device') ?? '';
  const verb = visit.params.get('verb') ?? '';
  const read = deeds.get(verb);
  if (!isId(device) || read === undefined)
    throw refused(404, 'not_found', `a fake device is told one of: ${[...deeds.keys()].join(', ')}`);
  const wanted = read(visit.body);
  if (typeof wanted === 'string') throw refused(400, 'body_invalid', wanted);
  const done = await daemon.fake(device, wanted);
  if (!done.ok) throw new Refused(done.error);
  return json(done.value);
}

/** Routes of the dice and of the fake devices (contracts E). */
export function deviceRoutes(daemon: Daemon): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/dice',
      allow: ['gm', 'player', 'overlay', 'spectator'],
      query: [],
      answer(visit) {
        const { grant } = visit;
        const all = grant?.role === 'gm' && grant.table === undefined;
        const dice = daemon
          .dice()
          .filter((die) => all || (die.table !== null && (grant?.table ?? die.table) === die.table));
        return json({ dice });
      },
    },
    {
      method: 'post',
      path: '/api/v1/fake/:device/:verb',
      allow: ['gm'],
      wide: true,
      query: [],
      answer: (visit) => drive(daemon, visit),
    },
  ];
}
