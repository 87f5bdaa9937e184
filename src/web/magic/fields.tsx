import type { Signal } from '@preact/signals';
import { Field } from '../parts/deed.js';

/** A line of text. */
export function TextField({ label, value }: { label: string; value: Signal<string> }) {
  return (
    <Field label={label}>
      <input
        type="text"
        maxLength={200}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </Field>
  );
}

interface NumberProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly min?: number;
  readonly max?: number;
}

/** A whole number; the phone shows its number keys. */
export function WholeField({ label, value, onInput, min = -1000, max = 1000 }: NumberProps) {
  return (
    <Field label={label}>
      <input
        class="number"
        type="number"
        inputMode="numeric"
        required
        min={min}
        max={max}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Field>
  );
}
