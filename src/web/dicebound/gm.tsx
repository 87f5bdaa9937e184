import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { Card, Fold } from '../parts/frame.js';
import type { Room } from '../room.js';
import { isRoll, nameOf } from '../wording.js';
import { Borrowed } from './borrowed.js';
import { Big, Options } from './buttons.js';
import { Check } from './check.js';
import { type DiceboundState, own, readDicebound, valuesOf } from './game.js';
import { Happened } from './happened.js';
import { Monsters } from './monsters.js';
import { Purchases } from './purchases.js';
import { DiceboundToDo } from './todo.js';
import { DiceToTurn } from './turning.js';
import { named, trapText } from './words.js';

/** The GM's side of Dicebound: what awaits the GM, the room and its monsters, the party, the box. */
export function DiceboundGm({ room }: { room: Room }) {
  const view = room.view.value;
  if (view === null) return null;
  const calls = room.awaited.value;
  const mine = calls.filter((call) => call.seat === 'gm' && call.what !== 'camp' && call.what !== 'fight');
  const others = calls.filter((call) => call.seat !== 'gm' && call.face === undefined && !isQuiet(call));
  const turns = calls.filter((call) => call.face !== undefined);
  const camp = calls.find((call) => call.what === 'camp');
  const fight = calls.find((call) => call.what === 'fight');
  return (
    <>
      <Happened room={room} />
      <Borrowed room={room} me="gm" />
      {mine.length === 0 ? null : (
        <Card title={say('db.gm.yours')} kind="now-mine">
          <DiceboundToDo room={room} calls={mine} asGm />
        </Card>
      )}
      {fight === undefined ? null : <FightPanel room={room} call={fight} />}
      {camp === undefined ? null : <CampPanel room={room} call={camp} />}
      <Monsters room={room} />
      {turns.length === 0 ? null : (
        <Card title={say('db.gm.turns')} kind="db-card-turns">
          <DiceToTurn room={room} calls={turns} asGm />
        </Card>
      )}
      {others.length === 0 ? null : (
        <Fold title={say('db.gm.others', { n: others.length })}>
          <DiceboundToDo room={room} calls={others} asGm />
        </Fold>
      )}
    </>
  );
}

const isQuiet = (call: Awaited): boolean => !isRoll(call) && (call.ms !== undefined || call.optional === true);

/** Between fights: the room is bought and opened, its traps sprung, checks called, the party rests (G2, G10, E1, E4). */
function CampPanel({ room, call }: { room: Room; call: Awaited }) {
  const deed = useDeed(room);
  const view = room.view.value;
  if (view === null) return null;
  const state = readDicebound(view);
  const has = (action: string): boolean => call.actions?.some((spec) => spec.action === action) === true;
  const act = (action: string, fields: Record<string, unknown> = {}) =>
    deed.run('choose', { seat: 'gm', call: call.id, action, ...fields });
  return (
    <Card title={say(state.phase === 'ambush' ? 'db.gm.ambush' : 'db.gm.camp')} kind="db-camp">
      {has('startFight') || has('closeRoom') || has('rest') ? (
        <Options>
          {has('startFight') ? (
            <Big main disabled={deed.busy} onClick={() => void act('startFight')}>
              {say('db.startFight')}
            </Big>
          ) : null}
          {has('closeRoom') ? (
            <Big main disabled={deed.busy} onClick={() => void act('closeRoom')}>
              {say('db.closeRoom')}
            </Big>
          ) : null}
          {has('rest') ? (
            <Big disabled={deed.busy} onClick={() => void act('rest')}>
              {say('db.rest')}
            </Big>
          ) : null}
        </Options>
      ) : null}
      {has('trap') ? <Traps view={view} state={state} call={call} act={act} /> : null}
      {deed.note}
      {has('openRoom') ? <Purchases room={room} state={state} call={call} /> : null}
      {has('check') ? <Check room={room} view={view} state={state} call={call} /> : null}
      {has('endStory') ? (
        <details class="more">
          <summary>{say('db.endStory')}</summary>
          <p class="quiet">{say('db.endStoryHint')}</p>
          <Big onClick={() => void act('endStory')}>{say('db.endStory')}</Big>
        </details>
      ) : null}
    </Card>
  );
}

interface TrapsProps {
  readonly view: TableView;
  readonly state: DiceboundState;
  readonly call: Awaited;
  readonly act: (action: string, fields?: Record<string, unknown>) => unknown;
}

/** Traps of this room that have not sprung: on whom one springs is said with a tap (G11). */
function Traps({ view, state, call, act }: TrapsProps) {
  const spec = call.actions?.find((one) => one.action === 'trap') ?? {};
  return (
    <section class="db-traps">
      <h3>{say('db.traps')}</h3>
      {valuesOf(spec, 'trap').map((id) => {
        const kind = own(state.room?.traps, id)?.kind;
        const trap = own(state.box.traps, kind);
        const all = trap?.who === 'all';
        return (
          <div key={id} class="db-weapon">
            <p>
              <strong>{named(trap?.name, kind ?? id)}</strong>{' '}
              {trap === undefined ? null : <span class="quiet">{trapText(trap)}</span>}
            </p>
            <Options>
              {(all ? [null] : valuesOf(spec, 'who')).map((who) => (
                <Big key={who ?? ''} onClick={() => act('trap', who === null ? { trap: id } : { trap: id, who })}>
                  {who === null ? say('db.trap.spring') : say('db.trap.springOn', { name: nameOf(view, who) })}
                </Big>
              ))}
            </Options>
          </div>
        );
      })}
    </section>
  );
}

/** During a fight: whose dice the computer throws, and how the fight may end otherwise (G14, C13). */
function FightPanel({ room, call }: { room: Room; call: Awaited }) {
  const deed = useDeed(room);
  const view = room.view.value;
  if (view === null) return null;
  const drawn = readDicebound(view).room?.drawn ?? [];
  const all = drawn.includes('all');
  const act = (action: string, fields: Record<string, unknown>) =>
    void deed.run('choose', { seat: 'gm', call: call.id, action, ...fields });
  return (
    <Card title={say('db.gm.fight')}>
      <button
        type="button"
        role="switch"
        aria-checked={all}
        class="switch"
        disabled={deed.busy}
        onClick={() => act('drawDice', { who: 'all', yes: !all })}
      >
        <span class="switch-track" aria-hidden="true" />
        <span>{say('db.drawAll')}</span>
      </button>
      <details class="more">
        <summary>{say('db.endFight')}</summary>
        <Options>
          <Big onClick={() => act('endFight', { how: 'won' })}>{say('db.endWon')}</Big>
          <Big onClick={() => act('endFight', { how: 'left' })}>{say('db.endLeft')}</Big>
        </Options>
      </details>
      {deed.note}
    </Card>
  );
}
