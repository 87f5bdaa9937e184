/** A notification can never be longer than the largest attribute value of Bluetooth. */
export const MAX_NOTIFICATION_BYTES = 512;

/** At most this many bytes of rubbish are repeated in a report; the rest is cut. */
export const MAX_SHOWN_BYTES = 64;

/** Bytes as upper-case hex, cut with an ellipsis after `MAX_SHOWN_BYTES`. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes.subarray(0, MAX_SHOWN_BYTES)) text += byte.toString(16).padStart(2, '0').toUpperCase();
  return bytes.length > MAX_SHOWN_BYTES ? `${text}…` : text;
}

/** Reads hex, either case, blanks allowed between whole bytes; null if the text is anything else. Nothing is zero bytes. */
export function fromHex(text: string): Uint8Array | null {
  const trimmed = text.trim();
  if (!/^(?:[0-9a-f]{2}\s*)*$/i.test(trimmed)) return null;
  const digits = trimmed.replace(/\s+/g, '');
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
