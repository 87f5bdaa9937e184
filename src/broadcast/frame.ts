/** Payloads longer than these need the two longer forms of the length (RFC 6455, 5.2). */
const SHORT = 125;
const MEDIUM = 0xffff;

/** First byte of a whole text message from a server: FIN and opcode 1; servers never mask. */
const WHOLE_TEXT = 0x81;

/**
 * A whole text message as it goes over the wire (RFC 6455, 5.2), made once for all who get it: `ws` would write a header
 * of its own for every client. Holds only while nothing else can lie in its queue: no compression, no blobs.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length <= SHORT ? 2 : length <= MEDIUM ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = WHOLE_TEXT;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, head);
  return frame;
}
