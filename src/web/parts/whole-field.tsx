import { Field } from './deed.js';

interface WholeFieldProps {
  readonly label: string;
  readonly value: string | number;
  readonly min: number;
  readonly max: number;
  readonly onInput: (text: string) => void;
  readonly required?: boolean;
}

/** A field for a whole number between two bounds; the phone shows its number keys. */
export function WholeField({ label, value, min, max, onInput, required = false }: WholeFieldProps) {
  return (
    <Field label={label}>
      <input
        class="number"
        type="number"
        inputMode="numeric"
        required={required}
        min={min}
        max={max}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Field>
  );
}
