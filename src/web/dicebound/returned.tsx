import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Envelope } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { Card } from '../parts/frame.js';
import type { Room } from '../room.js';
import { counterWord, nameOf } from '../wording.js';
import { type Hero, playsDicebound, readDicebound } from './game.js';
import { faceText, trackerDie } from './words.js';

const MAX_PV = 20;
const MAX_PA = 6;

/** A die that must be set back, and on which face. */
interface Back {
  readonly seat: string;
  readonly counter: string;
  readonly face: number;
}

/** The faces that trackers should show, by seat and counter; null where a counter of 0 has none. */
type Faces = { readonly [seat: string]: Hero['expected'] };

const facesIn = (view: TableView): Faces =>
  !playsDicebound(view)
    ? {}
    : Object.fromEntries(Object.entries(readDicebound(view).seats).map(([seat, { expected }]) => [seat, expected]));

function changed(before: Faces, after: Faces): readonly Back[] {
  return Object.entries(after).flatMap(([seat, faces]) =>
    Object.entries(faces).flatMap(([counter, face]) =>
      face === null || before[seat]?.[counter] === face ? [] : [{ seat, counter, face }],
    ),
  );
}

/** True before anything happened: nobody hurt, no action points spent, no room, no fight. */
function fresh(view: TableView): boolean {
  if (!playsDicebound(view)) return false;
  const { seats, room, order } = readDicebound(view);
  return (
    room === null && order.length === 0 && Object.values(seats).every(({ pv, pa }) => pv === MAX_PV && pa === MAX_PA)
  );
}

/** True where a new game began: what was to be set back for the old one is over. */
const anotherGame = (message: Envelope, before: TableView, after: TableView): boolean =>
  before.game.id !== after.game.id || (message.kind === 'game' && fresh(after) && !fresh(before));

/**
 * After a ruling about the past the rules say something else than the dice: who must set which die back, until somebody
 * says that it is done. Two steps back add up to one list.
 */
export function Returned({ room }: { room: Room }) {
  const due = useSignal<readonly Back[]>([]);
  useEffect(
    () =>
      room.listen({
        envelope: (message) => {
          const before: TableView | null = room.view.value;
          if (before === null || message.view === undefined) return;
          const after = message.view as TableView;
          if (anotherGame(message, before, after)) due.value = [];
          const now = changed(facesIn(before), facesIn(after));
          const same = (one: Back, other: Back): boolean => one.seat === other.seat && one.counter === other.counter;
          if (message.kind === 'rewound')
            due.value = [...due.value.filter((old) => !now.some((one) => same(one, old))), ...now];
          // What the game changes afterwards is told by the game itself.
          else due.value = due.value.filter((old) => !now.some((one) => same(one, old)));
        },
      }),
    [room, due],
  );
  const own = room.door.role === 'player' ? room.door.seat : undefined;
  const mine = due.value.filter((back) => own === undefined || back.seat === own);
  if (mine.length === 0) return null;
  return (
    <Card title={say('db.back')} kind="db-back">
      <ul class="plain-list">
        {mine.map(({ seat, counter, face }) => (
          <li key={`${seat} ${counter}`} data-back={`${seat}.${counter}`}>
            {say('db.turnOf', {
              name: nameOf(room.view.value, seat),
              die: trackerDie(counter),
              counter: counterWord(counter),
              face: faceText(counter, face),
            })}
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="button"
        onClick={() => {
          due.value = [];
        }}
      >
        {say('db.backDone')}
      </button>
    </Card>
  );
}
