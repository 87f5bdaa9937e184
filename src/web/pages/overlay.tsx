import { useEffect } from 'preact/hooks';
import { clockTime, say } from '../language.js';
import { RolledDice, SourceBadges } from '../parts/roll.js';
import { Sign, seatIndex } from '../parts/sign.js';
import { type Room, useRoom } from '../room.js';
import { awaitedSentences, nameOf, purposeWord, verdictLine } from '../wording.js';

const SHOWN_ROLLS = 3;

/** Over the picture: transparent, made for 1920 × 1080, right after any restart and any correction. */
export function OverlayPage({ table }: { table: string }) {
  const room = useRoom(table, 'overlay');
  // A browser source must be see-through by itself: not every OBS injects the rule that makes it so.
  useEffect(() => {
    document.documentElement.classList.add('see-through');
    return () => document.documentElement.classList.remove('see-through');
  }, []);
  const view = room.view.value;
  if (view === null) return <Stale room={room} />;
  const sentences = awaitedSentences(view, room.awaited.value);
  return (
    <div class="overlay">
      <Stale room={room} />
      <ol class="overlay-rolls">
        {room.rolls.value.slice(0, SHOWN_ROLLS).map((roll) => {
          const who = roll.seat === null ? say('roll.unbound') : nameOf(view, roll.seat);
          const line = verdictLine(roll);
          return (
            <li key={roll.id} class={`overlay-roll roll-${roll.verdict}`} data-roll={roll.id}>
              <RolledDice roll={roll} size={84} />
              <div>
                <p class="overlay-who">
                  <Sign index={seatIndex(view, roll.seat)} name={who} size={28} /> {who}
                </p>
                <p class="overlay-what">{line === '' ? purposeWord(roll.purpose) : line}</p>
                <p class="roll-badges">
                  <SourceBadges roll={roll} />
                </p>
              </div>
            </li>
          );
        })}
      </ol>
      {sentences.length === 0 ? null : <p class="overlay-awaited">{sentences[0]}</p>}
    </div>
  );
}

function Stale({ room }: { room: Room }) {
  const link = room.link.value;
  const heard = room.heard.value;
  if (link === 'live' || (link === 'connecting' && heard === null)) return null;
  const text = heard === null ? say('link.lostNow') : say('overlay.stale', { time: clockTime(heard) });
  return (
    <p class="overlay-stale">
      {link === 'token' ? say('link.token') : link === 'no_table' ? say('link.noTable') : text}
    </p>
  );
}
