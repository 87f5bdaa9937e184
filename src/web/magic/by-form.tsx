import { useSignal } from '@preact/signals';
import { say } from '../language.js';
import { Field, Select, useDeed } from '../parts/deed.js';
import { WholeField } from '../parts/whole-field.js';
import { type InstructProps, TextField } from './fields.js';

const USES = [
  'number',
  'total',
  'rows',
  'condition',
  'choose',
  'difference',
  'parity',
  'distinct',
  'doubles',
  'ordered',
] as const;
type UseName = (typeof USES)[number];

/** A whole number of the form. */
function useWhole(first: number) {
  const value = useSignal(String(first));
  const onInput = (text: string): void => {
    value.value = text;
  };
  return { value: value.value, onInput };
}

/** The rows as people write them, between commas or blanks. */
const rowsIn = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((row) => row !== '');

/** A roll by count, sides, modifier, what is ignored and what the result is for. */
export function ByForm({ room, args }: InstructProps) {
  const deed = useDeed(room);
  const [count, sides, modifier, lowest] = [useWhole(1), useWhole(20), useWhole(0), useWhole(0)];
  const use = useSignal<UseName>('number');
  const rows = useSignal('1-9, 10-19, 20');
  const again = useSignal('');
  const condition = useSignal('');
  const purpose = (): object => {
    if (use.value === 'condition') return { condition: condition.value };
    if (use.value !== 'rows') return { use: use.value };
    return { rows: rowsIn(rows.value), ...(again.value.trim() === '' ? {} : { again: again.value.trim() }) };
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const numbers = { count, sides, modifier, lowest };
    const told = Object.fromEntries(Object.entries(numbers).map(([name, { value }]) => [name, Number(value)]));
    void deed.run('choose', { ...args, action: 'form', ...told, ...purpose() });
  };
  return (
    <form class="mg-form" onSubmit={submit}>
      <div class="mg-numbers">
        <WholeField label={say('mg.count')} min={0} max={100} {...count} required />
        <WholeField label={say('mg.sides')} min={2} {...sides} max={1000} required />
        <WholeField label={say('mg.modifier')} {...modifier} min={-1000} max={1000} required />
        <WholeField label={say('mg.lowest')} min={0} max={100} {...lowest} required />
      </div>
      <Field label={say('mg.use')}>
        <Select
          value={use.value}
          choices={USES.map((one) => [one, say(`mg.use.${one}`)] as const)}
          onChoose={(one) => {
            use.value = USES.find((known) => known === one) ?? 'number';
          }}
        />
      </Field>
      {use.value === 'rows' ? (
        <>
          <TextField label={say('mg.rows')} value={rows} />
          <p class="quiet">{say('mg.rowsHint')}</p>
          <TextField label={say('mg.againRow')} value={again} />
        </>
      ) : null}
      {use.value === 'condition' ? (
        <>
          <TextField label={say('mg.condition.field')} value={condition} />
          <p class="quiet">{say('mg.conditionHint')}</p>
        </>
      ) : null}
      <button type="submit" class="button button-main" disabled={deed.busy}>
        {say('mg.roll')}
      </button>
      {deed.note}
    </form>
  );
}
