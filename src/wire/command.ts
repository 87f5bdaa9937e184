import { z } from 'zod';
import { ID_PATTERN } from '../dice/ids.js';
import { json } from './envelope.js';

const id = z.string().regex(ID_PATTERN, 'a small letter or digit, then at most 31 of a-z 0-9 _ -');
const opaque = z.string().regex(/^[!-~]{1,64}$/, '1 to 64 printable characters');
const face = z.number().int().min(-1000).max(1000);
const dieType = z.string().regex(/^(d\d{1,4}|d00|d%|planar|fudge)$/, 'a die such as d20, d00, planar or fudge');
const natural = z.union([face, z.enum(['planeswalker', 'chaos', 'blank'])]);

/** Whose a die is and what it is for. */
const binding = {
  seat: id.nullable(),
  duty: z.enum(['rolls', 'counts', 'pawn']).optional(),
  counter: id.optional(),
};

/** What a GoDice wears; bare it is a D6, in a d10x a tens die. */
export const SHELLS = ['d4', 'd6', 'd8', 'd10', 'd10x', 'd12', 'd20'] as const;
const shell = z.enum(SHELLS);

/**
 * What the GM can tell all overlays of a table: to hide all, to show what goes on while new things wait (`pause`), to show
 * the last roll again, or a roll of the computer that is written down nowhere, for a look whether it is seen (`test`).
 */
export const OVERLAY_ORDERS = ['hide', 'show', 'pause', 'resume', 'again', 'test'] as const;
export type OverlayOrder = (typeof OVERLAY_ORDERS)[number];

/** Arguments of each command (contracts D, `do`). Choices carry the action's own fields beside `action`. */
export const commandArgs = {
  call: z.strictObject({
    id: opaque.optional(),
    seat: id.nullable().optional(),
    notation: z.string().min(1).max(200),
    purpose: z.string().max(200).optional(),
    ttl: z.number().int().min(1).max(86_400_000).optional(),
  }),
  cancel: z.strictObject({ id: opaque }),
  expect: z.strictObject({ seat: id, counter: id, face: face.nullable() }),
  type: z.strictObject({
    seat: id.optional(),
    call: opaque.optional(),
    die: id.optional(),
    sides: z.number().int().min(2).max(1000).optional(),
    type: dieType.optional(),
    natural: natural.optional(),
    dice: z
      .array(z.strictObject({ type: dieType, natural }))
      .min(1)
      .max(100)
      .optional(),
  }),
  digital: z.strictObject({
    seat: id.optional(),
    call: opaque.optional(),
    dice: z.array(dieType).min(1).max(100).optional(),
  }),
  choose: z.looseObject({
    seat: id.optional(),
    call: opaque.optional(),
    option: json.optional(),
    action: z.string().max(64).optional(),
  }),
  set: z.strictObject({ seat: id.optional(), counter: id, face }),
  claim: z.strictObject({ roll: opaque, seat: id.optional(), call: opaque.optional() }),
  correct: z.strictObject({
    roll: opaque,
    natural: natural.optional(),
    dice: z.array(natural).min(1).max(100).optional(),
  }),
  void: z.strictObject({ roll: opaque }),
  assign: z.strictObject({ roll: opaque, seat: id, call: opaque.optional() }),
  undo: z.strictObject({ n: z.number().int().min(1).max(100).optional() }),
  redo: z.strictObject({}),
  confirm: z.strictObject({ preview: opaque }),
  accept: z.strictObject({ seat: id.optional(), counter: id }),
  lend: z.strictObject({ roll: opaque, seat: id }),
  bind: z.strictObject({ die: id, ...binding, shell: shell.optional() }),
  enrol: z.strictObject({
    die: id,
    enrolled: z.boolean().optional(),
    name: z.string().max(60).optional(),
    shell: shell.nullable().optional(),
    kind: dieType.nullable().optional(),
    faces: z
      .array(z.tuple([z.number().int().min(0).max(255), natural]))
      .max(100)
      .optional(),
    names: z
      .array(z.tuple([natural, z.string().trim().min(1).max(40)]))
      .max(100)
      .optional(),
  }),
  enlist: z.strictObject({
    dice: z
      .array(z.strictObject({ die: id, ...binding, shell: shell.optional(), name: z.string().max(60).optional() }))
      .min(1)
      .max(200),
  }),
  collect: z.strictObject({
    seat: id,
    how: z.enum(['one', 'set']).optional(),
    crowd: z.boolean().optional(),
    stop: z.literal(true).optional(),
  }),
  block: z.strictObject({ die: id, blocked: z.boolean().optional() }),
  seat: z.strictObject({ id, name: z.string().min(1).max(60).optional(), remove: z.literal(true).optional() }),
  game: z.strictObject({ game: id, options: z.record(z.string(), json).optional() }),
  blink: z.strictObject({ die: id }),
  open: z.strictObject({}),
  pause: z.strictObject({}),
  resume: z.strictObject({}),
  close: z.strictObject({}),
  show: z.strictObject({ what: z.enum(OVERLAY_ORDERS) }),
} as const;

export type CommandName = keyof typeof commandArgs;
export const COMMAND_NAMES = Object.keys(commandArgs) as readonly CommandName[];

/** A parsed command: `do` with the arguments its schema has checked. */
export type Command = {
  [K in CommandName]: { readonly id: string; readonly do: K; readonly args: z.infer<(typeof commandArgs)[K]> };
}[CommandName];

/** The frame around a command (contracts D): a client's own id, the verb and its arguments. */
export const commandFrame = z.object({
  id: opaque,
  do: z.enum(COMMAND_NAMES as [CommandName, ...CommandName[]]),
  args: z.record(z.string(), json).default({}),
});

/** What would change if a ruling about the past were confirmed (design, Corrections). */
export const previewSchema = z.object({
  id: z.string(),
  changes: z.array(z.object({ what: z.string(), before: json, after: json })),
  loose: z.array(z.object({ seq: z.number().int(), reason: z.string() })),
  trackers: z.array(z.object({ seat: z.string(), counter: z.string(), face: z.number() })),
});
export type Preview = z.infer<typeof previewSchema>;

/** The command was taken; `seq` is the record it made, `durable: false` while the journal cannot write. */
export const ackSchema = z.object({
  kind: z.literal('ack'),
  id: z.string(),
  seq: z.number().int().nullable(),
  durable: z.boolean(),
  preview: previewSchema.optional(),
  roll: z.string().optional(),
});
export type Ack = z.infer<typeof ackSchema>;

/** The command changed nothing, and why. `roll`: the throw that did not count; it is written down and may be claimed or assigned. */
export const refusedSchema = z.object({
  kind: z.literal('refused'),
  id: z.string(),
  code: z.string(),
  rule: z.string().optional(),
  reason: z.string(),
  expected: z.string().optional(),
  roll: z.string().optional(),
});
export type Refused = z.infer<typeof refusedSchema>;
export type Answer = Ack | Refused;

/** Parses a command frame and its arguments; an error names the field and what it must be. */
export function parseCommand(input: unknown): { ok: true; value: Command } | { ok: false; id: string; error: string } {
  const frame = commandFrame.safeParse(input);
  if (!frame.success) return { ok: false, id: idOf(input), error: firstIssue(frame.error) };
  const args = commandArgs[frame.data.do].safeParse(frame.data.args);
  if (!args.success) return { ok: false, id: frame.data.id, error: firstIssue(args.error, 'args') };
  return { ok: true, value: { id: frame.data.id, do: frame.data.do, args: args.data } as Command };
}

function idOf(input: unknown): string {
  const value = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined;
  return typeof value === 'string' ? value.slice(0, 64) : '';
}

/** The first fault of a schema check in one line: path, then what is wrong. `within`: where the checked value itself stands. */
export function firstIssue(error: z.ZodError, within?: string): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not valid';
  const path = [...(within === undefined ? [] : [within]), ...issue.path.map(String)].join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
