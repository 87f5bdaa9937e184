import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { nameOf } from '../wording.js';
import type { DiceboundState } from './game.js';
import { faceText, perkText, statWord, weaponWord } from './words.js';

interface NewsProps {
  readonly view: TableView;
  readonly state: DiceboundState;
}

/** A level up until everybody has drawn: the d% to turn, the perks it brought, and whose chest is still closed (G7). */
export function LevelUp({ view, state }: NewsProps) {
  const drawing = Object.entries(state.seats).filter(([, hero]) => hero.chests > 0 && hero.present);
  if (drawing.length === 0 || state.round > 0) return null;
  const perks = Object.entries(state.seats).flatMap(([seat, hero]) =>
    hero.perks.filter((perk) => perk.level === state.level).map((perk) => `${nameOf(view, seat)}: ${perkText(perk)}`),
  );
  return (
    <div class="db-level-up" role="status">
      <p class="db-level-up-word">{say('db.levelUp')}</p>
      <p>{say('db.levelUpHow', { n: state.level, face: faceText('level', state.levelFace) })}</p>
      {perks.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p class="quiet">{say('db.chestsLeft', { names: drawing.map(([seat]) => nameOf(view, seat)).join(', ') })}</p>
    </div>
  );
}

/** The attack that is open: who, whom, how much comes in and how much is left. */
export function AttackLine({ view, state }: NewsProps) {
  const { attack } = state;
  if (attack === null) return null;
  const words = { name: nameOf(view, attack.by), weapon: weaponWord(attack.weapon) };
  const target = attack.target === null ? null : nameOf(view, attack.target);
  return (
    <div class="db-attack">
      <p>{target === null ? say('db.attacks', words) : say('db.attacksWhom', { ...words, target })}</p>
      {attack.incoming === 0 ? null : (
        <p class="db-incoming">
          {say('db.incoming', { n: attack.incoming })}
          {attack.left === attack.incoming ? null : ` · ${say('db.damageLeft', { n: attack.left })}`}
        </p>
      )}
    </div>
  );
}

/** The check that is open: whose, with what, how far it has come (E1, E2). */
export function CheckLine({ view, state }: NewsProps) {
  const { check } = state;
  if (check === null) return null;
  const words = { name: nameOf(view, check.seat), stat: statWord(check.stat), difficulty: check.difficulty };
  return (
    <div class="db-attack db-check">
      <p>{say('db.check.open', words)}</p>
      {check.sum === 0 ? null : (
        <p class="db-incoming">{say('db.check.sum', { sum: check.sum, difficulty: check.difficulty })}</p>
      )}
    </div>
  );
}

/** Answers thrown before they were asked for: they wait and are used (C4). */
export function HeldLines({ view, state }: NewsProps) {
  return (
    <>
      {state.held.map(({ seat, at, face }, index) => (
        <p key={`${seat} ${at} ${index}`} class="db-weather">
          {say('db.held', {
            name: nameOf(view, seat),
            stat: statWord(at === 'agility' ? 'agility' : 'defence'),
            face: String(face),
          })}
        </p>
      ))}
    </>
  );
}
