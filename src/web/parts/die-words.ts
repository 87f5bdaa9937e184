import type { DieView } from '../../wire/view.js';
import { keyOf, say } from '../language.js';

/** From this signal strength on (dBm) a die is near, or at least in the room. */
const STRONG = -60;
const FAIR = -75;

/** A die as people call it: its name, else model and colour. */
export function dieName({ name, model, colour, id, fake }: DieView): string {
  if (name !== null) return name;
  if (fake || colour === undefined) return id;
  return `${model}, ${colourWord(colour)}`;
}

/** A colour in the reader's language; one that a maker named by itself stays as it is. */
export function colourWord(colour: string): string {
  const key = keyOf(`colour.${colour}`);
  return key === undefined ? colour : say(key);
}

/** How strong a die's signal is; empty where it is not known. */
export function signalText({ rssi }: DieView): string {
  if (rssi === undefined) return '';
  return say(rssi >= STRONG ? 'die.signal.strong' : rssi >= FAIR ? 'die.signal.fair' : 'die.signal.weak');
}

/** How a Bluetooth die is followed where it is not simply linked; empty where there is nothing to say. */
export function followingText({ following }: DieView): string {
  if (following === undefined || following.by === 'link') return '';
  if (following.by === 'none') return `⚠ ${say('die.followed.none')}`;
  if (following.percent === undefined) return say('die.followed.adverts');
  const n = following.percent;
  return following.unreliable === true
    ? `⚠ ${say('die.followed.badly', { n })}`
    : say('die.followed.advertsHeard', { n });
}
