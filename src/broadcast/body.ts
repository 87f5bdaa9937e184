import type { IncomingMessage } from 'node:http';
import { parseJson } from './bounded-json.js';
import { refused } from './visit.js';

/** Bytes of a request's body (F131). */
export const MAX_BODY_BYTES = 64 * 1024;

/** Only JSON in plain UTF-8: a form of another site cannot send it without asking first (F077). */
const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i;

/** Refuses any other kind of body before it is read. */
export function checkBodyKind(request: IncomingMessage): void {
  const packed = request.headers['content-encoding'] ?? 'identity';
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '') || packed !== 'identity')
    throw refused(415, 'not_json', 'send application/json in UTF-8, not compressed');
}

/** Reads JSON of at most `most` bytes. Refuses at the first byte too many, without reading on. */
export async function readBody(request: IncomingMessage, most: number = MAX_BODY_BYTES): Promise<unknown> {
  const large = refused(413, 'too_large', `the body is larger than ${most} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > most) throw large;
  const parts: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= most) parts.push(part);
      else {
        request.pause();
        reject(large);
      }
    });
    request.once('end', resolve);
    request.once('error', () => reject(refused(400, 'body_invalid', 'the body broke off')));
    request.once('close', () => reject(refused(400, 'body_invalid', 'the body broke off')));
  });
  const parsed = parseJson(Buffer.concat(parts).toString('utf8'));
  if (!parsed.ok) throw refused(400, 'json_invalid', parsed.error, { where: 'body' });
  return parsed.value;
}
