import type { RollWire } from '../../wire/envelope.js';
import type { DieView, TableView } from '../../wire/view.js';
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

/** What this face of a die bears in the place of its number (magic R14); undefined for one that shows its number. */
export function borneBy(view: TableView | null, { die, face, thrown }: RollWire['dice'][number]): string | undefined {
  // A die that is thrown several times for one call bears a mark behind its id.
  const id = die.replace(/~\d+$/, '');
  const names = view?.dice?.find((one) => one.id === id)?.names ?? [];
  const lay = thrown?.face ?? face;
  return names.find(([named]) => named === lay)?.[1];
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
