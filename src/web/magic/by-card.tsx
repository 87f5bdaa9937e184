import { type Signal, useSignal } from '@preact/signals';
import { say } from '../language.js';
import { Field, Select, useDeed } from '../parts/deed.js';
import { WholeField } from '../parts/whole-field.js';
import { cardName, findCards, type MagicCard, useCards } from './cards.js';
import { type InstructProps, TextField } from './fields.js';
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
function CardDeeds(props: InstructProps & { card: MagicCard }) {
  const { rolls, plays } = props.card;
  return (
    <>
      {rolls === true ? <RollCard {...props} /> : null}
      {plays === true ? <PlayCard {...props} /> : null}
    </>
  );
}

/** The card asks for a roll, with the numbers only the players know. */
function RollCard({ room, args, card }: InstructProps & { card: MagicCard }) {
  const deed = useDeed(room);
  const numbers = useSignal<Readonly<Record<string, string>>>({});
  const on = useSignal(card.name);
  const asked = card.asks ?? [];
  const roll = (event: Event): void => {
    event.preventDefault();
    const told = Object.fromEntries(asked.map((name) => [name, Number(numbers.value[name] ?? '')]));
    const where = card.stores === true ? { on: on.value } : {};
    void deed.run('choose', { ...args, action: 'card', card: card.name, ...told, ...where });
  };
  return (
    <form class="mg-form" onSubmit={roll}>
      {asked.map((name) => (
        <WholeField
          key={name}
          label={askedWord(name)}
          value={numbers.value[name] ?? ''}
          onInput={(text) => {
            numbers.value = { ...numbers.value, [name]: text };
          }}
          min={-1000}
          max={1000}
          required
        />
      ))}
      {card.stores === true ? <TextField label={say('mg.on')} value={on} /> : null}
      <button
        type="submit"
        class="button button-main"
        disabled={deed.busy || asked.some((name) => (numbers.value[name] ?? '') === '')}
      >
        {say('mg.roll')}
      </button>
      {deed.note}
    </form>
  );
}

/** The card comes into play, with what is to be said of it. */
function PlayCard({ room, seat, args, card }: InstructProps & { card: MagicCard }) {
  const deed = useDeed(room);
  const target = useSignal(seat);
  const [value, counters] = [useSignal(''), useSignal(String(card.counters ?? ''))];
  const play = (event: Event): void => {
    event.preventDefault();
    void deed.run('choose', {
      ...args,
      action: 'play',
      card: card.name,
      ...(card.target === true ? { target: target.value } : {}),
      ...(card.value === true ? { value: Number(value.value) } : {}),
      ...(card.counters === undefined ? {} : { counters: Number(counters.value) }),
    });
  };
  return (
    <form class="mg-form" onSubmit={play}>
      {card.target === true ? (
        <Field label={say('mg.target')}>
          <Select
            value={target.value}
            choices={(room.view.value?.seats ?? []).map(({ id, name }) => [id, name] as const)}
            onChoose={(id) => {
              target.value = id;
            }}
          />
        </Field>
      ) : null}
      {card.value === true ? <NumberOf label={say('mg.value')} value={value} /> : null}
      {card.counters === undefined ? null : <NumberOf label={say('mg.counters')} value={counters} min={0} />}
      <button type="submit" class="button" disabled={deed.busy || (card.value === true && value.value === '')}>
        {say('mg.play')}
      </button>
      {deed.note}
    </form>
  );
}

function NumberOf({ label, value, min = -1000 }: { label: string; value: Signal<string>; min?: number }) {
  return (
    <WholeField
      label={label}
      min={min}
      value={value.value}
      onInput={(text) => {
        value.value = text;
      }}
      max={1000}
      required
    />
  );
}
