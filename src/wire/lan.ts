import { z } from 'zod';

/** Kinds of network interface, best for the phones first. */
export const INTERFACE_KINDS = ['physical', 'public', 'vpn', 'virtual', 'link_local'] as const;

/** Why nobody may have arrived; the pages have a sentence with its remedy for each. */
export const LAN_CAUSES = ['network', 'firewall', 'isolation', 'vpn', 'noInterface'] as const;

/** Answer of `GET` and `POST /api/v1/lan`. `url` carries the invitation's token and is told to the GM only. */
export const lanStateSchema = z.object({
  open: z.boolean(),
  table: z.string().nullable(),
  address: z.string().nullable(),
  port: z.number().int(),
  url: z.string().nullable(),
  /** Number of other devices that have reached us since it was opened. */
  arrived: z.number().int(),
  /** Best first. `chosen` is the one that is open, or would be. */
  interfaces: z.array(
    z.object({ name: z.string(), address: z.string(), kind: z.enum(INTERFACE_KINDS), chosen: z.boolean() }),
  ),
  /** Empty once somebody has arrived. */
  causes: z.array(z.enum(LAN_CAUSES)),
});
export type LanState = z.infer<typeof lanStateSchema>;

/** Body of `POST /api/v1/lan`: opens a table to the phones on an address of the list (or the best), or closes it. */
export const lanOrderSchema = z.discriminatedUnion('open', [
  z.strictObject({ open: z.literal(true), table: z.string().max(32), address: z.string().max(45).optional() }),
  z.strictObject({ open: z.literal(false) }),
]);
export type LanOrder = z.infer<typeof lanOrderSchema>;
