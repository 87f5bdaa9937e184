import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import { Field, Select, useDeed } from '../parts/deed.js';
import { nameOf } from '../wording.js';
import { cardName, findCards, type MagicCard, useCards } from './cards.js';
import { TextField, WholeField } from './fields.js';
import type { InstructProps } from './instruct.js';
import { askedWord } from './words.js';

/** A card by a few letters of its name, then the numbers only the players know. */
export function ByCard(props: InstructProps) {
  const cards = useCards(props.room);
  const typed = useSignal('');
  const chosen = useSignal<MagicCard | null>(null);
  const card = chosen.value;
  const found = findCards(cards.value, typed.value);
  if (card !== null) {
    return (
      <>
        <div class="row">
          <strong class="mg-card-name">{cardName(card)}</strong>
          <button
            type="button"
            class="button"
            onClick={() => {
              chosen.value = null;
              typed.value = '';
            }}
          >
            {say('mg.other')}
          </button>
        </div>
        <CardDeeds key={card.name} {...props} card={card} />
      </>
    );
  }
  return (
    <>
      <TextField label={say('mg.card')} value={typed} />
      <p class="quiet">{say(typed.value.trim() !== '' && found.length === 0 ? 'mg.cardNone' : 'mg.cardHint')}</p>
      <ul class="mg-found">
        {found.map((one) => (
          <li key={one.name}>
            <button
              type="button"
              class="button"
              onClick={() => {
                chosen.value = one;
              }}
            >
              {cardName(one)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a card can do here: roll, come into play, or both. */
function CardDeeds({ room, seat, args, card }: InstructProps & { card: MagicCard }) {
  const deed = useDeed(room);
  const view = room.view.value;
  const numbers = useSignal<Readonly<Record<string, string>>>({});
  const on = useSignal(card.name);
  const target = useSignal(seat);
  const value = useSignal('');
  const counters = useSignal(String(card.counters ?? ''));
  const asked = card.asks ?? [];
  const told = Object.fromEntries(asked.map((name) => [name, Number(numbers.value[name] ?? '')]));
  const roll = { ...told, ...(card.stores === true ? { on: on.value } : {}) };
  const play = {
    ...(card.target === true ? { target: target.value } : {}),
    ...(card.value === true ? { value: Number(value.value) } : {}),
    ...(card.counters === undefined ? {} : { counters: Number(counters.value) }),
  };
  const run = (action: 'card' | 'play', more: object) =>
    deed.run('choose', { ...args, action, card: card.name, ...more });
  return (
    <div class="mg-form">
      {asked.map((name) => (
        <WholeField
          key={name}
          label={askedWord(name)}
          value={numbers.value[name] ?? ''}
          onInput={(text) => {
            numbers.value = { ...numbers.value, [name]: text };
          }}
        />
      ))}
      {card.stores === true ? <TextField label={say('mg.on')} value={on} /> : null}
      {card.target === true ? (
        <Field label={say('mg.target')}>
          <Select
            value={target.value}
            choices={(view?.seats ?? []).map(({ id }) => [id, nameOf(view, id)] as const)}
            onChoose={(id) => {
              target.value = id;
            }}
          />
        </Field>
      ) : null}
      {card.value === true ? (
        <WholeField
          label={say('mg.value')}
          value={value.value}
          onInput={(text) => {
            value.value = text;
          }}
        />
      ) : null}
      {card.counters === undefined ? null : (
        <WholeField
          label={say('mg.counters')}
          min={0}
          value={counters.value}
          onInput={(text) => {
            counters.value = text;
          }}
        />
      )}
      <div class="row">
        {card.rolls === true ? (
          <button
            type="button"
            class="button button-main"
            disabled={deed.busy || asked.some((name) => (numbers.value[name] ?? '') === '')}
            onClick={() => run('card', roll)}
          >
            {say('mg.roll')}
          </button>
        ) : null}
        {card.plays === true ? (
          <button
            type="button"
            class="button"
            disabled={deed.busy || (card.value === true && value.value === '')}
            onClick={() => run('play', play)}
          >
            {say('mg.play')}
          </button>
        ) : null}
      </div>
      {deed.note}
    </div>
  );
}
