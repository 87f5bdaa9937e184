import { useSignal } from '@preact/signals';
import type { Awaited } from '../../wire/envelope.js';
import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { Field, useDeed } from '../parts/deed.js';
import { Card, Fold } from '../parts/frame.js';
import type { Room } from '../room.js';
import { isRoll, nameOf } from '../wording.js';
import { BoxEditor } from './box.js';
import { Check } from './check.js';
import { ClassChoice } from './classes.js';
import { type DiceboundState, type Hero, own, readDicebound } from './game.js';
import { Purchases } from './purchases.js';
import { Big, DiceboundToDo, Options, valuesOf } from './todo.js';
import { DiceToTurn } from './turning.js';
import { attackText, dieName, named, tileTitle, trapText, weaponWord } from './words.js';

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

/** The party and the box: what the GM looks after beside the fight. */
export function DiceboundParty({ room }: { room: Room }) {
  const view = room.view.value;
  if (view === null) return null;
  const state = readDicebound(view);
  return (
    <>
      <Card title={say('db.party')}>
        <ul class="db-party">
          {Object.entries(state.seats).map(([seat, hero]) => (
            <Attendance key={seat} room={room} view={view} seat={seat} hero={hero} />
          ))}
        </ul>
      </Card>
      <Fold title={say('db.box')}>
        <BoxEditor room={room} />
      </Fold>
    </>
  );
}

/** Who is there tonight, of which class, and corrections of PV and PA (G14, D3). */
function Attendance({ room, view, seat, hero }: { room: Room; view: TableView; seat: string; hero: Hero }) {
  const deed = useDeed(room);
  const values = useSignal({ pv: '', pa: '' });
  const act = (action: string, fields: Record<string, unknown>) =>
    void deed.run('choose', { seat: 'gm', action, who: seat, ...fields });
  const correct = (event: Event): void => {
    event.preventDefault();
    const { pv, pa } = values.value;
    act('adjust', { ...(pv === '' ? {} : { pv: Number(pv) }), ...(pa === '' ? {} : { pa: Number(pa) }) });
    values.value = { pv: '', pa: '' };
  };
  return (
    <li class="db-attends">
      <button
        type="button"
        role="switch"
        aria-checked={hero.present}
        class="switch"
        disabled={deed.busy || hero.attendance === 'gone'}
        onClick={() => act('present', { yes: !hero.present })}
      >
        <span class="switch-track" aria-hidden="true" />
        <span>
          {nameOf(view, seat)}{' '}
          <span class="quiet">
            {say(hero.present ? 'db.presentNow' : hero.attendance === 'gone' ? 'db.gone' : 'db.absent')}
          </span>
        </span>
      </button>
      <details class="more">
        <summary>{say('db.party.more')}</summary>
        <ClassChoice room={room} seat={seat} />
        <form class="row" onSubmit={correct}>
          {(['pv', 'pa'] as const).map((counter) => (
            <Field key={counter} label={`${say(`counter.short.${counter}`)} (${hero[counter]})`}>
              <input
                class="number"
                type="number"
                inputMode="numeric"
                min={0}
                max={counter === 'pv' ? 20 : 6}
                value={values.value[counter]}
                onInput={(event) => {
                  values.value = { ...values.value, [counter]: event.currentTarget.value };
                }}
              />
            </Field>
          ))}
          <button type="submit" class="button" disabled={deed.busy}>
            {say('db.adjust')}
          </button>
        </form>
        <Destroyed hero={hero} view={view} destroy={(tile) => act('destroy', { tile })} />
      </details>
      {deed.note}
    </li>
  );
}

/** A tile that an effect destroys goes back to the bag by the GM's word (T7). */
function Destroyed({ hero, view, destroy }: { hero: Hero; view: TableView; destroy: (tile: string) => void }) {
  const { tiles } = readDicebound(view).box;
  const worn = [...Object.values(hero.slots), ...hero.hand].filter((id) => id !== null);
  if (worn.length === 0) return null;
  return (
    <details class="more">
      <summary>{say('db.destroyed')}</summary>
      <Options>
        {worn.map((id) => (
          <button key={id} type="button" class="button button-small" onClick={() => destroy(id)}>
            {tileTitle(id, own(tiles, id))}
          </button>
        ))}
      </Options>
    </details>
  );
}

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

/** The sheet of every monster that stands: the GM alone sees these numbers (G3, G4). */
function Monsters({ room }: { room: Room }) {
  const deed = useDeed(room);
  const view = room.view.value;
  if (view === null) return null;
  const state = readDicebound(view);
  const monsters = Object.entries(state.monsters);
  if (monsters.length === 0) return null;
  const drawn = state.room?.drawn ?? [];
  return (
    <Card title={say('db.monsters')}>
      <p class="quiet">{say('db.monsters.hint')}</p>
      <ul class="db-sheets">
        {monsters.map(([id, monster]) => (
          <li key={id} class="db-sheet" data-monster={id}>
            <p>
              <strong>{nameOf(view, id)}</strong>{' '}
              {monster.pawn === undefined ? null : (
                <span class="chip">{say('db.pawn', { die: dieName(Number(monster.pawn.slice(1))) })}</span>
              )}
            </p>
            <p>
              {say('db.monster.body', {
                pv: monster.pv ?? 0,
                pa: monster.pa ?? 0,
                defence: dieName(monster.defence ?? 0),
              })}
              {' · '}
              {say('db.stat.agility')} {dieName(monster.agility ?? 0)}
            </p>
            {(['physical', 'magic'] as const).map((weapon) => {
              const attack = monster.attacks?.[weapon];
              return attack === undefined ? null : (
                <p key={weapon}>
                  {weaponWord(weapon)}: {attackText(monster.attackDice === undefined ? attack : { ...attack, dice: 1 })}
                  {monster.attackDice === undefined ? '' : ` · ${say('db.hordeLeft', { n: monster.attackDice })}`}
                </p>
              );
            })}
            <button
              type="button"
              class="button button-small"
              aria-pressed={drawn.includes(id) || drawn.includes('all')}
              disabled={deed.busy || drawn.includes('all')}
              onClick={() =>
                void deed.run('choose', { seat: 'gm', action: 'drawDice', who: id, yes: !drawn.includes(id) })
              }
            >
              {say('db.drawOne')}
            </button>
          </li>
        ))}
      </ul>
      {deed.note}
    </Card>
  );
}
