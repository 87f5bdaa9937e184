import type { LineDecoder } from '../line-decoder.js';
import { FRESH_EAR, hearLine } from './hearing.js';

/**
 * Decodes the lines of one tray's session as they are, in order (contracts A). No handshake is asked for; `crc=8` in a
 * HEL and repeats of (boot, seq) are remembered from line to line. Never gives an error: every text is a line.
 */
export function trayLineDecoder(): LineDecoder {
  let ear = FRESH_EAR;
  return {
    line(text) {
      const heard = hearLine(ear, text);
      ear = heard.ear;
      return [heard.signal];
    },
  };
}
