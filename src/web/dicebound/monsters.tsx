import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { Card } from '../parts/frame.js';
import type { Room } from '../room.js';
import { nameOf } from '../wording.js';
import { Correction, MONSTER_MOST } from './corrections.js';
import { readDicebound } from './game.js';
import { attackText, dieName, pawnName, weaponWord } from './words.js';

/** The sheet of every monster that stands: the GM alone sees these numbers (G3, G4). */
export function Monsters({ room }: { room: Room }) {
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
                <span class="chip">{say('db.pawn', { die: pawnName(monster.pawn) })}</span>
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
            <details class="more">
              <summary>{say('db.adjust')}</summary>
              <Correction room={room} who={id} now={{ pv: monster.pv ?? 0, pa: monster.pa ?? 0 }} most={MONSTER_MOST} />
            </details>
          </li>
        ))}
      </ul>
      {deed.note}
    </Card>
  );
}
