import type { Answer } from '../../wire/command.js';
import { read, send } from '../daemon.js';
import type { Room } from '../room.js';
import { boxAddress } from './box-source.js';
import { type Box, playsDicebound, readDicebound } from './game.js';

const isSample = ({ name }: { readonly name?: { readonly en?: string } }): boolean =>
  name?.en?.endsWith('(sample)') === true;

/** True if the samples were taken out of this box. */
const withoutSamples = (box: Box): boolean =>
  ![box.classes, box.tiles, box.monsters ?? {}].flatMap((table) => Object.values(table)).some(isSample);

/**
 * Begins another game of Dicebound with the box of the one that is played: what was entered from the real box must not be
 * entered again.
 * @param begin begins it
 */
export async function keepingBox(room: Room, begin: () => Promise<Answer>): Promise<void> {
  const view = room.view.value;
  const kept =
    playsDicebound(view) && readDicebound(view).box.edits > 0 ? await read<Box>(boxAddress(room.door)) : null;
  const begun = await begin();
  if (begun.kind !== 'ack' || kept?.ok !== true) return;
  await send(boxAddress(room.door), { file: 'box.json', text: JSON.stringify(kept.value) });
  if (withoutSamples(kept.value)) await room.command('choose', { seat: 'gm', action: 'box', remove: 'samples' });
}
