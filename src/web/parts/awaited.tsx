import { say } from '../language.js';
import type { Room } from '../room.js';
import { awaitedSentences } from '../wording.js';
import { Why } from './roll.js';

/** Who is awaited, in words large enough to be read across the table. */
export function AwaitedNow({ room }: { room: Room }) {
  const view = room.view.value;
  const awaited = room.awaited.value;
  const sentences = awaitedSentences(view, awaited);
  const rule = awaited[0]?.rule;
  return (
    <section class="awaited" aria-label={say('awaited.title')} aria-live="polite">
      {sentences.length === 0 ? (
        <p class="awaited-nothing">{nothing(view?.game.id)}</p>
      ) : (
        sentences.slice(0, 6).map((text) => (
          <p key={text} class="awaited-line">
            {text}
          </p>
        ))
      )}
      {sentences.length === 0 ? null : <Why rule={rule} />}
    </section>
  );
}

function nothing(game: string | undefined): string {
  if (game === 'dicebound') return say('awaited.nothingDicebound');
  if (game === 'magic') return say('awaited.nothingMagic');
  if (game === 'free') return say('awaited.nothingFree');
  return say(game === 'external' ? 'awaited.nothingExternal' : 'awaited.nothing');
}
