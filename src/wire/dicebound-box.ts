import { z } from 'zod';

/** Name and version of the file's form. */
export const BOX_FORMAT = 'tiro-dicebound-box';
export const BOX_VERSION = 1;

const id = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'a-z 0-9 _ -, at most 32 characters');
const kind = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,25}$/, 'a-z 0-9 _ -, at most 26 characters');
const text = z.string().max(200);
const names = z.union([text, z.strictObject({ it: text, en: text.optional() })]).nullable();
const die = z.union([z.number().int().min(2).max(100), z.string().regex(/^[dD][1-9]\d{0,2}$/)]).nullable();
const whole = (low: number, high: number) => z.number().int().min(low).max(high);
const stat = z.enum(['physical', 'magic', 'defence', 'agility']);

const star = z.strictObject({
  damage: whole(0, 100).optional(),
  heal: whole(0, 100).optional(),
  pa: whole(0, 100).optional(),
  die: die.optional(),
  cost: whole(-20, 20).optional(),
  limit: whole(0, 100).nullable().optional(),
  per: z.enum(['turn', 'fight', 'rest']).optional(),
  text: names.optional(),
});

const tile = z.strictObject({
  slot: z.enum(['physical', 'magic', 'armour', 'accessory']),
  class: z.string().nullable().optional(),
  cost: whole(0, 20).optional(),
  flat: whole(-20, 20).optional(),
  die: die.optional(),
  heal: whole(0, 100).optional(),
  pa: whole(0, 100).optional(),
  stat: stat.nullable().optional(),
  star: z.union([z.boolean(), star]).nullable().optional(),
  consumable: z.boolean().optional(),
  rarity: z.enum(['common', 'rare', 'legendary']).optional(),
  name: names.optional(),
});

const classes = z.strictObject({
  name: names.optional(),
  dice: z.strictObject({ physical: die, magic: die, defence: die, agility: die }),
});

const perk = z.union([
  z.strictObject({ kind: z.literal('advantage'), stat, checks: z.boolean().optional() }),
  z.strictObject({ kind: z.literal('mastery'), stat, amount: whole(-20, 20) }),
  z.strictObject({ kind: z.literal('economy') }),
]);

const attack = z.strictObject({
  sides: die,
  dice: whole(1, 50).optional(),
  flat: whole(-20, 50).optional(),
  cost: whole(0, 50).optional(),
});

const monster = z.strictObject({
  name: names.optional(),
  cost: whole(0, 1000),
  pv: whole(1, 10_000),
  pa: whole(0, 100),
  defence: die,
  agility: die,
  horde: z
    .union([z.boolean(), whole(1, 50)])
    .nullable()
    .optional(),
  pawn: z.string().nullable().optional(),
  attacks: z.strictObject({ physical: attack.nullable().optional(), magic: attack.nullable().optional() }),
});

const damage = z.strictObject({ dice: whole(0, 20).optional(), sides: die, flat: whole(0, 100).optional() });

const trap = z.strictObject({
  name: names.optional(),
  cost: whole(0, 1000),
  who: z.enum(['one', 'all']).optional(),
  pa: whole(0, 20).optional(),
  damage: z.union([whole(0, 100), damage]).optional(),
  defence: z.boolean().optional(),
});

const environment = z.strictObject({
  name: names.optional(),
  cost: whole(0, 1000),
  magicCost: whole(-5, 20).optional(),
  physicalCost: whole(-5, 20).optional(),
  dodgeCost: whole(-5, 20).optional(),
  text: names.optional(),
});

const level = z.string().regex(/^([1-9]|10)$/);

/** The file in which a box of Dicebound is kept: what is printed on its tiles, its classes, what the GM buys. */
export const diceboundBoxSchema = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal(BOX_FORMAT),
  version: z.literal(BOX_VERSION),
  classes: z.record(id, classes).optional(),
  tiles: z.record(id, tile).optional(),
  perks: z.record(id, z.record(level, z.union([perk, z.array(perk)]))).optional(),
  monsters: z.record(kind, monster).optional(),
  traps: z.record(kind, trap).optional(),
  environments: z.record(id, environment).optional(),
});

/**
 * A fault in such a file: where it stands, what is wrong, and what to write instead, in English and in Italian. `field` is
 * empty for the whole.
 */
export const boxFaultSchema = z.object({
  file: z.string(),
  line: z.number().int().min(1),
  field: z.string(),
  reason: z.string(),
  remedy: z.string(),
  inItalian: z.object({ reason: z.string(), remedy: z.string() }),
});
export type BoxFault = z.infer<typeof boxFaultSchema>;

/** What `POST /api/v1/tables/T/box` takes. `dry`: only a look. */
export const boxOrderSchema = z.strictObject({
  file: z.string().max(200).optional(),
  text: z.string(),
  dry: z.boolean().optional(),
});

/** Entries of each kind that a file brought. */
export type BoxCounts = { readonly [kind: string]: number };
