import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import { useDeed } from '../parts/deed.js';
import { ByCard } from './by-card.js';
import { ByForm } from './by-form.js';
import { type InstructProps, TextField } from './fields.js';

const WAYS = ['card', 'roll', 'form'] as const;

/** A roll is asked for by a card, by notation, or by a form. */
export function Instruct(props: InstructProps) {
  const way = useSignal<(typeof WAYS)[number]>('card');
  return (
    <div class="mg-instruct">
      <fieldset class="mg-ways" aria-label={say('mg.ask')}>
        {WAYS.map((one) => (
          <button
            key={one}
            type="button"
            class="button"
            aria-pressed={way.value === one}
            onClick={() => {
              way.value = one;
            }}
          >
            {say(`mg.by.${one}`)}
          </button>
        ))}
      </fieldset>
      {way.value === 'card' ? <ByCard {...props} /> : null}
      {way.value === 'roll' ? <ByNotation {...props} /> : null}
      {way.value === 'form' ? <ByForm {...props} /> : null}
    </div>
  );
}

function ByNotation({ room, args }: InstructProps) {
  const deed = useDeed(room);
  const notation = useSignal('');
  return (
    <form
      class="mg-form"
      onSubmit={(event) => {
        event.preventDefault();
        void deed.run('choose', { ...args, action: 'roll', notation: notation.value });
      }}
    >
      <TextField label={say('mg.notation')} value={notation} />
      <p class="quiet">{say('mg.notationHint')}</p>
      <button type="submit" class="button button-main" disabled={deed.busy || notation.value.trim() === ''}>
        {say('mg.roll')}
      </button>
      {deed.note}
    </form>
  );
}
