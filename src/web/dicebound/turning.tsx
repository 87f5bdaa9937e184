import { useSignal } from '@preact/signals';
import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import type { Room } from '../room.js';
import { counterWord, nameOf } from '../wording.js';
import { faceText, trackerDie } from './words.js';

interface TurningProps {
  readonly room: Room;
  readonly calls: readonly Awaited[];
  /** On the GM's screen: whose each die is is said with it. */
  readonly asGm?: boolean;
}

/** Trackers that should be turned: die, face, and whose; who has no smart die says so with a tap (D3). */
export function DiceToTurn({ room, calls, asGm = false }: TurningProps) {
  const deed = useDeed(room);
  const tapped = useSignal('');
  return (
    <section class="db-turns">
      <h3>{say('fix.trackers', { n: calls.length })}</h3>
      <ul class="plain-list">
        {calls.map((call) => (
          <li key={call.id} class="db-turn" data-turn={`${call.seat}.${call.counter}`}>
            <span>{turnSentence(room.view.value, call, asGm)}</span>
            <button
              type="button"
              class="button button-small"
              disabled={deed.busy}
              onClick={() => {
                tapped.value = call.id;
                void deed.run('set', { seat: call.seat, counter: call.counter, face: call.face });
              }}
            >
              {say('db.turned')}
            </button>
            {tapped.value === call.id ? deed.note : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Which tracker goes on which face; with its owner's name where others read it. */
export function turnSentence(view: TableView | null, call: Awaited, withName: boolean): string {
  const name = counterOf(call);
  const words = { die: trackerDie(name), counter: counterWord(name), face: faceText(name, call.face ?? 0) };
  return withName ? say('db.turnOf', { name: nameOf(view, call.seat), ...words }) : say('db.turnMine', words);
}

const counterOf = (call: Awaited): string => call.counter ?? '';
