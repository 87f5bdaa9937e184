import type { DieInput } from '../device.js';
import { fromHex } from '../hex.js';
import { type LineDecoder, MAX_LINE_CHARS } from '../line-decoder.js';
import { pixels } from './pixels.js';
import type { PixelsOptions } from './pixels-state.js';

/** `tiro decode` sessions begin with a link that has been up this long (contracts A). */
const LINK_UP_FOR_MS = 60_000;
const ADVERT = 'adv ';
const SCAN_RESPONSE = ' sr ';

// A line that was cut in the middle of a byte is still hex: it will be refused for its length, not for the half byte.
const wholeBytes = (text: string): string =>
  text.length > MAX_LINE_CHARS ? text.slice(0, MAX_LINE_CHARS).replace(/\s[0-9a-f]$/i, '') : text;

/** Whole bytes, at least one. */
const someBytes = (text: string): Uint8Array | null => {
  const bytes = fromHex(text);
  return bytes === null || bytes.length === 0 ? null : bytes;
};

function advertOf(text: string, at: number): DieInput | null {
  const [packet = '', response, surplus] = text.split(SCAN_RESPONSE);
  const advert = someBytes(packet);
  if (advert === null || surplus !== undefined) return null;
  if (response === undefined) return { kind: 'advert', at, advert };
  const scanResponse = someBytes(response);
  return scanResponse === null ? null : { kind: 'advert', at, advert, scanResponse };
}

function inputOf(text: string, at: number): DieInput | null {
  const word = text.trim();
  if (word === 'up' || word === 'down') return { kind: word, at };
  if (text.startsWith(ADVERT)) return advertOf(wholeBytes(text).slice(ADVERT.length), at);
  const bytes = fromHex(wholeBytes(text));
  return bytes === null ? null : { kind: 'notification', at, bytes };
}

/** Decodes one Pixels' session line by line: hex, `up`, `down`, `adv HEX[ sr HEX]` (contracts A). Time starts at 0. */
export function pixelsLineDecoder(options: PixelsOptions): LineDecoder {
  let state = pixels.start(options, 0, LINK_UP_FOR_MS);
  return {
    line: (text, at) => {
      const input = inputOf(text.replace(/\r$/, ''), at);
      if (input === null) return { error: 'expected a notification in hex, up, down or adv HEX[ sr HEX]' };
      const heard = pixels.hear(state, input);
      state = heard.state;
      return heard.signals;
    },
  };
}
