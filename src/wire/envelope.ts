import { z } from 'zod';
import { PLANAR_FACES, QUALITIES, SOURCES } from '../dice/die.js';
import type { Json } from '../dice/json.js';

/** Any plain value; its depth is bounded by the size of the message it came in. */
export const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(json), z.record(z.string(), json)]),
);

/** What is wanted from whom (contracts B, `awaited[]`). */
export const awaitedSchema = z.object({
  id: z.string(),
  seat: z.string().nullable(),
  what: z.string(),
  rule: z.string(),
  sides: z.number().int().optional(),
  dice: z.array(z.object({ type: z.string() })).optional(),
  /** Dice at hand that may stand for a kind that nobody has here, by agreement (706.1b). */
  substitutes: z.array(z.object({ for: z.string(), by: z.string(), how: z.string() })).optional(),
  options: z.array(json).optional(),
  actions: z.array(z.object({ action: z.string() }).loose()).optional(),
  for: z.string().optional(),
  face: z.number().optional(),
  counter: z.string().optional(),
  ms: z.number().optional(),
  optional: z.literal(true).optional(),
});
export type Awaited = z.infer<typeof awaitedSchema>;

const face = z.union([z.number(), z.enum(PLANAR_FACES)]);

/** A die of a roll (contracts C). */
export const rolledDieSchema = z.object({
  die: z.string(),
  type: z.string(),
  sides: z.number().int(),
  natural: face,
  face,
  result: face,
  status: z.enum(['kept', 'ignored', 'rerolled']),
  source: z.enum(SOURCES),
  quality: z.enum(QUALITIES),
  fake: z.literal(true).optional(),
  /** What lay where another kind of die stood for this one (706.1b). */
  thrown: z.object({ type: z.string(), face }).optional(),
});

/** A roll (contracts C): `natural` and `result` are numbers for one die, absent for several. */
export const rollSchema = z.object({
  id: z.string(),
  game: z.string(),
  seat: z.string().nullable(),
  purpose: z.string(),
  /** Whom or what it is thrown for, as `awaited` names it: which of the GM's monsters, which trap. */
  for: z.string().optional(),
  rule: z.string(),
  dice: z.array(rolledDieSchema),
  modifiers: z.array(z.object({ source: z.string(), amount: z.number() })),
  natural: z.number().optional(),
  result: z.number().optional(),
  total: z.number().optional(),
  row: z.string().optional(),
  doubles: z.boolean().optional(),
  planar: z.enum(PLANAR_FACES).optional(),
  verdict: z.enum(['accepted', 'refused', 'loose']),
  code: z.string().optional(),
  reason: z.string().optional(),
  standing: z.enum(['valid', 'corrected', 'void']),
  origin: z.string(),
  late: z.object({ age_ms: z.number() }).optional(),
});
export type RollWire = z.infer<typeof rollSchema>;

export const RECORD_KINDS = [
  'roll',
  'gathering',
  'counter',
  'choice',
  'call',
  'rewound',
  'game',
  'seat',
  'binding',
  'timer',
  'evening',
  'notice',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** One journalled record as one audience sees it. Something is missing exactly when `prev` is not the last `seq` received. */
export const envelopeSchema = z
  .object({
    v: z.literal(1),
    table: z.string(),
    seq: z.number().int(),
    prev: z.number().int(),
    at: z.iso.datetime({ precision: 3 }),
    clock: z.enum(['trusted', 'untrusted']),
    kind: z.enum(RECORD_KINDS),
    roll: rollSchema.optional(),
    notice: z.object({ code: z.string() }).loose().optional(),
    awaited: z.array(awaitedSchema),
    view: z.record(z.string(), json).optional(),
    durable: z.literal(false).optional(),
    late: z.boolean().optional(),
  })
  .loose();
export type Envelope = z.infer<typeof envelopeSchema>;

/** The whole state of a table for one audience: first message of a client, and `GET /api/v1/tables/T`. */
export const snapshotSchema = z.object({
  kind: z.literal('snapshot'),
  v: z.literal(1),
  table: z.string(),
  seq: z.number().int(),
  view: z.record(z.string(), json),
  awaited: z.array(awaitedSchema),
  rolls: z.array(rollSchema),
  durable: z.literal(false).optional(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

/**
 * What is not journalled: tumbling, battery, link. Never replayed. `die` is empty where it is about no die: then `signal`
 * is `{kind: "overlay", what, …}`, what the GM tells the overlays, with the `overlay` of the view as it now is, and for
 * `what: "test"` the die to show (`type`, `sides`, `natural`).
 */
export const liveSchema = z.object({
  kind: z.literal('live'),
  v: z.literal(1),
  table: z.string(),
  die: z.string(),
  signal: z.record(z.string(), json),
});
export type Live = z.infer<typeof liveSchema>;
