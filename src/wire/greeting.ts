import { z } from 'zod';

/** First word of the daemon on a WebSocket (contracts D). `seq`: newest record told to this audience. */
export const helloSchema = z.object({
  kind: z.literal('hello'),
  version: z.string(),
  role: z.enum(['gm', 'player', 'overlay', 'spectator']),
  seat: z.string().optional(),
  seq: z.number().int(),
});
export type Hello = z.infer<typeof helloSchema>;

/** A message on a WebSocket that could not be read as a command. */
export const wireErrorSchema = z.object({ kind: z.literal('error'), code: z.string(), message: z.string() });

/** Body of every HTTP refusal (contracts E). */
export const faultSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    where: z.string().optional(),
    remedy: z.string().optional(),
  }),
});
