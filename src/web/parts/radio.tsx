import type { DieView } from '../../wire/view.js';
import { keyOf, language, say } from '../language.js';
import type { Room } from '../room.js';

/** What the adapters can serve and which dice are followed how, before anybody plays. Nothing where there is no radio. */
export function RadioPlan({ room }: { room: Room }) {
  const view = room.view.value;
  const radio = view?.radio;
  if (radio === undefined) return null;
  const followed = (view?.dice ?? []).filter(({ following }) => following !== undefined);
  const by = (how: NonNullable<DieView['following']>['by']): number =>
    followed.filter(({ following }) => following?.by === how).length;
  const badly = followed.filter(({ following }) => following?.unreliable === true).length;
  const trouble = radio[language.value];
  const state = keyOf(`radio.state.${radio.state}`);
  return (
    <div class="radio" role="status">
      {state === undefined ? null : <p>{say(state)}</p>}
      {trouble === undefined ? null : <p>{`⚠ ${trouble.reason}. ${trouble.remedy}`}</p>}
      <p class="quiet">{say(radio.adapters === undefined ? 'radio.links' : 'radio.linksAll', { n: radio.links })}</p>
      {radio.adapters === undefined ? null : (
        <ul class="plain-list quiet">
          {radio.adapters.map(({ name, state: own, links, linked }) => (
            <li key={name}>
              {own === 'on' ? say('radio.adapter', { name, n: linked, links }) : say('radio.adapterAway', { name })}
            </li>
          ))}
        </ul>
      )}
      {followed.length === 0 ? null : (
        <ul class="plain-list quiet">
          <li>{say('radio.linked', { n: by('link') })}</li>
          {by('adverts') === 0 ? null : <li>{say('radio.adverts', { n: by('adverts') })}</li>}
          {badly === 0 ? null : <li>{`⚠ ${say('radio.badly', { n: badly })}`}</li>}
          {by('none') === 0 ? null : <li>{`⚠ ${say('radio.unheard', { n: by('none') })}`}</li>}
        </ul>
      )}
    </div>
  );
}
