import type { Signal } from './device.js';

/** Why a line could not even be taken as one: neither hex nor a word of the protocol. */
export interface LineFault {
  readonly error: string;
}

/** One device's session told line by line, as `tiro decode` reads it (contracts A). */
export interface LineDecoder {
  /**
   * @param text the line without its end and without `@MS`; cut to one character above the reader's limit if longer
   * @param at monotonic milliseconds of the session, never running backwards
   */
  line(text: string, at: number): readonly Signal[] | LineFault;
}

/** Longest line a reader hands on; one character more tells the decoder that the line was longer. */
export const MAX_LINE_CHARS = 4096;
