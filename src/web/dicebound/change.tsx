import type { TableView } from '../../wire/view.js';
import { say } from '../language.js';
import { nameOf } from '../wording.js';
import { Big, Options } from './buttons.js';
import { type DiceboundState, heroOf } from './game.js';
import { weaponWord } from './words.js';

/** Gives an action of a choice, with the action's own fields. */
export type Act = (action: string, fields?: Record<string, unknown>) => void;

interface TargetProps {
  readonly view: TableView;
  readonly targets: readonly string[];
  readonly choose: (target: string) => void;
}

/** Whom an attack may go to, a touch each. */
export function TargetButtons({ view, targets, choose }: TargetProps) {
  return targets.length === 0 ? null : (
    <Options>
      {targets.map((target) => (
        <Big key={target} onClick={() => choose(target)}>
          {nameOf(view, target)}
        </Big>
      ))}
    </Options>
  );
}

/** The weapon that the same throw could have been meant for: with the tile in the slot, or without it (C7). */
function otherWeapon(state: DiceboundState, who: string): 'physical' | 'base' | null {
  const hero = heroOf(state, who);
  const weapon = state.attack?.by === who ? state.attack.weapon : null;
  if (hero === undefined || hero.slots.physical === null) return null;
  return weapon === 'physical' ? 'base' : weapon === 'base' ? 'physical' : null;
}

interface ChangeProps extends Omit<TargetProps, 'choose'> {
  readonly state: DiceboundState;
  readonly who: string;
  readonly act: Act;
}

/** What may be changed of an attack that a throw has opened: whom it hits, and with what (C3). */
export function ChangeButtons({ view, state, who, targets, act }: ChangeProps) {
  const other = otherWeapon(state, who);
  const others = targets.filter((target) => target !== state.attack?.target);
  return (
    <>
      <TargetButtons view={view} targets={others} choose={(target) => act('change', { target })} />
      {other === null ? null : (
        <Options>
          <Big onClick={() => act('change', { weapon: other })}>
            {say('db.changeWeapon', { weapon: weaponWord(other) })}
          </Big>
        </Options>
      )}
    </>
  );
}
