import { z } from 'zod';

const remedied = z.object({ reason: z.string(), remedy: z.string() });

/** An adapter as the table that is open on this computer tells of it (`GET /api/v1/status`). */
const adapter = z.object({
  name: z.string(),
  links: z.number(),
  linked: z.number(),
  state: z.string(),
  trouble: z.object({ it: remedied, en: remedied }).optional(),
});

const status = z.object({ ble: z.object({ radio: z.object({ adapters: z.array(adapter) }) }) });

export type ToldAdapter = z.infer<typeof adapter>;

/** The adapters in a status; none where it tells of no radio at work. */
export function adaptersIn(told: unknown): readonly ToldAdapter[] {
  const read = status.safeParse(told);
  return read.success ? read.data.ble.radio.adapters : [];
}
