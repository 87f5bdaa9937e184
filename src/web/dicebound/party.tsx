import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { Card, Fold } from '../parts/frame.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { Perks } from './board.js';
import { BoxEditor } from './box.js';
import { Options } from './buttons.js';
import { ClassChoice } from './classes.js';
import { Correction, HERO_MOST, LevelCorrection } from './corrections.js';
import { type Hero, own, readDicebound } from './game.js';
import { tileTitle } from './words.js';

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
        {state.mode === 'arena' ? null : <LevelCorrection key={state.level} room={room} level={state.level} />}
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
  const act = (action: string, fields: Record<string, unknown>) =>
    void deed.run('choose', { seat: 'gm', action, who: seat, ...fields });
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
        <Perks hero={hero} />
        <Correction room={room} who={seat} now={hero} most={HERO_MOST} />
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
