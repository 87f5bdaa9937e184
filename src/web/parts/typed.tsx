import { type Signal, useSignal } from '@preact/signals';
import type { Awaited } from '../../wire/envelope.js';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { dieWord } from '../wording.js';
import { Field, Select, useDeed } from './deed.js';

export const COMMON_DICE = ['d4', 'd6', 'd8', 'd10', 'd12', 'd16', 'd20', 'd100'] as const;

/** Smallest and largest natural result of a die, for the number field. */
const lowest = (type: string): number => (type === 'd00' ? 0 : type === 'fudge' ? -1 : 1);
const highest = (type: string): number => (type === 'd00' ? 90 : type === 'fudge' ? 1 : Number(type.slice(1)));

/** Number fields for the dice of a roll, and the button that notes them. */
export function TypedNumbers({ room, call, types }: { room: Room; call: Awaited; types: readonly string[] }) {
  const deed = useDeed(room);
  const numbers = useSignal<readonly string[]>([]);
  const game = room.view.value?.game.id ?? '';
  const submit = (event: Event): void => {
    event.preventDefault();
    const naturals = types.map((_, i) => Number(numbers.value[i] ?? ''));
    const seat = call.seat === null ? {} : { seat: call.seat };
    const [first] = naturals;
    const args =
      types.length === 1
        ? { sides: call.sides ?? Number(types[0]?.slice(1)), natural: first }
        : { dice: types.map((type, i) => ({ type, natural: naturals[i] })) };
    void deed.run('type', { ...seat, call: call.id, ...args }).then((answer) => {
      if (answer.kind === 'ack') numbers.value = [];
    });
  };
  return (
    <form class="row typed" onSubmit={submit}>
      {types.map((type, i) => (
        <NumberField
          key={`${type}-${i}`}
          label={`${say('typed.number')} (${dieWord(game, type)})`}
          type={type}
          value={numbers.value[i] ?? ''}
          onInput={(value) => {
            numbers.value = types.map((_, j) => (j === i ? value : (numbers.value[j] ?? '')));
          }}
        />
      ))}
      <button
        type="submit"
        class="button"
        disabled={deed.busy || types.some((_, i) => (numbers.value[i] ?? '') === '')}
      >
        {say('typed.send')}
      </button>
      {deed.note}
    </form>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly type: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A field for one natural result; the phone shows its number keys. */
export function NumberField({ label, type, value, onInput }: NumberFieldProps) {
  return (
    <Field label={label}>
      <input
        class="number"
        type="number"
        inputMode="numeric"
        required
        min={lowest(type)}
        max={highest(type)}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Field>
  );
}

function DiceChoice({ game, type }: { game: string; type: Signal<string> }) {
  return (
    <fieldset class="dice-choice" aria-label={say('virtual.which')}>
      {COMMON_DICE.map((one) => (
        <button
          key={one}
          type="button"
          class="button button-die"
          aria-pressed={type.value === one}
          onClick={() => {
            type.value = one;
          }}
        >
          {dieWord(game, one)}
        </button>
      ))}
    </fieldset>
  );
}

/** Dice for a seat without a call: drawn by the daemon, or typed by hand. For tables without a referee. */
export function FreeRoll({ room, seat: own }: { room: Room; seat?: string }) {
  const deed = useDeed(room);
  const view = room.view.value;
  const seats = view?.seats ?? [];
  const seat = useSignal(own ?? seats[0]?.id ?? '');
  const type = useSignal<string>('d20');
  const number = useSignal('');
  const game = view?.game.id ?? '';
  const typeIt = (event: Event): void => {
    event.preventDefault();
    const args = { seat: seat.value, sides: Number(type.value.slice(1)), natural: Number(number.value) };
    void deed.run('type', args).then((answer) => {
      if (answer.kind === 'ack') number.value = '';
    });
  };
  return (
    <div class="free-roll">
      {own !== undefined ? null : (
        <Field label={say('virtual.seat')}>
          <Select
            value={seat.value}
            choices={seats.map((one) => [one.id, one.name] as const)}
            onChoose={(id) => {
              seat.value = id;
            }}
          />
        </Field>
      )}
      <DiceChoice game={game} type={type} />
      <button
        type="button"
        class="button button-main"
        disabled={deed.busy || seat.value === ''}
        onClick={() => deed.run('digital', { seat: seat.value, dice: [type.value] })}
      >
        {say('virtual.roll', { dice: dieWord(game, type.value) })}
      </button>
      <form class="row typed" onSubmit={typeIt}>
        <NumberField
          label={`${say('typed.number')} (${dieWord(game, type.value)})`}
          type={type.value}
          value={number.value}
          onInput={(value) => {
            number.value = value;
          }}
        />
        <button type="submit" class="button" disabled={deed.busy || number.value === '' || seat.value === ''}>
          {say('typed.send')}
        </button>
      </form>
      <p class="quiet">{say('typed.hint')}</p>
      {deed.note}
    </div>
  );
}
