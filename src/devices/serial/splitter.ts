import { MAX_LINE_BYTES } from './hearing.js';

/** What comes out of a stream of bytes. Text is latin1: one character per byte, so that no byte is lost or glued (F157). */
export interface Lines {
  line(text: string): void;
  /** A line has grown over the cap; the rest of it is dropped up to the next newline. */
  overlong(beginning: string): void;
}

/** So much of an overlong line is shown. */
const BEGINNING_BYTES = 48;
const LF = 10;

/**
 * Cuts bytes into lines at LF and holds at most 256 bytes, whatever comes (F006). Empty lines are passed over. Each
 * connection gets its own: half a line of the last one must never be glued to the first of the next.
 */
export class LineSplitter {
  readonly #lines: Lines;
  readonly #pending = new Uint8Array(MAX_LINE_BYTES);
  #length = 0;
  #dropping = false;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Takes the next bytes; lines come out before it returns. */
  feed(chunk: Uint8Array): void {
    let start = 0;
    while (start < chunk.length) {
      const newline = chunk.indexOf(LF, start);
      const end = newline < 0 ? chunk.length : newline;
      if (!this.#dropping) this.#take(chunk.subarray(start, end));
      if (newline < 0) return;
      if (!this.#dropping) this.#emit();
      this.#dropping = false;
      start = newline + 1;
    }
  }

  /** The LF counts: 255 bytes before it are the most. */
  #take(bytes: Uint8Array): void {
    if (this.#length + bytes.length < MAX_LINE_BYTES) {
      this.#pending.set(bytes, this.#length);
      this.#length += bytes.length;
      return;
    }
    this.#pending.set(bytes.subarray(0, MAX_LINE_BYTES - this.#length), this.#length);
    this.#lines.overlong(String.fromCharCode(...this.#pending.subarray(0, BEGINNING_BYTES)));
    this.#length = 0;
    this.#dropping = true;
  }

  #emit(): void {
    const bytes = this.#pending.subarray(0, this.#length);
    this.#length = 0;
    const blank = bytes.length === 0 || (bytes.length === 1 && bytes[0] === 13);
    if (blank) return;
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    this.#lines.line(text);
  }
}
