import type { DieInput } from '../device.js';
import { fromHex } from '../hex.js';
import { type LineDecoder, MAX_LINE_CHARS } from '../line-decoder.js';
import { type GodiceOptions, godice } from './godice.js';

/** `tiro decode` sessions begin with a link that has been up this long (contracts A). */
const LINK_UP_FOR_MS = 60_000;

// A line that was cut in the middle of a byte is still hex: it will be refused for its length, not for the half byte.
const wholeBytes = (text: string): string =>
  text.length > MAX_LINE_CHARS ? text.slice(0, MAX_LINE_CHARS).replace(/\s[0-9a-f]$/i, '') : text;

function inputOf(text: string, at: number): DieInput | null {
  const word = text.trim();
  if (word === 'up' || word === 'down') return { kind: word, at };
  if (text === 'name' || text.startsWith('name ')) return { kind: 'name', at, text: text.slice('name '.length) };
  const bytes = fromHex(wholeBytes(text));
  return bytes === null ? null : { kind: 'notification', at, bytes };
}

/** Decodes one GoDice's session line by line: hex, `up`, `down`, `name TEXT` (contracts A). Session time starts at 0. */
export function godiceLineDecoder(options: GodiceOptions): LineDecoder {
  let state = godice.start(options, 0, LINK_UP_FOR_MS);
  return {
    line: (text, at) => {
      const input = inputOf(text.replace(/\r$/, ''), at);
      if (input === null) return { error: 'expected a notification in hex, up, down or name TEXT' };
      const heard = godice.hear(state, input);
      state = heard.state;
      return heard.signals;
    },
  };
}
