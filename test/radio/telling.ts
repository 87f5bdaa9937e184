import type { Frame } from './labelled.js';

// What messages tell of a movement, read off the protocol pages with nothing of the codecs that are tested.

/** Which face lay up before: kept from movement to movement. */
export interface Lying {
  face: string | null;
}

const FEWEST_FACES = 3;

/**
 * True if a Pixels die says what it says of a throw: rolling, then rolled, and not just the old face after a blow
 * (protocols/pixels §4.2, §4.6).
 */
function pixelsTellsThrow(frames: readonly string[], lying: Lying): boolean {
  const rolling = new Set<string>();
  const before = lying.face;
  let tells = false;
  for (const frame of frames) {
    const [word, face] = [frame.slice(0, 4), frame.slice(4)];
    if (word === '0303') rolling.add(face);
    if (word === '0301' && (rolling.size >= FEWEST_FACES || (rolling.size > 0 && face !== before))) tells = true;
    if (word === '0301' || word === '0305' || word === '0304') {
      if (word === '0301') rolling.clear();
      lying.face = face;
    }
  }
  return tells;
}

/** True if a GoDice says what it says of a throw: R, then S or TS (protocols/godice §5). */
const godiceTellsThrow = (frames: readonly string[]): boolean =>
  /\b52( |$)(\S+ )*?(53|5453)[0-9a-f]{6}\b/.test(frames.join(' '));

/** True if the messages of a movement are those of a throw: then no listener can tell the two apart. */
export function tellsThrow(make: 'pixels' | 'godice', frames: readonly Frame[], lying: Lying): boolean {
  const hex = frames.map(({ bytes }) => Buffer.from(bytes).toString('hex'));
  return make === 'pixels' ? pixelsTellsThrow(hex, lying) : godiceTellsThrow(hex);
}
