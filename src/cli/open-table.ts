import { adaptersIn, type ToldAdapter } from './told-adapters.js';

const ASK_TIMEOUT_MS = 2_000;

/** A table of ours that is open on this computer. `locked`: it answers only to a token, and we have none that it takes. */
export type OpenTable =
  | { readonly locked: true }
  | {
      readonly locked: false;
      readonly version: string;
      readonly mqtt: string | null;
      /** Its Bluetooth adapters; none where it has no radio at work. */
      readonly adapters: readonly ToldAdapter[];
    };

/** What is missing where a table is locked. */
export const LOCKED = {
  told: { it: 'il tavolo aperto qui chiede una chiave', en: 'the table that is open here needs a token' },
  remedy: {
    it: 'metti una chiave di Master nella variabile TIRO_TOKEN (tiro token create --role gm)',
    en: 'put a GM token into the variable TIRO_TOKEN (tiro token create --role gm)',
  },
} as const;

/** Asks the table on this computer, with the token in TIRO_TOKEN. Rejects where nobody answers, or not in JSON. */
export async function askTable(
  port: number,
  path: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const token = process.env.TIRO_TOKEN;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Asks whoever answers on this port whether it is one of ours; undefined if not. */
export async function openTableAt(port: number): Promise<OpenTable | undefined> {
  try {
    const { status, body } = await askTable(port, '/api/v1/status');
    const told = body as { version?: unknown; tables?: unknown; mqtt?: { url?: unknown }; error?: { code?: unknown } };
    if (status === 401 || status === 403) {
      return String(told.error?.code).startsWith('token_') ? { locked: true } : undefined;
    }
    if (typeof told.version !== 'string' || !Array.isArray(told.tables)) return undefined;
    const mqtt = typeof told.mqtt?.url === 'string' ? told.mqtt.url : null;
    return { locked: false, version: told.version, mqtt, adapters: adaptersIn(body) };
  } catch {
    return undefined;
  }
}
