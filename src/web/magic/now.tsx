import { useSignal } from '@preact/signals';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { AwaitedNow } from '../parts/awaited.js';
import { ToDo } from '../parts/choices.js';
import { Field, Select, useDeed } from '../parts/deed.js';
import { Card } from '../parts/frame.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { isIdle, readMagic } from './game.js';
import { Instruct } from './instruct.js';

/** A player's turn at a Magic table: what I am awaited for, else how I ask for a roll. */
export function MagicNow({ room, seat }: { room: Room; seat: string }) {
  const view = room.view.value;
  const due = room.awaited.value.filter((call) => !isIdle(view, call));
  const calls = due.filter((call) => call.seat === seat || call.seat === null);
  if (view === null) return null;
  if (calls.length > 0) {
    return (
      <section class="now now-mine" aria-label={say('board.now')} aria-live="polite">
        <h2>{say('awaited.you')}</h2>
        <ToDo room={room} calls={calls} />
      </section>
    );
  }
  return (
    <section class="now" aria-label={say('board.now')}>
      <AwaitedNow room={room} />
      {due.length > 0 ? null : (
        <Card title={say('mg.ask')} kind="mg-ask">
          <Instruct key={seat} room={room} seat={seat} args={{ seat }} />
          <TurnDeeds room={room} view={view} seat={seat} args={{ seat }} />
        </Card>
      )}
    </section>
  );
}

interface TurnProps {
  readonly room: Room;
  readonly view: TableView;
  readonly seat: string;
  /** How the deed names who acts. */
  readonly args: { readonly seat: string; readonly player?: string };
}

/** The planar die's special action with its price, and the end of the turn: the active player's alone. */
function TurnDeeds({ room, view, seat, args }: TurnProps) {
  const deed = useDeed(room);
  const { active, planarCost } = readMagic(view);
  if (active !== seat) return null;
  return (
    <div class="mg-turn">
      <h3>{say('mg.planar')}</h3>
      <div class="row">
        <button
          type="button"
          class="button"
          disabled={deed.busy}
          onClick={() => deed.run('choose', { ...args, action: 'planar' })}
        >
          {say('mg.planarRoll', { cost: planarCost })}
        </button>
        <button
          type="button"
          class="button"
          disabled={deed.busy}
          onClick={() => deed.run('choose', { ...args, action: 'turn' })}
        >
          {say('mg.endTurn')}
        </button>
      </div>
      {deed.note}
    </div>
  );
}

/** The GM's side: what is open, with a way out of it, and rolls asked for a player who is not at hand. */
export function MagicGm({ room, view }: { room: Room; view: TableView }) {
  const deed = useDeed(room);
  const due = room.awaited.value.filter((call) => !isIdle(view, call));
  const player = useSignal(readMagic(view).active);
  const seat = view.seats.some(({ id }) => id === player.value) ? player.value : (view.seats[0]?.id ?? '');
  if (due.length > 0) {
    return (
      <Card title={say('awaited.title')}>
        <ToDo room={room} calls={due} asGm />
        <p class="row">
          <button
            type="button"
            class="button"
            disabled={deed.busy}
            onClick={() => deed.run('choose', { seat: 'gm', action: 'cancel' })}
          >
            {say('mg.cancel')}
          </button>
        </p>
        {deed.note}
      </Card>
    );
  }
  const args = { seat: 'gm', player: seat };
  return (
    <Card title={say('mg.ask')} kind="mg-ask">
      <Field label={say('mg.actFor')}>
        <Select
          value={seat}
          choices={view.seats.map(({ id }) => [id, nameOf(view, id)] as const)}
          onChoose={(id) => {
            player.value = id;
          }}
        />
      </Field>
      <Instruct key={seat} room={room} seat={seat} args={args} />
      <TurnDeeds room={room} view={view} seat={seat} args={args} />
    </Card>
  );
}
