import { token } from './session.js';

/** An answer of the daemon, or its error in its own words (contracts E). `status` 0: nobody answered. */
export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code: string;
      readonly message: string;
      /** The whole answer, where it says more than its error. */
      readonly body?: unknown;
    };

/** Longest wait for an answer of the daemon, milliseconds. */
const PATIENCE_MS = 8_000;

/** Asks the daemon and reads its JSON. Never rejects. */
export const read = <T>(path: string): Promise<Reply<T>> => ask<T>(path, { method: 'GET' });

/** Sends JSON to the daemon and reads its answer. Never rejects. */
export const send = <T>(path: string, body: unknown, method: 'POST' | 'PUT' = 'POST'): Promise<Reply<T>> =>
  ask<T>(path, { method, body: JSON.stringify(body) });

/** Fetches an image with this device's token; null where there is none. The caller revokes the object URL. */
export async function readImage(path: string): Promise<string | null> {
  try {
    const response = await fetch(path, { headers: headers(false), cache: 'no-store' });
    return response.ok ? URL.createObjectURL(await response.blob()) : null;
  } catch {
    return null;
  }
}

async function ask<T>(path: string, init: RequestInit): Promise<Reply<T>> {
  try {
    const response = await fetch(path, {
      ...init,
      headers: headers(init.body !== undefined),
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return { ok: true, value: body as T };
    return { ok: false, status: response.status, ...errorIn(body), body };
  } catch {
    return { ok: false, status: 0, code: 'offline', message: '' };
  }
}

function headers(json: boolean): Record<string, string> {
  const own = token();
  return {
    ...(json ? { 'content-type': 'application/json' } : {}),
    ...(own === null ? {} : { authorization: `Bearer ${own}` }),
  };
}

function errorIn(body: unknown): { code: string; message: string } {
  const error =
    typeof body === 'object' && body !== null && 'error' in body
      ? (body.error as { code?: unknown; message?: unknown; remedy?: unknown } | null)
      : null;
  const text = [error?.message, error?.remedy].filter((part) => typeof part === 'string').join(' ');
  return { code: typeof error?.code === 'string' ? error.code : 'error', message: text };
}
