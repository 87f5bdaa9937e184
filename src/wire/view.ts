import { z } from 'zod';
import { previewSchema } from './command.js';
import { json, rollSchema } from './envelope.js';

const counters = z.record(z.string(), z.number());

/**
 * A die that counts for a seat. `face` is what lies on the table, null until set; `expected` is what the rules say it
 * should show. `mismatch`: they differ. `armed`: it counts; false from a pause until it is set again.
 */
export const trackerViewSchema = z.looseObject({
  counter: z.string(),
  die: z.string(),
  face: z.union([z.number(), z.string()]).nullable(),
  expected: z.number().optional(),
  mismatch: z.boolean().optional(),
  armed: z.boolean(),
});
export type TrackerView = z.infer<typeof trackerViewSchema>;

/** A player's place as people see it. `name` is shown literally and never enters a path or a topic. */
export const seatViewSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  counters,
  trackers: z.array(trackerViewSchema).optional(),
});
export type SeatView = z.infer<typeof seatViewSchema>;

/** The game on the table: its id, what this audience may know of its state, and how it was set up. */
export const gameViewSchema = z.looseObject({
  id: z.string(),
  state: z.record(z.string(), json),
  options: z.record(z.string(), json).optional(),
});
export type GameView = z.infer<typeof gameViewSchema>;

export const DIE_STATES = ['unknown', 'shared', 'bound', 'blocked', 'elsewhere'] as const;

/**
 * A die as the GM's screen and the table list it. `state`: unknown (heard, not counted), shared (any seat's), bound
 * (whose it is and its duty), blocked, elsewhere (enrolled at the table named in `table`). `battery` is 0…100 percent,
 * `low` where two readings in a row were low. `colour` and `rssi` (dBm) are what a Bluetooth die advertises; `following`
 * says how it is listened to; `shell` is what a GoDice wears, `kind` what its owner says a die is, `names` what some faces
 * bear in the place of their numbers, `doubt` that its rests fit another shell.
 */
export const dieViewSchema = z.looseObject({
  id: z.string(),
  type: z.string().nullable(),
  model: z.string(),
  seat: z.string().nullable(),
  duty: z.enum(['rolls', 'counts', 'pawn']).nullable(),
  counter: z.string().nullable(),
  link: z.string(),
  battery: z.number().nullable(),
  low: z.literal(true).optional(),
  face: z.union([z.number(), z.string()]).nullable(),
  fake: z.boolean(),
  name: z.string().nullable(),
  state: z.enum(DIE_STATES).catch('unknown'),
  table: z.string().nullable().optional(),
  colour: z.string().optional(),
  rssi: z.number().optional(),
  following: z
    .object({
      by: z.enum(['link', 'adverts', 'none']),
      adapter: z.string().optional(),
      why: z.literal('no_link_left').optional(),
      percent: z.number().optional(),
      unreliable: z.literal(true).optional(),
    })
    .optional(),
  shell: z.string().optional(),
  kind: z.string().optional(),
  names: z
    .array(z.tuple([z.union([z.number(), z.string()]), z.string()]).readonly())
    .readonly()
    .optional(),
  doubt: z.literal('shell').optional(),
});
export type DieView = z.infer<typeof dieViewSchema>;

const reasonSchema = z.object({ reason: z.string(), remedy: z.string() });

/**
 * The Bluetooth radio (GM): what it does, how many dice its adapters link at once, and, where it or one of them does not
 * work, the reason and what to do. `quiet`: it works, and no enrolled die is awake. `adapters`: each of several.
 */
export const radioViewSchema = z.looseObject({
  state: z.string(),
  links: z.number().int(),
  adapters: z
    .array(z.looseObject({ name: z.string(), state: z.string(), links: z.number().int(), linked: z.number().int() }))
    .optional(),
  it: reasonSchema.optional(),
  en: reasonSchema.optional(),
});
export type RadioView = z.infer<typeof radioViewSchema>;

/**
 * The window in which a seat's dice are claimed by throwing them (command `collect`). `leftMs`: it is open for so long
 * yet; absent once it is closed. `small`, `large`: in a crowd a die shows these two numbers, one after the other (d4 and d6
 * the small pair). `dice`: claimed so far, with the duty each got. `asked`: claimed, and a person must say what they are for.
 */
export const claimViewSchema = z.looseObject({
  seat: z.string(),
  how: z.enum(['one', 'set']),
  leftMs: z.number().optional(),
  small: z.array(z.number()).optional(),
  large: z.array(z.number()).optional(),
  dice: z.array(
    z.looseObject({
      die: z.string(),
      model: z.string(),
      type: z.string().nullable(),
      duty: z.enum(['rolls', 'counts', 'pawn']).optional(),
      counter: z.string().optional(),
    }),
  ),
  asked: z.array(z.looseObject({ die: z.string(), why: z.string() })),
});
export type ClaimView = z.infer<typeof claimViewSchema>;

/** Something people should know that is no roll: its code, whom it concerns, and what its sentence needs. */
export const noticeViewSchema = z.looseObject({
  code: z.string(),
  seat: z.string().optional(),
  seq: z.number().int().optional(),
  at: z.string().optional(),
});
export type NoticeView = z.infer<typeof noticeViewSchema>;

/**
 * What the GM has told the overlays (command `show`); kept in memory only. `hidden`: they show nothing. `paused`: they
 * show the table as it was at this record, rulings apart.
 */
export const overlayViewSchema = z.looseObject({
  hidden: z.literal(true).optional(),
  paused: z.number().int().optional(),
});
export type OverlayView = z.infer<typeof overlayViewSchema>;

/**
 * The whole state of a table for one audience: `view` of envelopes and snapshots. What an audience may not know is
 * absent. Unknown fields are kept, so that an older page can read a newer daemon.
 * `previews` (GM): rulings waiting for `confirm`. `incomplete`: the chronicle holds a kind this version does not know.
 * `degraded`: the chronicle cannot be written.
 */
export const tableViewSchema = z.looseObject({
  name: z.string().optional(),
  seats: z.array(seatViewSchema),
  game: gameViewSchema,
  evening: z.enum(['open', 'paused', 'closed']),
  dice: z.array(dieViewSchema).optional(),
  loose: z.array(rollSchema).optional(),
  notices: z.array(noticeViewSchema).optional(),
  previews: z.array(previewSchema).optional(),
  incomplete: z.literal(true).optional(),
  degraded: z.literal(true).optional(),
  overlay: overlayViewSchema.optional(),
  collecting: claimViewSchema.optional(),
  radio: radioViewSchema.optional(),
});
export type TableView = z.infer<typeof tableViewSchema>;
