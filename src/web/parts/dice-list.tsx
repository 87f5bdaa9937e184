import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import type { Room } from '../room.js';
import { Field, useDeed } from './deed.js';

/** One line of a list: code of a die, seat, and what it counts where it counts. */
const LINE = /^([a-z0-9][a-z0-9_-]{0,31})[\s,;]+([a-z0-9][a-z0-9_-]{0,31})(?:[\s,;]+([a-z0-9][a-z0-9_-]{0,31}))?$/;

function orderIn(line: string): object | undefined {
  const [, die, seat, counter] = LINE.exec(line.toLowerCase()) ?? [];
  if (die === undefined || seat === undefined) return undefined;
  return { die, seat, ...(counter === undefined ? {} : { duty: 'counts', counter }) };
}

/** Enrols many dice at once from their codes, heard or not: for a club that knows its dice. */
export function DiceList({ room }: { room: Room }) {
  const deed = useDeed(room);
  const text = useSignal('');
  const wrong = useSignal(0);
  const send = (event: Event): void => {
    event.preventDefault();
    const lines = text.value.split('\n').map((line) => line.trim());
    const dice = lines.map(orderIn);
    wrong.value = lines.findIndex((line, i) => line !== '' && dice[i] === undefined) + 1;
    if (wrong.value === 0) void deed.run('enlist', { dice: dice.filter((order) => order !== undefined) });
  };
  return (
    <form onSubmit={send}>
      <p class="quiet">{say('import.hint')}</p>
      <Field label={say('import.list')}>
        <textarea
          rows={5}
          required
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </Field>
      {wrong.value === 0 ? null : (
        <p class="warning" role="alert">
          {say('import.wrong', { n: wrong.value })}
        </p>
      )}
      <button type="submit" class="button" disabled={deed.busy}>
        {say('import.send')}
      </button>
      {deed.note}
    </form>
  );
}
